#include "app/hook_files.hpp"

#include "app/commit_mark.hpp"
#include "app/hooks_directory.hpp"
#include "base/text.hpp"
#include "core/hook_file.hpp"
#include "os/env.hpp"
#include "os/file.hpp"
#include "os/lock.hpp"
#include "os/replace.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace mandate::app {

namespace {

constexpr std::size_t k_largest_hook = std::size_t{1} << 20U;
constexpr unsigned k_executable = 0111;
constexpr unsigned k_mode = 0755;
constexpr unsigned k_mark_mode = 0666;
constexpr std::chrono::seconds k_lock_timeout{5};
constexpr const char* k_temporary = ".mandate-hook.tmp.";
constexpr const char* k_made_mark = ".mandate-made-this-folder";  // so that uninstalling takes the folder away again

Unexpected write_failure(const std::string& what, const os::Errno& cause, const std::string& path)
{
    const Code code = cause == EROFS ? Code::read_only : Code::write_failed;
    return fail(Error{code, what + ": " + cause.text(), "check the folder's permissions, then try again", {}, path});
}

std::string chained_name(core::Hook hook)
{
    return std::string(core::name(hook)) + std::string(core::k_chained_suffix);
}

// The folder, open, with what is wanted in it.
class HookFolder {
public:
    static Result<HookFolder> open(const Lane& lane)
    {
        auto found = find_hooks_directory(lane.place);
        if (!found) {
            return fail(std::move(found.error()));
        }
        HookFolder folder(std::move(*found));
        folder.m_pass_when_gone = lane.settings.config.on_error.value == core::OnDoubt::pass;
        folder.m_binary = os::executable_path().value_or("");
        if (!folder.m_found.exists) {
            return folder;
        }
        auto opened = os::open_directory(folder.m_found.path);
        if (!opened) {
            return write_failure("the folder of git's hooks cannot be opened", opened.error(), folder.m_found.path);
        }
        folder.m_directory = std::move(*opened);
        return folder;
    }

    // Made only one level deep, and never in the worktree: it would be a change of the branch.
    Result<void> prepare_to_write()
    {
        const std::string& path = m_found.path;
        if (!m_found.manager.empty() || m_found.of_branch) {
            const std::string whose =
                m_found.manager.empty() ? "belongs to the branch" : "is " + m_found.manager + "'s own";
            return fail(Error{Code::value_invalid,
                              "the folder that core.hooksPath names " + whose + ", so nothing is written there",
                              "call `mandate hook NAME \"$@\"` from the hooks there; docs/hooks.md says how",
                              {},
                              path});
        }
        if (!m_directory.valid()) {
            const std::size_t slash = path.rfind('/');
            const auto parent = os::open_directory(slash == 0 ? "/" : path.substr(0, slash));
            if (!parent) {
                return write_failure("the folder of git's hooks is missing, and so is the one above", parent.error(),
                                     path);
            }
            if (const auto made = os::make_directory(*parent, path.substr(slash + 1)); !made) {
                return write_failure("the folder of git's hooks cannot be made", made.error(), path);
            }
            auto opened = os::open_directory(path);
            if (!opened) {
                return write_failure("the folder of git's hooks cannot be opened", opened.error(), path);
            }
            m_directory = std::move(*opened);
            (void)os::create_new(m_directory, k_made_mark, k_mark_mode);
        }
        return lock();
    }

    Result<void> lock()
    {
        const auto locked = os::lock_exclusive(m_directory, k_lock_timeout);
        if (!locked && locked.error() == EWOULDBLOCK) {
            return fail(Error{Code::lock_held,
                              "another process changes the hooks",
                              "wait for it to end, then try again",
                              {},
                              m_found.path});
        }
        if (!locked && !os::has_no_locks(locked.error())) {
            return fail(Error{Code::write_failed,
                              "the hooks folder cannot be locked: " + locked.error().text(),
                              "mend what stops it, then try again",
                              {},
                              m_found.path});
        }
        os::sweep(m_directory, k_temporary);  // of a process that was killed: the others wait for the lock
        return {};
    }

