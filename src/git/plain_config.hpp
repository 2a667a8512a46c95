// git's configuration syntax as git itself writes it: the part that needs no library to be read.
//
// Sections without includes, `key = value` with nothing in the value that would have to be unquoted, comments on
// lines of their own. Any byte beyond that gives nothing, and libgit2 reads the file instead: a quick way that
// knows less and never says anything else. A fuzz target holds the two against each other.
#pragma once

#include "git/config_file.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace mandate::git {

std::optional<std::vector<ConfigEntry>> parse_plain_config(std::string_view bytes, WantedName wanted);

}  // namespace mandate::git
