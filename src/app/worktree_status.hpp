// Everything in a worktree that is nowhere else: what differs from HEAD, and what git does not know.
//
// Reads the index and the directories itself and takes no hint not to look: neither the user's status and
// submodule settings, nor the marks that git keeps in the index (assume-unchanged, skip-worktree, untracked
// cache, fsmonitor), hide anything. A file counts as unchanged only when its stat data is what git wrote down
// when it last compared it, and its bytes are hashed otherwise. Only core.fileMode=false and
// core.symlinks=false are believed, since they say what the file system cannot hold. Writes nothing.
#pragma once

#include "base/error.hpp"
#include "core/closing.hpp"
#include "git/repository.hpp"
#include "os/fd.hpp"

#include <string>
#include <vector>

namespace mandate::app {

struct WorktreeToScan {
    std::string root;
    const os::Fd& root_dir;
    std::string git_dir;
    std::string common_dir;
    std::string head;                     // commit, "" on an unborn branch
    std::vector<std::string> lane_files;  // exact names at the root, for regular files that git does not track
    std::vector<std::string> disposable;  // files or, with a slash at the end, directories; only where ignored
};

struct WorktreeStatus {
    core::PathList dirty;  // `modified src/a.c`, `untracked b.txt` ...
    core::PathList ignored;
    core::PathList submodules;
};

// Fails with repository-broken where the index or HEAD's tree cannot be read.
Result<WorktreeStatus> scan_worktree(const WorktreeToScan& worktree, const git::Repository& repository);

}  // namespace mandate::app
