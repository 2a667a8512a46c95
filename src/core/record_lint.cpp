// The linter's other half, what the values together say; its lines are record_lint_lines.cpp, the closed list is
// record_lint_list.cpp.

#include "core/record_lint.hpp"

#include "base/text.hpp"
#include "core/front_matter.hpp"
#include "core/record_keys.hpp"
#include "core/record_lint_lines.hpp"
#include "core/verdict.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

namespace mandate::core {

namespace {

std::size_t line_of(const Record& record, std::string_view key)
{
    const auto line = record.lines.find(std::string(key));
    return line == record.lines.end() ? 0 : line->second;
}

void lint_list(const Record& record, const std::string& key, const std::vector<std::string>& words, LintReport& report)
{
    std::set<std::string> seen;
    std::set<std::string> said;
    for (const std::string& word : words) {
        if (!seen.insert(word).second && said.insert(word).second) {
            report.add(Lint::duplicate_action, line_of(record, key),
                       "'" + word + "' stands in '" + key + "' more than once", "keep it once");
        }
    }
}

void lint_lists(const Record& record, LintReport& report)
{
    lint_list(record, "allow", record.allow, report);
    lint_list(record, "deny", record.deny, report);
    std::vector<std::string> both;
    for (const std::string& word : std::set<std::string>(record.allow.begin(), record.allow.end())) {
        if (std::find(record.deny.begin(), record.deny.end(), word) != record.deny.end()) {
            both.push_back(word);
        }
    }
    if (!both.empty()) {
        report.add(Lint::overlapping_lists, line_of(record, "allow"),
                   "in 'allow' and in 'deny', which wins: " + text::join(both, ", "), "take it out of one of the two");
    }
    if (record.allow.empty()) {
        report.add(Lint::empty_allow, line_of(record, "allow"), "nothing is allowed",
                   "write 'allow: commit, open-pr'; 'mandate actions' lists the words");
    }
}

void lint_identity(const Record& record, const LintContext& context, LintReport& report)
{
    for (const std::string_view key : {"task", "authorized_by"}) {
        if ((key == "task" ? record.task : record.authorized_by).empty()) {
            report.add(Lint::missing_key, line_of(record, key), "'" + std::string(key) + "' is missing or empty",
                       "write '" + std::string(key) + ": ...'");
        }
    }
    if (!record.has("mandate_version") || record.values.at("mandate_version").empty()) {
        report.add(Lint::no_version, line_of(record, "mandate_version"),
                   "no version of the form is named; it is read as 1", "write 'mandate_version: 1'");
    }
    if (record.lane_id.empty()) {
        report.add(Lint::no_lane_binding, line_of(record, "lane_id"),
                   "no 'lane_id' binds the record: a copy of it answers elsewhere", "the next booking binds it");
    }
    if (record.branch.empty() && context.on_branch) {
        report.add(Lint::no_branch_binding, line_of(record, "branch"),
                   "no 'branch' binds the record: it answers on any branch", "the next booking binds it");
    }
    if (record.expires_at && is_expired(record, context.now)) {
        report.add(Lint::expired, line_of(record, "expires_at"),
                   "the grant ran out at " + format_seconds_utc(*record.expires_at),
                   "a person sets a later time, or none");
    }
}

void lint_spent(const Record& record, const std::string& key, std::uint64_t used, std::optional<std::uint64_t> limit,
                LintReport& report)
{
    if (limit && used > *limit) {
        report.add(Lint::budget_overspent, line_of(record, key),
                   "'" + key + "' is " + std::to_string(used) + ", and the budget is " + std::to_string(*limit),
                   "a person raises the budget, or takes the lane as it stands");
    }
}

void lint_budgets(const Record& record, LintReport& report)
{
    lint_spent(record, "review_rounds_used", record.review_rounds_used, record.review_budget, report);
    for (const auto& [name, budget] : record.budgets) {
        lint_spent(record, budget_key(name, BudgetPart::used), budget.used, budget.limit, report);
    }
    for (const auto& [key, line] : record.lines) {
        const auto part = parse_budget_key(key);
        const std::string limit = part ? budget_key(part->name, BudgetPart::limit) : key;
        if (!record.has(limit)) {
            report.add(Lint::orphaned_budget, line, "'" + key + "' counts for nothing without '" + limit + "'",
                       "write '" + limit + ": ...' too; empty is no limit");
        }
    }
}

void lint_lines(std::string_view bytes, const FrontMatter& block, LintReport& report)
{
    block.for_each_line([&report](const BlockLine& line) { lint_block_line(line, report); });
    std::size_t number = block.closing().number;
    for (std::size_t begin = block.closing().next(); begin < bytes.size(); ++begin) {
        const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
        lint_body_line({bytes.substr(begin, end - begin), {}, begin, ++number}, report);
        begin = end;
    }
}

// What the refusal says of a line need not be said twice.
void drop_said(LintReport& report, std::size_t line)
{
    const auto said = std::remove_if(report.shown.begin(), report.shown.end(), [line](const LintFinding& finding) {
        return finding.line == line &&
               (finding.code == info(Lint::quoted_value).name || finding.code == info(Lint::bracketed_list).name);
    });
    report.findings -= static_cast<std::size_t>(report.shown.end() - said);
    report.shown.erase(said, report.shown.end());
}

}  // namespace

LintReport lint_record(std::string_view bytes, const LintContext& context)
{
    LintReport report;
    if (const auto block = FrontMatter::find(bytes)) {
        lint_lines(bytes, *block, report);
    }
    const auto record = parse_record(std::string(bytes), context.vocabulary);
    if (record) {
        lint_lists(*record, report);
        lint_identity(*record, context, report);
        lint_budgets(*record, report);
    }
    std::stable_sort(report.shown.begin(), report.shown.end(),
                     [](const LintFinding& a, const LintFinding& b) { return a.line < b.line; });
    if (!record) {
        LintReport refused;
        refused.add_refusal(record.error());
        drop_said(report, refused.shown.front().line);
        report.add_refusal(record.error());
    }
    return report;
}

}  // namespace mandate::core
