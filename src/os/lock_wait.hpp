// Waiting for a flock in the kernel's own queue: first come first served, woken within microseconds of the
// release, with an end and with one notice on the way.
//
// flock(2) has no timeout, and any signal that the blocked thread handles costs it its place in the queue
// (the kernel takes the waiter out before it restarts the call). So the waiting thread is left alone: a helper
// thread, started only on contention, gives the notice and interrupts the call when the time is over. A lock
// that comes in that very moment counts as got. SIGINT, SIGTERM and SIGHUP keep their meaning meanwhile.
#pragma once

#include "os/fd.hpp"

#include <chrono>
#include <functional>

namespace mandate::os {

using Clock = std::chrono::steady_clock;

struct LockWait {
    Clock::time_point deadline;
    Clock::time_point notice_at;
    std::function<void()> notice;  // called in the helper thread, at most once; it delays a handover, so be short
};

// One attempt; EWOULDBLOCK when another has it.
OsResult<void> try_lock(const Fd& file);

// EWOULDBLOCK when the deadline passed.
OsResult<void> wait_for_lock(const Fd& file, const LockWait& wait);

}  // namespace mandate::os
