// What HEAD of a worktree says, read without libgit2 (also for worktrees that it cannot open).
#pragma once

#include <string>

namespace mandate::app {

struct Head {
    std::string branch;  // short name, raw bytes; empty when detached or not understood
    bool detached = false;
    // "", "rebase", "bisect": an operation that detached HEAD and will return to a branch. `branch` holds that
    // branch and `detached` is false, unless it started from a detached HEAD. (`am` stays on its branch.)
    std::string operation;
};

// Reads HEAD and, where it is detached, the state files of a git directory. Nothing there can make it hang.
Head read_head(const std::string& git_dir);

}  // namespace mandate::app
