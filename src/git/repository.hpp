// An open repository of exactly one worktree, through libgit2; found by app/place, never by searching.
#pragma once

#include "base/error.hpp"

#include <memory>
#include <optional>
#include <string>

struct git_repository;

namespace mandate::git {

class Repository {
public:
    // `root` is a worktree's top (it holds `.git`). Fails with repository-broken, repository-unsupported.
    static Result<Repository> open(const std::string& root);

    // 40 hex digits of the commit at HEAD; nothing on an unborn branch.
    [[nodiscard]] Result<std::optional<std::string>> head_commit() const;

    // A revision as git understands it, resolved to a commit; value-invalid when it does not resolve.
    [[nodiscard]] Result<std::string> resolve_commit(const std::string& revision) const;

    // What libgit2 thinks that an untracked `name` at the top of the worktree would get from `git add -A`:
    // true = ignored. It reads .gitignore, info/exclude and core.excludesFile; the caller has made sure that
    // none of them is a FIFO (libgit2 would hang), and does not rely on a yes alone (git/ignore_rules.hpp).
    [[nodiscard]] Result<bool> is_ignored(const std::string& name) const;

    // core.excludesFile as an absolute path (default $XDG_CONFIG_HOME/git/ignore is not included).
    [[nodiscard]] std::optional<std::string> excludes_file() const;

    // A single boolean; nothing when unset or no boolean.
    [[nodiscard]] std::optional<bool> config_bool(const std::string& key) const;

    // core.hooksPath and any other single value; nothing when unset.
    [[nodiscard]] std::optional<std::string> config_string(const std::string& key) const;

    [[nodiscard]] git_repository* handle() const { return m_handle.get(); }

private:
    struct Free {
        void operator()(git_repository* repository) const;
    };
    explicit Repository(git_repository* handle) : m_handle(handle) {}
    std::unique_ptr<git_repository, Free> m_handle;
};

}  // namespace mandate::git
