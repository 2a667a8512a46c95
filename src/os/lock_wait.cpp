#include "os/lock_wait.hpp"

#include "os/platform.hpp"
#include "os/system_call.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <sys/file.h>
#include <system_error>
#include <thread>

namespace mandate::os {

namespace {

using namespace std::chrono_literals;

constexpr auto k_between_interrupts = 2ms;
constexpr auto k_between_polls = 1ms;

using platform::interrupt_signal;

extern "C" void do_nothing(int) {}

// While it lives, the calling thread can be interrupted by interrupt_signal(), and everything is put back
// afterwards.
class Interruptible {
public:
    Interruptible()
    {
        struct sigaction handler {};
        handler.sa_handler = do_nothing;  // a handler, and no SA_RESTART: only so does flock return EINTR
        sigemptyset(&handler.sa_mask);
        ::sigaction(interrupt_signal(), &handler, &m_handler_before);
        sigset_t ours = only_ours();
        ::pthread_sigmask(SIG_UNBLOCK, &ours, &m_mask_before);  // the parent may have left it blocked
    }

    ~Interruptible()
    {
        // The helper sends nothing any more, but its last signal may still be on its way, and the default action
        // of a real-time signal ends the process: hold it back, take it off the queue, then restore.
        sigset_t ours = only_ours();
        ::pthread_sigmask(SIG_BLOCK, &ours, nullptr);
        while (platform::take_pending(ours, interrupt_signal())) {
        }
        ::sigaction(interrupt_signal(), &m_handler_before, nullptr);
        ::pthread_sigmask(SIG_SETMASK, &m_mask_before, nullptr);
    }

    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;
    Interruptible(Interruptible&&) = delete;
    Interruptible& operator=(Interruptible&&) = delete;

private:
    static sigset_t only_ours()
    {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, interrupt_signal());
        return set;
    }

    struct sigaction m_handler_before {};
    sigset_t m_mask_before{};
};

// What the two threads share; it lives until the later of them lets go.
struct Shared {
    LockWait wait;
    pthread_t waiter{};
    std::mutex mutex;
    std::condition_variable changed;
    bool returned = false;  // the waiter is out of flock: from here on the helper neither signals nor gives notice
    bool noticing = false;  // it gives the notice right now
    std::atomic<bool> expired = false;
};

void watch_over(const std::shared_ptr<Shared>& shared)
{
    const auto returned = [&] { return shared->returned; };
    std::unique_lock guard(shared->mutex);
    const LockWait& wait = shared->wait;
    if (wait.notice && wait.notice_at < wait.deadline) {
        if (shared->changed.wait_until(guard, wait.notice_at, returned)) {
            return;
        }
        shared->noticing = true;
        guard.unlock();
        wait.notice();
        guard.lock();
        shared->noticing = false;
        shared->changed.notify_all();
    }
    if (shared->changed.wait_until(guard, wait.deadline, returned)) {
        return;
    }
    shared->expired = true;
    // Again and again: a signal that arrives just before the thread blocks in flock interrupts nothing.
    while (!shared->returned) {
        ::pthread_kill(shared->waiter, interrupt_signal());
        shared->changed.wait_for(guard, k_between_interrupts, returned);
    }
}

// The helper thread. The destructor tells it to stop and does not wait for its end, which would add two context
// switches to every handover (65 of 80 microseconds, measured), but for the notice that it may be giving.
class Watch {
public:
    explicit Watch(const LockWait& wait) : m_shared(std::make_shared<Shared>())
    {
        m_shared->wait = wait;
        m_shared->waiter = ::pthread_self();
        // Blocked before the thread starts, which inherits the mask: a signal meant for the program must find
        // the waiting thread, where the default action ends it.
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, &before);
        try {
            std::thread(watch_over, m_shared).detach();
            m_started = true;
        } catch (const std::system_error&) {
            // No more threads here (RLIMIT_NPROC, cgroup): `started` says so.
        }
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    ~Watch()
    {
        std::unique_lock guard(m_shared->mutex);
        m_shared->returned = true;
        m_shared->changed.notify_all();
        m_shared->changed.wait(guard, [&] { return !m_shared->noticing; });
    }

    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    Watch(Watch&&) = delete;
    Watch& operator=(Watch&&) = delete;

    [[nodiscard]] bool started() const { return m_started; }
    [[nodiscard]] bool expired() const { return m_shared->expired; }

private:
    std::shared_ptr<Shared> m_shared;
    bool m_started = false;
};

// Without a helper thread: no place in a queue, but still an end.
OsResult<void> poll_for_lock(const Fd& file, const LockWait& wait)
{
    bool noticed = false;
    while (true) {
        auto locked = try_lock(file);
        const auto now = Clock::now();
        if (locked || !(locked.error() == EWOULDBLOCK) || now >= wait.deadline) {
            return locked;
        }
        if (wait.notice && !noticed && now >= wait.notice_at) {
            noticed = true;
            wait.notice();
        }
        std::this_thread::sleep_for(std::min<Clock::duration>(k_between_polls, wait.deadline - now));
    }
}

}  // namespace

OsResult<void> try_lock(const Fd& file)
{
    return done_or_failed([&] { return ::flock(file.get(), LOCK_EX | LOCK_NB); });
}

OsResult<void> wait_for_lock(const Fd& file, const LockWait& wait)
{
    if (Clock::now() >= wait.deadline) {
        return try_lock(file);
    }
    const Interruptible interruptible;
    const Watch watch(wait);
    if (!watch.started()) {
        return poll_for_lock(file, wait);
    }
    while (::flock(file.get(), LOCK_EX) == -1) {
        if (errno != EINTR) {
            return failed();
        }
        if (watch.expired()) {
            return try_lock(file);  // it may have come free between the signal and here
        }
    }
    return {};
}

}  // namespace mandate::os
