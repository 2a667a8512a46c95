#include "app/git_directory.hpp"
#include "app/place.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

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

// Whether the worktree's `.git` still leads to this git directory: a file with the same path in nearly every
// case, else the same directory by another name.
bool leads_to(const std::string& dot_git, const std::string& git_dir)
{
    constexpr std::string_view k_start = "gitdir: ";
    std::string target = dot_git;
    if (const auto content = os::read_small_file(dot_git, k_largest_pointer)) {
        if (!content->starts_with(k_start)) {
            return false;
        }
        const std::string parent = dot_git.substr(0, dot_git.rfind('/'));
        target = path_in_file(std::string_view(*content).substr(k_start.size()), parent);
    }
    if (target == git_dir) {
        return true;
    }
    const auto named = os::follow_path(target);
    const auto own = os::follow_path(git_dir);
    return named && own && named->kind == os::Kind::directory && named->identity.same_inode(own->identity);
}

// A worktree without HEAD, or with something else in its place, is a half-made one and holds no branch. One whose
// HEAD is refused may hold any.
void add_head(WorktreeEntry& entry)
{
    auto head = read_head(entry.git_dir);
    if (head) {
        entry.head = std::move(*head);
        return;
    }
    constexpr std::array k_no_head{ENOENT, ENOTDIR, EISDIR, EINVAL, ELOOP, EFBIG};
    entry.head_unreadable = std::find(k_no_head.begin(), k_no_head.end(), head.error().value) == k_no_head.end();
}

// The main worktree as git finds it: core.worktree in submodules, else the parent of the common directory.
std::optional<WorktreeEntry> main_entry(const std::string& common_dir, const Place* from)
{
    WorktreeEntry entry;
    entry.lane_id = "main";
    entry.git_dir = common_dir;
    if (from != nullptr && from->lane_id == entry.lane_id) {
        entry.path = from->root;
        entry.head = from->head;
        return entry;
    }
    const auto format = read_format(common_dir, common_dir);
    if (format && format->bare) {
        return std::nullopt;
    }
    if (format && format->worktree) {
        const std::string target = path_in_file(*format->worktree, common_dir);
        entry.path = os::real_path(target).value_or(target);
    } else if (common_dir.ends_with(k_dot_git)) {
        entry.path = parent_of_dot_git(common_dir);
    } else {
        return std::nullopt;
    }
    add_head(entry);
    entry.missing = !leads_to(entry.path + "/.git", common_dir);
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
        // A relative pointer (extensions.relativeWorktrees) leads through "..": people get the plain path.
        if (entry.path.find("/../") != std::string::npos) {
            entry.path = os::real_path(entry.path).value_or(entry.path);
        }
    }
    add_head(entry);
    if (auto reason = os::read_small_file(entry.git_dir + "/locked", k_largest_pointer)) {
        reason->erase(reason->find_last_not_of(" \t\r\n") + 1);
        entry.locked = std::move(*reason);
    }
    return entry;
}

std::vector<WorktreeEntry> list(const std::string& common_dir, const Place* from)
{
    std::vector<WorktreeEntry> entries;
    if (auto main = main_entry(common_dir, from)) {
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

Result<std::optional<WorktreeEntry>> find(std::vector<WorktreeEntry> entries, const std::string& branch)
{
    std::optional<WorktreeEntry> found;
    std::string unreadable;
    for (WorktreeEntry& entry : entries) {
        if (entry.head_unreadable && !entry.missing) {
            unreadable = entry.git_dir + "/HEAD";
        }
        if (entry.missing || branch.empty() || entry.head.branch != branch) {
            continue;
        }
        if (found) {
            Error error{
                Code::branch_ambiguous, "two worktrees hold the branch: '" + found->path + "' and another", {}, {}, {}};
            error.hint = "name the worktree's directory instead of the branch";
            return fail(error.on(entry.path));
        }
        found = std::move(entry);
    }
    if (!found && !branch.empty() && !unreadable.empty()) {
        Error error{Code::repository_broken, "cannot read which branch a worktree has checked out", {}, {}, {}};
        error.hint = "mend the file, or name the worktree's directory instead of the branch";
        return fail(error.on(unreadable));
    }
    return found;
}

}  // namespace

std::vector<WorktreeEntry> list_worktrees(const std::string& common_dir) { return list(common_dir, nullptr); }

std::vector<WorktreeEntry> list_worktrees(const Place& from) { return list(from.common_dir, &from); }

Result<std::optional<WorktreeEntry>> find_branch(const std::string& common_dir, const std::string& branch)
{
    return find(list_worktrees(common_dir), branch);
}

Result<std::optional<WorktreeEntry>> find_branch(const Place& from, const std::string& branch)
{
    return find(list_worktrees(from), branch);
}

Result<Place> open_worktree(const WorktreeEntry& entry)
{
    const auto refuse = [&] {
        Error error{Code::worktree_mismatch,
                    "the worktree that git lists there is gone, or another stands in its place",
                    {},
                    {},
                    {}};
        error.hint = "run git worktree repair, or git worktree prune";
        return fail(error.on(entry.path));
    };
    if (entry.path.empty()) {  // find_place would take that for the current directory
        return refuse();
    }
    auto place = find_place(entry.path);
    if (place && place->git_dir != entry.git_dir) {
        return refuse();
    }
    return place;
}

}  // namespace mandate::app
