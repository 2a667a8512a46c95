// For lock.cpp and lock_file.cpp only: every sentence that a refused lock, or a wait for one, says.
#pragma once

#include "os/lock.hpp"

#include <chrono>
#include <string>

namespace mandate::os {

Unexpected refuse_directory(const LockRequest& request);
Unexpected refuse_symlink(const LockRequest& request);
Unexpected refuse_not_regular(const LockRequest& request);
Unexpected refuse_denied(const LockRequest& request, const char* what, Errno error);
Unexpected refuse_creation(const LockRequest& request, Errno error);
Unexpected refuse_pretended(const LockRequest& request);

// Two that must not be mixed up: flock(2) itself failed, lock-unsupported; and the lock file could not be opened or
// examined, which says nothing about locks here, write-failed.
Unexpected refuse_flock(const LockRequest& request, Errno error);
Unexpected refuse_access(const LockRequest& request, const char* what, Errno error);

Unexpected refuse_replaced(const LockRequest& request);

// Both look for the holder now, which takes about a millisecond.
Unexpected refuse_held(const LockRequest& request, const Fd& file, std::chrono::nanoseconds waited);
std::string waiting_sentence(const LockRequest& request, const Fd& file);

}  // namespace mandate::os
