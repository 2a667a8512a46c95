#include "os/ancestor.hpp"

#include "base/text.hpp"
#include "os/file.hpp"

#include <climits>
#include <sstream>
#include <unistd.h>

namespace mandate::os {

namespace {

constexpr std::size_t k_most_bytes = 4096;
constexpr int k_most_ancestors = 64;

struct Process {
    std::string name;
    int parent = 0;
    std::string started;  // clock ticks since boot
};

// proc(5): "pid (comm) state ppid ..."; comm may hold blanks and parentheses. Field 22 is the start time.
std::optional<Process> look_up(const std::string& pid)
{
    const auto stat = read_small_file("/proc/" + pid + "/stat", k_most_bytes);
    if (!stat) {
        return std::nullopt;
    }
    const std::size_t open = stat->find('(');
    const std::size_t close = stat->rfind(')');
    if (open == std::string::npos || close == std::string::npos || close < open) {
        return std::nullopt;
    }
    Process process;
    process.name = stat->substr(open + 1, close - open - 1);
    std::istringstream fields(stat->substr(close + 1));
    std::string field;
    constexpr int k_parent = 4;
    constexpr int k_start = 22;
    for (int number = 3; number <= k_start && fields >> field; ++number) {
        if (number == k_parent) {
            process.parent = static_cast<int>(text::parse_decimal(field, INT_MAX).value_or(0));
        }
        process.started = number == k_start ? field : std::string();
    }
    return process;
}

std::string boot_id()
{
    const auto id = read_small_file("/proc/sys/kernel/random/boot_id", k_most_bytes);
    return id ? id->substr(0, id->find('\n')) : std::string();
}

}  // namespace

std::optional<std::string> nearest_ancestor(const std::string& name)
{
    int pid = ::getppid();
    for (int n = 0; n < k_most_ancestors && pid > 0; ++n) {
        const auto process = look_up(std::to_string(pid));
        if (!process) {
            return n == 0 ? std::optional(std::to_string(pid) + " 0 -") : std::nullopt;
        }
        if (process->name == name || process->name.starts_with(name + "-")) {
            return std::to_string(pid) + " " + process->started + " " + boot_id();
        }
        pid = process->parent;
    }
    return std::nullopt;
}

}  // namespace mandate::os
