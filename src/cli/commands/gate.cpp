// `gate` and `next`: is the lane done, and if not, what comes next? The decisions are core/gate.

#include "core/gate.hpp"

#include "app/gate_facts.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"

#include <utility>

namespace mandate::cli {

namespace {

// The frame of both verbs: lane, target, record, facts; expiry is no obstacle to either.
class GateBase : public Verb {
public:
    [[nodiscard]] Uses uses() const final { return Uses::lane; }
    void declare(Arguments& arguments) override { arguments.words(m_words); }
    Result<Outcome> run(const Globals& globals) final
    {
        const auto lane = only_lane(globals, m_words);
        if (!lane) {
            return fail(lane.error());
        }
        const auto target = app::read_target(lane->place, m_into, m_merged_head);
        if (!target) {
            return fail(app::in_lane(target.error(), *lane));
        }
        const auto loaded = app::require_record(*lane);
        if (!loaded) {
            return fail(loaded.error());
        }
        const auto facts = app::gather_facts(question(), *lane, loaded->record, *target);
        if (!facts) {
            return fail(app::in_lane(facts.error(), *lane));
        }
        Outcome outcome = start_outcome(*lane);
        outcome.answer.add("mandate_file", lane->record_path()).add("task", loaded->record.task);
        answer(loaded->record, app::gate_rules(*lane), *facts, outcome);
        count_fallback(*lane, loaded->record.task, outcome);
        return outcome;
    }

protected:
    [[nodiscard]] virtual core::Question question() const = 0;
    virtual void answer(const core::Record& record, const core::GateRules& rules, const core::GateFacts& facts,
                        Outcome& outcome) const = 0;

    std::vector<std::string> m_words;
    std::optional<std::string> m_into, m_merged_head;
};

constexpr Manual k_gate{
    "gate", "[DIR]", "is the lane's terminal gate met at HEAD?",
    "Prints gate=, gate_met=yes (exit 0) or no (exit 1), and a line reason=CODE TEXT for each unmet condition:\n"
    "no-gate, not-reviewed, booked-unreviewed, findings-open, head-moved, not-pushed, no-upstream, not-merged.\n"
    "residual= names what a yes leaves open: fixes-unreviewed, unbooked-review. A rebase, an amended message or a\n"
    "cherry-pick that leaves the change as it was keeps its review; one changed byte loses it. Without a record:\n"
    "exit 3. An expired one still answers.",
    "mandate gate --into origin/main || mandate next"};

class GateVerb final : public GateBase {
public:
    [[nodiscard]] const Manual& manual() const override { return k_gate; }
    void declare(Arguments& arguments) override
    {
        GateBase::declare(arguments);
        arguments.option("--into", "REF", m_into,
                         "the integration branch; default the remote's HEAD, else main, master");
        arguments.option("--merged-head", "SHA", m_merged_head,
                         "the commit that a squash merge took in, as the forge names it");
    }

protected:
    [[nodiscard]] core::Question question() const override { return core::Question::gate; }
    void answer(const core::Record& record, const core::GateRules& rules, const core::GateFacts& facts,
                Outcome& outcome) const override
    {
        core::GateVerdict verdict = core::decide_gate(record, rules, facts);
        outcome.answer.add("gate", core::text_or_absent(record.terminal_gate))
            .add("gate_met", core::Value(verdict.met));
        if (!verdict.residual.empty()) {
            outcome.answer.add("residual", core::Value(std::move(verdict.residual)));
        }
        for (const core::Answer::Reason& reason : verdict.reasons) {
            outcome.answer.because(reason.code, reason.text);
        }
        outcome.exit = verdict.met ? Exit::yes : Exit::no;
    }
};

constexpr Manual k_next{
    "next", "[DIR]", "the lane's next step, and why",
    "Prints next= and a line reason=CODE TEXT, exit 0. The first that applies: run-review (a round is booked), fix\n"
    "(findings are open), review or re-review (while budget is left), acknowledge (a person must), push, merge, done.",
    "case $(mandate next) in *next=run-review*) ./review.sh ;; esac"};

class NextVerb final : public GateBase {
public:
    [[nodiscard]] const Manual& manual() const override { return k_next; }

protected:
    [[nodiscard]] core::Question question() const override { return core::Question::next; }
    void answer(const core::Record& record, const core::GateRules& rules, const core::GateFacts& facts,
                Outcome& outcome) const override
    {
        const core::NextStep next = core::decide_next(record, rules, facts);
        outcome.answer.add("next", next.step).because(next.reason.code, next.reason.text);
    }
};

}  // namespace

std::unique_ptr<Verb> make_gate() { return std::make_unique<GateVerb>(); }
std::unique_ptr<Verb> make_next() { return std::make_unique<NextVerb>(); }

}  // namespace mandate::cli
