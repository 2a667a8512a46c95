// The parents that a commit names, whatever libgit2 makes of them. For the .cpp files of this layer only.
//
// From 1.7 on libgit2 shows the last commits of a shallow clone without parents, as if the history began there; before,
// it failed on them. Here a commit has the parents that are written in it, so with every version it can be told where
// a history ends and where it is cut off.
#pragma once

#include <git2.h>
#include <vector>

namespace mandate::git {

// In order; whether they are here is not looked at.
std::vector<git_oid> parents_of(const git_commit* commit);

// libgit2 hides parents of this commit: what a walk finds from here on is not the whole history.
bool is_cut_off(const git_commit* commit);

}  // namespace mandate::git
