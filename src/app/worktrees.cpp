#include "app/git_directory.hpp"
#include "app/place.hpp"
#include "git/format.hpp"

#include <algorithm>

namespace mandate::app {

namespace {

constexpr std::size_t k_largest_pointer = 1U << 20U;
constexpr std::string_view k_dot_git = "/.git";

std::string parent_of_dot_git(const std::string& path)
{
    if (!path.ends_with(k_dot_git)) {
        return path;
    }
    return path.size() == k_dot_git.size() ? "/" : path.substr(0, path.size() - k_dot_git.size());
}

// Whether the worktree's `.git` still leads to this administration: the same bytes in nearly every case,
// else the same directory by another name.
bool leads_to(const std::string& dot_git, const std::string& git_dir)
{
    constexpr std::string_view k_start = "gitdir: ";
    const auto content = os::read_small_file(dot_git, k_largest_pointer);
    if (!content || !content->starts_with(k_start)) {
        return false;
    }
    const std::string parent = dot_git.substr(0, dot_git.rfind('/'));
    const std::string target = path_in_file(std::string_view(*content).substr(k_start.size()), parent);
    if (target == git_dir) {
        return true;
    }
    const auto named = os::follow_path(target);
    const auto own = os::follow_path(git_dir);
    return named && own && named->kind == os::Kind::directory && named->identity.same_inode(own->identity);
}

std::optional<WorktreeEntry> main_entry(const std::string& common_dir)
{
    WorktreeEntry entry;
    entry.lane_id = "main";
    entry.git_dir = common_dir;
    const auto format = git::read_format(common_dir, common_dir, false);
    if (format && format->bare) {
        return std::nullopt;
    }
    if (format && format->worktree) {
        const std::string target =
            format->worktree->starts_with('/') ? *format->worktree : common_dir + "/" + *format->worktree;
        entry.path = os::real_path(target).value_or(target);
    } else if (common_dir.ends_with(k_dot_git)) {
        entry.path = parent_of_dot_git(common_dir);
    } else {
        return std::nullopt;  // a separate git directory: nothing says where its worktree is
    }
    entry.head = read_head(common_dir);
    const auto facts = os::follow_path(entry.path);
    entry.missing = !facts || facts->kind != os::Kind::directory;
    return entry;
}

WorktreeEntry linked_entry(const std::string& common_dir, const std::string& id)
{
    WorktreeEntry entry;
    entry.lane_id = "worktrees/" + id;
    entry.git_dir = common_dir + "/" + entry.lane_id;
    const auto pointer = os::read_small_file(entry.git_dir + "/gitdir", k_largest_pointer);
    const std::string dot_git = pointer ? path_in_file(*pointer, entry.git_dir) : std::string();
    entry.missing = dot_git.empty() || !leads_to(dot_git, entry.git_dir);
    if (!dot_git.empty()) {
        entry.path = parent_of_dot_git(dot_git);
    }
    entry.head = read_head(entry.git_dir);
    if (auto reason = os::read_small_file(entry.git_dir + "/locked", k_largest_pointer)) {
        reason->erase(reason->find_last_not_of(" \t\r\n") + 1);
        entry.locked = std::move(*reason);
    }
    return entry;
}

}  // namespace

std::vector<WorktreeEntry> list_worktrees(const std::string& common_dir)
{
    std::vector<WorktreeEntry> entries;
    if (auto main = main_entry(common_dir)) {
        entries.push_back(std::move(*main));
    }
    const auto directory = os::open_directory(common_dir + "/worktrees");
    auto names = directory ? os::list_names(*directory) : os::OsResult<std::vector<std::string>>{};
    if (names) {
        std::sort(names->begin(), names->end());
        for (const std::string& id : *names) {
            entries.push_back(linked_entry(common_dir, id));
        }
    }
    return entries;
}

Result<std::optional<WorktreeEntry>> find_branch(const std::string& common_dir, const std::string& branch)
{
    std::optional<WorktreeEntry> found;
    for (WorktreeEntry& entry : list_worktrees(common_dir)) {
        if (entry.missing || branch.empty() || entry.head.branch != branch) {
            continue;
        }
        if (found) {
            Error error{Code::branch_ambiguous, "two worktrees hold the branch: '" + found->path + "' and another", {}, {}, {}};
            error.hint = "name the worktree's directory instead of the branch";
            return fail(error.on(entry.path));
        }
        found = std::move(entry);
    }
    return found;
}

Result<Place> open_worktree(const WorktreeEntry& entry)
{
    auto place = find_place(entry.path);
    if (place && place->git_dir != entry.git_dir) {
        Error error{Code::worktree_mismatch, "the directory no longer is the worktree that git lists there", {}, {}, {}};
        error.hint = "run git worktree repair, or git worktree prune";
        return fail(error.on(entry.path));
    }
    return place;
}

}  // namespace mandate::app
