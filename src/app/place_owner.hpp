// Whether git would work in a repository of another user: its ensure_valid_ownership (setup.c).
#pragma once

#include "app/discovery.hpp"
#include "base/error.hpp"

namespace mandate::app {

// The `.git` file, the worktree's root and its git directory belong to the effective user (for root, also to
// the user who called sudo), or safe.directory names the root. Else repository-owner, with the line to add.
Result<void> check_owner(const Discovery& place);

}  // namespace mandate::app
