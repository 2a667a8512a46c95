// `path` and `lane`: where the record of a lane stands, and which worktree holds a branch.

#include "base/text.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"

#include <utility>

namespace mandate::cli {

namespace {

constexpr Manual k_path{"path", "[DIR]", "the absolute path of the lane's record",
                        "Prints mandate_file=; the record need not exist. Exit 0, or 2 where there is no lane.",
                        "mandate path"};

class PathVerb final : public ReadingVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_path; }

protected:
    Result<Outcome> answer(const app::Lane& lane) override
    {
        Outcome outcome = start_outcome(lane);
        outcome.answer.add("mandate_file", lane.record_path());
        count_fallback(lane, {}, outcome);
        return outcome;
    }
};

constexpr Manual k_lane{
    "lane", "BRANCH [DIR]", "the worktree that holds a branch",
    "Prints its bare path, escaped like every answer. Exit 3 and nothing printed when none does; exit 2\n"
    "branch-ambiguous when two do.",
    "cd \"$(mandate lane feature/login)\""};

class LaneVerb final : public Verb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_lane; }
    [[nodiscard]] Uses uses() const override { return Uses::nothing; }
    void declare(Arguments& arguments) override { arguments.words(m_words); }
    Result<Outcome> run(const Globals& globals) override
    {
        if (auto checked = at_most(m_words, 2); !checked) {
            return fail(std::move(checked.error()));
        }
        if (word_at(m_words, 0).empty()) {
            return fail(Code::usage, "there is no branch on the command line", "mandate lane BRANCH [DIR]");
        }
        const auto place = app::find_place(directory_of(globals, word_at(m_words, 1)));
        if (!place) {
            return fail(place.error());
        }
        const auto entry = app::find_branch(*place, m_words[0]);
        if (!entry) {
            return fail(entry.error());
        }
        Outcome outcome;
        if (!*entry) {
            outcome.exit = info(Code::no_lane).exit;
            outcome.plain = "";
            outcome.answer.add("lane", core::Value(core::Absent{}));
            return outcome;
        }
        outcome.plain = text::escape((*entry)->path) + "\n";
        outcome.answer.add("lane", (*entry)->path);
        return outcome;
    }

private:
    std::vector<std::string> m_words;
};

}  // namespace

std::unique_ptr<Verb> make_path() { return std::make_unique<PathVerb>(); }
std::unique_ptr<Verb> make_lane() { return std::make_unique<LaneVerb>(); }

}  // namespace mandate::cli
