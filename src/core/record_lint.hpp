// What a person who edits a record by hand gets wrong, with line numbers and what to write instead.
//
// Pure, and total: any bytes may come in, and a hundred findings at most come out. The first is the refusal, where
// the record is one that nothing answers from (its code is that of the refusal, see base/error_codes.hpp); the
// others are of the closed list below and in the order of their lines.
#pragma once

#include "base/timestamp.hpp"
#include "core/record.hpp"
#include "core/vocabulary.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::core {

enum class Lint {
    indented_key,
    misspelt_key,
    look_alike_key,
    unknown_key,
    missing_colon,
    quoted_value,
    bracketed_list,
    hidden_character,
    duplicate_action,
    overlapping_lists,
    empty_allow,
    missing_key,
    no_version,
    no_lane_binding,
    no_branch_binding,
    budget_overspent,
    orphaned_budget,
    expired,
    key_in_body,
};

struct LintInfo {
    Lint lint;
    std::string_view name;
    std::string_view meaning;
};
std::span<const LintInfo> all_lints();
const LintInfo& info(Lint lint);

struct LintFinding {
    std::string code;
    std::size_t line = 0;  // 0: of the record as a whole
    std::string text;      // raw
    std::string hint;
};

struct LintContext {
    const Vocabulary& vocabulary;
    Time now;
    bool on_branch = true;  // false: HEAD is detached, so there is no branch to bind
};

struct LintReport {
    std::vector<LintFinding> shown;
    std::size_t findings = 0;  // all of them

    void add(Lint lint, std::size_t line, std::string text, std::string hint);
    void add_refusal(const Error& error);  // its `line=` is the finding's; goes to the front
};

LintReport lint_record(std::string_view bytes, const LintContext& context);

}  // namespace mandate::core
