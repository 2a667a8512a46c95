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

// In file order. `wanted` is asked with the name before anything is copied.
Result<std::vector<ConfigEntry>> read_config_file(const std::string& path, bool (*wanted)(std::string_view name));

// true, yes, on, 1 ...; nothing where git would call the value no boolean.
std::optional<bool> parse_bool(const std::optional<std::string>& value);

std::optional<int> parse_int(const std::optional<std::string>& value);

}  // namespace mandate::git
