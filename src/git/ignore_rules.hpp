// What the rules of one ignore file say about a file at the worktree's top, exactly as git reads them.
//
// libgit2 has an engine of its own, and it is wrong where it matters most: a lone `!MANDATE.md` in .gitignore
// is dropped because it undoes no rule of the same file, though it outranks info/exclude (measured, 1.5.1).
// Names at the top hold no slash, so that all of git's wildmatch that is about directories falls away.
// Source: git's dir.c and wildmatch.c, gitignore(5).
#pragma once

#include <string_view>

namespace mandate::git {

enum class IgnoreRule {
    none,    // no rule of this file matches: the next file is asked
    ignore,  // the last rule that matches ignores it
    keep,    // ... or is a `!` rule
};

// `content`: the file's bytes. `name`: without a slash, and no directory. `fold_case`: core.ignoreCase.
IgnoreRule last_ignore_rule(std::string_view content, std::string_view name, bool fold_case);

}  // namespace mandate::git
