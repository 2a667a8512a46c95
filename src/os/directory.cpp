#include "os/directory.hpp"

#include "os/system_call.hpp"

#include <dirent.h>
#include <memory>
#include <string_view>
#include <utility>

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

// Calls `take(entry)` for each name but "." and "..".
template<typename Take>
OsResult<void> each_entry(const Fd& directory, Take take)
{
    // A descriptor of its own, opened anew rather than duplicated: a duplicate shares the read position, and
    // closedir(3) would close ours.
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

    while (true) {
        errno = 0;  // the only way to tell the end from an error (readdir(3))
        const dirent* entry = ::readdir(stream.get());
        if (entry == nullptr) {
            break;
        }
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") {
            take(*entry);
        }
    }
    return errno == 0 ? OsResult<void>{} : failed();
}

}  // namespace

OsResult<std::vector<std::string>> list_names(const Fd& directory)
{
    std::vector<std::string> names;
    return each_entry(directory, [&](const dirent& entry) { names.emplace_back(entry.d_name); }).map([&] {
        return std::move(names);
    });
}

OsResult<std::vector<DirectoryEntry>> list_entries(const Fd& directory)
{
    std::vector<DirectoryEntry> entries;
    const auto take = [&](const dirent& entry) { entries.push_back({entry.d_name, kind_of(directory, entry)}); };
    return each_entry(directory, take).map([&] { return std::move(entries); });
}

}  // namespace mandate::os
