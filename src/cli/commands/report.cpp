// `report`: the review rounds of a lane, for people who look at its pull request.

#include "app/history.hpp"
#include "app/ledger.hpp"
#include "app/record_id.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "cli/human.hpp"
#include "cli/markdown.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "core/round_report.hpp"
#include "core/rounds.hpp"
#include "core/unenforced_tally.hpp"

#include <utility>

namespace mandate::cli {

namespace {

constexpr Manual k_report{
    "report", "[DIR]", "the review rounds of the lane, one a row",
    "Prints task=, terminal_gate=, next=, the counters and unenforced=, then a block of key=value lines a round of\n"
    "the record's task, from the ledger: round, at, state, booked, head, findings, findings_open, by, reason.\n"
    "--format markdown prints a table for a pull-request comment; no text in it can be a heading, HTML, a link or\n"
    "an @mention. Exit 0; without a record 3.",
    "mandate report --format markdown | gh pr comment --body-file -"};

constexpr std::size_t k_short_commit = 12;
constexpr std::size_t k_to_seconds = 19;  // of 2026-01-31T09:05:00.123Z

core::Answer answer_of(const core::ReportedRound& row)
{
    using core::Absent;
    using core::Escaped;
    using core::Value;
    const auto text = [](const std::string& value) { return value.empty() ? Value(Absent{}) : Value(Escaped{value}); };
    core::Answer answer;
    answer.add("round", core::number(row.round))
        .add("at", text(row.at))
        .add("state", text(row.state))
        .add("booked", row.booked)
        .add("head", text(row.head))
        .add("findings", core::number(row.findings))
        .add("findings_open", core::number(row.findings_open))
        .add("by", text(row.by))
        .add("reason", text(row.reason));
    return answer;
}

std::string field(const core::Answer& answer, std::string_view key)
{
    for (const auto& [name, value] : answer.fields()) {
        if (name == key) {
            return text_of(value);
        }
    }
    return {};
}

std::string markdown_row(const core::Answer& row)
{
    const bool booked = field(row, "booked") == "yes";
    return "| " + field(row, "round") + " | " + table_cell(field(row, "at")) + " | " + field(row, "state") +
           (booked ? "" : ", not booked") + " | " + table_cell(field(row, "head").substr(0, k_short_commit)) + " | " +
           field(row, "findings") + " | " + field(row, "findings_open") + " | " + table_cell(field(row, "by")) + " | " +
           table_cell(field(row, "reason")) + " |\n";
}

std::string render_table(const core::Answer& answer, const Terminal& terminal)
{
    core::Answer head;
    for (const auto& [key, value] : answer.fields()) {
        head.add(key, value);
    }
    Table table({{"ROUND", Fit::fixed, true},
                 {"AT (UTC)"},
                 {"STATE", Fit::wrapped},
                 {"FINDINGS", Fit::fixed, true},
                 {"OPEN", Fit::fixed, true},
                 {"COMMIT", Fit::fixed, false, true},
                 {"BY", Fit::wrapped},
                 {"REASON", Fit::wrapped}});
    for (const core::Answer& row : answer.rows()) {
        const std::string state = field(row, "state");
        table.add({{field(row, "round")},
                   {field(row, "at").substr(0, k_to_seconds)},
                   {state + (field(row, "booked") == "yes" ? "" : ", not booked"), tone_of(state)},
                   {field(row, "findings")},
                   {field(row, "findings_open")},
                   {field(row, "head").substr(0, k_short_commit), Tone::faint},
                   {field(row, "by")},
                   {field(row, "reason")}});
    }
    return render_human(head, terminal, now()) + "\n" +
           (answer.rows().empty() ? "no rounds\n" : table.render(terminal));
}

std::string render_markdown(const core::Answer& answer)
{
    const std::string budget = field(answer, "review_budget");
    const std::string gate = field(answer, "terminal_gate");
    std::string out = "Review rounds of " + code_span(field(answer, "task")) + ": " +
                      used_of(field(answer, "review_rounds_used"), budget) + "; gate " +
                      (gate.empty() ? "none" : gate) + "; next: " + field(answer, "next") + "; unenforced: " +
                      (field(answer, "unenforced").empty() ? "unknown" : field(answer, "unenforced")) + ".\n\n";
    if (answer.rows().empty()) {
        return out + "No round was booked.\n";
    }
    out +=
        "| round | at | state | commit | findings | open | by | reason |\n"
        "|---:|---|---|---|---:|---:|---|---|\n";
    for (const core::Answer& row : answer.rows()) {
        out += markdown_row(row);
    }
    return out;
}

class ReportVerb final : public ReadingVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_report; }
    [[nodiscard]] bool has_markdown() const override { return true; }

protected:
    Result<Outcome> answer(const app::Lane& lane) override
    {
        const auto loaded = app::require_record(lane);
        if (!loaded) {
            return fail(loaded.error());
        }
        const core::Record& record = loaded->record;
        Outcome outcome = start_outcome(lane);
        outcome.answer.add("task", record.task)
            .add("terminal_gate", core::text_or_absent(record.terminal_gate))
            .add("next", next_step(lane, record, outcome))
            .add("review_budget", core::number(record.review_budget))
            .append(core::round_counters(record.review_budget, record.review_rounds_used));
        count_fallback(lane, record.task, outcome);
        add_ledger(lane, record, outcome);
        outcome.human = [answer = outcome.answer](const Terminal& terminal) { return render_table(answer, terminal); };
        outcome.markdown = [answer = outcome.answer] { return render_markdown(answer); };
        return outcome;
    }

private:
    // A ledger that cannot be read does not keep it from answering: there are no rows then, and a note says why.
    static void add_ledger(const app::Lane& lane, const core::Record& record, Outcome& outcome)
    {
        const auto state = app::Ledger(lane.place).state(record.task);
        if (!state) {
            outcome.remarks.push_back(remark(state.error()));
            outcome.answer.add("unenforced", core::Value(core::Absent{}))
                .add("ledger", "unreadable")
                .rows("rounds", {});
            return;
        }
        const bool interrupted =
            core::standing(*state, app::record_id(record.bytes)) == core::Standing::interrupted && state->newest;
        const app::History history = app::read_history(lane.place, false, std::nullopt);
        outcome.notes.insert(outcome.notes.end(), history.damage.begin(), history.damage.end());
        std::vector<core::Answer> rows;
        for (const core::ReportedRound& row :
             core::report_rounds(history.lines, core::line_text(record.task),
                                 interrupted ? std::optional(state->newest->seq) : std::nullopt)) {
            rows.push_back(answer_of(row));
        }
        outcome.answer.add("unenforced", core::Value(core::totals(state->unenforced).serious));
        outcome.answer.rows("rounds", std::move(rows));
    }
};

}  // namespace

std::unique_ptr<Verb> make_report() { return std::make_unique<ReportVerb>(); }

}  // namespace mandate::cli
