#include "os/env.hpp"

#include "os/file.hpp"
#include "os/platform.hpp"
#include "os/system_call.hpp"

#include <array>
#include <climits>
#include <cstdlib>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace mandate::os {

namespace {

constexpr int k_usual_width = 80;

// The standard descriptors are not ours to close.
OsResult<void> write_standard(int descriptor, std::string_view bytes)
{
    Fd borrowed(descriptor);
    auto written = write_whole(borrowed, bytes);
    borrowed.release();
    return written;
}

}  // namespace

std::optional<std::string> variable(const std::string& name)
{
    const char* value = std::getenv(name.c_str());
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

unsigned effective_user() { return ::geteuid(); }

int process_id() { return ::getpid(); }

OsResult<std::string> current_directory()
{
    std::array<char, PATH_MAX> path{};  // the longest that any call takes
    if (::getcwd(path.data(), path.size()) == nullptr) {
        return failed();
    }
    return std::string(path.data());
}

std::optional<std::string> home_directory()
{
    auto home = variable("HOME");
    return home && home->starts_with('/') ? home : std::nullopt;
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

int terminal_width(int descriptor)
{
    winsize size{};
    const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : k_usual_width;
}

std::optional<std::string> executable_path()
{
    auto path = real_path(platform::executable_link());
    // A binary that was deleted or replaced while it runs shows as "... (deleted)": no path to write down.
    if (!path) {
        return std::nullopt;
    }
    const auto found = follow_path(*path);
    return found && found->kind == Kind::regular ? std::optional(std::move(*path)) : std::nullopt;
}

OsResult<void> write_stdout(std::string_view bytes) { return write_standard(STDOUT_FILENO, bytes); }

void write_stderr(std::string_view bytes) { (void)write_standard(STDERR_FILENO, bytes); }

void write_stderr_unless_blocked(std::string_view bytes)
{
    pollfd wanted{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&wanted, 1, 0) == 1) {
        write_stderr(bytes);
    }
}

}  // namespace mandate::os
