// The branches that a lane is held against: its upstream, and the one that its work goes into.
#pragma once

#include "base/error.hpp"
#include "git/repository.hpp"

#include <optional>
#include <string>

namespace mandate::git {

struct Tip {
    std::string name;    // as people write it: "main", "origin/main"; raw bytes
    std::string ref;     // "refs/remotes/origin/main"; empty for a revision that is no branch or tag
    std::string commit;  // 40 hex digits
};

// What branch.<name>.remote and .merge name. repository-broken, with a sentence for a person, where they are not
// both set or what they name is not here.
Result<Tip> upstream_of(const Repository& repository, const std::string& branch);

// The default branch of the remote (the branch's own, else origin) as refs/remotes/<remote>/HEAD names it, else
// `main`, else `master`, each local first and then of the remote. repository-broken where there is none of them.
Result<Tip> integration_branch(const Repository& repository, const std::string& branch);

// The branch, tag or other revision that somebody names; value-invalid when it is no commit.
Result<Tip> named_tip(const Repository& repository, const std::string& revision);

}  // namespace mandate::git
