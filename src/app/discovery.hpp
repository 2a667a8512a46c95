// The walk from a directory up to the worktree that holds it, as git's setup.c does it.
#pragma once

#include "base/error.hpp"

#include <optional>
#include <string>

namespace mandate::app {

struct Discovery {
    std::string root;                 // the directory that holds `.git`
    std::string git_dir;              // where `.git` leads, no symlinks
    std::string common_dir;           // no symlinks
    std::optional<std::string> head;  // what HEAD holds; nothing where it is a symlink
    bool gitfile = false;             // `.git` is a file
};

// `start`: absolute, no symlinks. Fails with not-a-repository where nothing is found up to a ceiling or the
// file system's edge, and with not-a-worktree where git too would stop: a `.git` file that leads nowhere, a
// bare repository, the inside of one.
Result<Discovery> discover(const std::string& start);

}  // namespace mandate::app
