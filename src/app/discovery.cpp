#include "app/discovery.hpp"

#include "app/git_directory.hpp"
#include "app/git_environment.hpp"
#include "os/env.hpp"
#include "os/file.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace mandate::app {

namespace {

std::string join(const std::string& directory, const std::string& name)
{
    return (directory == "/" ? directory : directory + "/") + name;
}

// Length of the longest ceiling above `start`; npos without one. An empty entry says that those behind it
// hold no symlinks and need not be resolved (git(1), GIT_CEILING_DIRECTORIES). A ceiling is itself not
// looked into, and `start` is always looked into, even where it is a ceiling.
std::size_t ceiling_above(const std::string& start)
{
    const std::string list = os::variable("GIT_CEILING_DIRECTORIES").value_or("");
    std::size_t longest = std::string::npos;
    bool resolve = true;
    for (std::size_t at = 0; at <= list.size() && start != "/";) {
        const std::size_t colon = std::min(list.find(':', at), list.size());
        std::string entry = list.substr(at, colon - at);
        at = colon + 1;
        if (entry.empty()) {
            resolve = false;
            continue;
        }
        if (entry.front() != '/') {
            continue;
        }
        if (resolve) {
            const auto resolved = os::real_path(entry);
            if (!resolved) {
                continue;
            }
            entry = *resolved;
        }
        if (entry.back() == '/') {
            entry.pop_back();  // "/" itself is the ceiling of length 0
        }
        const bool above = start.size() > entry.size() && start.starts_with(entry) && start[entry.size()] == '/';
        if (above && (longest == std::string::npos || entry.size() > longest)) {
            longest = entry.size();
        }
    }
    return longest;
}

Unexpected nothing_found(const std::string& start, std::string hint)
{
    Error error{Code::not_a_repository, "not in a git repository", std::move(hint), {}, {}};
    return fail(error.on(start));
}

// `.git` itself: a file, a directory or a symlink to either. Nothing: climb on.
Result<std::optional<Discovery>> look_for_dot_git(const std::string& directory)
{
    const std::string dot_git = join(directory, ".git");
    const auto facts = os::look_at_path(dot_git);
    if (!facts || facts->kind == os::Kind::absent) {
        return std::nullopt;  // EACCES too: git goes on where it may not look
    }
    const auto target = facts->kind == os::Kind::symlink ? os::follow_path(dot_git) : facts;
    if (!target) {
        return std::nullopt;
    }
    if (target->kind == os::Kind::regular) {
        const auto git_dir = read_gitfile(dot_git);
        if (!git_dir) {
            return fail(git_dir.error());
        }
        auto found = look_for_git_directory(*git_dir);
        if (!found) {
            return fail(found.error());
        }
        if (!*found) {
            Error error{Code::not_a_worktree, "the .git file names something that is no git repository", {}, {}, {}};
            return fail(error.on(dot_git));
        }
        return Discovery{directory, *git_dir, std::move((*found)->common_dir), std::move((*found)->head), true};
    }
    if (target->kind != os::Kind::directory) {
        return std::nullopt;
    }
    const auto git_dir = facts->kind == os::Kind::symlink ? os::real_path(dot_git) : os::OsResult<std::string>(dot_git);
    if (!git_dir) {
        return std::nullopt;
    }
    auto found = look_for_git_directory(*git_dir);
    if (!found) {
        return fail(found.error());
    }
    if (!*found) {
        return std::nullopt;  // an empty .git, for instance: git climbs over it
    }
    return Discovery{directory, *git_dir, std::move((*found)->common_dir), std::move((*found)->head), false};
}

}  // namespace

Result<Discovery> discover(const std::string& start)
{
    const std::size_t ceiling = ceiling_above(start);
    const bool across = environment_flag("GIT_DISCOVERY_ACROSS_FILESYSTEM");
    const auto device_of = [](const std::string& path) {
        const auto facts = os::follow_path(path);
        return facts ? facts->identity.device : 0;
    };
    std::optional<std::uint64_t> device;  // of `start`; asked when there is somewhere to climb from
    for (std::string directory = start;;) {
        auto found = look_for_dot_git(directory);
        if (!found) {
            return fail(found.error());
        }
        if (*found) {
            return std::move(**found);
        }
        const auto inside = look_for_git_directory(directory);
        if (!inside || *inside) {
            Error error{
                Code::not_a_worktree, "this is a bare repository or the inside of one, not a worktree", {}, {}, {}};
            error.hint = "start in a worktree: git worktree list shows them, git worktree add makes one";
            return fail(inside ? error.on(directory) : inside.error());
        }
        if (directory == "/") {
            return nothing_found(start, "start in a worktree, or run git init");
        }
        const std::size_t slash = directory.rfind('/');
        if (ceiling != std::string::npos && slash <= ceiling) {
            return nothing_found(start, "the search ended at GIT_CEILING_DIRECTORIES");
        }
        if (!device) {
            device = device_of(start);
        }
        directory.resize(slash == 0 ? 1 : slash);
        if (!across && device_of(directory) != *device) {
            return nothing_found(start,
                                 "the search ended at a mount point (GIT_DISCOVERY_ACROSS_FILESYSTEM is not set)");
        }
    }
}

}  // namespace mandate::app
