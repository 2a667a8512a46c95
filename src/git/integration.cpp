// Which ref keeps a lane's commits once its branch is gone; part of merged.hpp.
#include "git/handles.hpp"
#include "git/library.hpp"
#include "git/merged.hpp"

namespace mandate::git {

namespace {

// Refs that every worktree shares and that outlive this one; refs/worktree, refs/bisect and HEAD do not.
bool outlives_a_lane(std::string_view name)
{
    return name.starts_with("refs/heads/") || name.starts_with("refs/remotes/") || name.starts_with("refs/tags/");
}

// The commit that a ref leads to, and the ref at the end of symbolic ones.
std::optional<Tip> to_commit(git_reference* reference)
{
    git_reference* raw = nullptr;
    git_object* commit = nullptr;
    std::optional<Tip> found;
    if (git_reference_resolve(&raw, reference) == 0) {
        const ReferenceHandle resolved(raw);
        if (git_reference_peel(&commit, raw, GIT_OBJECT_COMMIT) == 0) {
            found = Tip{git_reference_shorthand(raw), git_reference_name(raw), hex_of(*git_object_id(commit))};
            git_object_free(commit);
        }
    }
    git_error_clear();
    return found;
}

}  // namespace

Result<std::optional<Tip>> find_integration(const Repository& repository, const std::string& branch,
                                            const std::optional<std::string>& into)
{
    const std::string own = branch.empty() ? std::string() : "refs/heads/" + branch;
    auto tip = into ? named_tip(repository, *into) : integration_branch(repository, branch);
    if (!tip && into) {
        return fail(std::move(tip.error()));
    }
    if (!tip || tip->ref == own) {
        return std::nullopt;
    }
    if (!outlives_a_lane(tip->ref)) {
        return fail(Code::value_invalid, "--into names no ref that keeps commits: '" + *into + "'",
                    "name a branch, a remote branch or a tag");
    }
    return std::move(*tip);
}

std::optional<Tip> find_upstream(const Repository& repository, const std::string& branch)
{
    auto tip = branch.empty() ? Result<Tip>(fail(Code::repository_broken, "")) : upstream_of(repository, branch);
    return tip ? std::optional(std::move(*tip)) : std::nullopt;
}

Result<bool> is_kept(const Repository& repository, const std::string& commit, const std::string& except)
{
    git_oid id;
    git_reference_iterator* raw = nullptr;
    if (git_oid_fromstr(&id, commit.c_str()) != 0 || git_reference_iterator_new(&raw, repository.handle()) != 0) {
        return fail(last_error(Code::repository_broken, "the refs cannot be read"));
    }
    const Handle<git_reference_iterator, git_reference_iterator_free> iterator(raw);
    git_reference* next = nullptr;
    while (git_reference_next(&next, raw) == 0) {
        const ReferenceHandle reference(next);
        const std::string name = git_reference_name(next);
        const auto target = outlives_a_lane(name) && name != except ? to_commit(next) : std::nullopt;
        git_oid tip;
        if (!target || target->ref == except || git_oid_fromstr(&tip, target->commit.c_str()) != 0) {
            continue;
        }
        if (git_oid_equal(&tip, &id) != 0 || git_graph_descendant_of(repository.handle(), &tip, &id) == 1) {
            return true;
        }
    }
    git_error_clear();
    return false;
}

Result<bool> all_pushed(const Repository& repository)
{
    git_revwalk* raw = nullptr;
    if (git_revwalk_new(&raw, repository.handle()) != 0) {
        return fail(last_error(Code::repository_broken, "the history cannot be walked"));
    }
    const Handle<git_revwalk, git_revwalk_free> walk(raw);
    // The glob for everything takes refs/stash too. Without remote branches there is nothing to hide.
    git_oid id;
    const bool started = git_revwalk_push_head(raw) == 0 && git_revwalk_push_glob(raw, "refs/*") == 0 &&
                         git_revwalk_hide_glob(raw, "refs/remotes/*") == 0;
    const int status = started ? git_revwalk_next(&id, raw) : -1;
    if (status != 0 && status != GIT_ITEROVER) {
        return fail(last_error(Code::repository_broken, "the history cannot be walked"));
    }
    return status == GIT_ITEROVER;
}

}  // namespace mandate::git
