#include "os/directory.hpp"

#include "os/system_call.hpp"

#include <dirent.h>
#include <memory>

namespace mandate::os {

namespace {

Kind kind_of(const Fd& directory, const dirent& entry)
{
    switch (entry.d_type) {
        case DT_REG:
            return Kind::regular;
        case DT_DIR:
            return Kind::directory;
        case DT_LNK:
            return Kind::symlink;
        case DT_UNKNOWN: {
            const auto facts = look(directory, entry.d_name);
            return facts ? facts->kind : Kind::other;
        }
        default:
            return Kind::other;
    }
}

}  // namespace

OsResult<std::vector<DirectoryEntry>> list_entries(const Fd& directory)
{
    // Opened anew, as in list_names: closedir(3) closes what it was given.
    auto own = open_directory_at(directory, ".");
    if (!own) {
        return tl::unexpected(own.error());
    }
    const auto closer = [](DIR* stream) { ::closedir(stream); };
    const std::unique_ptr<DIR, decltype(closer)> stream(::fdopendir(own->get()), closer);
    if (!stream) {
        return failed();
    }
    own->release();  // the stream's from here on

    std::vector<DirectoryEntry> entries;
    while (true) {
        errno = 0;  // the only way to tell the end from an error (readdir(3))
        const dirent* entry = ::readdir(stream.get());
        if (entry == nullptr) {
            break;
        }
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") {
            entries.push_back({std::string(name), kind_of(directory, *entry)});
        }
    }
    if (errno != 0) {
        return failed();
    }
    return entries;
}

}  // namespace mandate::os
