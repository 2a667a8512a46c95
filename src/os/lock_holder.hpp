// Who holds a flock, as far as the kernel tells: /proc/locks names a pid, and that process must live and hold
// the lock through a file that it has open (/proc/PID/fdinfo). Where that pid is gone but an ancestor of this
// process inherited the lock (`exec 9>FILE; flock 9` in a shell), it is that ancestor. A holder in another pid
// namespace, of another user, or one that died and left the lock to a stranger, is unknown. For messages only;
// no decision rests on it.
#pragma once

#include "os/file.hpp"

#include <optional>
#include <string>

namespace mandate::os {

struct LockHolder {
    int pid = 0;
    std::string command;    // /proc/PID/cmdline as one line, raw bytes, bounded
    bool ancestor = false;  // of this process, or this process itself: waiting for it can never end well
};

std::optional<LockHolder> find_lock_holder(const FileIdentity& lock_file);

}  // namespace mandate::os
