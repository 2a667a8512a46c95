// Installs the hook files where git runs them in this worktree, takes them out again, and says how they stand.
//
// What was there before is renamed to <hook>.mandate-chained, with its mode, or as the symlink that it is, and
// goes on running; uninstalling renames it back, so that not a byte differs. Files of hook managers, and folders
// that belong to the branch, are left alone: their owner would overwrite them. Doing it twice changes nothing; two
// at once take turns (flock on the folder). Fails with value-invalid, read-only, write-failed, lock-held.
#pragma once

#include "app/lane.hpp"
#include "base/error.hpp"
#include "core/hook_policy.hpp"

#include <string>
#include <vector>

namespace mandate::app {

struct HookRow {
    core::Hook hook;
    // installed; outdated (ours, but for another binary or policy, or not executable); absent; foreign (somebody
    // else's, which install would chain); managed (a hook manager's); blocked (no file, or a second one to chain)
    std::string state;
    bool chained = false;  // an earlier hook is kept beside ours
    std::string manager;
    bool changed = false;  // by this run
};

struct HookReport {
    std::string directory, origin;
    std::vector<HookRow> rows;
    [[nodiscard]] bool complete() const;  // every hook is installed
};

Result<HookReport> install_hooks(const Lane& lane);
Result<HookReport> uninstall_hooks(const Lane& lane);
Result<HookReport> inspect_hooks(const Lane& lane);

}  // namespace mandate::app
