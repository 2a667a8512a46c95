#include "app/exclude_effect.hpp"

#include "app/tracked.hpp"
#include "git/ignore_rules.hpp"
#include "os/env.hpp"
#include "os/file.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace mandate::app {

namespace {

constexpr const char* k_gitignore = ".gitignore";
constexpr std::size_t k_largest_gitignore = 16U << 20U;

// The record, and one name of each kind that stands beside it for a moment or for good.
constexpr std::array k_names{"MANDATE.md", ".MANDATE.lock", ".MANDATE.tmp.0"};

// .gitignore at the top, the only rules in the tree that reach these names and outrank info/exclude.
struct TopRules {
    std::string content;
    bool readable = true;
    bool libgit2_agrees = true;  // that this is what there is to read
};

TopRules read_top_rules(const Place& place)
{
    const auto facts = os::look(place.root_dir, k_gitignore);
    if (!facts) {
        return {{}, false, false};
    }
    switch (facts->kind) {
        case os::Kind::absent:
            // Where a sparse checkout left the file out, git reads it from the index.
            return {{}, tracked_state(place, place.git_dir + "/index", k_gitignore) == git::Tracked::no, true};
        case os::Kind::regular: {
            auto content = os::read_small_file(place.root_dir, k_gitignore, k_largest_gitignore);
            return content ? TopRules{std::move(*content), true, true} : TopRules{{}, false, false};
        }
        default:
            // git does not follow a symlink here (since 2.32), libgit2 does; a FIFO would hang libgit2.
            return {{}, true, false};
    }
}

// A file that libgit2 would open and wait on for ever. It reads these beside .gitignore and info/exclude.
bool could_hang(const std::optional<std::string>& path)
{
    const auto facts = path ? os::follow_path(*path) : os::OsResult<os::FileFacts>{};
    return facts && facts->kind == os::Kind::other;
}

std::optional<std::string> default_excludes_file()
{
    const std::string xdg = os::variable("XDG_CONFIG_HOME").value_or("");
    const auto home = os::variable("HOME");
    if (xdg.empty() && !home) {
        return std::nullopt;
    }
    return (xdg.empty() ? *home + "/.config" : xdg) + "/git/ignore";
}

bool is_ignored(const TopRules& top, std::string_view exclude, const char* name, bool fold_case)
{
    auto rule = git::last_ignore_rule(top.content, name, fold_case);
    if (rule == git::IgnoreRule::none) {
        rule = git::last_ignore_rule(exclude, name, fold_case);
    }
    return rule == git::IgnoreRule::ignore;
}

// Two engines have to agree: the one here reads the two files that can decide, libgit2 reads all of them.
std::string judge(const TopRules& top, std::string_view exclude, const git::Repository& repository)
{
    const bool fold_case = repository.config_bool("core.ignorecase").value_or(false);
    const bool ask_libgit2 =
        top.libgit2_agrees && !could_hang(repository.excludes_file()) && !could_hang(default_excludes_file());
    for (const char* name : k_names) {
        const auto second = ask_libgit2 ? repository.is_ignored(name) : Result<bool>(true);
        if (!second) {
            return "unknown";
        }
        if (!is_ignored(top, exclude, name, fold_case) || !*second) {
            return "negated";
        }
    }
    return {};
}

}  // namespace

std::string exclude_obstacle(const Place& place, std::string_view content, const git::Repository* repository)
{
    const TopRules top = read_top_rules(place);
    if (!top.readable) {
        return "unknown";
    }
    if (repository != nullptr) {
        return judge(top, content, *repository);
    }
    const auto opened = git::Repository::open(place.root);
    return opened ? judge(top, content, *opened) : "unknown";
}

}  // namespace mandate::app
