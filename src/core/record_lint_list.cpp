// The closed list of what `check` finds beside refusals, and a report's bound; part of record_lint.hpp.

#include "base/text.hpp"
#include "core/record_lint.hpp"

#include <array>
#include <utility>

namespace mandate::core {

namespace {

constexpr std::size_t k_most_shown = 100;

constexpr std::array k_lints{
    LintInfo{Lint::indented_key, "indented-key", "a key with blanks in front of it is not read"},
    LintInfo{Lint::misspelt_key, "misspelt-key", "a line whose key is nearly one: Allow, alow, review-budget"},
    LintInfo{Lint::look_alike_key, "look-alike-key", "a key with letters that only look like those of a known one"},
    LintInfo{Lint::unknown_key, "unknown-key", "a key that no record has is not read"},
    LintInfo{Lint::missing_colon, "missing-colon", "a line that begins with a known key and has no colon"},
    LintInfo{Lint::quoted_value, "quoted-value", "quotes are part of a value"},
    LintInfo{Lint::bracketed_list, "bracketed-list", "lists have no brackets"},
    LintInfo{Lint::hidden_character, "hidden-character",
             "a value with control, bidi or zero-width characters, or bytes that are not UTF-8"},
    LintInfo{Lint::duplicate_action, "duplicate-action", "an action stands in one list more than once"},
    LintInfo{Lint::overlapping_lists, "overlapping-lists", "an action stands in allow and in deny; deny wins"},
    LintInfo{Lint::empty_allow, "empty-allow", "nothing is allowed"},
    LintInfo{Lint::missing_key, "missing-key", "no task, or nobody who authorized it"},
    LintInfo{Lint::no_version, "no-version", "mandate_version is absent or empty"},
    LintInfo{Lint::no_lane_binding, "no-lane-binding", "lane_id is absent, so a copy would answer in another lane"},
    LintInfo{Lint::no_branch_binding, "no-branch-binding", "branch is absent, so the record answers on any branch"},
    LintInfo{Lint::budget_overspent, "budget-overspent", "more is used than the budget allows"},
    LintInfo{Lint::orphaned_budget, "orphaned-budget", "budget_NAME_used or _token without budget_NAME"},
    LintInfo{Lint::expired, "expired", "expires_at is past"},
    LintInfo{Lint::key_in_body, "key-in-body", "a known key below the closing --- is not read"},
};

constexpr bool in_enum_order()
{
    for (std::size_t i = 0; i < k_lints.size(); ++i) {
        if (static_cast<std::size_t>(k_lints[i].lint) != i) {
            return false;
        }
    }
    return k_lints.size() == static_cast<std::size_t>(Lint::key_in_body) + 1;
}
static_assert(in_enum_order());

}  // namespace

std::span<const LintInfo> all_lints() { return k_lints; }

const LintInfo& info(Lint lint) { return k_lints[static_cast<std::size_t>(lint)]; }

void LintReport::add(Lint lint, std::size_t line, std::string text, std::string hint)
{
    ++findings;
    if (shown.size() < k_most_shown) {
        shown.push_back({std::string(info(lint).name), line, std::move(text), std::move(hint)});
    }
}

void LintReport::add_refusal(const Error& error)
{
    LintFinding finding{std::string(info(error.code).name), 0, error.message, error.hint};
    for (const auto& [key, value] : error.details) {
        if (key == "line") {
            finding.line = text::parse_decimal(value, UINT32_MAX).value_or(0);
        }
    }
    ++findings;
    shown.insert(shown.begin(), std::move(finding));
}

}  // namespace mandate::core
