// A git hook, from what git handed over to yes or no: gather facts, ask core/hook_policy what is to be asked,
// judge it by this lane's record, count what went by unchecked.
//
// The lane is the directory's (git starts hooks at the worktree's top), never one that GIT_DIR names. A hook that
// cannot decide (no lane, a record that is refused, bad input, broken configuration) does what [hooks] on_error
// says. MANDATE_BYPASS lets an action through, counted; nothing lets a record into a commit.
#pragma once

#include "core/answer.hpp"
#include "core/hook_policy.hpp"

#include <string>
#include <vector>

namespace mandate::app {

struct HookCall {
    core::Hook hook;
    std::vector<std::string> arguments;
    std::string directory;  // "" for the current one
};

struct HookOutcome {
    bool passes = true;
    std::string said;        // one sentence for stderr: why it is refused; "" otherwise
    bool uncounted = false;  // it passes unchecked, and not even that could be written down: `said` tells
    core::Answer answer;     // of --json; git's hooks print none
};

HookOutcome run_hook(const HookCall& call);

}  // namespace mandate::app
