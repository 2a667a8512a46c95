// What a process that waits for a lock does with time and signals.
#include "os/lock.hpp"
#include "os/lock_wait.hpp"
#include "os_support.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <sys/file.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace mandate::os {
namespace {

using namespace std::chrono_literals;
using testing::await;
using testing::Child;
using testing::Line;
using testing::Place;
using testing::queued_for_lock;

constexpr auto k_ample = 60s;  // no test waits for it to pass

class LockWaiting : public ::testing::Test {
protected:
    void SetUp() override
    {
        place.write("lock", "");
        held = open();
        ASSERT_EQ(::flock(held.get(), LOCK_EX), 0);
    }
    [[nodiscard]] Fd open() const { return open_for_reading(place.fd(), "lock").value(); }
    void release() { held = Fd(); }

    // A child without the test's own descriptor, which would keep the lock.
    [[nodiscard]] std::function<int(const Line&)> without_lock(std::function<int(const Line&)> body)
    {
        return [this, body = std::move(body)](const Line& line) {
            held = Fd();
            return body(line);
        };
    }
    // Waits and returns 0, or the errno.
    [[nodiscard]] int wait(std::chrono::milliseconds timeout, const std::function<void()>& notice = {}) const
    {
        const auto locked = lock_exclusive(open(), timeout, notice);
        return locked ? 0 : locked.error().value;
    }

    Place place;
    Fd held;
};

TEST_F(LockWaiting, EndsAtTheTimeout)
{
    EXPECT_EQ(wait(0ms), EWOULDBLOCK);
    EXPECT_EQ(wait(1ms), EWOULDBLOCK);
    EXPECT_EQ(wait(-5ms), EWOULDBLOCK);
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(wait(3ms), EWOULDBLOCK);
    }
}

TEST_F(LockWaiting, EndsWithTheLock)
{
    Child child(without_lock([&](const Line&) { return wait(k_ample); }));
    ASSERT_TRUE(await([&] { return queued_for_lock(child.pid()); }));
    release();
    EXPECT_EQ(child.wait(), 0);
}

TEST_F(LockWaiting, ForTheLongestTimeDoesNotOverflow)
{
    Child child(without_lock([&](const Line&) { return wait(std::chrono::milliseconds::max()); }));
    ASSERT_TRUE(await([&] { return queued_for_lock(child.pid()); }));
    release();
    EXPECT_EQ(child.wait(), 0);
}

TEST_F(LockWaiting, GivesItsNoticeOnceAndKeepsItsPlaceMeanwhile)
{
    const auto waits = [&](const Line& line) { return wait(k_ample, [&] { line.say('n'); }); };
    Child first(without_lock(waits));
    ASSERT_TRUE(await([&] { return queued_for_lock(first.pid()); }));
    const auto last_then_first = [&](const Line& line) {
        const auto own = open();
        const auto locked = lock_exclusive(own, k_ample, {});
        line.say('l');
        (void)line.hear();
        return locked ? 0 : 1;
    };
    Child second(without_lock(last_then_first));
    ASSERT_TRUE(await([&] { return queued_for_lock(second.pid()); }));
    EXPECT_EQ(first.line().hear(), 'n');  // the notice came while `second` was behind it
    release();
    EXPECT_EQ(second.line().hear(), 'l');
    // It came first: an end of `first` that had to wait for `second` would never come.
    EXPECT_EQ(first.wait(), 0);
    EXPECT_EQ(first.line().hear(), '\0') << "no second notice";
    second.line().say('q');
    EXPECT_EQ(second.wait(), 0);
}

TEST_F(LockWaiting, GivesNoNoticeWhenItIsOverBefore)
{
    std::atomic<int> notices = 0;
    EXPECT_EQ(wait(20ms, [&] { ++notices; }), EWOULDBLOCK);
    release();
    EXPECT_EQ(wait(k_ample, [&] { ++notices; }), 0);
    EXPECT_EQ(notices, 0);
}

// What the notice refers to may be gone when the wait has returned.
TEST_F(LockWaiting, DoesNotReturnWhileItsNoticeIsGiven)
{
    Child child(without_lock([&](const Line& line) {
        std::atomic<bool> given = false;
        const auto notice = [&] {
            line.say('n');
            (void)line.hear();
            given = true;
        };
        return wait(k_ample, notice) == 0 && given ? 0 : 1;
    }));
    ASSERT_EQ(child.line().hear(), 'n');
    release();
    ASSERT_TRUE(await([&] { return !queued_for_lock(child.pid()); }));
    child.line().say('g');
    EXPECT_EQ(child.wait(), 0);
}

// In FileLock::acquire the notice is a sentence.
TEST_F(LockWaiting, SaysWhoIsWaitedFor)
{
    const pid_t test = ::getpid();
    Child child(without_lock([&](const Line& line) {
        LockRequest request{place.fd(), place.path(), "lock", k_ample, {}};
        request.waiting = [&](const std::string& sentence) {
            const bool named = sentence.starts_with("waiting for '" + place.path("lock") + "', held by ") &&
                               sentence.ends_with(" (pid " + std::to_string(test) + ") (an ancestor of this process)");
            line.say(named ? 'n' : 'x');
        };
        return FileLock::acquire(request) ? 0 : 1;
    }));
    EXPECT_EQ(child.line().hear(), 'n');
    release();
    EXPECT_EQ(child.wait(), 0);
}

