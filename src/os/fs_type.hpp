// The name of the file system under a descriptor ("ext4", "nfs", "9p", "fuse"), for messages.
#pragma once

#include "os/fd.hpp"

#include <string>

namespace mandate::os {

std::string file_system_name(const Fd& file);  // "file system type 0x..." where the magic is unknown

}  // namespace mandate::os
