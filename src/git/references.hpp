// The refs and commits that all worktrees of a repository share: what a branch holds, and whether one commit
// contains another.
#pragma once

#include "base/error.hpp"

#include <memory>
#include <optional>
#include <string>

struct git_repository;

namespace mandate::git {

class References {
public:
    // `common_dir`: the git directory itself; there need be no worktree. repository-broken, -unsupported.
    static Result<References> open(const std::string& common_dir);

    // The commit that a ref leads to, as 40 hex digits; nothing where there is no such ref.
    [[nodiscard]] Result<std::optional<std::string>> value(const std::string& ref) const;

    // True when `newer` is `older` or has it in its history. What cannot be told (an object that is not here,
    // a shallow history) is false: nobody may take it for a fast-forward.
    [[nodiscard]] bool contains(const std::string& newer, const std::string& older) const;

private:
    struct Free {
        void operator()(git_repository* repository) const;
    };
    explicit References(git_repository* handle) : m_handle(handle) {}
    std::unique_ptr<git_repository, Free> m_handle;
};

}  // namespace mandate::git
