#include "os/file.hpp"

#include "os/platform.hpp"
#include "os/system_call.hpp"

#include <fcntl.h>
#include <sys/stat.h>

namespace mandate::os {

namespace {

// O_NONBLOCK: the open of a FIFO or of a leased file returns at once. O_NOCTTY: nor does a terminal in a
// file's place become ours.
constexpr int k_always = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

OsResult<Fd> open_at(int directory, const char* name, int flags, unsigned mode = 0)
{
    const int fd = retried([&] { return ::openat(directory, name, flags | k_always, mode); });
    if (fd == -1) {
        return failed();
    }
    return Fd(fd);
}

Kind kind_of(mode_t mode)
{
    switch (mode & S_IFMT) {
        case S_IFREG:
            return Kind::regular;
        case S_IFDIR:
            return Kind::directory;
        case S_IFLNK:
            return Kind::symlink;
        default:
            return Kind::other;
    }
}

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

FileFacts to_facts(const struct stat& status)
{
    FileFacts facts;
    facts.kind = kind_of(status.st_mode);
    facts.identity.device = status.st_dev;
    facts.identity.inode = status.st_ino;
    facts.identity.size = static_cast<std::uint64_t>(status.st_size);
    facts.identity.modified_ns = nanoseconds(platform::modified(status));
    facts.identity.changed_ns = nanoseconds(platform::changed(status));
    facts.mode = status.st_mode & 07777U;
    facts.uid = status.st_uid;
    facts.gid = status.st_gid;
    facts.links = status.st_nlink;
    return facts;
}

OsResult<FileFacts> look_at(int directory, const char* name, int flags)
{
    struct stat status {};
    if (retried([&] { return ::fstatat(directory, name, &status, flags); }) == 0) {
        return to_facts(status);
    }
    // A file in the middle of a whole path is as good a proof of absence as a missing directory; for a name
    // below an open directory it is a broken layout, which the caller should hear of.
    if (errno == ENOENT || (errno == ENOTDIR && directory == AT_FDCWD)) {
        return FileFacts{};
    }
    return failed();
}

// What stands in the way of reading `found` as a file; 0 when nothing does.
int obstacle(const FileFacts& found)
{
    switch (found.kind) {
        case Kind::absent:
            return ENOENT;
        case Kind::regular:
            return 0;
        case Kind::directory:
            return EISDIR;
        case Kind::symlink:
            return ELOOP;
        case Kind::other:
            break;
    }
    return EINVAL;
}

OsResult<std::string> open_and_read(int directory, const std::string& name, std::size_t maximum, int flags)
{
    const auto file = open_at(directory, name.c_str(), O_RDONLY | flags);
    if (!file) {
        return tl::unexpected(file.error());
    }
    const auto opened = facts(*file);
    if (!opened) {
        return tl::unexpected(opened.error());
    }
    if (const int error = obstacle(*opened); error != 0) {
        return failed_with(error);
    }
    return read_whole(*file, maximum, opened->identity.size);
}

// Looks before it opens: the mere open of a FIFO wakes its writer, and that of a device may act.
OsResult<std::string> read_if_regular(int directory, const std::string& name, std::size_t maximum, bool follow)
{
    const auto found = look_at(directory, name.c_str(), follow ? 0 : AT_SYMLINK_NOFOLLOW);
    if (!found) {
        return tl::unexpected(found.error());
    }
    if (const int error = obstacle(*found); error != 0) {
        return failed_with(error);
    }
    return open_and_read(directory, name, maximum, follow ? 0 : O_NOFOLLOW);
}

}  // namespace

OsResult<Fd> open_directory(const std::string& path)
{
    return open_at(AT_FDCWD, path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

OsResult<Fd> open_directory_at(const Fd& directory, const std::string& name)
{
    return open_at(directory.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

OsResult<FileFacts> look(const Fd& directory, const std::string& name)
{
    return look_at(directory.get(), name.c_str(), AT_SYMLINK_NOFOLLOW);
}

OsResult<FileFacts> look_at_path(const std::string& path)
{
    return look_at(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW);
}

OsResult<FileFacts> follow_path(const std::string& path) { return look_at(AT_FDCWD, path.c_str(), 0); }

OsResult<FileFacts> facts(const Fd& file)
{
    struct stat status {};
    if (retried([&] { return ::fstat(file.get(), &status); }) == -1) {
        return failed();
    }
    return to_facts(status);
}

OsResult<Fd> open_for_reading(const Fd& directory, const std::string& name)
{
    return open_at(directory.get(), name.c_str(), O_RDONLY | O_NOFOLLOW);
}

OsResult<Fd> open_existing_for_writing(const Fd& directory, const std::string& name)
{
    return open_at(directory.get(), name.c_str(), O_RDWR | O_NOFOLLOW);
}

OsResult<Fd> create_new(const Fd& directory, const std::string& name, unsigned mode)
{
    return open_at(directory.get(), name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
}

OsResult<Fd> open_for_appending(const Fd& directory, const std::string& name, Create create, Links links, unsigned mode)
{
    const bool follow = links == Links::follow;
    const int flags = O_APPEND | (follow ? 0 : O_NOFOLLOW);
    // Opened without O_CREAT first: with fs.protected_regular, O_CREAT on another's existing file in a sticky
    // directory is EACCES even for root (proc(5)). When a file comes and goes in between, try again.
    OsResult<Fd> file = failed_with(ENOENT);
    for (int attempt = 0; attempt < 16; ++attempt) {
        file = open_at(directory.get(), name.c_str(), O_RDWR | flags);
        if (!file && file.error() == EACCES) {
            file = open_at(directory.get(), name.c_str(), O_WRONLY | flags);
        }
        if (file || create == Create::no || !(file.error() == ENOENT)) {
            break;
        }
        // No O_EXCL behind a link: it refuses every link, also the dangling one whose target is to be made.
        file = open_at(directory.get(), name.c_str(), O_RDWR | O_CREAT | flags | (follow ? 0 : O_EXCL), mode);
        if (file || !(file.error() == EEXIST)) {
            break;
        }
    }
    if (!file) {
        return file;
    }
    const auto opened = facts(*file);
    if (!opened) {
        return tl::unexpected(opened.error());
    }
    if (const int error = obstacle(*opened); error != 0) {
        return failed_with(error);
    }
    return file;
}

OsResult<std::string> read_small_file(const Fd& directory, const std::string& name, std::size_t maximum)
{
    return read_if_regular(directory.get(), name, maximum, false);
}

OsResult<std::string> read_small_file(const std::string& path, std::size_t maximum)
{
    return read_if_regular(AT_FDCWD, path, maximum, true);
}

OsResult<std::string> read_looked_at(const std::string& path, std::size_t maximum)
{
    return open_and_read(AT_FDCWD, path, maximum, 0);
}

}  // namespace mandate::os
