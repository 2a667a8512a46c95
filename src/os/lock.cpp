#include "os/lock.hpp"

#include "os/lock_file.hpp"
#include "os/lock_refusal.hpp"
#include "os/lock_wait.hpp"
#include "os/system_call.hpp"

#include <algorithm>
#include <sys/file.h>
#include <thread>
#include <utility>

namespace mandate::os {

namespace {

using namespace std::chrono_literals;

constexpr auto k_notice_after = 300ms;

// No deadline may overflow the clock, whose nanoseconds hold fewer years than the milliseconds of a timeout.
Clock::duration bounded(std::chrono::milliseconds timeout)
{
    constexpr std::chrono::milliseconds k_longest_wait = 24h * 365;
    return std::clamp(timeout, std::chrono::milliseconds(0), k_longest_wait);
}

// What a second open of the same path says about the lock that we hold.
enum class Proof { excludes, replaced };

// Point 4: a file system may grant every lock and exclude nobody (9p, some FUSE and network mounts). Point 5 comes
// with it: the second open tells whether the path, after the locking, still names what was locked.
Result<Proof> prove_exclusion(const LockRequest& request, const Fd& locked)
{
    const auto second = open_existing_lock_file(request);
    if (!second) {
        return means_replaced(second.error()) ? Result<Proof>(Proof::replaced)
                                              : refuse_access(request, "open a second time", second.error());
    }
    const auto ours = facts(locked);
    const auto theirs = facts(*second);
    if (!ours || !theirs) {
        return refuse_access(request, "examine", !ours ? ours.error() : theirs.error());
    }
    if (!ours->identity.same_inode(theirs->identity)) {
        return Proof::replaced;  // not even tried: the new file's lock may be somebody's
    }
    const auto taken = try_lock(*second);
    if (taken) {
        return refuse_pretended(request);
    }
    if (!(taken.error() == EWOULDBLOCK)) {
        return refuse_flock(request, taken.error());
    }
    return Proof::excludes;
}

}  // namespace

Result<FileLock> FileLock::acquire(const LockRequest& request)
{
    const auto start = Clock::now();
    const auto timeout = bounded(request.timeout);
    bool noticed = false;
    for (int attempt = 1;; ++attempt) {
        auto file = open_lock_file(request);
        if (!file) {
            return fail(file.error());
        }
        auto locked = try_lock(*file);
        if (!locked && (locked.error() == EWOULDBLOCK || locked.error() == EINTR)) {
            LockWait wait{start + timeout, start + k_notice_after, {}};
            if (request.waiting && !noticed) {
                wait.notice = [&] {
                    noticed = true;
                    request.waiting(waiting_sentence(request, *file));
                };
            }
            locked = wait_for_lock(*file, wait);
        }
        if (!locked) {
            return locked.error() == EWOULDBLOCK ? refuse_held(request, *file, Clock::now() - start)
                                                 : refuse_flock(request, locked.error());
        }
        const auto proof = prove_exclusion(request, *file);
        if (!proof) {
            return fail(proof.error());
        }
        if (*proof == Proof::excludes) {
            return FileLock(std::move(*file), request.directory, request.name);
        }
        if (attempt >= k_immediate_retries) {
            if (Clock::now() - start >= timeout) {
                return refuse_replaced(request);
            }
            std::this_thread::sleep_for(1ms);  // something replaces it all the time: no use in racing it
        }
    }
}

bool FileLock::still_named() const
{
    const auto ours = facts(m_fd);
    const auto named = look(*m_directory, m_name);
    return ours && named && named->identity.same_inode(ours->identity);
}

OsResult<void> lock_exclusive(const Fd& file, std::chrono::milliseconds timeout,
                              const std::function<void()>& after_300_ms)
{
    auto locked = try_lock(file);
    if (locked || !(locked.error() == EWOULDBLOCK || locked.error() == EINTR)) {
        return locked;
    }
    const auto now = Clock::now();
    return wait_for_lock(file, {now + bounded(timeout), now + k_notice_after, after_300_ms});
}

OsResult<bool> is_held(const Fd& directory, const std::string& name)
{
    const auto found = look(directory, name);
    if (!found) {
        return tl::unexpected(found.error());
    }
    if (found->kind != Kind::regular) {
        return false;
    }
    const auto file = open_for_reading(directory, name);
    if (!file) {
        return file.error() == ENOENT ? OsResult<bool>(false) : tl::unexpected(file.error());
    }
    // Shared, so that two who only look do not take one another for the holder.
    if (retried([&] { return ::flock(file->get(), LOCK_SH | LOCK_NB); }) == 0 || has_no_locks(Errno{errno})) {
        return false;
    }
    return errno == EWOULDBLOCK ? OsResult<bool>(true) : failed();
}

}  // namespace mandate::os
