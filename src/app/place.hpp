// From a directory to the lane that it is in: the one way by which every verb finds its worktree.
//
// Does what git's own set-up does (setup.c), because libgit2 answers some of it differently: it names the
// original as the root of a copied worktree, climbs out of a worktree whose repository has moved, ignores
// `safe.directory=*`, and lets the environment win over the directory. So the walk, the ownership verdict
// and the identity are decided here, from files read through os/, and libgit2 then opens exactly that place.
//
// Fails with the place codes (not-a-directory ... repository-broken) and no others.
#pragma once

#include "app/head.hpp"
#include "base/error.hpp"
#include "os/file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mandate::app {

struct Place {
    std::string root;        // absolute, no symlinks, raw bytes
    os::Fd root_dir;         // opened once; every file of the lane is reached through it
    std::string git_dir;     // this worktree's own git directory
    std::string common_dir;  // the one that all worktrees share
    std::string lane_id;     // "main" or "worktrees/<id>", raw bytes
    Head head;
};

// `directory`: as the user gave it, relative to the current directory; empty: the current directory.
Result<Place> find_place(const std::string& directory);

// A worktree of the repository as its administration names it; the main one first.
struct WorktreeEntry {
    std::string lane_id;
    std::string path;  // raw bytes; empty where the administration is half-made
    std::string git_dir;
    Head head;
    bool head_unreadable = false;       // `head` is empty because of it; an absent or strange HEAD is not meant
    bool missing = false;               // the path is gone, or something else stands there
    std::optional<std::string> locked;  // `git worktree lock`, with its reason
};
// Half-made and missing ones are marked, never an error. The main worktree is left out where there is none
// (a bare repository) and where nothing says where it is (a git directory apart from it, as `git init
// --separate-git-dir` makes it), unless the caller stands in it.
std::vector<WorktreeEntry> list_worktrees(const std::string& common_dir);
std::vector<WorktreeEntry> list_worktrees(const Place& from);

// The present worktree that holds `branch` (a lane mid-rebase of it included); nothing when none does;
// branch-ambiguous when two do; repository-broken when none is seen to, and one has a HEAD that cannot be read.
Result<std::optional<WorktreeEntry>> find_branch(const std::string& common_dir, const std::string& branch);
Result<std::optional<WorktreeEntry>> find_branch(const Place& from, const std::string& branch);

// Opens the place of another worktree of the same repository with the same checks as find_place.
Result<Place> open_worktree(const WorktreeEntry& entry);

}  // namespace mandate::app
