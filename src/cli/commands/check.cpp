// `check`: the record as a person edited it, line by line.

#include "app/record_check.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "cli/human.hpp"

#include <utility>

namespace mandate::cli {

namespace {

constexpr Manual k_check{
    "check", "[DIR]", "find mistakes in a record that was edited by hand",
    "Prints findings=N, then for each of them code=, line=, text= and hint=: what keeps the record from being\n"
    "read at all (the code is that of the refusal), keys that are indented, misspelt or unknown, quotes and\n"
    "brackets, lists that overlap, missing bindings, a spent budget. Exit 0 when there is none, 1 when there\n"
    "are, 3 without a record. docs/record-format.md lists the codes.",
    "mandate check && mandate round"};

core::Answer row_of(const core::LintFinding& finding)
{
    core::Answer row;
    row.add("code", finding.code)
        .add("line", finding.line == 0 ? core::Value(core::Absent{}) : core::Value(std::uint64_t{finding.line}))
        .add("text", core::Value(core::Escaped{finding.text}))
        .add("hint", core::Value(core::Escaped{finding.hint}));
    return row;
}

class CheckVerb final : public ReadingVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_check; }

protected:
    Result<Outcome> answer(const app::Lane& lane) override
    {
        const auto checked = app::check_record(lane, now());
        if (!checked) {
            return fail(checked.error());
        }
        const core::LintReport& report = checked->report;
        Outcome outcome = start_outcome(lane);
        outcome.answer.add("mandate_file", lane.record_path());
        if (checked->task) {
            outcome.answer.add("task", *checked->task);
        }
        outcome.answer.add("findings", core::Value(std::uint64_t{report.findings}));
        if (report.findings > report.shown.size()) {
            outcome.answer.add("findings_not_shown", core::Value(std::uint64_t{report.findings - report.shown.size()}));
        }
        if (report.findings == 0) {
            outcome.human = [head = outcome.answer](const Terminal& terminal) {
                return render_human(head, terminal, now()) + "no mistakes found\n";
            };
        }
        std::vector<core::Answer> rows;
        for (const core::LintFinding& finding : report.shown) {
            rows.push_back(row_of(finding));
        }
        outcome.answer.rows("reasons", std::move(rows));
        outcome.exit = report.findings == 0 ? Exit::yes : Exit::no;
        count_fallback(lane, checked->task.value_or(""), outcome);
        return outcome;
    }
};

}  // namespace

std::unique_ptr<Verb> make_check() { return std::make_unique<CheckVerb>(); }

}  // namespace mandate::cli
