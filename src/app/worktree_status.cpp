#include "app/worktree_status.hpp"

#include "app/discovery.hpp"
#include "app/operations.hpp"
#include "app/worktree_walk.hpp"
#include "git/merged.hpp"
#include "git/staged.hpp"
#include "os/env.hpp"
#include "os/mapped_file.hpp"

#include <algorithm>
#include <utility>

namespace mandate::app {

namespace {

constexpr std::size_t k_largest_rules = 64U << 20U;

Unexpected broken(const std::string& message, const std::string& path)
{
    return fail(Error{Code::repository_broken, message, "git status says what is wrong with it", {}, path});
}

// git's: core.excludesFile, else ignore in the XDG directory. Read whole if it is a file, else no rules.
std::string user_rules(const git::Repository& repository)
{
    auto path = repository.excludes_file();
    if (!path) {
        const std::string xdg = os::variable("XDG_CONFIG_HOME").value_or("");
        const auto home = os::home_directory();
        if (xdg.empty() && !home) {
            return {};
        }
        path = (xdg.empty() ? *home + "/.config" : xdg) + "/git/ignore";
    }
    return os::read_small_file(*path, k_largest_rules).value_or("");
}

Result<git::IndexFile> read_index(const WorktreeToScan& worktree, WorktreeWalk::Setting& setting)
{
    const std::string path = worktree.git_dir + "/index";
    const auto directory = os::open_directory(worktree.git_dir);
    const auto facts = os::follow_path(path);
    if (!directory || !facts) {
        return broken("the index cannot be looked at", path);
    }
    if (facts->kind == os::Kind::absent) {
        return git::IndexFile{};
    }
    constexpr std::int64_t k_second = 1'000'000'000;
    setting.index_time_s = static_cast<std::uint64_t>(facts->identity.modified_ns / k_second);
    setting.index_time_ns = static_cast<std::uint64_t>(facts->identity.modified_ns % k_second);
    const auto mapped = os::MappedFile::open(*directory, "index");
    if (!mapped) {
        return broken("the index cannot be read: " + mapped.error().text(), path);
    }
    std::optional<os::OsResult<os::MappedFile>> base;
    auto index = git::read_index_file(mapped->bytes(), [&](const std::string& id) -> std::optional<std::string_view> {
        base.emplace(os::MappedFile::open(*directory, "sharedindex." + id));
        return *base ? std::optional((*base)->bytes()) : std::nullopt;
    });
    if (!index) {
        return broken("the index is damaged, or needs something that is not known here", path);
    }
    return std::move(*index);
}

void collect_repositories(const os::Fd& directory, const std::string& path, unsigned depth,
                          std::vector<std::string>& found)
{
    constexpr unsigned k_deepest = 64;
    const auto entries = os::list_entries(directory);
    const bool is_repository =
        !entries || depth > k_deepest ||
        std::any_of(entries->begin(), entries->end(), [](const auto& entry) { return entry.name == "HEAD"; });
    if (is_repository) {
        found.push_back(path);
        return;
    }
    for (const os::DirectoryEntry& entry : *entries) {
        if (const auto below = os::open_directory_at(directory, entry.name)) {
            collect_repositories(*below, path + "/" + entry.name, depth + 1, found);
        }
    }
}

// git keeps a submodule's repository in the worktree's own git directory, also after `git submodule deinit` took the
// files away: whatever it holds goes with the worktree, and nobody looked into it.
void add_left_repositories(const WorktreeToScan& worktree, const git::IndexFile& index, WorktreeStatus& status)
{
    const std::string modules = worktree.git_dir + "/modules";
    const auto directory = os::open_directory(modules);
    std::vector<std::string> left;
    if (directory) {
        collect_repositories(*directory, modules, 0, left);
    }
    for (const git::IndexFileEntry& entry : left.empty() ? std::vector<git::IndexFileEntry>{} : index.entries) {
        if (entry.type() == git::k_gitlink) {
            const auto found = discover(worktree.root + "/" + entry.name);
            std::erase_if(left, [&](const std::string& path) { return found && found->git_dir == path; });
        }
    }
    for (const std::string& path : left) {
        status.submodules.add("repository without its files", path.substr(modules.size() + 1));
    }
}

}  // namespace

Result<WorktreeStatus> scan_worktree(const WorktreeToScan& worktree, const git::Repository& repository)
{
    WorktreeWalk::Setting setting;
    setting.file_modes = repository.config_bool("core.filemode").value_or(true);
    setting.symlinks = repository.config_bool("core.symlinks").value_or(true);
    setting.fold_case = repository.config_bool("core.ignorecase").value_or(false);
    const auto index = read_index(worktree, setting);
    if (!index) {
        return fail(index.error());
    }
    WorktreeStatus status;
    const auto compared = git::compare_index_with_commit(
        repository, worktree.head, *index,
        [&](const std::string& what, const std::string& path) { status.dirty.add(what, path); });
    if (!compared) {
        return fail(compared.error());
    }
    WorktreeWalk walk(worktree, repository, setting, status);
    walk.add_rules(user_rules(repository));
    walk.add_rules(os::read_small_file(worktree.common_dir + "/info/exclude", k_largest_rules).value_or(""));
    walk.walk(index->entries);
    add_left_repositories(worktree, *index, status);
    return status;
}

std::optional<std::string> submodule_work(const std::string& path, const std::string& wanted)
{
    const auto real = os::real_path(path);
    const auto found = real ? discover(*real) : Result<Discovery>(fail(Code::not_a_repository, ""));
    const auto repository = found && found->root == *real ? git::Repository::open(*real)
                                                          : Result<git::Repository>(fail(Code::not_a_repository, ""));
    const auto root_dir = os::open_directory(path);
    const auto head = repository ? repository->head_commit() : Result<std::optional<std::string>>(std::nullopt);
    if (!repository || !root_dir || !head || !*head) {
        return "unreadable";
    }
    if (**head != wanted) {
        return "other commit in";
    }
    const auto status =
        scan_worktree({*real, *root_dir, found->git_dir, found->common_dir, wanted, {}, {}}, *repository);
    if (!status || !status->dirty.empty() || !status->ignored.empty() || !status->submodules.empty()) {
        return "changes in";
    }
    if (!operations_in_progress(found->git_dir).empty()) {
        return "operation in";
    }
    const auto kept = git::all_pushed(*repository);
    return kept && *kept ? std::nullopt : std::optional<std::string>("unpushed commits in");
}

}  // namespace mandate::app
