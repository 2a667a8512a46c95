#include "base/text.hpp"
#include "os/lock.hpp"
#include "os_support.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <memory>
#include <new>
#include <sched.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
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

const std::string k_name = ".MANDATE.lock";
constexpr auto k_ample = 60s;  // no test waits for it to pass

class Lock : public ::testing::Test {
protected:
    [[nodiscard]] LockRequest request(std::chrono::milliseconds timeout = k_ample) const
    {
        return {place.fd(), place.path(), k_name, timeout, {}};
    }
    [[nodiscard]] Result<FileLock> acquire(std::chrono::milliseconds timeout = k_ample) const
    {
        return FileLock::acquire(request(timeout));
    }
    [[nodiscard]] std::string path() const { return place.path(k_name); }

    // The refusal, asked for without waiting.
    [[nodiscard]] Error refusal(std::chrono::milliseconds timeout = 0ms) const
    {
        const auto lock = acquire(timeout);
        return lock ? Error{} : lock.error();
    }

    // In a process of its own: takes the lock, says 'l', holds it until it hears something.
    [[nodiscard]] std::function<int(const Line&)> holder() const
    {
        return [this](const Line& line) {
            const auto lock = acquire();
            line.say(lock ? 'l' : 'x');
            (void)line.hear();
            return 0;
        };
    }

    Place place;
};

TEST_F(Lock, MakesItsFileAndLeavesIt)
{
    const mode_t before = ::umask(027);
    {
        const auto lock = acquire();
        ASSERT_TRUE(lock.has_value());
        EXPECT_TRUE(lock->still_named());
        EXPECT_NE(::fcntl(lock->fd().get(), F_GETFD) & FD_CLOEXEC, 0);
    }
    ::umask(before);
    const auto found = look(place.fd(), k_name).value();
    EXPECT_EQ(found.mode, 0640U);
    EXPECT_EQ(found.identity.size, 0U);
    EXPECT_TRUE(acquire(0ms).has_value());
    EXPECT_TRUE(look(place.fd(), k_name).value().identity.same_inode(found.identity));
}

TEST_F(Lock, TouchesNeitherContentNorTimesOfAnOldFile)
{
    place.write(k_name, "pid 1\n");
    const timespec long_ago[2] = {{1, 0}, {1, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, path().c_str(), long_ago, 0), 0);
    const auto before = look(place.fd(), k_name).value().identity;
    EXPECT_TRUE(acquire(0ms).has_value());
    EXPECT_EQ(look(place.fd(), k_name).value().identity, before);
    EXPECT_EQ(place.read(k_name), "pid 1\n");
}

TEST_F(Lock, ThatIsADirectoryIsRefusedWithTheCommandThatRemovesIt)
{
    ASSERT_EQ(::mkdir(path().c_str(), 0777), 0);
    const Error error = refusal(k_ample);
    EXPECT_EQ(error.code, Code::lock_directory);
    EXPECT_EQ(error.path, path());
    EXPECT_NE(error.hint.find("rm -rf " + text::shell_quote(path())), std::string::npos) << error.hint;
}

TEST_F(Lock, ThatIsALinkIsRefusedAndNotFollowed)
{
    for (const char* target : {"target", "/dev/null", "."}) {
        ASSERT_EQ(::symlink(target, path().c_str()), 0);
        EXPECT_EQ(refusal(k_ample).code, Code::lock_symlink);
        EXPECT_EQ(place.names(), std::vector<std::string>{k_name});
        ASSERT_EQ(::unlink(path().c_str()), 0);
    }
}

