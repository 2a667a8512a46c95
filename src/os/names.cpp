// Names: removing, making and resolving them; part of file.hpp.
#include "os/file.hpp"
#include "os/system_call.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <glob.h>
#include <memory>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace mandate::os {

OsResult<void> unlink(const Fd& directory, const std::string& name)
{
    return done_or_failed([&] { return ::unlinkat(directory.get(), name.c_str(), 0); });
}

OsResult<void> remove_directory(const Fd& directory, const std::string& name)
{
    return done_or_failed([&] { return ::unlinkat(directory.get(), name.c_str(), AT_REMOVEDIR); });
}

// Not retried: a second run would not find what the first one moved.
OsResult<void> rename(const Fd& directory, const std::string& from, const std::string& to)
{
    if (::renameat(directory.get(), from.c_str(), directory.get(), to.c_str()) == -1) {
        return failed();
    }
    return {};
}

OsResult<void> make_directory(const Fd& directory, const std::string& name)
{
    if (retried([&] { return ::mkdirat(directory.get(), name.c_str(), 0777); }) == -1 && errno != EEXIST) {
        return failed();
    }
    return {};
}

std::vector<std::string> matching_paths(const std::string& pattern)
{
    glob_t found{};
    std::vector<std::string> paths;
    if (::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0) {
        paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    ::globfree(&found);
    return paths;
}

OsResult<std::string> real_path(const std::string& path)
{
    const auto free_it = [](char* bytes) { std::free(bytes); };
    const std::unique_ptr<char, decltype(free_it)> resolved(::realpath(path.c_str(), nullptr), free_it);
    if (!resolved) {
        return failed();
    }
    return std::string(resolved.get());
}

bool is_read_only(const Fd& directory)
{
    struct statvfs facts {};
    return ::fstatvfs(directory.get(), &facts) == 0 && (facts.f_flag & ST_RDONLY) != 0;
}

bool may_write(const std::string& path) { return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0; }

OsResult<std::string> read_link(const std::string& path)
{
    std::string target(256, '\0');
    while (true) {
        const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
        if (length == -1) {
            return failed();
        }
        // readlink(2) cuts without saying so; only a shorter answer is known to be whole.
        if (static_cast<std::size_t>(length) < target.size()) {
            target.resize(static_cast<std::size_t>(length));
            return target;
        }
        target.resize(target.size() * 2);
    }
}

}  // namespace mandate::os
