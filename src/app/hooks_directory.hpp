// Where git looks for hooks in one worktree: core.hooksPath as git resolves it, else <common dir>/hooks.
//
// Read as git reads it, from all its files and the environment, because libgit2 1.5 does not know config.worktree.
// A relative path counts from the worktree's top, `~/` from $HOME. Fails with value-invalid (a path that is no
// directory, or that only git can expand) and repository-broken.
#pragma once

#include "app/place.hpp"
#include "base/error.hpp"

#include <string>

namespace mandate::app {

struct HooksDirectory {
    std::string path;    // absolute; resolved where it exists
    std::string origin;  // "default", or the file that sets core.hooksPath
    bool exists = false;
    bool of_branch = false;  // stands in the worktree and holds files that git tracks, or would be made there
    std::string manager;     // a hook manager's own folder (".husky"); else ""
};

Result<HooksDirectory> find_hooks_directory(const Place& place);

}  // namespace mandate::app
