// What each git hook asks: from what git tells it to a list of (action, subject), and nothing else.
//
// Pure. The facts (what is protected, whose branch, does the new commit contain the old one) come from
// app/hooks; whether an action is allowed is core/verdict's. A hook with nothing to ask has an empty list.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::core {

enum class Hook { pre_commit, post_commit, pre_push, pre_rebase, pre_merge_commit, reference_transaction };

std::span<const Hook> all_hooks();
std::string_view name(Hook hook);  // as git names its file
std::optional<Hook> parse_hook(std::string_view word);

struct Ask {
    std::string action;
    std::string subject;  // for people: "the push to 'refs/heads/main'", raw bytes
};

// Whose branches are whose in this lane.
struct Branches {
    std::string own;                          // "" when detached
    const std::vector<std::string>& guarded;  // patterns of protected branches

    [[nodiscard]] bool is_protected(std::string_view branch) const;
};

// "main" of "refs/heads/main"; nothing for any other ref.
std::optional<std::string_view> branch_of(std::string_view ref);

// One ref as it is and as it shall be; an id of zeros or an empty one: no such ref.
struct RefMove {
    std::string ref;
    std::string before, after;
    bool forward = false;   // `after` contains `before`; only asked where `wants_ancestry` says so
    bool symbolic = false;  // becomes a name for another ref
};
bool is_null_id(std::string_view id);

std::vector<Ask> asks_of_commit();
std::vector<Ask> asks_of_merge_commit(const Branches& branches);
std::vector<Ask> asks_of_rebase(const Branches& branches, const std::vector<std::string>& arguments);

// `before` is what the remote has.
bool push_wants_ancestry(const RefMove& move, const Branches& branches);
std::vector<Ask> asks_of_push(const std::vector<RefMove>& moves, const Branches& branches);

// `before` is what the ref itself holds: git often passes zeros for it.
std::vector<Ask> asks_of_transaction(const std::vector<RefMove>& moves, const Branches& branches);

// Whether git made the newest commit by an operation that runs no pre-commit hook by design. `reflog`: the
// message that it left ("cherry-pick: subject"), `rebasing`: a rebase is under way in this worktree.
bool runs_no_pre_commit(std::string_view reflog, bool rebasing);

}  // namespace mandate::core
