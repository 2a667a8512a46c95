// One file of git's configuration, with its includes, as a flat list of the entries that were asked for.
//
// Fails with repository-broken (file and line) where git would refuse to read it. An absent file is empty.
#pragma once

#include "base/error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::git {

struct ConfigEntry {
    std::string name;                  // section and key in lower case
    std::optional<std::string> value;  // nothing for a key without `=`, which git takes as true
    bool included = false;             // stands in an included file
};

using WantedName = bool (*)(std::string_view name);

// The bytes of a small regular file; nothing for anything else, which libgit2 then judges.
using ReadSmallFile = std::optional<std::string> (*)(const std::string& path);

// In file order. `wanted` is asked with the name before anything is copied. With `read`, libgit2 is started only
// for a file that holds more than git's own plain lines (git/plain_config).
Result<std::vector<ConfigEntry>> read_config_file(const std::string& path, WantedName wanted,
                                                  ReadSmallFile read = nullptr);

// true, yes, on, 1 ...; nothing where git would call the value no boolean.
std::optional<bool> parse_bool(const std::optional<std::string>& value);

std::optional<int> parse_int(const std::optional<std::string>& value);

}  // namespace mandate::git
