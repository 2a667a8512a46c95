// For the files of os/ only: the calls that macOS has in another form, each under one name.
//
// The macOS branches, here, in fs_type.cpp and in lock_holder_macos.cpp, are written after its manual pages. They are
// UNTESTED, never even compiled: this program is built and tested on Linux. What macOS has no counterpart of is said
// where it is missing.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <array>
#include <mach-o/dyld.h>
#include <sys/mount.h>
#include <sys/random.h>
#else
#include <sys/random.h>
#include <sys/vfs.h>
#endif

namespace mandate::os::platform {

#if defined(__APPLE__)

// fsync(2) there: the data leave the host, and the drive may still lose them; F_FULLFSYNC asks the drive too. Not all
// file systems know it (fcntl(2)).
inline int sync(int fd)
{
    const int done = ::fcntl(fd, F_FULLFSYNC);
    return done == -1 && (errno == ENOTSUP || errno == EINVAL || errno == ENOTTY) ? ::fsync(fd) : done;
}

inline const timespec& modified(const struct stat& status) { return status.st_mtimespec; }
inline const timespec& changed(const struct stat& status) { return status.st_ctimespec; }

inline bool random_number(std::uint64_t& number) { return ::getentropy(&number, sizeof number) == 0; }

inline ssize_t get_attribute(int fd, const char* name, void* to, std::size_t size)
{
    return ::fgetxattr(fd, name, to, size, 0, 0);
}
inline int set_attribute(int fd, const char* name, const void* from, std::size_t size)
{
    return ::fsetxattr(fd, name, from, size, 0, 0);
}
inline int remove_attribute(int fd, const char* name) { return ::fremovexattr(fd, name, 0); }
inline ssize_t list_attributes(int fd, char* to, std::size_t size) { return ::flistxattr(fd, to, size, 0); }
constexpr int k_no_attribute = ENOATTR;

constexpr int k_open_nothing = O_RDONLY;  // no O_PATH

// strerror_r(3) of POSIX; there is no call for the symbol.
inline std::string error_text(int value)
{
    std::array<char, 256> text{};
    return ::strerror_r(value, text.data(), text.size()) == 0 ? text.data() : "";
}
inline std::string error_name(int /*value*/) { return {}; }

// No real-time signals, and no sigtimedwait(2): what is pending is taken off with sigwait(3).
inline int interrupt_signal() { return SIGUSR2; }
inline bool take_pending(const sigset_t& set, int signal)
{
    sigset_t pending;
    int taken = 0;
    return ::sigpending(&pending) == 0 && ::sigismember(&pending, signal) == 1 && ::sigwait(&set, &taken) == 0;
}

inline std::string executable_link()
{
    std::array<char, 4096> path{};
    std::uint32_t size = path.size();
    return ::_NSGetExecutablePath(path.data(), &size) == 0 ? path.data() : "";
}

#else

inline int sync(int fd) { return ::fsync(fd); }

inline const timespec& modified(const struct stat& status) { return status.st_mtim; }
inline const timespec& changed(const struct stat& status) { return status.st_ctim; }

inline bool random_number(std::uint64_t& number)
{
    return ::getrandom(&number, sizeof number, GRND_NONBLOCK) == static_cast<ssize_t>(sizeof number);
}

inline ssize_t get_attribute(int fd, const char* name, void* to, std::size_t size)
{
    return ::fgetxattr(fd, name, to, size);
}
inline int set_attribute(int fd, const char* name, const void* from, std::size_t size)
{
    return ::fsetxattr(fd, name, from, size, 0);
}
inline int remove_attribute(int fd, const char* name) { return ::fremovexattr(fd, name); }
inline ssize_t list_attributes(int fd, char* to, std::size_t size) { return ::flistxattr(fd, to, size); }
constexpr int k_no_attribute = ENODATA;

constexpr int k_open_nothing = O_PATH;

// Not strerror(3): its buffer is shared by threads, and a locale changes its words.
inline std::string error_text(int value)
{
    const char* text = ::strerrordesc_np(value);
    return text != nullptr ? text : "";
}
inline std::string error_name(int value)
{
    const char* symbol = ::strerrorname_np(value);
    return symbol != nullptr ? symbol : "";
}

// A real-time signal: nobody sends it to us by accident, as they do SIGALRM, SIGCHLD or SIGWINCH.
inline int interrupt_signal() { return SIGRTMIN + 5; }
inline bool take_pending(const sigset_t& set, int /*signal*/)
{
    constexpr timespec k_at_once{0, 0};
    return ::sigtimedwait(&set, nullptr, &k_at_once) > 0;
}

inline std::string executable_link() { return "/proc/self/exe"; }

#endif

}  // namespace mandate::os::platform
