// The macOS half of lock_holder.hpp, after libproc.h. UNTESTED, never even compiled: see platform.hpp.
//
// The kernel names no holder of a flock there, only who has the file open, and a waiter has it open too. So the holder
// is known where a single other process has it open, and unknown otherwise.
#if defined(__APPLE__)
#include "os/lock_holder.hpp"

#include <array>
#include <libproc.h>
#include <unistd.h>
#include <vector>

namespace mandate::os {

namespace {

template<typename Item, typename Call>
std::vector<Item> listed(Call call)
{
    const int bytes = call(nullptr, 0);
    std::vector<Item> items(bytes > 0 ? static_cast<std::size_t>(bytes) / sizeof(Item) : 0);
    const int got = items.empty() ? 0 : call(items.data(), static_cast<int>(items.size() * sizeof(Item)));
    items.resize(got > 0 ? static_cast<std::size_t>(got) / sizeof(Item) : 0);
    return items;
}

bool has_open(int pid, const FileIdentity& file)
{
    const auto descriptors =
        listed<proc_fdinfo>([pid](void* to, int size) { return ::proc_pidinfo(pid, PROC_PIDLISTFDS, 0, to, size); });
    for (const proc_fdinfo& each : descriptors) {
        vnode_fdinfo info{};
        if (each.proc_fdtype != PROX_FDTYPE_VNODE ||
            ::proc_pidfdinfo(pid, each.proc_fd, PROC_PIDFDVNODEINFO, &info, sizeof info) <= 0) {
            continue;
        }
        const vinfo_stat& stat = info.pvi.vi_stat;
        if (stat.vst_ino == file.inode && stat.vst_dev == file.device) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::optional<LockHolder> find_lock_holder(const FileIdentity& lock_file)
{
    std::optional<LockHolder> found;
    const auto pids =
        listed<int>([](void* to, int size) { return ::proc_listpids(PROC_ALL_PIDS, 0, to, static_cast<int>(size)); });
    for (const int pid : pids) {
        if (pid <= 0 || pid == ::getpid() || !has_open(pid, lock_file)) {
            continue;
        }
        if (found) {
            return std::nullopt;
        }
        std::array<char, PROC_PIDPATHINFO_MAXSIZE> path{};
        const int length = ::proc_pidpath(pid, path.data(), path.size());
        found = LockHolder{pid, length > 0 ? path.data() : "a process", pid == ::getppid()};
    }
    return found;
}

}  // namespace mandate::os

#endif
