// File systems that refuse to lock, or only pretend: flock(2) of this test program can be told what to answer.
#include "os/lock.hpp"
#include "os_support.hpp"

#include <cerrno>
#include <cstdio>
#include <functional>
#include <optional>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace {

// Returns an answer instead of the kernel's; nothing: the kernel is asked.
std::function<std::optional<int>(int operation)> fake_flock;

}  // namespace

// Comes before the C library's (a program's own definition does), for the whole test program.
extern "C" int flock(int fd, int operation) noexcept
{
    if (fake_flock) {
        if (const auto answer = fake_flock(operation)) {
            return *answer;
        }
    }
    return static_cast<int>(::syscall(SYS_flock, fd, operation));
}

namespace mandate::os {
namespace {

using namespace std::chrono_literals;
using testing::Place;

class LockFault : public ::testing::Test {
protected:
    void TearDown() override { fake_flock = {}; }
    [[nodiscard]] Result<FileLock> acquire() const
    {
        return FileLock::acquire({place.fd(), place.path(), ".MANDATE.lock", timeout, {}});
    }
    Place place;
    std::chrono::milliseconds timeout = 60s;  // never reached: refused at once
    int calls = 0;
};

std::optional<int> fail_with(int error)
{
    errno = error;
    return -1;
}

class LockFaultErrno : public LockFault, public ::testing::WithParamInterface<int> {};

TEST_P(LockFaultErrno, IsARefusalThatNamesItAndNeverContention)
{
    fake_flock = [&](int) { return ++calls, fail_with(GetParam()); };
    const auto lock = acquire();
    ASSERT_FALSE(lock.has_value());
    EXPECT_EQ(lock.error().code, Code::lock_unsupported);
    EXPECT_NE(lock.error().message.find("(" + Errno{GetParam()}.name() + ")"), std::string::npos);
    EXPECT_NE(lock.error().message.find("the file system ("), std::string::npos);
    EXPECT_TRUE(lock.error().details.empty());
    EXPECT_EQ(calls, 1);
}

INSTANTIATE_TEST_SUITE_P(All, LockFaultErrno,
                         ::testing::Values(ENOSYS, EOPNOTSUPP, ENOLCK, EINVAL, EBADF, EIO, EPERM, EACCES, ENOMEM,
                                           EDEADLK, ESTALE));

TEST_P(LockFaultErrno, InAWaitIsARefusalToo)
{
    fake_flock = [&](int) { return fail_with(++calls == 1 ? EWOULDBLOCK : GetParam()); };
    const auto lock = acquire();
    ASSERT_FALSE(lock.has_value());
    EXPECT_EQ(lock.error().code, Code::lock_unsupported);
    EXPECT_EQ(calls, 2);
}

TEST_P(LockFaultErrno, OfTheSecondDescriptorIsARefusalToo)
{
    fake_flock = [&](int) { return ++calls == 2 ? fail_with(GetParam()) : std::nullopt; };
    const auto lock = acquire();
    ASSERT_FALSE(lock.has_value());
    EXPECT_EQ(lock.error().code, Code::lock_unsupported);
    EXPECT_EQ(calls, 2);
}

TEST_P(LockFaultErrno, IsNoFileSystemWithoutLocksForEveryReason)
{
    const bool none = GetParam() == ENOSYS || GetParam() == EOPNOTSUPP || GetParam() == ENOLCK || GetParam() == EINVAL;
    fake_flock = [](int) { return fail_with(GetParam()); };
    EXPECT_EQ(has_no_locks(acquire().error()), none);
    fake_flock = [&](int) { return ++calls == 2 ? fail_with(GetParam()) : std::nullopt; };
    EXPECT_EQ(has_no_locks(acquire().error()), none);
}

TEST_F(LockFault, LocksThatExcludeNobodyAreRefused)
{
    fake_flock = [](int) { return 0; };
    const auto lock = acquire();
    ASSERT_FALSE(lock.has_value());
    EXPECT_EQ(lock.error().code, Code::lock_unsupported);
    EXPECT_TRUE(has_no_locks(lock.error()));
    EXPECT_NE(lock.error().message.find("only pretends"), std::string::npos);
}

TEST_F(LockFault, InterruptionsAreRetried)
{
    fake_flock = [&](int) { return ++calls <= 20 ? fail_with(EINTR) : std::nullopt; };
    EXPECT_TRUE(acquire().has_value());
}

TEST_F(LockFault, EndlessInterruptionsEndAtTheTimeout)
{
    timeout = 20ms;
    fake_flock = [](int) { return fail_with(EINTR); };
    const auto lock = acquire();
    ASSERT_FALSE(lock.has_value());
    EXPECT_EQ(lock.error().code, Code::lock_unsupported);
    timeout = 0ms;
    EXPECT_EQ(acquire().error().code, Code::lock_unsupported);
}

// Deleted each time between the lock and the look at it.
TEST_F(LockFault, AFileThatIsReplacedEveryTimeIsRefused)
{
    fake_flock = [&](int) {
        ++calls;
        ::unlink(place.path(".MANDATE.lock").c_str());
        return std::nullopt;
    };
    timeout = 0ms;
    EXPECT_EQ(acquire().error().code, Code::lock_replaced);
    EXPECT_GT(calls, 3) << "tried again also without a timeout";
    timeout = 20ms;
    EXPECT_EQ(acquire().error().code, Code::lock_replaced);
}

TEST_F(LockFault, AFileThatIsReplacedAFewTimesIsLocked)
{
    fake_flock = [&](int) {
        if (++calls <= 3) {
            ::unlink(place.path(".MANDATE.lock").c_str());
        }
        return std::nullopt;
    };
    timeout = 0ms;
    const auto lock = acquire();
    ASSERT_TRUE(lock.has_value());
    EXPECT_TRUE(lock->still_named());
}

// Another file stands there when the old one is locked, and nobody has its lock: not to be taken for a file system
// that excludes nobody.
TEST_F(LockFault, AFileThatIsReplacedByAnotherIsNotTheLock)
{
    fake_flock = [&](int) {
        if (++calls == 1) {
            place.write("other", "");
            EXPECT_EQ(::rename(place.path("other").c_str(), place.path(".MANDATE.lock").c_str()), 0);
        }
        return std::nullopt;
    };
    timeout = 0ms;
    const auto lock = acquire();
    ASSERT_TRUE(lock.has_value()) << lock.error().message;
    EXPECT_TRUE(lock->still_named());
}

TEST_F(LockFault, AFileThatBecomesALinkMeanwhileIsRefused)
{
    fake_flock = [&](int) {
        ::unlink(place.path(".MANDATE.lock").c_str());
        (void)!::symlink("nowhere", place.path(".MANDATE.lock").c_str());
        return std::nullopt;
    };
    EXPECT_EQ(acquire().error().code, Code::lock_symlink);
    EXPECT_EQ(place.names(), std::vector<std::string>{".MANDATE.lock"});
}

// The moment between the look at the clock and the blocking call, made wide: the signal of the deadline comes first,
// and only then does the waiter block.
TEST_F(LockFault, ADeadlineJustBeforeTheWaitBlocksIsKept)
{
    const auto holder = acquire();
    ASSERT_TRUE(holder.has_value());
    timeout = 5ms;
    fake_flock = [&](int operation) -> std::optional<int> {
        if ((operation & LOCK_NB) == 0 && ++calls == 1) {
            const timespec minute{60, 0};
            EXPECT_EQ(::nanosleep(&minute, nullptr), -1);  // until the signal
        }
        return std::nullopt;
    };
    EXPECT_EQ(acquire().error().code, Code::lock_held);
    EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace mandate::os
