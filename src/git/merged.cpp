#include "git/merged.hpp"

#include "git/change_id.hpp"
#include "git/handles.hpp"
#include "git/library.hpp"
#include "git/parents.hpp"

namespace mandate::git {

namespace {

using WalkHandle = Handle<git_revwalk, git_revwalk_free>;

constexpr auto k_cannot_walk = "the history cannot be walked";

Unexpected broken(const char* what) { return fail(last_error(Code::repository_broken, what)); }

std::optional<git_oid> parse_id(const std::string& hex)
{
    git_oid id;
    return hex.size() == GIT_OID_HEXSZ && git_oid_fromstr(&id, hex.c_str()) == 0 ? std::optional(id) : std::nullopt;
}

// From `from`, without what `known` reach.
Result<WalkHandle> walk(const Repository& repository, const std::string& from, const std::vector<std::string>& known)
{
    git_revwalk* raw = nullptr;
    if (git_revwalk_new(&raw, repository.handle()) != 0) {
        return broken(k_cannot_walk);
    }
    WalkHandle revwalk(raw);
    const auto start = parse_id(from);
    if (!start || git_revwalk_push(raw, &*start) != 0) {
        return broken(k_cannot_walk);
    }
    for (const std::string& commit : known) {
        const auto id = parse_id(commit);
        if (!id || git_revwalk_hide(raw, &*id) != 0) {
            return broken(k_cannot_walk);
        }
    }
    return revwalk;
}

Result<CommitHandle> look_up(const Repository& repository, const git_oid& id)
{
    git_commit* raw = nullptr;
    if (git_commit_lookup(&raw, repository.handle(), &id) != 0) {
        return broken("a commit cannot be read");
    }
    return CommitHandle(raw);
}

// Calls `visit(id)` for each commit of a walk; a shallow or damaged history ends it with an error.
template<typename Visit>
Result<void> each(const Repository& repository, git_revwalk* revwalk, Visit visit)
{
    const bool shallow = git_repository_is_shallow(repository.handle()) == 1;
    git_oid id;
    int status = 0;
    while ((status = git_revwalk_next(&id, revwalk)) == 0) {
        const auto commit = shallow ? look_up(repository, id) : Result<CommitHandle>();
        if (!commit) {
            return fail(commit.error());
        }
        if (*commit && is_cut_off(commit->get())) {
            return fail(Code::repository_broken, std::string(k_cannot_walk) + ": the clone is shallow",
                        "git fetch --unshallow");
        }
        if (auto visited = visit(id); !visited) {
            return visited;
        }
    }
    return status == GIT_ITEROVER ? Result<void>{} : Result<void>(broken(k_cannot_walk));
}

// Whether the lane's base hangs off the side of the integration branch: then what is below it was merged.
Result<bool> base_is_beside(const Repository& repository, const std::string& head, const std::string& integration)
{
    const auto one = parse_id(head);
    const auto two = parse_id(integration);
    git_oid base;
    const int status = one && two ? git_merge_base(&base, repository.handle(), &*one, &*two) : -1;
    if (status == GIT_ENOTFOUND) {
        git_error_clear();
        return false;
    }
    if (status != 0) {
        return broken("the merge base cannot be found");
    }
    if (git_oid_equal(&base, &*two) != 0) {
        return false;
    }
    auto revwalk = walk(repository, integration, {hex_of(base)});
    if (!revwalk) {
        return fail(revwalk.error());
    }
    git_revwalk_simplify_first_parent(revwalk->get());
    git_oid last = *two;
    if (auto walked = each(repository, revwalk->get(),
                           [&](const git_oid& id) {
                               last = id;
                               return Result<void>{};
                           });
        !walked) {
        return fail(walked.error());
    }
    const auto commit = look_up(repository, last);
    if (!commit) {
        return fail(commit.error());
    }
    const auto parents = parents_of(commit->get());
    return parents.empty() || !same_id(parents.front(), base);
}

}  // namespace

bool has_commit(const Repository& repository, const std::string& commit)
{
    const auto id = parse_id(commit);
    const bool found = id && look_up(repository, *id).has_value();
    git_error_clear();
    return found;
}

Result<std::uint64_t> count_missing(const Repository& repository, const std::string& from,
                                    const std::vector<std::string>& known)
{
    auto revwalk = walk(repository, from, known);
    if (!revwalk) {
        return fail(revwalk.error());
    }
    std::uint64_t count = 0;
    if (auto walked = each(repository, revwalk->get(),
                           [&](const git_oid&) {
                               ++count;
                               return Result<void>{};
                           });
        !walked) {
        return fail(walked.error());
    }
    return count;
}

Result<MergeProgress> merge_progress(const Repository& repository, const std::string& head,
                                     const std::string& integration)
{
    auto own = walk(repository, head, {integration});
    if (!own) {
        return fail(own.error());
    }
    std::vector<CommitHandle> missing;
    MergeProgress progress;
    auto collected = each(repository, own->get(), [&](const git_oid& id) -> Result<void> {
        auto commit = look_up(repository, id);
        if (!commit) {
            return fail(commit.error());
        }
        missing.push_back(std::move(*commit));
        return {};
    });
    if (!collected) {
        return fail(collected.error());
    }
    if (missing.empty()) {
        return progress;
    }
    // A merge has no single change; what it holds of its own would be lost.
    ChangeIndex wanted(repository);

    for (const CommitHandle& commit : missing) {
        if (auto added = wanted.want(commit.get()); !added) {
            return fail(added.error());
        }
    }
    auto other = walk(repository, integration, {head});
    if (!other) {
        return fail(other.error());
    }
    auto searched = each(repository, other->get(), [&](const git_oid& id) -> Result<void> {
        const auto commit = look_up(repository, id);
        return commit ? wanted.meet(commit->get()) : Result<void>(fail(commit.error()));
    });
    if (!searched) {
        return fail(searched.error());
    }
    const std::uint64_t found = wanted.found();
    progress.missing = missing.size() - found;
    if (progress.missing > 0) {
        // An empty commit is in every branch; it says nothing of a merge.
        const bool some_arrived = found > wanted.empty();
        const auto beside = some_arrived ? Result<bool>(true) : base_is_beside(repository, head, integration);
        if (!beside) {
            return fail(beside.error());
        }
        progress.began = *beside;
    }
    return progress;
}

}  // namespace mandate::git
