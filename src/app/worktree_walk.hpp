// For worktree_status.cpp only: the walk over directories and index, side by side.
#pragma once

#include "app/worktree_status.hpp"
#include "git/ignore_stack.hpp"
#include "git/index_file.hpp"
#include "os/directory.hpp"
#include "os/file.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::app {

class WorktreeWalk {
public:
    struct Setting {
        bool file_modes = true;           // core.fileMode
        bool symlinks = true;             // core.symlinks
        bool fold_case = false;           // core.ignoreCase
        std::uint64_t index_time_s = 0;   // when the index was written: what changed no earlier may hide
        std::uint64_t index_time_ns = 0;  // behind equal stat data ("racy git")
    };

    WorktreeWalk(const WorktreeToScan& worktree, const git::Repository& repository, Setting setting,
                 WorktreeStatus& status);

    // `content` of core.excludesFile and info/exclude, the weaker first.
    void add_rules(std::string_view content) { m_rules.push("", content); }

    void walk(std::span<const git::IndexFileEntry> index);

private:
    using Entries = std::span<const git::IndexFileEntry>;
    struct Directory {
        const os::Fd& fd;
        std::string prefix;       // "" or ending in a slash
        Entries index;            // what git tracks in it
        bool ignored = false;     // it, or one above it
        bool disposable = false;  // likewise
        std::string reported;     // the untracked or ignored directory that stands for all that is in it
        unsigned depth = 0;
    };
    void visit(const Directory& directory);
    void visit_child(const Directory& directory, const os::DirectoryEntry& child, Entries tracked, Entries below);
    void visit_directory(const Directory& directory, const std::string& name, Entries below);
    void visit_untracked_file(const Directory& directory, const std::string& name);
    void visit_missing(const git::IndexFileEntry& entry);
    void compare(const Directory& directory, const std::string& name, const git::IndexFileEntry& entry);
    void compare_submodule(const Directory& directory, const std::string& name, const git::IndexFileEntry& entry);
    [[nodiscard]] bool same_stat(const git::IndexFileEntry& entry, const os::FileFacts& facts) const;
    [[nodiscard]] bool same_content(const git::IndexFileEntry& entry, os::Kind kind) const;
    [[nodiscard]] bool is_disposable(std::string_view path, bool is_directory) const;
    void report_foreign(const Directory& directory, const std::string& path, bool ignored);

    const WorktreeToScan& m_worktree;
    const git::Repository& m_repository;
    Setting m_setting;
    WorktreeStatus& m_status;
    git::IgnoreStack m_rules;
    std::string m_last_untracked, m_last_ignored;  // directories that were reported already
};

// What a populated submodule at `path` (a directory with a `.git`) holds that is nowhere else, in a word;
// nothing where it is as the lane's commit `wanted` (40 digits) has it and its remotes have the rest.
std::optional<std::string> submodule_work(const std::string& path, const std::string& wanted);

}  // namespace mandate::app
