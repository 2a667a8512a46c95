// Whether a lane's commits are in the integration branch: reached by it, or there commit by commit with the
// very same change (a rebase-merge).
//
// "The same change" is exact: paths, modes, every added, removed and context line. git's patch-id will not
// do, since it leaves out white space, and removing a branch must not lose a byte.
#pragma once

#include "base/error.hpp"
#include "git/branches.hpp"
#include "git/repository.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mandate::git {

// `into` as git would understand it; it must be a branch, a remote branch or a tag, since it is what keeps the
// commits: value-invalid else. Without it integration_branch() answers; the lane's own branch never does. Nothing where
// there is none. `branch`: the lane's, "" where HEAD is detached.
Result<std::optional<Tip>> find_integration(const Repository& repository, const std::string& branch,
                                            const std::optional<std::string>& into);

// What the branch is pushed to, as last fetched; nothing where it has no upstream or that is gone.
std::optional<Tip> find_upstream(const Repository& repository, const std::string& branch);

// Commits that `from` reaches and none of `known` does.
Result<std::uint64_t> count_missing(const Repository& repository, const std::string& from,
                                    const std::vector<std::string>& known);

// Whether any branch, remote branch or tag but `except` (a full name) reaches the commit.
Result<bool> is_kept(const Repository& repository, const std::string& commit, const std::string& except);

// Whether the remote branches reach HEAD and every branch and tag, and there is no stash: what a repository that
// goes away with its worktree must show.
Result<bool> all_pushed(const Repository& repository);

bool has_commit(const Repository& repository, const std::string& commit);

struct MergeProgress {
    std::uint64_t missing = 0;  // commits of HEAD that are not in the integration branch
    bool began = false;         // others of the lane are
};
Result<MergeProgress> merge_progress(const Repository& repository, const std::string& head,
                                     const std::string& integration);

}  // namespace mandate::git
