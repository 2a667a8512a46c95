// Bytes in and out of descriptors; part of file.hpp.
#include "os/file.hpp"
#include "os/platform.hpp"
#include "os/system_call.hpp"

#include <algorithm>
#include <limits>
#include <poll.h>
#include <unistd.h>

namespace mandate::os {

namespace {

// For what has no size to go by: a pipe, a file in /proc.
constexpr std::size_t k_first_read = std::size_t{16} * 1024;

// Somebody else may have made the pipe or terminal that we were given non-blocking: the flag belongs to the
// open file, which all its users share. Waiting for it gives the same result as a blocking call.
bool wait_until_ready(int fd, short events)
{
    pollfd wanted{fd, events, 0};
    return retried([&] { return ::poll(&wanted, 1, -1); }) != -1;
}

// From `offset`, or from where a pipe stands, which has no offsets (ESPIPE).
ssize_t read_some(int fd, char* into, std::size_t count, std::size_t offset)
{
    while (true) {
        ssize_t got = retried([&] { return ::pread(fd, into, count, static_cast<off_t>(offset)); });
        if (got == -1 && errno == ESPIPE) {
            got = retried([&] { return ::read(fd, into, count); });
        }
        const bool empty_for_now = got == -1 && errno == EAGAIN;
        if (!empty_for_now || !wait_until_ready(fd, POLLIN)) {
            return got;
        }
    }
}

}  // namespace

OsResult<std::string> read_whole(const Fd& file, std::size_t maximum, std::size_t size)
{
    const std::size_t limit = maximum == std::numeric_limits<std::size_t>::max() ? maximum : maximum + 1;
    std::string bytes;
    bytes.resize(std::min(limit, size == 0 ? k_first_read : size + 1));
    std::size_t length = 0;
    while (true) {
        const ssize_t got = read_some(file.get(), bytes.data() + length, bytes.size() - length, length);
        if (got == -1) {
            return failed();
        }
        length += static_cast<std::size_t>(got);
        if (length > maximum) {
            return failed_with(EFBIG);
        }
        // Two witnesses for the end: as many bytes as the file is long, and fewer than were asked for. Either alone
        // is none: a read may be cut short, and a file may grow.
        const bool at_end = length == size && length < bytes.size();
        if (got == 0 || at_end) {
            bytes.resize(length);
            return bytes;
        }
        if (length == bytes.size()) {
            bytes.resize(std::min(limit, bytes.size() * 2));
        }
    }
}

OsResult<void> write_whole(const Fd& file, std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto taken = write_once(file, bytes);
        if (!taken) {
            const bool full_for_now = taken.error() == EAGAIN;
            if (full_for_now && wait_until_ready(file.get(), POLLOUT)) {
                continue;
            }
            return tl::unexpected(taken.error());
        }
        if (*taken == 0) {
            return failed_with(EIO);  // no error and no progress: POSIX forbids it, and a loop would never end
        }
        bytes.remove_prefix(*taken);
    }
    return {};
}

OsResult<std::size_t> write_once(const Fd& file, std::string_view bytes)
{
    const ssize_t taken = retried([&] { return ::write(file.get(), bytes.data(), bytes.size()); });
    if (taken == -1) {
        return failed();
    }
    return static_cast<std::size_t>(taken);
}

OsResult<void> sync(const Fd& file)
{
    return done_or_failed([&] { return platform::sync(file.get()); });
}

OsResult<void> truncate(const Fd& file, std::uint64_t size)
{
    return done_or_failed([&] { return ::ftruncate(file.get(), static_cast<off_t>(size)); });
}

}  // namespace mandate::os
