#include "base/error_codes.hpp"

#include <array>

namespace mandate {

namespace {

constexpr std::array k_codes{
    CodeInfo{Code::usage, "usage", Exit::invalid, "the command line is not one that the verb takes"},
    CodeInfo{Code::unknown_verb, "unknown-verb", Exit::invalid, "there is no such verb"},
    CodeInfo{Code::unknown_action, "unknown-action", Exit::invalid, "the action is not in the vocabulary"},
    CodeInfo{Code::unknown_preset, "unknown-preset", Exit::invalid, "there is no such preset"},
    CodeInfo{Code::unknown_key, "unknown-key", Exit::invalid, "the record has no settable key of that name"},
    CodeInfo{Code::unknown_budget, "unknown-budget", Exit::invalid, "the record holds no budget of that name"},
    CodeInfo{Code::value_invalid, "value-invalid", Exit::invalid,
             "a gate, number, time, amount or revision that cannot be used"},
    CodeInfo{Code::value_control_character, "value-control-character", Exit::invalid,
             "the value holds control, bidi or zero-width characters, or is not UTF-8"},
    CodeInfo{Code::value_block_scalar, "value-block-scalar", Exit::invalid,
             "the value is a block-scalar mark, which a record cannot hold"},
    CodeInfo{Code::value_too_long, "value-too-long", Exit::invalid, "the value is longer than 240 code points"},
    CodeInfo{Code::config_invalid, "config-invalid", Exit::invalid, "a configuration file or variable is not valid"},
    CodeInfo{Code::not_a_directory, "not-a-directory", Exit::invalid, "the place is not a directory that exists"},
    CodeInfo{Code::not_a_repository, "not-a-repository", Exit::invalid, "no git repository on the way up"},
    CodeInfo{Code::not_a_worktree, "not-a-worktree", Exit::invalid,
             "a bare repository, the inside of one, or a worktree whose repository is gone"},
    CodeInfo{Code::worktree_mismatch, "worktree-mismatch", Exit::invalid,
             "the directory is a copy of a worktree that stands elsewhere"},
    CodeInfo{Code::repository_owner, "repository-owner", Exit::invalid,
             "the repository belongs to another user and is not listed in safe.directory"},
    CodeInfo{Code::repository_unsupported, "repository-unsupported", Exit::invalid,
             "the repository uses an extension that cannot be read"},
    CodeInfo{Code::repository_broken, "repository-broken", Exit::invalid,
             "the repository or its configuration is damaged"},
    CodeInfo{Code::branch_ambiguous, "branch-ambiguous", Exit::invalid, "more than one worktree holds the branch"},
    CodeInfo{Code::record_symlink, "record-symlink", Exit::invalid, "MANDATE.md is a symbolic link"},
    CodeInfo{Code::record_not_regular, "record-not-regular", Exit::invalid, "MANDATE.md is not a regular file"},
    CodeInfo{Code::record_too_large, "record-too-large", Exit::invalid, "MANDATE.md is larger than 1 MiB"},
    CodeInfo{Code::record_unreadable, "record-unreadable", Exit::invalid, "MANDATE.md cannot be read"},
    CodeInfo{Code::record_tracked, "record-tracked", Exit::invalid,
             "MANDATE.md is in git's index, so it came with a branch and grants nothing"},
    CodeInfo{Code::record_tracked_unknown, "record-tracked-unknown", Exit::invalid,
             "git's index cannot be read, so nobody can tell whether MANDATE.md is tracked"},
    CodeInfo{Code::record_no_frontmatter, "record-no-frontmatter", Exit::invalid, "line 1 is not ---"},
    CodeInfo{Code::record_unclosed, "record-unclosed", Exit::invalid, "the front matter has no closing ---"},
    CodeInfo{Code::record_duplicate_key, "record-duplicate-key", Exit::invalid, "a key stands twice"},
    CodeInfo{Code::record_block_scalar, "record-block-scalar", Exit::invalid, "a value is a block-scalar mark"},
    CodeInfo{Code::record_bad_value, "record-bad-value", Exit::invalid, "a value is not one that its key takes"},
    CodeInfo{Code::record_exists, "record-exists", Exit::invalid, "the lane has a record already"},
    CodeInfo{Code::lane_mismatch, "lane-mismatch", Exit::invalid, "the record was made for another lane"},
    CodeInfo{Code::branch_mismatch, "branch-mismatch", Exit::invalid, "the record was made for another branch"},
    CodeInfo{Code::no_mandate, "no-mandate", Exit::nobody_asked, "the lane has no record"},
    CodeInfo{Code::no_lane, "no-lane", Exit::nobody_asked, "no worktree holds the branch"},
    CodeInfo{Code::expired, "expired", Exit::nobody_asked, "the grant ran out at expires_at"},
    CodeInfo{Code::lock_directory, "lock-directory", Exit::not_persisted,
             ".MANDATE.lock is a directory, left by an older scheme"},
    CodeInfo{Code::lock_symlink, "lock-symlink", Exit::not_persisted, ".MANDATE.lock is a symbolic link"},
    CodeInfo{Code::lock_not_regular, "lock-not-regular", Exit::not_persisted,
             ".MANDATE.lock is a FIFO, socket or device"},
    CodeInfo{Code::lock_held, "lock-held", Exit::not_persisted, "another process held the lock for the whole timeout"},
    CodeInfo{Code::lock_unsupported, "lock-unsupported", Exit::not_persisted,
             "the file system refuses or only pretends to lock"},
    CodeInfo{Code::lock_denied, "lock-denied", Exit::not_persisted, "no permission to open or create .MANDATE.lock"},
    CodeInfo{Code::lock_replaced, "lock-replaced", Exit::not_persisted, ".MANDATE.lock was replaced again and again"},
    CodeInfo{Code::record_changed, "record-changed", Exit::not_persisted,
             "the record was saved by somebody else again and again"},
    CodeInfo{Code::read_only, "read-only", Exit::not_persisted, "the file system is read-only"},
    CodeInfo{Code::write_failed, "write-failed", Exit::not_persisted,
             "the record could not be written, or the lock file not opened"},
    CodeInfo{Code::ledger_unwritable, "ledger-unwritable", Exit::not_persisted, "the ledger line could not be written"},
    CodeInfo{Code::booked_not_durable, "booked-not-durable", Exit::not_persisted,
             "the booking stands, but the directory could not be synced"},
    CodeInfo{Code::output_failed, "output-failed", Exit::not_persisted, "the answer could not be written to stdout"},
    CodeInfo{Code::out_of_order, "out-of-order", Exit::out_of_order, "the record's state does not allow this booking"},
};

// The table is indexed by the enum, so their order must be the same.
constexpr bool in_enum_order()
{
    for (std::size_t i = 0; i < k_codes.size(); ++i) {
        if (static_cast<std::size_t>(k_codes[i].code) != i) {
            return false;
        }
    }
    return k_codes.size() == static_cast<std::size_t>(Code::out_of_order) + 1;
}
static_assert(in_enum_order());

}  // namespace

std::span<const CodeInfo> all_codes() { return k_codes; }

const CodeInfo& info(Code code) { return k_codes[static_cast<std::size_t>(code)]; }

}  // namespace mandate
