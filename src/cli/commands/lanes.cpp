// `lanes`: all worktrees at a glance.

#include "app/lanes.hpp"

#include "base/text.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "cli/table.hpp"

#include <utility>

namespace mandate::cli {

namespace {

constexpr Manual k_lanes{
    "lanes", "[DIR]", "all worktrees at a glance",
    "One row a worktree: its task, branch and path, the state of its rounds and what it waits for (next), its\n"
    "gate, rounds used of the budget, what went unenforced, and what is wrong with its record (problem). At a\n"
    "terminal a table; otherwise key=value blocks with an empty line between. Missing worktrees are marked.",
    "mandate lanes --json"};

core::Answer answer_of(const app::LaneRow& row)
{
    using core::Absent;
    using core::Value;
    core::Answer answer;
    answer.add("task", core::text_or_absent(row.task))
        .add("branch", core::text_or_absent(row.branch))
        .add("lane", core::text_or_absent(row.path))
        .add("lane_id", row.lane_id)
        .add("missing", row.missing)
        .add("locked", row.locked.has_value())
        .add("mandate_exists", row.missing ? Value(Absent{}) : Value(row.has_record))
        .add("problem", core::text_or_absent(row.problem))
        .add("round_state", core::text_or_absent(row.state))
        .add("next", core::text_or_absent(row.next))
        .add("terminal_gate", core::text_or_absent(row.gate));
    const bool readable = row.has_record && row.problem.empty();
    return answer.add("review_rounds_used", readable ? Value(row.rounds_used) : Value(Absent{}))
        .add("review_budget", core::number(row.review_budget))
        .add("unenforced", core::number(row.unenforced))
        .add("unenforced_benign", core::number(row.unenforced_benign));
}

std::string rounds_of(const app::LaneRow& row)
{
    if (!row.has_record || !row.problem.empty()) {
        return {};
    }
    return std::to_string(row.rounds_used) + (row.review_budget ? "/" + std::to_string(*row.review_budget) : "");
}

std::vector<Cell> cells_of(const app::LaneRow& row)
{
    const std::string state = row.missing            ? "missing"
                              : !row.problem.empty() ? row.problem
                              : !row.has_record      ? "no record"
                              : row.state.empty()    ? "no round"
                                                     : row.state;
    const Tone tone = !row.problem.empty() ? Tone::bad : !row.has_record && !row.missing ? Tone::faint : tone_of(state);
    const std::uint64_t unenforced = row.unenforced.value_or(0);
    return {{text::escape(row.task), Tone::strong},
            {text::escape(row.branch)},
            {state, tone},
            {row.next, tone_of(row.next)},
            {row.gate},
            {rounds_of(row)},
            {unenforced > 0 ? std::to_string(unenforced) : "", Tone::bad},
            {row.locked ? "locked" : "", Tone::warning},
            {text::escape(row.path), row.missing ? Tone::faint : Tone::plain}};
}

class LanesVerb final : public ReadingVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_lanes; }
    [[nodiscard]] Uses uses() const override { return Uses::nothing; }

protected:
    Result<Outcome> answer(const app::Lane& lane) override
    {
        Outcome outcome;
        outcome.notes = lane.notes;
        Table table({{"TASK", Fit::shortened},
                     {"BRANCH", Fit::shortened},
                     {"STATE"},
                     {"NEXT"},
                     {"GATE", Fit::fixed, false, true},
                     {"ROUNDS", Fit::fixed, true},
                     {"UNENFORCED", Fit::fixed, true},
                     {""},
                     {"PATH", Fit::shortened}});
        std::vector<core::Answer> rows;
        for (const app::LaneRow& row : app::list_lanes(lane, now())) {
            rows.push_back(answer_of(row));
            table.add(cells_of(row));
        }
        outcome.answer.rows("lanes", std::move(rows));
        outcome.human = [table = std::move(table)](const Terminal& terminal) { return table.render(terminal); };
        return outcome;
    }
};

}  // namespace

std::unique_ptr<Verb> make_lanes() { return std::make_unique<LanesVerb>(); }

}  // namespace mandate::cli