class LockWaitingSignal : public LockWaiting, public ::testing::WithParamInterface<int> {};

TEST_P(LockWaitingSignal, EndsTheProgramAtOnce)
{
    Child child(without_lock([&](const Line&) { return wait(k_ample); }));
    ASSERT_TRUE(await([&] { return queued_for_lock(child.pid()); }));
    child.kill(GetParam());
    EXPECT_EQ(child.wait(), -GetParam());
}

INSTANTIATE_TEST_SUITE_P(Signals, LockWaitingSignal, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST_F(LockWaiting, GoesOnAfterASignalThatIsHandled)
{
    Child child(without_lock([&](const Line&) {
        struct sigaction handler {};
        handler.sa_handler = [](int) {};
        ::sigaction(SIGUSR1, &handler, nullptr);
        return wait(k_ample);
    }));
    ASSERT_TRUE(await([&] { return queued_for_lock(child.pid()); }));
    for (int i = 0; i < 100; ++i) {
        child.kill(SIGUSR1);
    }
    ASSERT_TRUE(await([&] { return queued_for_lock(child.pid()); }));
    release();
    EXPECT_EQ(child.wait(), 0);
}

TEST_F(LockWaiting, LeavesHandlersAndMaskAsTheyWere)
{
    const auto collect = [] {
        std::vector<void (*)(int)> all;
        for (int signal = 1; signal <= SIGRTMAX; ++signal) {
            struct sigaction action {};
            all.push_back(::sigaction(signal, nullptr, &action) == 0 ? action.sa_handler : nullptr);
        }
        return all;
    };
    const auto before = collect();
    sigset_t mask_before;
    sigset_t mask_after;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &mask_before);
    EXPECT_EQ(wait(2ms), EWOULDBLOCK);
    ::pthread_sigmask(SIG_SETMASK, nullptr, &mask_after);
    EXPECT_EQ(collect(), before);
    for (int signal = 1; signal <= SIGRTMAX; ++signal) {
        EXPECT_EQ(sigismember(&mask_before, signal), sigismember(&mask_after, signal));
    }
    // Whatever an earlier test has left behind:
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) {
        EXPECT_EQ(before[static_cast<std::size_t>(signal) - 1], SIG_DFL);
        EXPECT_EQ(sigismember(&mask_after, signal), 0);
    }
}

TEST_F(LockWaiting, EndsAtTheTimeoutAlsoWhereTheParentBlockedAllSignals)
{
    Child child(without_lock([&](const Line&) {
        sigset_t all;
        sigfillset(&all);
        ::sigprocmask(SIG_BLOCK, &all, nullptr);
        return wait(5ms) == EWOULDBLOCK ? 0 : 1;
    }));
    EXPECT_EQ(child.wait(), 0);
}

// The release and the deadline at about the same time, again and again: a lock that is reported as not got must not
// be held, and one that is reported as got must be.
TEST_F(LockWaiting, NeitherLosesNorLeaksALockAtTheDeadline)
{
    int got = 0;
    for (int i = 0; i < 300; ++i) {
        const Fd waiter = open();
        std::thread releaser([&] {
            std::this_thread::sleep_for(900us + 1us * i);
            release();
        });
        const auto locked = lock_exclusive(waiter, 1ms);
        releaser.join();
        const Fd another = open();
        EXPECT_EQ(::flock(another.get(), LOCK_EX | LOCK_NB), locked ? -1 : 0);
        got += locked ? 1 : 0;
        ::flock(waiter.get(), LOCK_UN);
        ::flock(another.get(), LOCK_UN);
        held = open();
        ASSERT_EQ(::flock(held.get(), LOCK_EX | LOCK_NB), 0);
    }
    RecordProperty("got", got);
}

TEST_F(LockWaiting, NeedsNoThreadToEnd)
{
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root can become another user";
    }
    Child child(without_lock([&](const Line& line) {
        const Fd file = open();
        const rlimit none{0, 0};
        if (::setrlimit(RLIMIT_NPROC, &none) != 0 || testing::become_nobody() != 0) {
            return 1;
        }
        const auto late = lock_exclusive(file, 5ms);
        line.say(!late && late.error() == EWOULDBLOCK ? 't' : 'x');
        return lock_exclusive(file, k_ample, [&] { line.say('n'); }) ? 0 : 2;
    }));
    EXPECT_EQ(child.line().hear(), 't');
    EXPECT_EQ(child.line().hear(), 'n');
    EXPECT_FALSE(queued_for_lock(child.pid())) << "it asks again and again";
    release();
    EXPECT_EQ(child.wait(), 0);
}

}  // namespace
}  // namespace mandate::os
