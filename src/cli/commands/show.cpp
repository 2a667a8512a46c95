// `show`: the record as it stands, and what the ledger knows of it.

#include "app/record_id.hpp"
#include "app/verify.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "core/rounds.hpp"
#include "core/unenforced_tally.hpp"

#include <utility>

namespace mandate::cli {

namespace {

constexpr Manual k_show{
    "show", "[DIR]", "the record of a lane, and its counts",
    "Prints lane, lane_source, mandate_file, mandate_exists, then every key of the record, what is left of\n"
    "the budget and what the ledger counts. Without a record: the first four, mandate_exists=no, exit 0.",
    "mandate show --json | python3 -m json.tool"};

// Every key of the record as its type: lists, numbers, times; ours are absent until a booking sets them.
core::Answer record_keys(const core::Record& record)
{
    using core::Value;
    core::Answer answer;
    answer.add("mandate_version", Value(std::uint64_t{1}))
        .add("task", record.task)
        .add("recorded_at", core::text_or_absent(record.recorded_at))
        .add("recorded_by", core::text_or_absent(record.recorded_by))
        .add("authorized_by", core::text_or_absent(record.authorized_by))
        .add("scope", core::text_or_absent(record.scope))
        .add("terminal_gate", core::text_or_absent(record.terminal_gate))
        .add("allow", Value(record.allow))
        .add("deny", Value(record.deny))
        .add("review_budget", core::number(record.review_budget))
        .append(core::round_counters(record.review_budget, record.review_rounds_used))
        .add("lane_id", record.lane_id.empty() ? Value(core::Absent{}) : Value(core::Escaped{record.lane_id}))
        .add("branch", record.branch.empty() ? Value(core::Absent{}) : Value(core::Escaped{record.branch}))
        .add("expires_at", record.expires_at ? Value(format_seconds_utc(*record.expires_at)) : Value(core::Absent{}))
        .add("round_state", core::text_or_absent(core::name(record.round_state)))
        .add("previous_state", core::text_or_absent(core::name(record.previous_state)))
        .add("round_booked", record.round_booked ? Value(core::Absent{}) : Value(false))
        .add("round_token", core::text_or_absent(record.round_token))
        .add("reviewed_head", core::text_or_absent(record.reviewed_head))
        .add("findings_open", core::number(record.findings_open))
        .add("settled_head", core::text_or_absent(record.settled_head));
    for (const auto& [name, budget] : record.budgets) {
        answer.add("budget_" + name, core::number(budget.limit)).add("budget_" + name + "_used", Value(budget.used));
        if (!budget.token.empty()) {
            answer.add("budget_" + name + "_token", budget.token);
        }
    }
    return answer;
}

class ShowVerb final : public ReadingVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_show; }

protected:
    Result<Outcome> answer(const app::Lane& lane) override
    {
        const auto loaded = app::load_record(lane);
        if (!loaded) {
            return fail(loaded.error());
        }
        Outcome outcome = start_outcome(lane);
        outcome.answer.add("mandate_file", lane.record_path()).add("mandate_exists", loaded->has_value());
        const core::Record* record = *loaded ? &(*loaded)->record : nullptr;
        if (record != nullptr) {
            outcome.answer.append(record_keys(*record));
            outcome.answer.add("next", next_step(lane, *record, outcome));
            add_ledger(lane, *record, outcome);
        } else {
            outcome.remarks.push_back(remark(app::no_mandate(lane)));
        }
        count_fallback(lane, record != nullptr ? record->task : std::string(), outcome);
        return outcome;
    }

private:
    // A ledger that cannot be read does not keep `show` from answering: it says what is wrong instead.
    static void add_ledger(const app::Lane& lane, const core::Record& record, Outcome& outcome)
    {
        const app::Ledger ledger(lane.place);
        const auto state = ledger.state(record.task);
        if (!state) {
            outcome.answer.add("unenforced", core::Value(core::Absent{}))
                .add("unenforced_benign", core::Value(core::Absent{}))
                .add("history_drift", core::Value(core::Absent{}))
                .add("ledger", "unreadable");
            outcome.remarks.push_back(remark(state.error()));
            return;
        }
        const core::UnenforcedTotals unenforced = core::totals(state->unenforced);
        const core::Standing standing = core::standing(*state, app::record_id(record.bytes));
        outcome.answer.add("unenforced", core::Value(unenforced.serious))
            .add("unenforced_benign", core::Value(unenforced.benign))
            .add("history_drift", core::Value(core::history_drift(*state, standing, record.review_rounds_used)));
        if (!app::check_ledger_end(lane.place).chain_ok) {
            outcome.answer.add("ledger", "damaged");
            outcome.remarks.push_back({"the ledger is damaged", "mandate verify says where", ledger.path()});
        } else if (ledger.torn()) {
            outcome.answer.add("ledger", "torn");
            outcome.remarks.push_back(
                {"the last line of the ledger is torn", "the next booking closes it", ledger.path()});
        }
    }
};

}  // namespace

std::unique_ptr<Verb> make_show() { return std::make_unique<ShowVerb>(); }

}  // namespace mandate::cli
