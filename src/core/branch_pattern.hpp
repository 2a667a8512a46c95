// Which branches a pattern of `protected_branches` names: `main`, `release/*`.
//
// `*` and `?` match any character, a slash too, so that `release/*` protects `release/1/hotfix` as well: in
// doubt a branch is protected. `[abc]`, `[a-z]`, `[!a]` and a backslash are as in a shell. Any bytes may come in.
#pragma once

#include <string_view>

namespace mandate::core {

bool branch_matches(std::string_view pattern, std::string_view branch);

}  // namespace mandate::core