    // A folder that was made for the hooks goes with them, unless somebody has put something into it since.
    void remove_made_folder()
    {
        const auto mark = os::look(m_directory, k_made_mark);
        if (!mark || mark->kind == os::Kind::absent || !os::unlink(m_directory, k_made_mark)) {
            return;
        }
        const std::size_t slash = m_found.path.rfind('/');
        if (const auto parent = os::open_directory(slash == 0 ? "/" : m_found.path.substr(0, slash))) {
            (void)os::remove_directory(*parent, m_found.path.substr(slash + 1));
        }
    }

    [[nodiscard]] HookRow look(core::Hook hook) const
    {
        HookRow row{hook, "absent", false, {}, false};
        if (!m_directory.valid()) {
            return row;
        }
        const auto facts = os::look(m_directory, std::string(core::name(hook)));
        const auto kept = os::look(m_directory, chained_name(hook));
        row.chained = kept && kept->kind != os::Kind::absent;
        if (facts && facts->kind == os::Kind::absent) {
            return row;
        }
        if (!facts || facts->kind == os::Kind::directory || facts->kind == os::Kind::other) {
            row.state = "blocked";
            return row;
        }
        const auto content = os::read_small_file(m_found.path + "/" + std::string(core::name(hook)), k_largest_hook);
        const std::string bytes = content.value_or("");
        if (facts->kind == os::Kind::regular && core::is_hook_file(bytes)) {
            const bool current = bytes == wanted(hook) && (facts->mode & k_executable) != 0;
            row.state = current ? "installed" : "outdated";
            return row;
        }
        row.manager = core::hook_manager(bytes);
        row.state = !row.manager.empty() ? "managed" : row.chained ? "blocked" : "foreign";
        return row;
    }

    [[nodiscard]] std::string wanted(core::Hook hook) const
    {
        return core::hook_file({hook, m_binary, m_pass_when_gone});
    }

    Result<void> put(core::Hook hook, bool keeps_other)
    {
        const auto facts = os::facts(m_directory);
        os::FileFacts like;
        like.mode = k_mode;
        like.uid = facts ? facts->uid : 0;
        like.gid = facts ? facts->gid : 0;
        auto fresh = os::Replacement::prepare(m_directory, k_temporary, wanted(hook), like);
        if (!fresh) {
            return write_failure("the hook file cannot be written", fresh.error(), m_found.path);
        }
        if (keeps_other) {
            if (auto moved = move(std::string(core::name(hook)), chained_name(hook)); !moved) {
                return moved;
            }
        }
        if (const auto committed = fresh->commit(std::string(core::name(hook))); !committed) {
            return write_failure("the hook file cannot be put in its place", committed.error(), m_found.path);
        }
        return {};
    }

    Result<void> move(const std::string& from, const std::string& to)
    {
        if (const auto moved = os::rename(m_directory, from, to); !moved) {
            return write_failure("'" + from + "' cannot be renamed to '" + to + "'", moved.error(), m_found.path);
        }
        return {};
    }

    Result<void> remove(const std::string& name)
    {
        if (const auto removed = os::unlink(m_directory, name); !removed) {
            return write_failure("'" + name + "' cannot be removed", removed.error(), m_found.path);
        }
        return {};
    }

    [[nodiscard]] HookReport report() const { return {m_found.path, m_found.origin, {}}; }
    [[nodiscard]] bool exists() const { return m_directory.valid(); }
    [[nodiscard]] const std::string& binary() const { return m_binary; }

private:
    explicit HookFolder(HooksDirectory found) : m_found(std::move(found)) {}
    HooksDirectory m_found;
    os::Fd m_directory;  // not valid: there is none
    std::string m_binary;
    bool m_pass_when_gone = false;
};

}  // namespace

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
        const std::string name(core::name(hook));
        const bool ours = row.state == "installed" || row.state == "outdated";
        if (ours || (row.state == "absent" && row.chained)) {
            auto done = row.chained ? folder->move(chained_name(hook), name) : folder->remove(name);
            if (!done) {
                return fail(std::move(done.error()));
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
