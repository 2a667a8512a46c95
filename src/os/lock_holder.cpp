#if !defined(__APPLE__)  // lock_holder_macos.cpp
#include "os/lock_holder.hpp"

#include <algorithm>
#include <limits>
#include <sstream>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace mandate::os {

namespace {

constexpr std::size_t k_most_locks_bytes = std::size_t{8} << 20U;
constexpr std::size_t k_most_proc_bytes = std::size_t{64} << 10U;
constexpr std::size_t k_longest_command = 80;
constexpr std::size_t k_most_ancestors = 256;

std::string proc(int pid, std::string_view file) { return "/proc/" + std::to_string(pid) + "/" + std::string(file); }

// "1: FLOCK  ADVISORY  WRITE 1234 fe:00:131 0 EOF" (proc(5)); a waiter's line has "->" before FLOCK. The
// device is not compared: on overlayfs and btrfs it is not the one that stat(2) shows.
std::vector<int> flock_pids(std::string_view locks, std::uint64_t inode)
{
    std::vector<int> pids;
    std::istringstream lines{std::string(locks)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string number;
        std::string kind;
        std::string advisory;
        std::string access;
        std::string file;
        int pid = 0;
        if (!(words >> number >> kind >> advisory >> access >> pid >> file) || kind != "FLOCK") {
            continue;
        }
        const std::string suffix = ":" + std::to_string(inode);
        if (pid > 0 && file.ends_with(suffix)) {
            pids.push_back(pid);
        }
    }
    return pids;
}

// Whether the process has an open file that holds a flock on this very file. /proc/PID/fdinfo tells it of the
// open file itself (since Linux 4.1), so a mere waiter, which has the file open too, is not taken for a holder,
// and a holder that inherited the lock from a dead process is. Asked first, because it touches no file system:
// a stat(2) of some other descriptor may hang on a dead network mount.
bool holds(int pid, const FileIdentity& lock_file)
{
    const auto directory = open_directory(proc(pid, "fd"));
    if (!directory) {
        return false;  // ended, or another user's
    }
    const auto names = list_names(*directory);
    if (!names) {
        return false;
    }
    return std::any_of(names->begin(), names->end(), [&](const std::string& name) {
        const auto info = read_small_file(proc(pid, "fdinfo/" + name), k_most_proc_bytes);
        if (!info || info->find("FLOCK") == std::string::npos) {
            return false;
        }
        const auto target = follow_path(proc(pid, "fd/" + name));
        return target && target->identity.same_inode(lock_file);
    });
}

// Field 4 of /proc/PID/stat; the name before it is in parentheses and may hold anything, parentheses too.
int parent_of(int pid)
{
    const auto stat = read_small_file(proc(pid, "stat"), k_most_proc_bytes);
    if (!stat || stat->rfind(')') == std::string::npos) {
        return 0;
    }
    std::istringstream fields(stat->substr(stat->rfind(')') + 1));
    std::string state;
    int parent = 0;
    return fields >> state >> parent ? parent : 0;
}

// This process, its parent, and so on up.
std::vector<int> own_line()
{
    std::vector<int> line;
    for (int pid = ::getpid(); pid > 0 && line.size() < k_most_ancestors; pid = parent_of(pid)) {
        line.push_back(pid);
    }
    return line;
}

std::string command_of(int pid)
{
    const auto arguments = read_small_file(proc(pid, "cmdline"), k_most_proc_bytes);
    std::string command = arguments ? *arguments : "";
    while (!command.empty() && command.back() == '\0') {
        command.pop_back();
    }
    std::replace(command.begin(), command.end(), '\0', ' ');
    if (command.empty()) {
        const auto name = read_small_file(proc(pid, "comm"), k_most_proc_bytes);
        command = name ? name->substr(0, name->find('\n')) : "a process";
    }
    if (command.size() > k_longest_command) {
        command.resize(k_longest_command - 3);
        command += "...";
    }
    return command;
}

LockHolder describe(int pid, const std::vector<int>& line)
{
    const bool related = std::find(line.begin(), line.end(), pid) != line.end();
    return {pid, command_of(pid), related};
}

}  // namespace

std::optional<LockHolder> find_lock_holder(const FileIdentity& lock_file)
{
    const std::vector<int> line = own_line();
    if (const auto locks = read_small_file("/proc/locks", k_most_locks_bytes)) {
        for (const int pid : flock_pids(*locks, lock_file.inode)) {
            if (holds(pid, lock_file)) {
                return describe(pid, line);
            }
        }
    }
    // `exec 9>FILE; flock 9; git commit` in a shell: the kernel names flock(1), which is gone; the shell holds
    // the lock, and so do all that inherited descriptor 9. The farthest ancestor is where it comes from.
    const auto origin = std::find_if(line.rbegin(), line.rend(), [&](int pid) { return holds(pid, lock_file); });
    return origin != line.rend() ? std::optional(describe(*origin, line)) : std::nullopt;
}

}  // namespace mandate::os

#endif
