// Is a path a git directory, and what a `.git` file points at: git's is_git_directory and read_gitfile
// (setup.c), without its die().
#pragma once

#include "base/error.hpp"
#include "git/format.hpp"

#include <optional>
#include <string>

namespace mandate::app {

struct GitDirectory {
    std::string common_dir;           // no symlinks
    std::optional<std::string> head;  // what HEAD holds; nothing where it is a symlink, as git once made it
};

// The git directory at `path`, which has no symlinks: a HEAD that is a ref or a
// commit, and `objects` and `refs` in the common directory. Nothing when it is none, which the search climbs over as
// git does. A `commondir` file that leads nowhere stops git, and is not-a-worktree here. A HEAD or `commondir` that is
// there and cannot be read is repository-broken: nobody knows whether to climb.
Result<std::optional<GitDirectory>> look_for_git_directory(const std::string& path);

// What the repository's own configuration says about a worktree with that git directory.
Result<git::Format> read_format(const std::string& common_dir, const std::string& git_dir);

// What the `.git` file at `path`, a regular file, points at, resolved: an existing path, or not-a-worktree with the
// reason; repository-broken when the file cannot be read.
Result<std::string> read_gitfile(const std::string& path);

// The bytes after `gitdir: `, or the whole content of an administrative file that holds one path: git strips
// line ends from the end and nothing else. Relative ones are taken from `base`.
std::string path_in_file(std::string_view content, const std::string& base);

}  // namespace mandate::app
