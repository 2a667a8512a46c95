// safe.directory as git reads it: only from places that the repository cannot write to.
//
// git calls this the protected configuration: the system, XDG and global files and the environment, never
// the repository's own file. Which files these are is decided by the caller, who knows the environment.
#pragma once

#include "base/error.hpp"

#include <string>
#include <utility>
#include <vector>

namespace mandate::git {

struct ProtectedConfigSources {
    std::vector<std::string> files;                                     // in order; absent ones are skipped
    std::vector<std::pair<std::string, std::string>> from_environment;  // key in any case, value
};

// The values in force, in order and as written: an empty value drops all before it.
// Fails with repository-broken where git would stop on one of the files.
Result<std::vector<std::string>> read_safe_directories(const ProtectedConfigSources& sources);

}  // namespace mandate::git
