// core.hooksPath as git reads it in one worktree: from its own files, the environment, and what they include.
//
// libgit2 1.5 knows no config.worktree, and of `includeIf` less than git does, so the few keys that matter are
// followed here: `include`, and `includeIf` with `gitdir:`, `gitdir/i:` and `onbranch:`. Other conditions are false, as
// they are to git. Two things only git can judge: `hasconfig:`, which newer gits know, and an included path like
// `~user/x`. They are value-invalid where core.hooksPath hangs on them, and nothing where a later file sets it.
// Fails with repository-broken where git stops too.
#pragma once

#include "app/place.hpp"
#include "base/error.hpp"

#include <optional>
#include <string>

namespace mandate::app {

struct HooksPath {
    std::string value;   // as it is written
    std::string origin;  // the file that sets it, or "environment"
};

Result<std::optional<HooksPath>> configured_hooks_path(const Place& place);

}  // namespace mandate::app
