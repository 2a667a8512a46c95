// Keeps the record and its companions out of `git add`: the two lines `/MANDATE.md` and `/.MANDATE.*` in the
// repository's info/exclude, which all its worktrees share.
//
// The file belongs to its user: the lines are appended with one write under a flock of the file itself,
// each at most once whatever runs at the same time, and no byte of what was there is changed. What counts
// is the effect, so afterwards the rules are asked whether the names really are ignored.
#pragma once

#include "app/place.hpp"
#include "git/repository.hpp"

#include <string>
#include <string_view>

namespace mandate::app {

struct ExcludeOutcome {
    enum class State {
        already,  // both lines were there, and they work
        yes,      // were added, and they work
        no,       // cannot be added, or do not work: see `reason`
    };
    State state = State::no;
    // not-regular          info/exclude is a FIFO, a directory or another non-file
    // not-a-directory      info is not a directory
    // read-only            the file system is mounted read-only
    // denied               no permission
    // too-large            info/exclude is larger than 1 MiB
    // write-failed         any other failure to read or write it, a full disk for instance
    // negated              the lines are there, but a `!` rule of .gitignore or info/exclude outranks them
    // unknown              the rules that would decide cannot be read
    std::string reason;
};

std::string_view name(ExcludeOutcome::State state);  // "already", "yes", "no"

// `repository`: the place's, where the caller has it open already.
ExcludeOutcome ensure_excluded(const Place& place, const git::Repository* repository = nullptr);

}  // namespace mandate::app
