#include "git/protected_config.hpp"

#include "base/text.hpp"
#include "git/config_file.hpp"

namespace mandate::git {

namespace {

bool is_safe_directory(std::string_view name) { return name == "safe.directory"; }

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
        const std::string name = text::lower(key);  // git-config(1): section and key fold; there is no subsection here
        if (is_safe_directory(name)) {
            add(list, value);
        } else if (name == "include.path" && value.starts_with('/')) {
            if (auto added = add_file(list, value); !added) {
                return fail(added.error());
            }
        }
    }
    return list;
}

}  // namespace mandate::git
