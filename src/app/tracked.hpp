// Whether git's index holds a file at the worktree's top: a record that came with a branch grants nothing.
#pragma once

#include "app/place.hpp"
#include "git/index_probe.hpp"

#include <string>

namespace mandate::app {

// For MANDATE.md in the worktree's own index, whatever GIT_INDEX_FILE says. Without an index nothing is
// tracked; an index that cannot be read or understood is `unknown`.
git::Tracked tracked_state(const Place& place);

// For any top-level name and an index at another path, as a hook of `git commit -a` is given one.
git::Tracked tracked_state(const Place& place, const std::string& index_path, const std::string& name,
                           git::NameMatch match = git::NameMatch::exact);

// The same without a place: `index_path` is taken from `root`, the base of a split index from `git_dir`.
struct IndexFile {
    std::string root, git_dir, index_path;
};
git::Tracked tracked_state(const IndexFile& file, const std::string& name, git::NameMatch match);

}  // namespace mandate::app
