#include "core/hook_policy.hpp"

#include "core/branch_pattern.hpp"

#include <algorithm>
#include <array>

namespace mandate::core {

namespace {

constexpr std::array k_hooks{Hook::pre_commit, Hook::post_commit,      Hook::pre_push,
                             Hook::pre_rebase, Hook::pre_merge_commit, Hook::reference_transaction};

std::string quoted(std::string_view what, std::string_view ref)
{
    return std::string(what) + " '" + std::string(ref) + "'";
}

Ask push_to_branch(const RefMove& move, std::string_view branch, const Branches& branches)
{
    const bool deletes = is_null_id(move.after);
    const bool forward = !deletes && (is_null_id(move.before) || move.forward);
    std::string subject = quoted(deletes   ? "the deletion of the remote's"
                                 : forward ? "the push to"
                                           : "the forced push to",
                                 move.ref);
    if (branches.is_protected(branch)) {
        return {forward ? "merge" : "force-push-shared", std::move(subject)};
    }
    if (branch != branches.own) {
        return {"force-push-shared", std::move(subject)};
    }
    return {forward ? "push-own-branch" : "rebase-own-branch", std::move(subject)};
}

}  // namespace

std::span<const Hook> all_hooks() { return k_hooks; }

std::string_view name(Hook hook)
{
    switch (hook) {
        case Hook::pre_commit:
            return "pre-commit";
        case Hook::post_commit:
            return "post-commit";
        case Hook::pre_push:
            return "pre-push";
        case Hook::pre_rebase:
            return "pre-rebase";
        case Hook::pre_merge_commit:
            return "pre-merge-commit";
        case Hook::reference_transaction:
            break;
    }
    return "reference-transaction";
}

std::optional<Hook> parse_hook(std::string_view word)
{
    const auto* const it = std::find_if(k_hooks.begin(), k_hooks.end(), [&](Hook hook) { return name(hook) == word; });
    return it == k_hooks.end() ? std::nullopt : std::optional(*it);
}

bool Branches::is_protected(std::string_view branch) const
{
    return std::any_of(guarded.begin(), guarded.end(),
                       [&](const std::string& pattern) { return branch_matches(pattern, branch); });
}

std::optional<std::string_view> branch_of(std::string_view ref)
{
    constexpr std::string_view k_heads = "refs/heads/";
    return ref.starts_with(k_heads) ? std::optional(ref.substr(k_heads.size())) : std::nullopt;
}

bool is_null_id(std::string_view id) { return id.find_first_not_of('0') == std::string_view::npos; }

std::vector<Ask> asks_of_commit() { return {{"commit", "this commit"}}; }

std::vector<Ask> asks_of_merge_commit(const Branches& branches)
{
    if (branches.is_protected(branches.own)) {
        return {{"merge", quoted("a merge commit on", branches.own)}};
    }
    return {{"commit", "this merge commit"}};
}

std::vector<Ask> asks_of_rebase(const Branches& branches, const std::vector<std::string>& arguments)
{
    // `git rebase UPSTREAM BRANCH` checks BRANCH out first, and so makes it this lane's.
    return {{"rebase-own-branch", quoted("the rebase of", arguments.size() > 1 ? arguments[1] : branches.own)}};
}

bool push_wants_ancestry(const RefMove& move, const Branches& branches)
{
    const auto branch = branch_of(move.ref);
    return branch && !is_null_id(move.before) && !is_null_id(move.after) &&
           (*branch == branches.own || branches.is_protected(*branch));
}

std::vector<Ask> asks_of_push(const std::vector<RefMove>& moves, const Branches& branches)
{
    std::vector<Ask> asks;
    for (const RefMove& move : moves) {
        if (move.before == move.after) {
            continue;
        }
        if (const auto branch = branch_of(move.ref)) {
            asks.push_back(push_to_branch(move, *branch, branches));
        } else if (is_null_id(move.before)) {
            // A new tag or note takes nothing from anybody; names that are there are everybody's.
            asks.push_back({"push-own-branch", quoted("the push of the new", move.ref)});
        } else {
            asks.push_back({"force-push-shared", quoted("the change of the remote's", move.ref)});
        }
    }
    return asks;
}

std::vector<Ask> asks_of_transaction(const std::vector<RefMove>& moves, const Branches& branches)
{
    std::vector<Ask> asks;
    for (const RefMove& move : moves) {
        const auto branch = branch_of(move.ref);
        if (!branch || !branches.is_protected(*branch) || is_null_id(move.before) || move.before == move.after) {
            continue;
        }
        if (!move.symbolic && is_null_id(move.after)) {
            asks.push_back({"destructive", quoted("the deletion of", move.ref)});
        } else if (move.symbolic || !move.forward) {
            asks.push_back({"destructive", quoted("the rewrite of", move.ref)});
        } else {
            asks.push_back({"merge", quoted("moving", move.ref)});
        }
    }
    return asks;
}

// A rebase prefixes what GIT_REFLOG_ACTION says ("pull --rebase (pick): ..."), so its own state decides; a
// `git commit` of the user's in the middle of one says "commit" all the same. cherry-pick and revert leave
// no other trace once they are through.
bool runs_no_pre_commit(std::string_view reflog, bool rebasing)
{
    const std::string_view action = reflog.substr(0, reflog.find(':'));
    if (rebasing) {
        return !action.starts_with("commit") && !action.empty();
    }
    return action == "cherry-pick" || action == "revert" || action == "am";
}

}  // namespace mandate::core
