#include "app/hook_files.hpp"

#include "app/commit_mark.hpp"
#include "app/hook_folder.hpp"

#include <algorithm>
#include <utility>

namespace mandate::app {

bool HookReport::complete() const
{
    return std::all_of(rows.begin(), rows.end(), [](const HookRow& row) { return row.state == "installed"; });
}

Result<HookReport> inspect_hooks(const Lane& lane)
{
    const auto folder = HookFolder::open(lane);
    if (!folder) {
        return fail(folder.error());
    }
    HookReport report = folder->report();
    for (const core::Hook hook : core::all_hooks()) {
        report.rows.push_back(folder->look(hook));
    }
    return report;
}

Result<HookReport> install_hooks(const Lane& lane)
{
    auto folder = HookFolder::open(lane);
    if (!folder) {
        return fail(std::move(folder.error()));
    }
    if (folder->binary().empty()) {
        return fail(Error{
            Code::write_failed, "this program's own path is not known", "start it from where it is installed", {}, {}});
    }
    if (auto ready = folder->prepare_to_write(); !ready) {
        return fail(std::move(ready.error()));
    }
    HookReport report = folder->report();
    for (const core::Hook hook : core::all_hooks()) {
        HookRow row = folder->look(hook);
        if (row.state == "absent" || row.state == "outdated" || row.state == "foreign") {
            if (auto put = folder->put(hook, row.state == "foreign"); !put) {
                return fail(std::move(put.error()));
            }
            row = folder->look(hook);
            row.changed = true;
        }
        report.rows.push_back(std::move(row));
    }
    return report;
}

Result<HookReport> uninstall_hooks(const Lane& lane)
{
    auto folder = HookFolder::open(lane);
    if (!folder) {
        return fail(std::move(folder.error()));
    }
    HookReport report = folder->report();
    if (folder->exists()) {
        if (auto locked = folder->lock(); !locked) {
            return fail(std::move(locked.error()));
        }
    }
    for (const core::Hook hook : core::all_hooks()) {
        HookRow row = folder->look(hook);
        const bool ours = row.state == "installed" || row.state == "outdated";
        if (ours || (row.state == "absent" && row.chained)) {
            if (auto out = folder->take_out(row); !out) {
                return fail(std::move(out.error()));
            }
            row.changed = true;
        }
        report.rows.push_back(std::move(row));
    }
    if (folder->exists()) {
        folder->remove_made_folder();
    }
    remove_commit_mark(lane.place.common_dir);
    for (const WorktreeEntry& entry : list_worktrees(lane.place)) {
        remove_commit_mark(entry.git_dir);
    }
    return report;
}

}  // namespace mandate::app
