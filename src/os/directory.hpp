// What stands in a directory, with the kind of each name: one read of the directory, no look at each file.
#pragma once

#include "os/file.hpp"

#include <string>
#include <vector>

namespace mandate::os {

struct DirectoryEntry {
    std::string name;
    Kind kind = Kind::other;
};

// Without "." and "..", in no order. Where the file system does not tell a kind, the name is looked at.
OsResult<std::vector<DirectoryEntry>> list_entries(const Fd& directory);

}  // namespace mandate::os
