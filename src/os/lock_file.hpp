// For lock.cpp only: the lock file as a file, points 1 and 2 of the lock's contract. Looks first and touches
// nothing that is no regular file; creates it only when absent; takes a readable descriptor where writing is
// not permitted.
#pragma once

#include "os/lock.hpp"

namespace mandate::os {

inline constexpr int k_immediate_retries = 8;  // when what stands at the path changes under our eyes

Result<Fd> open_lock_file(const LockRequest& request);

// The same open without looking and without creating; the bare errno.
OsResult<Fd> open_existing_lock_file(const LockRequest& request);

// Whether that errno says that the file is gone or has become something else.
bool means_replaced(Errno error);

}  // namespace mandate::os