TEST_F(Lock, ThatIsAFifoOrDeviceIsRefusedAtOnce)
{
    ASSERT_EQ(::mkfifo(path().c_str(), 0666), 0);
    const Fd watch(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    ASSERT_NE(::inotify_add_watch(watch.get(), path().c_str(), IN_OPEN), -1);
    EXPECT_EQ(refusal(k_ample).code, Code::lock_not_regular);
    std::array<char, 1000> events{};
    EXPECT_EQ(::read(watch.get(), events.data(), events.size()), -1) << "it was opened";
    if (::geteuid() == 0) {
        ASSERT_EQ(::unlink(path().c_str()), 0);
        ASSERT_EQ(::mknod(path().c_str(), S_IFCHR | 0666, 0x0103), 0);
        EXPECT_EQ(refusal(k_ample).code, Code::lock_not_regular);
    }
}

TEST_F(Lock, InADirectoryThatIsGoneIsRefused)
{
    ASSERT_EQ(::rmdir(place.path().c_str()), 0);
    EXPECT_EQ(refusal(k_ample).code, Code::not_a_directory);
}

class LockAsNobody : public Lock {
protected:
    void SetUp() override
    {
        if (::geteuid() != 0) {
            GTEST_SKIP() << "only root can become another user";
        }
        ASSERT_EQ(::chmod(place.path().c_str(), 0755), 0);
    }
    // 0: it got the lock; else the code plus one.
    [[nodiscard]] int try_as_nobody() const
    {
        Child child([&](const Line&) {
            if (testing::become_nobody() != 0) {
                return -1;
            }
            const auto lock = acquire(0ms);
            return lock ? 0 : static_cast<int>(lock.error().code) + 1;
        });
        return child.wait();
    }
    static int code(Code code) { return static_cast<int>(code) + 1; }
};

TEST_F(LockAsNobody, NeedsOnlyAReadableFile)
{
    place.write(k_name, "");
    ASSERT_EQ(::chmod(path().c_str(), 0644), 0);
    EXPECT_EQ(try_as_nobody(), 0);
}

TEST_F(LockAsNobody, IsDeniedWhereTheFileCanBeNeitherOpenedNorMade)
{
    EXPECT_EQ(try_as_nobody(), code(Code::lock_denied));
    EXPECT_EQ(place.names(), std::vector<std::string>{});
    place.write(k_name, "");
    ASSERT_EQ(::chmod(path().c_str(), 0), 0);
    EXPECT_EQ(try_as_nobody(), code(Code::lock_denied));
    ASSERT_EQ(::chmod(path().c_str(), 0644), 0);
    ASSERT_EQ(::chmod(place.path().c_str(), 0700), 0);
    EXPECT_EQ(try_as_nobody(), code(Code::lock_denied));
}

// In a mount namespace of its own, with the directory mounted read-only over itself.
TEST_F(LockAsNobody, OnAReadOnlyFileSystemIsTakenWhenItExists)
{
    const auto try_read_only = [&] {
        Child child([&](const Line&) {
            const std::string directory = place.path();
            const char* path = directory.c_str();
            if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
                ::mount(path, path, nullptr, MS_BIND, nullptr) != 0 ||
                ::mount("none", path, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) != 0) {
                return -1;
            }
            const auto opened = open_directory(directory);
            const auto lock = FileLock::acquire({*opened, directory, k_name, 0ms, {}});
            return lock ? 0 : static_cast<int>(lock.error().code) + 1;
        });
        return child.wait();
    };
    const int absent = try_read_only();
    if (absent == 255) {
        GTEST_SKIP() << "no mounts here";
    }
    EXPECT_EQ(absent, code(Code::read_only));
    place.write(k_name, "");
    EXPECT_EQ(try_read_only(), 0);
}

TEST_F(Lock, IsHeldByOneOnly)
{
    Child other(holder());
    ASSERT_EQ(other.line().hear(), 'l');
    const Error error = refusal(0ms);
    EXPECT_EQ(error.code, Code::lock_held);
    EXPECT_NE(error.message.find("(pid " + std::to_string(other.pid()) + "); did not wait"), std::string::npos)
        << error.message;
    const std::vector<std::pair<std::string, std::string>> expected{{"holder_pid", std::to_string(other.pid())}};
    EXPECT_EQ(error.details, expected);

    EXPECT_EQ(refusal(1ms).code, Code::lock_held);
    const std::string waited = refusal(20ms).message;
    EXPECT_NE(waited.find("; waited "), std::string::npos) << waited;
    other.line().say('q');
    EXPECT_EQ(other.wait(), 0);
    EXPECT_TRUE(acquire(0ms).has_value());
}

TEST_F(Lock, IsFreedByTheDeathOfItsHolder)
{
    Child other(holder());
    ASSERT_EQ(other.line().hear(), 'l');
    other.kill(SIGKILL);
    EXPECT_TRUE(acquire().has_value());
}

TEST_F(Lock, OfAnAncestorSaysThatNoWaitCanEndIt)
{
    const auto lock = acquire();
    ASSERT_TRUE(lock.has_value());
    Child child([&](const Line&) {
        (void)::close(lock->fd().get());  // as close-on-exec does
        const Error error = refusal(1ms);
        const bool told = error.message.find("held by an ancestor of this process, ") != std::string::npos;
        return error.code == Code::lock_held && told && error.details.size() == 1 ? 0 : 1;
    });
    EXPECT_EQ(child.wait(), 0);
}

TEST_F(Lock, IsGivenInTheOrderOfArrival)
{
    auto lock = acquire();
    ASSERT_TRUE(lock.has_value());
    const auto order = open_for_appending(place.fd(), "order", Create::yes);
    std::vector<std::unique_ptr<Child>> queue;
    constexpr std::size_t k_length = 6;
    for (std::size_t i = 0; i < k_length; ++i) {
        queue.push_back(std::make_unique<Child>([&, i](const Line&) {
            (void)::close(lock->fd().get());
            const auto mine = acquire();
            return mine && write_once(*order, std::string(1, "abcdef"[i])) ? 0 : 1;
        }));
        ASSERT_TRUE(await([&] { return queued_for_lock(queue.back()->pid()); }));
    }
    // One that dies leaves the order of the others as it was, once each of those behind it, one after the other, has
    // been woken and has queued again (measured on Linux 6.18; a release in that moment may go to any of them).
    queue[2]->kill(SIGKILL);
    EXPECT_EQ(queue[2]->wait(), -SIGKILL);
    for (std::size_t i = 3; i < k_length; ++i) {
        ASSERT_TRUE(await([&] { return queued_for_lock(queue[i]->pid()); }));
    }
    lock = fail(Error{});
    for (std::size_t i = 0; i < k_length; ++i) {
        EXPECT_TRUE(i == 2 || queue[i]->wait() == 0);
    }
    EXPECT_EQ(place.read("order"), "abdef");
}

