// Makes an agent host ask us before its tool calls in this lane, and takes that back.
//
// For Claude Code the file is `.claude/settings.local.json` at the worktree's top: the personal one, which is
// not for committing. What is in it stays. What it was before is kept beside it, so that taking our entry out
// of a file that nobody has changed since restores it byte for byte. Fails with value-invalid (a file that
// cannot be understood, is no regular file, or is tracked by git), read-only and write-failed.
#pragma once

#include "app/lane.hpp"
#include "base/error.hpp"

#include <string>

namespace mandate::app {

struct AgentSettings {
    std::string file;        // absolute path
    bool installed = false;  // our entry is in it
    bool changed = false;    // by this run
};

Result<AgentSettings> install_agent_hook(const Lane& lane);
Result<AgentSettings> uninstall_agent_hook(const Lane& lane);
Result<AgentSettings> inspect_agent_hook(const Lane& lane);

}  // namespace mandate::app
