// Looking at, opening and reading files relative to a directory descriptor, never through a symlink.
//
// Every open here is O_NOFOLLOW|O_NONBLOCK|O_CLOEXEC, so a FIFO or a link in a file's place can neither
// block nor redirect us; what was opened is what `facts` describes. EINTR is retried everywhere.
// Implemented in file.cpp (looking, opening), transfer.cpp (bytes) and names.cpp.
#pragma once

#include "os/fd.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::os {

enum class Kind { absent, regular, directory, symlink, other };

// Two equal identities mean: the same inode, and nobody wrote it in between (size, mtime, ctime).
struct FileIdentity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t modified_ns = 0;
    std::int64_t changed_ns = 0;
    bool operator==(const FileIdentity&) const = default;
    [[nodiscard]] bool same_inode(const FileIdentity& other) const
    {
        return device == other.device && inode == other.inode;
    }
};

struct FileFacts {
    Kind kind = Kind::absent;
    FileIdentity identity;
    unsigned mode = 0;  // permission bits, set-id and sticky included
    unsigned uid = 0;
    unsigned gid = 0;
    std::uint64_t links = 0;
};

// An absolute or relative directory path; symlinks in the middle are followed, the last component is not
// (ENOTDIR), unless a slash follows it.
OsResult<Fd> open_directory(const std::string& path);
OsResult<Fd> open_directory_at(const Fd& directory, const std::string& name);

// fstatat without following; a name that is not there is Kind::absent, not an error. For a whole path so is
// a file where a directory should be (ENOTDIR), since nothing can stand below it.
OsResult<FileFacts> look(const Fd& directory, const std::string& name);
OsResult<FileFacts> look_at_path(const std::string& path);  // lstat
OsResult<FileFacts> follow_path(const std::string& path);   // stat; a dangling link is absent
OsResult<FileFacts> facts(const Fd& file);                  // fstat

OsResult<Fd> open_for_reading(const Fd& directory, const std::string& name);           // of any kind but a symlink
OsResult<Fd> open_existing_for_writing(const Fd& directory, const std::string& name);  // read-write, never creates
OsResult<Fd> create_new(const Fd& directory, const std::string& name, unsigned mode);  // `mode` less umask; else EEXIST

// Opens an existing regular file for appending, or creates it with `mode` less umask where `create` says so;
// anything else is EISDIR, ELOOP, EINVAL or ENXIO. It can be read and mapped too, if its mode lets us. With
// `follow` a symlink is followed (git does so for info/exclude) but the target is still opened non-blocking.
enum class Create { no, yes };
enum class Links { refuse, follow };
OsResult<Fd> open_for_appending(const Fd& directory, const std::string& name, Create create,
                                Links links = Links::refuse, unsigned mode = 0666);

// From the start (a pipe: from where it stands) to the end, up to `maximum` bytes; one more is EFBIG. `size`, as
// fstat gave it, saves the last read, which would only find the end; 0 is unknown (a pipe, a file in /proc).
OsResult<std::string> read_whole(const Fd& file, std::size_t maximum, std::size_t size = 0);

// Read whole if it is a regular file; else ELOOP for a symlink, EISDIR, or EINVAL for a FIFO, socket or
// device, which are not even opened. For small files of git's and of the configuration.
OsResult<std::string> read_small_file(const Fd& directory, const std::string& name, std::size_t maximum);
OsResult<std::string> read_small_file(const std::string& path, std::size_t maximum);  // follows links

// The same, for a path that a look has shown to be a regular file: opened at once.
OsResult<std::string> read_looked_at(const std::string& path, std::size_t maximum);

// All of `bytes`, short writes continued. `write_once` makes exactly one write(2) and reports how much of
// it was taken (a ledger line is one write, so that O_APPEND keeps lines of two writers apart).
OsResult<void> write_whole(const Fd& file, std::string_view bytes);
OsResult<std::size_t> write_once(const Fd& file, std::string_view bytes);

OsResult<void> sync(const Fd& file);  // fsync
OsResult<void> truncate(const Fd& file, std::uint64_t size);
OsResult<void> unlink(const Fd& directory, const std::string& name);
OsResult<void> rename(const Fd& directory, const std::string& from, const std::string& to);  // replaces `to`
OsResult<void> remove_directory(const Fd& directory, const std::string& name);  // ENOTEMPTY where something is in it
OsResult<void> make_directory(const Fd& directory, const std::string& name);    // 0777 less umask; EEXIST is success

// Names in a directory without "." and "..", in no order.
OsResult<std::vector<std::string>> list_names(const Fd& directory);

// What a shell makes of a pattern: the paths that exist and match, none where nothing does.
std::vector<std::string> matching_paths(const std::string& pattern);

// Whether it lies on a file system, or below a mount, that takes no write from anybody.
bool is_read_only(const Fd& directory);

// Whether this user may write there: a file its bytes, a directory its names (faccessat with AT_EACCESS).
bool may_write(const std::string& path);

// realpath(3); the path exists then.
OsResult<std::string> real_path(const std::string& path);
OsResult<std::string> read_link(const std::string& path);

}  // namespace mandate::os