// The window between the open and the flock, made wide: the waiter has the old file open when it is deleted.
TEST_F(Lock, ThatWasDeletedWhileWaitedForIsStartedOver)
{
    auto lock = acquire();
    ASSERT_TRUE(lock.has_value());
    Child waiter([&](const Line& line) {
        (void)::close(lock->fd().get());
        const auto mine = acquire();
        line.say(mine && mine->still_named() ? 'l' : 'x');
        return line.hear() == 'q' ? 0 : 1;
    });
    ASSERT_TRUE(await([&] { return queued_for_lock(waiter.pid()); }));
    ASSERT_TRUE(unlink(place.fd(), k_name).has_value());
    EXPECT_FALSE(lock->still_named());
    lock = fail(Error{});
    EXPECT_EQ(waiter.line().hear(), 'l');
    EXPECT_EQ(refusal(0ms).code, Code::lock_held) << "the new file is the one that is locked";
    waiter.line().say('q');
    EXPECT_EQ(waiter.wait(), 0);
}

TEST_F(Lock, ThatWasReplacedIsNotStillNamed)
{
    const auto lock = acquire();
    ASSERT_TRUE(lock.has_value());
    place.write("other", "");
    ASSERT_EQ(::rename(place.path("other").c_str(), path().c_str()), 0);
    EXPECT_FALSE(lock->still_named());
    ASSERT_EQ(::unlink(path().c_str()), 0);
    ASSERT_EQ(::symlink("nowhere", path().c_str()), 0);
    EXPECT_FALSE(lock->still_named());
}

// Two who start together on a lane without a lock file, many times: each finds it absent, one of them makes it.
TEST_F(Lock, IsMadeByTwoAtOnce)
{
    constexpr int k_rounds = 300;
    void* shared = ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    auto* arrived = new (shared) std::atomic<int>(0);
    const auto take_all = [&](const Line&) {
        for (int round = 1; round <= k_rounds; ++round) {
            ++*arrived;
            while (*arrived < 2 * round) {
                ::sched_yield();
            }
            if (!FileLock::acquire({place.fd(), place.path(), k_name + std::to_string(round), k_ample, {}})) {
                return 1;
            }
        }
        return 0;
    };
    Child first(take_all);
    Child second(take_all);
    EXPECT_EQ(first.wait(), 0);
    EXPECT_EQ(second.wait(), 0);
    ::munmap(shared, sizeof(std::atomic<int>));
}

// A lost update would show as a count that is too low.
TEST_F(Lock, NeverLetsTwoInAtOnce)
{
    place.write("count", "0");
    const auto add_one = [&](const Line&) {
        for (int i = 0; i < 50; ++i) {
            const auto lock = acquire();
            if (!lock) {
                return 1;
            }
            place.write("count", std::to_string(std::stoi(place.read("count")) + 1));
        }
        return 0;
    };
    std::vector<std::unique_ptr<Child>> workers;
    for (int i = 0; i < 8; ++i) {
        workers.push_back(std::make_unique<Child>(add_one));
    }
    for (const auto& worker : workers) {
        EXPECT_EQ(worker->wait(), 0);
    }
    EXPECT_EQ(place.read("count"), "400");
}

TEST_F(Lock, TellsWhetherSomebodyHoldsIt)
{
    EXPECT_EQ(is_held(place.fd(), k_name), false);
    EXPECT_EQ(place.names(), std::vector<std::string>{});
    {
        const auto lock = acquire();
        EXPECT_EQ(is_held(place.fd(), k_name), true);
        EXPECT_EQ(is_held(place.fd(), k_name), true);
    }
    EXPECT_EQ(is_held(place.fd(), k_name), false);
    const auto looking = open_for_reading(place.fd(), k_name);
    ASSERT_EQ(::flock(looking->get(), LOCK_SH), 0);
    EXPECT_EQ(is_held(place.fd(), k_name), false) << "another one that only looks";
}

TEST_F(Lock, IsNotHeldWhereItIsNoFile)
{
    ASSERT_EQ(::mkfifo(path().c_str(), 0666), 0);
    EXPECT_EQ(is_held(place.fd(), k_name), false);
    ASSERT_EQ(::unlink(path().c_str()), 0);
    ASSERT_EQ(::symlink("nowhere", path().c_str()), 0);
    EXPECT_EQ(is_held(place.fd(), k_name), false);
}

}  // namespace
}  // namespace mandate::os
