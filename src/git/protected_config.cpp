#include "git/protected_config.hpp"

#include "git/config_file.hpp"

#include <algorithm>

namespace mandate::git {

namespace {

bool is_safe_directory(std::string_view name) { return name == "safe.directory"; }

// Section and key fold ASCII case (git-config(1)); there is no subsection in this name.
std::string lower(std::string name)
{
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return name;
}

void add(std::vector<std::string>& list, const std::string& value)
{
    if (value.empty()) {
        list.clear();
    } else {
        list.push_back(value);
    }
}

Result<void> add_file(std::vector<std::string>& list, const std::string& file)
{
    const auto entries = read_config_file(file, is_safe_directory);
    if (!entries) {
        return fail(entries.error());
    }
    for (const ConfigEntry& entry : *entries) {
        add(list, entry.value.value_or(std::string()));
    }
    return {};
}

}  // namespace

Result<std::vector<std::string>> read_safe_directories(const ProtectedConfigSources& sources)
{
    std::vector<std::string> list;
    for (const std::string& file : sources.files) {
        if (auto added = add_file(list, file); !added) {
            return fail(added.error());
        }
    }
    for (const auto& [key, value] : sources.from_environment) {
        if (is_safe_directory(lower(key))) {
            add(list, value);
        } else if (lower(key) == "include.path" && value.starts_with('/')) {
            if (auto added = add_file(list, value); !added) {
                return fail(added.error());
            }
        }
    }
    return list;
}

}  // namespace mandate::git
