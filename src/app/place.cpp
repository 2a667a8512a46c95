#include "app/place.hpp"

#include "app/discovery.hpp"
#include "app/git_directory.hpp"
#include "app/place_owner.hpp"

namespace mandate::app {

namespace {

constexpr std::size_t k_largest_pointer = 1U << 20U;

Result<std::string> resolve_start(const std::string& directory)
{
    const std::string given = directory.empty() ? "." : directory;
    const auto refuse = [&](const std::string& why) {
        Error error{Code::not_a_directory, why, "name a directory inside a worktree", {}, {}};
        return fail(error.on(given));
    };
    const auto start = os::real_path(given);
    if (!start) {
        return refuse("cannot enter the directory: " + start.error().text());
    }
    const auto facts = os::follow_path(*start);
    if (!facts || facts->kind != os::Kind::directory) {
        return refuse("not a directory");
    }
    return *start;
}

Unexpected refuse(Code code, std::string message, std::string hint, const std::string& path)
{
    Error error{code, std::move(message), std::move(hint), {}, {}};
    return fail(error.on(path));
}

// A linked worktree's administration points back at its `.git` file. Where that is another file that exists,
// this directory is a copy, and git would run in it with the original's index and HEAD. Where it names
// nothing, the worktree was moved with plain mv, which git accepts.
Result<void> check_back_pointer(const Discovery& found)
{
    const std::string pointer = found.git_dir + "/gitdir";
    const auto content = os::read_small_file(pointer, k_largest_pointer);
    const std::string target = content ? path_in_file(*content, found.git_dir) : std::string();
    if (target.empty()) {
        return refuse(Code::not_a_worktree,
                      "the worktree's administration is half-made: its gitdir file is missing or empty",
                      "run `git worktree repair` in this directory", pointer);
    }
    const std::string dot_git = found.root + "/.git";
    if (target == dot_git) {
        return {};
    }
    const auto named = os::follow_path(target);
    if (!named || named->kind == os::Kind::absent) {
        return {};
    }
    const auto own = os::follow_path(dot_git);
    if (own && own->identity.same_inode(named->identity)) {
        return {};
    }
    return refuse(Code::worktree_mismatch, "the directory is a copy of another worktree: '" + target + "'",
                  "work in the original, or make a worktree with git worktree add", found.root);
}

// core.worktree is set in submodules, and by hand. git works in that directory and not in this one.
Result<void> check_configured_worktree(const Discovery& found, const std::string& configured)
{
    const std::string target = configured.starts_with('/') ? configured : found.git_dir + "/" + configured;
    const auto named = os::follow_path(target);
    if (!named || named->kind == os::Kind::absent) {
        return refuse(Code::not_a_worktree, "core.worktree names a directory that is not there: '" + configured + "'",
                      "set core.worktree to this directory, or unset it", found.git_dir + "/config");
    }
    const auto own = os::follow_path(found.root);
    if (own && own->identity.same_inode(named->identity)) {
        return {};
    }
    return refuse(Code::worktree_mismatch, "core.worktree names another directory: '" + target + "'",
                  "work there, or set core.worktree to this directory", found.root);
}

// "main" or "worktrees/<id>", as git names it in its administration.
Result<std::string> lane_id_of(const Discovery& found)
{
    if (found.git_dir == found.common_dir) {
        return "main";
    }
    const std::string parent = found.common_dir + "/worktrees/";
    if (found.git_dir.starts_with(parent) && found.git_dir.find('/', parent.size()) == std::string::npos) {
        return found.git_dir.substr(found.common_dir.size() + 1);
    }
    return refuse(Code::not_a_worktree, "the git directory is not one of its repository's worktrees",
                  "make worktrees with git worktree add", found.git_dir);
}

Result<void> check_worktree(const Discovery& found)
{
    const bool linked = found.git_dir != found.common_dir;
    const auto format = read_format(found.common_dir, found.git_dir);
    if (!format) {
        return fail(format.error());
    }
    if (format->bare) {
        return refuse(Code::not_a_worktree, "the repository says that it is bare (core.bare), so this is no worktree",
                      "unset core.bare, or work in one of its linked worktrees", found.root);
    }
    if (format->worktree) {
        if (auto checked = check_configured_worktree(found, *format->worktree); !checked) {
            return checked;
        }
    }
    return linked ? check_back_pointer(found) : Result<void>{};
}

}  // namespace

Result<Place> find_place(const std::string& directory)
{
    const auto start = resolve_start(directory);
    if (!start) {
        return fail(start.error());
    }
    const auto found = discover(*start);
    if (!found) {
        return fail(found.error());
    }
    if (auto owned = check_owner(*found); !owned) {
        return fail(owned.error());
    }
    auto lane_id = lane_id_of(*found);
    if (!lane_id) {
        return fail(lane_id.error());
    }
    if (auto checked = check_worktree(*found); !checked) {
        return fail(checked.error());
    }
    auto root_dir = os::open_directory(found->root);
    if (!root_dir) {
        return refuse(Code::not_a_directory, "cannot open the worktree: " + root_dir.error().text(),
                      "look at the permissions of the directory", found->root);
    }
    auto head = found->head ? head_from(*found->head, found->git_dir) : read_head(found->git_dir);
    if (!head) {
        return refuse(Code::repository_broken, "cannot read which branch is checked out: " + head.error().text(),
                      "mend the file; git itself stops on it too", found->git_dir + "/HEAD");
    }
    return Place{found->root, std::move(*root_dir), found->git_dir, found->common_dir, *lane_id, std::move(*head)};
}

}  // namespace mandate::app
