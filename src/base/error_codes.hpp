// The closed list of refusal codes: name, exit status and meaning stand in one table (error_codes.cpp).
//
// `mandate codes` prints that table and the manual holds it too; a test keeps them equal. A new code is a
// line in the enum and a line in the table; the table's size is checked at compile time.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace mandate {

// The exit statuses of section "Exit codes" of the manual; nothing else leaves the program.
enum class Exit : int {
    yes = 0,
    no = 1,
    invalid = 2,
    nobody_asked = 3,
    not_persisted = 4,
    out_of_order = 5,
};

enum class Code {
    // 2, command line
    usage,
    unknown_verb,
    unknown_action,
    unknown_preset,
    unknown_key,
    unknown_budget,
    value_invalid,
    value_control_character,
    value_block_scalar,
    value_too_long,
    config_invalid,
    // 2, place
    not_a_directory,
    not_a_repository,
    not_a_worktree,
    worktree_mismatch,
    repository_owner,
    repository_unsupported,
    repository_broken,
    branch_ambiguous,
    // 2, record
    record_symlink,
    record_not_regular,
    record_too_large,
    record_unreadable,
    record_tracked,
    record_tracked_unknown,
    record_no_frontmatter,
    record_unclosed,
    record_duplicate_key,
    record_block_scalar,
    record_bad_value,
    record_exists,
    lane_mismatch,
    branch_mismatch,
    // 3
    no_mandate,
    no_lane,
    expired,
    // 4
    lock_directory,
    lock_symlink,
    lock_not_regular,
    lock_held,
    lock_unsupported,
    lock_denied,
    lock_replaced,
    record_changed,
    read_only,
    write_failed,
    ledger_unwritable,
    booked_not_durable,
    output_failed,
    // 5
    out_of_order,
};

struct CodeInfo {
    Code code;
    std::string_view name;
    Exit exit;
    std::string_view meaning;
};

std::span<const CodeInfo> all_codes();
const CodeInfo& info(Code code);

}  // namespace mandate
