// How commits stand to each other: which holds which, where two lines of work parted.
//
// Commits are 40 hex digits. Everything here fails with repository-broken where the history that would tell
// is not here: a shallow clone, a missing object, a commit that was pruned. The message says which and the
// hint what to do about it. "Nobody can tell" is never mistaken for a yes or a no.
#pragma once

#include "base/error.hpp"
#include "git/repository.hpp"

#include <optional>
#include <string>

namespace mandate::git {

// A commit that is here, by its id or an unambiguous start of it, of lower-case digits. Never by a name: a branch
// may be called `deadbeef`.
Result<std::string> find_commit(const Repository& repository, const std::string& id);

// Is `commit` reachable from `tip`, or `tip` itself? In a shallow clone a no is not known.
Result<bool> holds(const Repository& repository, const std::string& tip, const std::string& commit);

// The one commit where `a` and `b` parted. Fails also where there is none or more than one (merges in both
// directions): the change of a branch is then not one thing.
Result<std::string> merge_base(const Repository& repository, const std::string& a, const std::string& b);

// For a `tip` that holds `commit`: the newest commit of the line of first parents below `tip` that does not, which
// is the branch as it was before a merge brought `commit` in. Nothing when no merge did (a fast-forward).
Result<std::optional<std::string>> before_merge_of(const Repository& repository, const std::string& tip,
                                                   const std::string& commit);

// The newest commit that `ref` pointed at and that does not hold `commit`, from its reflog; nothing where the reflog
// does not know.
Result<std::optional<std::string>> before_in_reflog(const Repository& repository, const std::string& ref,
                                                    const std::string& commit);

}  // namespace mandate::git
