// The lane's lock: flock(2) on `.MANDATE.lock`, the only thing that keeps two bookings apart.
//
// The kernel frees it when the holder dies, however it dies. No age, pid or content of the file matters;
// the file is never deleted, truncated or written. Contention waits in the kernel's queue (no polling: a
// handover costs microseconds) up to the timeout.
//
// Fails with the lock-* codes, read-only, write-failed (the file cannot be made, opened or examined: no space, no
// descriptors, an I/O error) and not-a-directory (the lane went away meanwhile); never runs unlocked. Take it without a
// SignalHold: a wait must end by SIGINT.
#pragma once

#include "base/error.hpp"
#include "os/file.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace mandate::os {

struct LockRequest {
    const Fd& directory;         // outlives the lock
    std::string directory_path;  // only for messages
    std::string name;
    std::chrono::milliseconds timeout{5000};  // 0: do not wait
    // Called once, after 0.3 s of waiting, with one sentence (raw bytes), in a thread of its own while the caller
    // stands in the queue. It must not block: a lock that comes meanwhile is not used until it returns.
    std::function<void(const std::string&)> waiting;
};

class FileLock {
public:
    static Result<FileLock> acquire(const LockRequest& request);

    // True while the path still names the locked inode. A lock file that was deleted (git clean -fdx) and
    // made anew by the next waiter locks nobody out: whoever finds that starts over.
    [[nodiscard]] bool still_named() const;

    [[nodiscard]] const Fd& fd() const { return m_fd; }

private:
    FileLock(Fd fd, const Fd& directory, std::string name)
        : m_fd(std::move(fd)), m_directory(&directory), m_name(std::move(name))
    {
    }
    Fd m_fd;
    const Fd* m_directory;
    std::string m_name;
};

// Whether a refusal says that this file system has no locks, so that waiting or trying again is of no use: flock(2) is
// refused as unknown, or excludes nobody. Not so a lock-unsupported that this one call got: EIO, ENOMEM, EBADF ...
bool has_no_locks(const Error& refusal);

// flock(LOCK_EX) on a descriptor of any file with the same waiting; the errno on failure, EWOULDBLOCK after
// the timeout. The ledger's own lock uses it. `after_300_ms` is called as `waiting` is.
OsResult<void> lock_exclusive(const Fd& file, std::chrono::milliseconds timeout,
                              const std::function<void()>& after_300_ms = {});

// The same question for an errno of flock(2) itself.
bool has_no_locks(Errno error);

// The look-only half, for verbs that must tell whether somebody books right now: opens an existing lock
// file and tries it without waiting. False also where there is no lock file, and where the file system has no locks;
// the errno where nobody can tell (another user's file, no descriptors left).
OsResult<bool> is_held(const Fd& directory, const std::string& name);

}  // namespace mandate::os
