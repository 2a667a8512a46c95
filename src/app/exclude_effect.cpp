#include "app/exclude_effect.hpp"

#include "app/exclude_lines.hpp"
#include "app/tracked.hpp"
#include "os/env.hpp"
#include "os/file.hpp"

#include <array>
#include <optional>

namespace mandate::app {

namespace {

constexpr const char* k_gitignore = ".gitignore";

// The record, and one name of each kind that stands beside it for a moment or for good.
constexpr std::array k_names{"MANDATE.md", ".MANDATE.lock", ".MANDATE.tmp.0"};

// A file that libgit2 would open and wait on for ever. It reads these beside .gitignore and info/exclude.
bool could_hang(const std::optional<std::string>& path)
{
    if (!path) {
        return false;
    }
    const auto facts = os::follow_path(*path);
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

// What libgit2 says, rule by rule as `git add` goes through them.
std::string ask_rules(const Place& place, const git::Repository* given)
{
    std::optional<git::Repository> own;
    if (given == nullptr) {
        auto opened = git::Repository::open(place.root);
        if (!opened) {
            return "unknown";
        }
        own.emplace(std::move(*opened));
    }
    const git::Repository& repository = given != nullptr ? *given : *own;
    if (could_hang(repository.excludes_file()) || could_hang(default_excludes_file())) {
        return "unknown";
    }
    for (const char* name : k_names) {
        const auto ignored = repository.is_ignored(name);
        if (!ignored) {
            return "unknown";
        }
        if (!*ignored) {
            return "negated";
        }
    }
    return {};
}

}  // namespace

std::string exclude_obstacle(const Place& place, std::string_view content, const git::Repository* repository)
{
    const auto gitignore = os::look(place.root_dir, k_gitignore);
    if (!gitignore) {
        return "unknown";
    }
    switch (gitignore->kind) {
        case os::Kind::symlink:
            // git does not follow it (since 2.32), libgit2 does: only info/exclude itself can be judged.
            return exclude_lines_stand(content) ? "" : "symlinked-gitignore";
        case os::Kind::directory:
        case os::Kind::other:
            return exclude_lines_stand(content) ? "" : "negated";
        case os::Kind::absent:
        case os::Kind::regular:
            break;
    }
    return ask_rules(place, repository);
}

}  // namespace mandate::app
