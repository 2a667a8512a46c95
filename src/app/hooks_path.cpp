#include "app/hooks_path.hpp"

#include "app/git_directory.hpp"
#include "app/git_environment.hpp"
#include "app/include_condition.hpp"
#include "git/config_file.hpp"
#include "git/glob.hpp"
#include "os/env.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace mandate::app {

namespace {

constexpr std::string_view k_key = "core.hookspath";
constexpr std::string_view k_include = "include.path";
constexpr std::string_view k_condition = "includeif.";
constexpr std::string_view k_path = ".path";
constexpr unsigned k_deepest = 10;  // git's own bound

bool folded_equal(std::string_view a, std::string_view b) { return git::equal_bytes(a, b, true); }

// The condition of `includeIf.<condition>.path`; its own letters keep their case.
std::optional<std::string_view> condition_of(std::string_view name)
{
    if (name.size() <= k_condition.size() + k_path.size() ||
        !folded_equal(name.substr(0, k_condition.size()), k_condition) ||
        !folded_equal(name.substr(name.size() - k_path.size()), k_path)) {
        return std::nullopt;
    }
    return name.substr(k_condition.size(), name.size() - k_condition.size() - k_path.size());
}

bool matters(std::string_view name)
{
    return folded_equal(name, k_key) || folded_equal(name, k_include) || condition_of(name).has_value();
}

Unexpected refuse(Code code, std::string message, std::string hint, const std::string& path)
{
    return fail(Error{code, std::move(message), std::move(hint), {}, {}}.on(path));
}

// The last assignment counts, in the order in which git reads.
class Reader {
public:
    explicit Reader(const Place& place) : m_place(place) {}

    Result<void> read(const std::string& file, unsigned depth = 0)
    {
        if (depth > k_deepest) {
            return refuse(Code::repository_broken, "git's configuration includes files more than ten deep",
                          "mend the include; git itself stops on it too", file);
        }
        const auto entries = git::read_config_file(file, matters);
        if (!entries) {
            return fail(entries.error());
        }
        for (const git::ConfigEntry& entry : *entries) {
            if (entry.included) {
                continue;  // followed by libgit2, which cannot tell conditions; here each file is read for itself
            }
            if (auto taken = take(entry.name, entry.value.value_or(""), file, depth); !taken) {
                return taken;
            }
        }
        return {};
    }

    // `file`: where it stands, "" for the environment.
    Result<void> take(std::string_view name, const std::string& value, const std::string& file, unsigned depth)
    {
        if (folded_equal(name, k_key)) {
            if (m_uncertain) {
                m_doubt = Doubt{
                    "git takes core.hooksPath from this file only where an includeIf holds that git alone can "
                    "judge (hasconfig)",
                    file};
            } else {
                m_found = HooksPath{value, file.empty() ? "environment" : file};
                m_doubt.reset();
            }
            return {};
        }
        const auto condition = condition_of(name);
        if (!condition) {
            return folded_equal(name, k_include) ? include(value, file, depth) : Result<void>{};
        }
        if (condition->starts_with("hasconfig:")) {
            const bool before = std::exchange(m_uncertain, true);
            auto included = include(value, file, depth);
            m_uncertain = before;
            return included;
        }
        return include_condition_holds(*condition, file, m_place) ? include(value, file, depth) : Result<void>{};
    }

    [[nodiscard]] Result<std::optional<HooksPath>> found() const
    {
        if (m_doubt) {
            return refuse(Code::value_invalid, m_doubt->why, "set core.hooksPath in the repository itself",
                          m_doubt->path);
        }
        return m_found;
    }

private:
    Result<void> include(const std::string& value, const std::string& file, unsigned depth)
    {
        if (value.starts_with('/')) {
            return read(value, depth + 1);
        }
        const auto home = os::home_directory();
        if (value.starts_with("~/") && home) {
            return read(*home + value.substr(1), depth + 1);
        }
        if (value.empty() || file.empty() || value.starts_with('~') || value.starts_with("%(prefix)")) {
            m_doubt = Doubt{"only git can tell which file this include names, and whether core.hooksPath is in it",
                            value.empty() ? file : value};
            return {};
        }
        return read(file.substr(0, file.rfind('/') + 1) + value, depth + 1);
    }

    // Something that may or may not set the key. What certainly sets it later puts an end to that.
    struct Doubt {
        const char* why;
        std::string path;
    };

    const Place& m_place;
    std::optional<HooksPath> m_found;
    std::optional<Doubt> m_doubt;
    bool m_uncertain = false;  // inside of a file of which only git knows whether it counts
};

}  // namespace

Result<std::optional<HooksPath>> configured_hooks_path(const Place& place)
{
    std::vector<std::string> files = git_config_files();
    files.push_back(place.common_dir + "/config");
    const auto format = read_format(place.common_dir, place.git_dir);
    if (!format) {
        return fail(format.error());
    }
    if (format->worktree_config) {
        files.push_back(place.git_dir + "/config.worktree");
    }
    Reader reader(place);
    for (const std::string& file : files) {
        if (auto done = reader.read(file); !done) {
            return fail(std::move(done.error()));
        }
    }
    for (const auto& [key, value] :
         git_config_from_environment().value_or(std::vector<std::pair<std::string, std::string>>())) {
        if (auto done = reader.take(key, value, "", 0); !done) {
            return fail(std::move(done.error()));
        }
    }
    return reader.found();
}

}  // namespace mandate::app
