// What git ignores anywhere in a worktree: the rules of its ignore files, nested ones included, as gitignore(5)
// and git's dir.c apply them. libgit2's engine drops some `!` rules and waits for ever on a FIFO; here a rule
// file is bytes that the caller read.
//
// A directory that is ignored is not asked about further: nothing below it can be kept.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::git {

class IgnoreStack {
public:
    explicit IgnoreStack(bool fold_case) : m_fold_case(fold_case) {}

    // From the weakest to the strongest: core.excludesFile, info/exclude, then the .gitignore of each
    // directory on the way down. `base`: that directory relative to the worktree, "" or ending in a slash.
    void push(std::string_view base, std::string_view content);
    void pop();

    // `path`: relative to the worktree, no trailing slash; every base pushed so far is above it.
    [[nodiscard]] bool ignores(std::string_view path, bool is_directory) const;

private:
    struct Rule {
        std::string pattern;
        bool negated = false;
        bool directories_only = false;
        bool anywhere = false;  // no slash: held against the last component alone
    };
    struct File {
        std::size_t base_length = 0;
        std::vector<Rule> rules;
    };
    [[nodiscard]] bool matches(const Rule& rule, std::string_view path) const;

    bool m_fold_case;
    std::vector<File> m_files;
};

// git's wildmatch with WM_PATHNAME: no wildcard but a `**` component of its own crosses a slash. As git uses it for
// ignore rules: what stands before the first wildcard is compared by itself.
bool path_glob_matches(std::string_view pattern, std::string_view path, bool fold_case);

// The same for a pattern taken whole, as git uses it for the conditions of includeIf.
bool whole_path_glob_matches(std::string_view pattern, std::string_view path, bool fold_case);

}  // namespace mandate::git
