// How post-commit learns whether pre-commit ran for the commit that was just made.
//
// pre-commit leaves a mark in the worktree's git directory that names the git process it was started by: pid,
// start time and boot. That process makes one commit or none and is gone, so a commit that was given up leaves a
// mark that fits no later one, whatever index, parent or message the later one has; and it holds for
// `commit -a`, partial commits, amends, and for hooks that change the index. Two commits at once in one worktree
// share the mark: the one that is overwritten counts as unverified.
#pragma once

#include "app/place.hpp"

#include <string>

namespace mandate::app {

// Best effort and not synced: without a mark the commit is counted, which errs on the right side.
void leave_commit_mark(const Place& place);

// Whether the mark is that of the git process that runs now; such a mark is used up.
bool take_commit_mark(const Place& place);

void remove_commit_mark(const std::string& git_dir);

}  // namespace mandate::app
