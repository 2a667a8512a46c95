// Carrying a change over to another base, and comparing what comes out with what is there. Four trees, no history.
#pragma once

#include "base/error.hpp"
#include "git/repository.hpp"

#include <string>

namespace mandate::git {

// Ids of trees, 40 hex digits.
struct Transplant {
    std::string old_base, reviewed;  // the change is the difference of these two
    std::string new_base, head;
};

// Is `head` to the byte what a three-way merge makes of `new_base` and the change? A conflict is a no. Subtrees that
// are equal on the sides that matter are never opened. repository-broken where an object is not here.
Result<bool> is_transplant(const Repository& repository, const Transplant& trees);

}  // namespace mandate::git
