#include "app/hook_folder.hpp"

#include "core/hook_file.hpp"
#include "os/env.hpp"
#include "os/file.hpp"
#include "os/lock.hpp"
#include "os/replace.hpp"

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

std::string file_name(core::Hook hook) { return std::string(core::name(hook)); }
std::string chained_name(core::Hook hook) { return file_name(hook) + std::string(core::k_chained_suffix); }

struct Split {
    std::string parent, name;
};
Split split(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

}  // namespace

Result<HookFolder> HookFolder::open(const Lane& lane)
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

Result<void> HookFolder::prepare_to_write()
{
    if (!m_found.manager.empty() || m_found.of_branch) {
        const std::string whose =
            m_found.manager.empty() ? "belongs to the branch" : "is " + m_found.manager + "'s own";
        return fail(Error{Code::value_invalid,
                          "the folder that core.hooksPath names " + whose + ", so nothing is written there",
                          "call `mandate hook NAME \"$@\"` from the hooks there; docs/hooks.md says how",
                          {},
                          m_found.path});
    }
    if (!m_directory.valid()) {
        if (auto made = make(); !made) {
            return made;
        }
    }
    return lock();
}

Result<void> HookFolder::make()
{
    const std::string& path = m_found.path;
    const auto [above, name] = split(path);
    const auto parent = os::open_directory(above);
    if (!parent) {
        return write_failure("the folder of git's hooks is missing, and so is the one above", parent.error(), path);
    }
    if (const auto made = os::make_directory(*parent, name); !made) {
        return write_failure("the folder of git's hooks cannot be made", made.error(), path);
    }
    auto opened = os::open_directory(path);
    if (!opened) {
        return write_failure("the folder of git's hooks cannot be opened", opened.error(), path);
    }
    m_directory = std::move(*opened);
    (void)os::create_new(m_directory, k_made_mark, k_mark_mode);
    return {};
}

Result<void> HookFolder::lock()
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

void HookFolder::remove_made_folder()
{
    const auto mark = os::look(m_directory, k_made_mark);
    if (!mark || mark->kind == os::Kind::absent || !os::unlink(m_directory, k_made_mark)) {
        return;
    }
    const auto [above, name] = split(m_found.path);
    if (const auto parent = os::open_directory(above)) {
        (void)os::remove_directory(*parent, name);
    }
}

HookRow HookFolder::look(core::Hook hook) const
{
    HookRow row{hook, "absent", false, {}, false};
    if (!m_directory.valid()) {
        return row;
    }
    const auto facts = os::look(m_directory, file_name(hook));
    const auto kept = os::look(m_directory, chained_name(hook));
    row.chained = kept && kept->kind != os::Kind::absent;
    if (facts && facts->kind == os::Kind::absent) {
        return row;
    }
    if (!facts || facts->kind == os::Kind::directory || facts->kind == os::Kind::other) {
        row.state = "blocked";
        return row;
    }
    const auto content = os::read_small_file(m_found.path + "/" + file_name(hook), k_largest_hook);
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

std::string HookFolder::wanted(core::Hook hook) const { return core::hook_file({hook, m_binary, m_pass_when_gone}); }

Result<void> HookFolder::put(core::Hook hook, bool keeps_other)
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
        if (auto moved = move(file_name(hook), chained_name(hook)); !moved) {
            return moved;
        }
    }
    if (const auto committed = fresh->commit(file_name(hook)); !committed) {
        return write_failure("the hook file cannot be put in its place", committed.error(), m_found.path);
    }
    return {};
}

Result<void> HookFolder::take_out(const HookRow& row)
{
    const std::string name = file_name(row.hook);
    if (row.chained) {
        return move(chained_name(row.hook), name);
    }
    if (const auto removed = os::unlink(m_directory, name); !removed) {
        return write_failure("'" + name + "' cannot be removed", removed.error(), m_found.path);
    }
    return {};
}

Result<void> HookFolder::move(const std::string& from, const std::string& to)
{
    if (const auto moved = os::rename(m_directory, from, to); !moved) {
        return write_failure("'" + from + "' cannot be renamed to '" + to + "'", moved.error(), m_found.path);
    }
    return {};
}

}  // namespace mandate::app
