// The environment variables of git's that this program honours, read as git reads them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mandate::app {

// true, yes, on or a number that is not 0; unset, empty and everything else is false.
bool environment_flag(const std::string& name);

// The system, XDG and global configuration files, in git's order. They need not exist.
std::vector<std::string> git_config_files();

// Pairs of GIT_CONFIG_COUNT/KEY_n/VALUE_n and then of GIT_CONFIG_PARAMETERS (`git -c`). Nothing where git
// would stop on them.
std::optional<std::vector<std::pair<std::string, std::string>>> git_config_from_environment();

}  // namespace mandate::app
