// git's wildmatch for a text without slashes: `*`, `**`, `?`, `[...]` with classes, and backslash.
#pragma once

#include <string_view>

namespace mandate::git {

bool glob_matches(std::string_view pattern, std::string_view text, bool fold_case);

// Equal byte for byte, or but for ASCII case.
bool equal_bytes(std::string_view a, std::string_view b, bool fold_case);

}  // namespace mandate::git
