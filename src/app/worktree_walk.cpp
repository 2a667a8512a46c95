#include "app/worktree_walk.hpp"

#include "git/index_entries.hpp"
#include "git/library.hpp"
#include "git/staged.hpp"

#include <algorithm>
#include <utility>

namespace mandate::app {

namespace {

constexpr std::size_t k_largest_gitignore = 64U << 20U;
constexpr unsigned k_deepest = 1000;  // a descriptor and some stack for each; what lies deeper is reported
constexpr const char* k_gitignore = ".gitignore";

using Entries = std::span<const git::IndexFileEntry>;

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

// The next component of an entry's name below `prefix`; a directory's with its slash.
std::string_view component(const git::IndexFileEntry& entry, std::size_t prefix)
{
    const std::string_view rest = std::string_view(entry.name).substr(prefix);
    const std::size_t slash = rest.find('/');
    return slash == std::string_view::npos ? rest : rest.substr(0, slash + 1);
}

Entries range_of(Entries entries, std::size_t prefix, std::string_view name)
{
    const auto before = [&](const git::IndexFileEntry& entry, std::string_view key) {
        return component(entry, prefix) < key;
    };
    const auto after = [&](std::string_view key, const git::IndexFileEntry& entry) {
        return key < component(entry, prefix);
    };
    const auto first = std::lower_bound(entries.begin(), entries.end(), name, before);
    const auto last = std::upper_bound(first, entries.end(), name, after);
    return {first, last};
}

}  // namespace

WorktreeWalk::WorktreeWalk(const WorktreeToScan& worktree, const git::Repository& repository, Setting setting,
                           WorktreeStatus& status)
    : m_worktree(worktree), m_repository(repository), m_setting(setting), m_status(status), m_rules(setting.fold_case)
{
}

void WorktreeWalk::walk(Entries index) { visit({m_worktree.root_dir, "", index, false, false, "", 0}); }

void WorktreeWalk::visit(const Directory& directory)
{
    auto children = os::list_entries(directory.fd);
    if (!children || directory.depth > k_deepest) {
        m_status.dirty.add("unreadable", directory.prefix.empty() ? "." : directory.prefix);
        return;
    }
    std::sort(children->begin(), children->end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    const bool has_rules = !directory.ignored && std::any_of(children->begin(), children->end(), [](const auto& child) {
        return child.name == k_gitignore && child.kind == os::Kind::regular;
    });
    if (has_rules) {
        const auto content = os::read_small_file(directory.fd, k_gitignore, k_largest_gitignore);
        m_rules.push(directory.prefix, content.value_or(""));
    }
    // What the index holds here is divided by name once; what no child claims is missing on disk.
    std::vector<bool> claimed(directory.index.size(), false);
    const auto claim = [&](Entries range) {
        const auto at = range.empty() ? 0 : range.data() - directory.index.data();
        std::fill_n(claimed.begin() + at, range.size(), true);
        return range;
    };
    for (const os::DirectoryEntry& child : *children) {
        const Entries tracked = claim(range_of(directory.index, directory.prefix.size(), child.name));
        const bool may_hold = child.kind == os::Kind::directory;
        const Entries below =
            may_hold ? claim(range_of(directory.index, directory.prefix.size(), child.name + "/")) : Entries();
        visit_child(directory, child, tracked, below);
    }
    for (std::size_t i = 0; i < claimed.size(); ++i) {
        if (!claimed[i]) {
            visit_missing(directory.index[i]);
        }
    }
    if (has_rules) {
        m_rules.pop();
    }
}

// Left out of a sparse checkout, or a submodule that was never checked out: nothing of it was here.
void WorktreeWalk::visit_missing(const git::IndexFileEntry& entry)
{
    const bool expected = entry.skip_worktree || entry.stage > 0 || entry.type() == git::k_gitlink ||
                          entry.type() == git::k_sparse_directory;
    if (!expected) {
        m_status.dirty.add("deleted", entry.name);
    }
}

void WorktreeWalk::visit_child(const Directory& directory, const os::DirectoryEntry& child, Entries tracked,
                               Entries below)
{
    const std::string path = directory.prefix + child.name;
    if (child.name == ".git") {
        // The root's own. Any other was met before its directory was entered, unless it came just now.
        if (!directory.prefix.empty()) {
            report_foreign(directory, path, directory.ignored);
        }
        return;
    }
    if (!tracked.empty() && tracked.front().stage > 0) {
        return;  // reported as conflicted
    }
    if (!tracked.empty() && (child.kind != os::Kind::directory || tracked.front().type() == git::k_gitlink)) {
        compare(directory, child.name, tracked.front());
    } else if (child.kind == os::Kind::directory) {
        if (!tracked.empty()) {
            m_status.dirty.add("modified", path);
        }
        visit_directory(directory, child.name, below);
    } else if (child.kind != os::Kind::other) {  // a FIFO, socket or device holds no bytes
        visit_untracked_file(directory, child.name);
    }
}

void WorktreeWalk::visit_directory(const Directory& directory, const std::string& name, Entries below)
{
    const std::string path = directory.prefix + name;
    const bool sparse = !below.empty() && below.front().name == path + "/";
    if (sparse) {
        below = {};  // git left it out; what is there now was put there by somebody
    }
    const auto fd = os::open_directory_at(directory.fd, name);
    if (!fd) {
        m_status.dirty.add("unreadable", path + "/");
        return;
    }
    const bool ignored = directory.ignored || (below.empty() && m_rules.ignores(path, true));
    const bool disposable = directory.disposable || is_disposable(path, true);
    const auto dot_git = os::look(*fd, ".git");
    if (!dot_git || dot_git->kind != os::Kind::absent) {
        report_foreign(directory, path + "/", ignored);
        return;
    }
    if (ignored && disposable && below.empty()) {
        return;  // not entered: everything in it may go
    }
    std::string reported = directory.reported;
    if (reported.empty() && below.empty()) {
        reported = path + "/";
    }
    visit({*fd, path + "/", below, ignored, disposable, std::move(reported), directory.depth + 1});
}

void WorktreeWalk::visit_untracked_file(const Directory& directory, const std::string& name)
{
    const std::string path = directory.prefix + name;
    if (directory.prefix.empty()) {
        const auto facts = os::look(directory.fd, name);
        const bool lane_file =
            name == "MANDATE.md" || name.starts_with(".MANDATE.") ||
            std::find(m_worktree.lane_files.begin(), m_worktree.lane_files.end(), name) != m_worktree.lane_files.end();
        if (lane_file && facts && facts->kind == os::Kind::regular) {
            return;
        }
    }
    const bool ignored = directory.ignored || m_rules.ignores(path, false);
    if (ignored && (directory.disposable || is_disposable(path, false))) {
        return;
    }
    report_foreign(directory, path, ignored);
}

// One line for a whole directory that git does not know, as git status has it.
void WorktreeWalk::report_foreign(const Directory& directory, const std::string& path, bool ignored)
{
    const std::string& shown = directory.reported.empty() ? path : directory.reported;
    std::string& last = ignored ? m_last_ignored : m_last_untracked;
    if (!directory.reported.empty() && last == shown) {
        return;
    }
    last = shown;
    ignored ? m_status.ignored.add("", shown) : m_status.dirty.add("untracked", shown);
}

bool WorktreeWalk::is_disposable(std::string_view path, bool is_directory) const
{
    return std::any_of(m_worktree.disposable.begin(), m_worktree.disposable.end(), [&](std::string_view pattern) {
        const bool directories = pattern.ends_with('/');
        pattern.remove_suffix(directories ? 1 : 0);
        // A name alone counts at any depth, as in .gitignore; a path is taken from the root.
        const bool anywhere = pattern.find('/') == std::string_view::npos;
        return directories == is_directory && pattern == (anywhere ? path.substr(path.rfind('/') + 1) : path);
    });
}

void WorktreeWalk::compare(const Directory& directory, const std::string& name, const git::IndexFileEntry& entry)
{
    if (entry.type() == git::k_gitlink) {
        compare_submodule(directory, name, entry);
        return;
    }
    const auto facts = os::look(directory.fd, name);
    if (!facts) {
        m_status.dirty.add("unreadable", entry.name);
        return;
    }
    const bool link = facts->kind == os::Kind::symlink;
    const bool right_kind = entry.type() == git::k_symlink
                                ? link || (!m_setting.symlinks && facts->kind == os::Kind::regular)
                                : facts->kind == os::Kind::regular;
    if (!right_kind) {
        m_status.dirty.add("modified", entry.name);
        return;
    }
    const bool mode_counts = m_setting.file_modes && entry.type() == git::k_regular_file;
    if (!same_stat(entry, *facts) && !same_content(entry, facts->kind)) {
        m_status.dirty.add("modified", entry.name);
    } else if (mode_counts && ((facts->mode ^ entry.mode) & 0100U) != 0) {
        m_status.dirty.add("mode changed", entry.name);
    }
}

// Every field that git wrote down; it compares fewer where it is told to (core.trustctime, core.checkStat).
bool WorktreeWalk::same_stat(const git::IndexFileEntry& entry, const os::FileFacts& facts) const
{
    constexpr std::int64_t k_second = 1'000'000'000;
    const os::FileIdentity& file = facts.identity;
    const bool same = entry.size == low(file.size) && entry.inode == low(file.inode) && entry.uid == facts.uid &&
                      entry.gid == facts.gid &&
                      entry.modified_s == low(static_cast<std::uint64_t>(file.modified_ns / k_second)) &&
                      entry.modified_ns == low(static_cast<std::uint64_t>(file.modified_ns % k_second)) &&
                      entry.changed_s == low(static_cast<std::uint64_t>(file.changed_ns / k_second)) &&
                      entry.changed_ns == low(static_cast<std::uint64_t>(file.changed_ns % k_second));
    const bool racy = entry.modified_s > m_setting.index_time_s ||
                      (entry.modified_s == m_setting.index_time_s && entry.modified_ns >= m_setting.index_time_ns);
    return same && !racy && !entry.intent_to_add;
}

bool WorktreeWalk::same_content(const git::IndexFileEntry& entry, os::Kind kind) const
{
    if (kind == os::Kind::symlink) {
        const auto target = os::read_link(m_worktree.root + "/" + entry.name);
        return target && git::blob_id(*target) == git::hex_id(entry.id_bytes());
    }
    if (entry.type() == git::k_symlink) {
        const auto target = os::read_small_file(m_worktree.root_dir, entry.name, k_largest_gitignore);
        return target && git::blob_id(*target) == git::hex_id(entry.id_bytes());
    }
    return git::blob_id_of_file(m_repository, entry.name) == entry.id_bytes();
}

void WorktreeWalk::compare_submodule(const Directory& directory, const std::string& name,
                                     const git::IndexFileEntry& entry)
{
    const auto fd = os::open_directory_at(directory.fd, name);
    if (!fd) {
        m_status.submodules.add("", entry.name);
        return;
    }
    const auto dot_git = os::look(*fd, ".git");
    if (dot_git && dot_git->kind == os::Kind::absent) {
        const auto names = os::list_names(*fd);
        if (!names || !names->empty()) {
            m_status.submodules.add("files in", entry.name + "/");
        }
        return;
    }
    if (const auto work = submodule_work(m_worktree.root + "/" + entry.name, git::hex_id(entry.id_bytes()))) {
        m_status.submodules.add(*work, entry.name);
    }
}

}  // namespace mandate::app
