// What HEAD of a worktree says, read without libgit2 (also for worktrees that it cannot open).
#pragma once

#include "os/fd.hpp"

#include <string>
#include <string_view>

namespace mandate::app {

struct Head {
    std::string branch;  // short name, raw bytes; empty when detached or not understood
    bool detached = false;
    // "", "rebase", "bisect": an operation that detached HEAD and will return to a branch. `branch` holds that
    // branch and `detached` is false, unless it started from a detached HEAD. (`am` stays on its branch.)
    std::string operation;
};

// Reads HEAD and, where it is detached, the state files of a git directory. Nothing there can make it hang.
// What cannot be read is an error and never "detached": a record is bound to its branch, and would answer on another.
os::OsResult<Head> read_head(const std::string& git_dir);

// The same for a HEAD whose content is known.
os::OsResult<Head> head_from(std::string_view text, const std::string& git_dir);

}  // namespace mandate::app
