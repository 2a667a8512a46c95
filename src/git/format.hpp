// What a repository's own configuration says about how it must be read, before libgit2 opens it.
//
// libgit2 names an unsupported extension only in prose and opens some repositories that git disowns, so
// the few keys that matter are read here. As in git's setup.c, they count only in the files themselves,
// never in an included file; includes that are missing are fine, broken ones are not.
#pragma once

#include "base/error.hpp"
#include "git/config_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mandate::git {

struct Format {
    bool bare = false;                    // core.bare after config.worktree, as git decides it for this worktree
    std::optional<std::string> worktree;  // core.worktree as written (set in submodules)
    bool worktree_config = false;         // extensions.worktreeConfig
    std::vector<std::string> extensions;  // lower-case names without "extensions."
};

// Fails with repository-unsupported (naming the extension or version) and repository-broken (file and line).
// `linked`: core.bare and core.worktree of the shared configuration say nothing about a linked worktree unless
// extensions.worktreeConfig is on (git's setup.c).
Result<Format> read_format(const std::string& common_dir, const std::string& git_dir, bool linked,
                           ReadSmallFile read = nullptr);

}  // namespace mandate::git
