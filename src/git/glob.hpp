// git's wildmatch for a text without slashes: `*`, `**`, `?`, `[...]` with classes, and backslash.
#pragma once

#include <string_view>

namespace mandate::git {

bool glob_matches(std::string_view pattern, std::string_view text, bool fold_case);

char fold_ascii(char c);  // A to Z as a to z, everything else as it is

}  // namespace mandate::git
