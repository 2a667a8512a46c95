// Is the change that a branch makes still the one that was reviewed, wherever the branch stands now?
//
// The change of a commit is what its tree adds to the tree of its merge base with the integration branch, as one
// change, however many commits it came in. Two are the same when carrying the one over to the base of
// the other, as an automatic merge does it, gives the other's tree to the byte. That is what a clean rebase or
// cherry-pick does, so those keep a review, also where the base moved in the same file. Any other
// byte, white space, mode, link or binary loses it, and so do added lines that stand in another place, which a
// patch-id without its context would not see, and whatever a person had to resolve by hand. A base that renamed a
// file that the change touches loses it too.
//
// Compared in memory from trees and blobs alone: attributes, configuration and the worktree have no say, and nothing
// is written.
#pragma once

#include "base/error.hpp"
#include "git/branches.hpp"
#include "git/repository.hpp"

#include <string>

namespace mandate::git {

struct ChangeQuestion {
    const Tip& integration;
    std::string own_ref;   // of the lane's branch; empty when detached
    std::string reviewed;  // both 40 hex digits
    std::string head;
};

// Fails with repository-broken, with a sentence for a person, where nobody can tell: history that is not here, no
// single merge base, or a commit that went into the integration branch already, so that its change can no
// longer be told from what is there.
Result<bool> same_change(const Repository& repository, const ChangeQuestion& question);

// With the same tree and the same parents two commits differ in nothing but who, when and why. Needs no
// integration branch.
Result<bool> only_message_differs(const Repository& repository, const std::string& a, const std::string& b);

}  // namespace mandate::git
