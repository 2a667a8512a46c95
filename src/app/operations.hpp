// What git left unfinished in a worktree, read from the state files of its git directory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mandate::app {

// merge, rebase, am, cherry-pick, revert, bisect, sequence (of picks or reverts), index.lock (a git process is
// at work there, or died).
std::vector<std::string> operations_in_progress(const std::string& git_dir);

// Entries of the repository's stash that were made on a branch; nothing is known of those with a message of
// their own making (`git stash store -m`).
std::uint64_t stashes_made_on(const std::string& common_dir, const std::string& branch);

// Refs of this worktree alone (refs/worktree/...), which go with it: 40 hex digits, or the name of one that
// cannot be read.
std::vector<std::string> own_refs(const std::string& git_dir);

}  // namespace mandate::app
