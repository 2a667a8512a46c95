// `close-check` and `close-request`: may a lane's worktree and branch go without losing anything?

#include "app/closing.hpp"

#include "app/close_message.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "core/close_request.hpp"

#include <utility>

namespace mandate::cli {

namespace {

void declare_question(Arguments& arguments, app::CloseQuestion& question)
{
    arguments.option("--into", "REF", question.into,
                     "the integration branch; default the remote's HEAD, else main, master");
    arguments.option("--merged-head", "SHA", question.merged_head,
                     "the commit that a squash merge took in, as the forge names it");
    arguments.option("--remote-head", "SHA", question.remote_head,
                     "where the remote's branch stands now, as git ls-remote says");
}

void add_decision(const core::Closing& closing, Outcome& outcome)
{
    outcome.answer.add("decision", core::name(closing.decision));
    for (const core::Answer::Reason& reason : closing.reasons) {
        outcome.answer.because(reason.code, reason.text);
    }
    outcome.exit = closing.decision == core::Decision::automatic ? Exit::yes : Exit::no;
}

Outcome rejected(core::CloseReason reason, std::string text, Outcome outcome = {})
{
    core::Closing closing;
    closing.because(reason, std::move(text));
    add_decision(closing, outcome);
    return outcome;
}

// A directory that is in no worktree is a decided no here: there is no lane to close.
bool is_no_lane(Code code)
{
    return code == Code::not_a_directory || code == Code::not_a_repository || code == Code::not_a_worktree ||
           code == Code::worktree_mismatch;
}

void add_answer(const app::Lane& lane, const app::CloseAnswer& answer, Outcome& outcome)
{
    outcome.answer.add("task", core::text_or_absent(answer.task))
        .add("branch", core::text_or_absent(lane.place.head.branch))
        .add("head", core::text_or_absent(answer.head))
        .add("into", core::text_or_absent(answer.into));
    add_decision(answer.closing, outcome);
}

constexpr Manual k_close_check{
    "close-check", "[DIR]", "may the lane's worktree and branch go without losing anything?",
    "Prints decision=auto (exit 0), ask or reject (exit 1), and a line reason=CODE TEXT for each condition that\n"
    "failed, with the first ten paths. auto promises that nothing which removing the worktree and its branch deletes\n"
    "is missing elsewhere: all is in the integration branch, in a lane file, or disposable ([close] in the\n"
    "configuration). --merged-head is the caller's word that a squash merge took in that commit. Writes nothing.",
    "mandate close-check ../fix-login && git worktree remove --force ../fix-login"};

class CloseCheckVerb final : public Verb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_close_check; }
    [[nodiscard]] Uses uses() const override { return Uses::lane; }
    void declare(Arguments& arguments) override
    {
        arguments.words(m_words);
        declare_question(arguments, m_question);
    }
    Result<Outcome> run(const Globals& globals) override
    {
        const auto lane = only_lane(globals, m_words);
        if (!lane && is_no_lane(lane.error().code)) {
            return rejected(core::CloseReason::not_a_lane, lane.error().message);
        }
        if (!lane) {
            return fail(lane.error());
        }
        const auto answer = app::close_check(*lane, m_question);
        if (!answer) {
            return fail(app::in_lane(answer.error(), *lane));
        }
        Outcome outcome = start_outcome(*lane);
        add_answer(*lane, *answer, outcome);
        count_fallback(*lane, answer->task, outcome);
        return outcome;
    }

private:
    std::vector<std::string> m_words;
    app::CloseQuestion m_question;
};

constexpr Manual k_close_request{
    "close-request", "FILE", "check a message that asks for a lane to be closed",
    "FILE is untrusted text: its first line that is not blank is `mandate close-request`, then task=, worktree= and\n"
    "repo= once each; `-` is stdin. A FILE that cannot be read is exit 2. decision=reject (exit 1) for malformed, "
    "invalid-task, repo-mismatch, not-a-lane,\n"
    "lane-mismatch; then close-check decides. On auto (exit 0) the ledger gets a `closed` line with the record's\n"
    "digest; where that cannot be written, exit 4 and no auto.",
    // The lane of the answer: the path of the message is whatever somebody wrote.
    "answer=$(mandate close-request --format shell message.txt) &&\n"
    "      eval \"$answer\" && git worktree remove --force \"$mandate_lane\""};

class CloseRequestVerb final : public Verb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_close_request; }
    [[nodiscard]] Uses uses() const override { return Uses::nothing; }
    void declare(Arguments& arguments) override
    {
        arguments.words(m_words);
        declare_question(arguments, m_question);
    }
    Result<Outcome> run(const Globals& globals) override
    {
        if (auto checked = at_most(m_words, 1); !checked) {
            return fail(std::move(checked.error()));
        }
        if (word_at(m_words, 0).empty()) {
            return fail(Code::usage, "there is no file on the command line", "mandate close-request FILE");
        }
        const std::string& file = m_words[0];
        const auto message = app::read_close_message(file == "-" ? file : directory_of(globals, file));
        if (!message) {
            return fail(message.error());
        }
        if (!*message) {
            return rejected(core::CloseReason::malformed, "the message is larger than 64 KiB");
        }
        const auto request = core::parse_close_request(**message);
        if (!request) {
            return rejected(request.error().reason, request.error().text);
        }
        auto lane = open_lane(globals, {request->worktree, std::nullopt, false, true});
        if (!lane && is_no_lane(lane.error().code)) {
            return rejected(core::CloseReason::not_a_lane, lane.error().message);
        }
        if (!lane) {
            return fail(lane.error());
        }
        return decide(*lane, *request);
    }

private:
    Result<Outcome> decide(const app::Lane& lane, const core::CloseRequest& request)
    {
        Outcome outcome = start_outcome(lane);
        if (!app::names_root(lane.place, request.worktree)) {
            return rejected(core::CloseReason::not_a_lane, "worktree= names a directory inside of a worktree",
                            std::move(outcome));
        }
        if (const auto refused = app::refuse_request(lane, request)) {
            return rejected(refused->reason, refused->text, std::move(outcome));
        }
        auto answer = app::close_check(lane, m_question);
        if (answer && answer->closing.decision == core::Decision::automatic) {
            if (auto recorded = app::record_closing(lane, *answer, request.task); !recorded) {
                return fail(app::in_lane(std::move(recorded.error()), lane));
            }
            outcome.booked = true;
        }
        if (!answer) {
            return fail(app::in_lane(std::move(answer.error()), lane));
        }
        answer->task = request.task;
        add_answer(lane, *answer, outcome);
        return outcome;
    }

    std::vector<std::string> m_words;
    app::CloseQuestion m_question;
};

}  // namespace

std::unique_ptr<Verb> make_close_check() { return std::make_unique<CloseCheckVerb>(); }
std::unique_ptr<Verb> make_close_request() { return std::make_unique<CloseRequestVerb>(); }

}  // namespace mandate::cli
