#include "git/same_change.hpp"

#include "git/handles.hpp"
#include "git/history.hpp"
#include "git/library.hpp"
#include "git/parents.hpp"
#include "git/transplant.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace mandate::git {

namespace {

std::string short_id(const std::string& commit) { return commit.substr(0, 10); }

Result<CommitHandle> look_up(const Repository& repository, const std::string& hex)
{
    git_oid id;
    git_commit* raw = nullptr;
    if (git_oid_fromstr(&id, hex.c_str()) != 0 || git_commit_lookup(&raw, repository.handle(), &id) != 0) {
        return fail(last_error(Code::repository_broken, "the commit " + short_id(hex) + " cannot be read"));
    }
    return CommitHandle(raw);
}

// The integration branch as it was before it held HEAD. The reflog of the lane's own branch says nothing about
// that: what it held before is this lane's own work.
Result<std::string> before_head(const Repository& repository, const ChangeQuestion& question)
{
    auto before = before_merge_of(repository, question.integration.commit, question.head);
    if (before && !*before && question.integration.ref != question.own_ref) {
        before = before_in_reflog(repository, question.integration.ref, question.head);
    }
    if (!before) {
        return fail(std::move(before.error()));
    }
    if (!*before) {
        return fail(Code::repository_broken, "HEAD is in '" + question.integration.name +
                                                 "' already, and its change can no longer be told from it");
    }
    return std::move(**before);
}

// The commit that the changes are measured against: the integration branch without the lane.
Result<std::string> reference_for(const Repository& repository, const ChangeQuestion& question)
{
    std::string reference = question.integration.commit;
    const auto merged = holds(repository, reference, question.head);
    if (!merged) {
        return fail(merged.error());
    }
    if (*merged) {
        auto before = before_head(repository, question);
        if (!before) {
            return before;
        }
        reference = std::move(*before);
    }
    // Both changes would be empty for commits that were merged one after the other, and nothing would tell the
    // unreviewed one from the other.
    const auto gone_in = holds(repository, reference, question.reviewed);
    if (!gone_in) {
        return fail(gone_in.error());
    }
    if (*gone_in) {
        return fail(Code::repository_broken,
                    short_id(question.reviewed) + " went into '" + question.integration.name + "' on its own");
    }
    return reference;
}

}  // namespace

Result<bool> only_message_differs(const Repository& repository, const std::string& a, const std::string& b)
{
    const auto first = look_up(repository, a);
    const auto second = look_up(repository, b);
    if (!first || !second) {
        return fail(first ? second.error() : first.error());
    }
    const auto parents = parents_of(first->get());
    const auto others = parents_of(second->get());
    return same_id(*git_commit_tree_id(first->get()), *git_commit_tree_id(second->get())) &&
           std::equal(parents.begin(), parents.end(), others.begin(), others.end(), same_id);
}

Result<bool> same_change(const Repository& repository, const ChangeQuestion& question)
{
    const auto reference = reference_for(repository, question);
    if (!reference) {
        return fail(reference.error());
    }
    const auto old_base = merge_base(repository, *reference, question.reviewed);
    const auto new_base = merge_base(repository, *reference, question.head);
    if (!old_base || !new_base) {
        return fail(old_base ? new_base.error() : old_base.error());
    }
    Transplant trees;
    for (const auto& [commit, tree] :
         {std::pair(&*old_base, &trees.old_base), std::pair(&question.reviewed, &trees.reviewed),
          std::pair(&*new_base, &trees.new_base), std::pair(&question.head, &trees.head)}) {
        const auto handle = look_up(repository, *commit);
        if (!handle) {
            return fail(handle.error());
        }
        *tree = hex_of(*git_commit_tree_id(handle->get()));
    }
    return is_transplant(repository, trees);
}

}  // namespace mandate::git
