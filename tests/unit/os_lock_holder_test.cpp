#include "os/lock_holder.hpp"
#include "os_support.hpp"

#include <array>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mandate::os {
namespace {

using testing::await;
using testing::Child;
using testing::Line;
using testing::Place;
using testing::queued_for_lock;

class Holder : public ::testing::Test {
protected:
    void SetUp() override { place.write("lock", ""); }
    [[nodiscard]] Fd open() const { return open_for_reading(place.fd(), "lock").value(); }
    [[nodiscard]] std::optional<LockHolder> find() const
    {
        return find_lock_holder(look(place.fd(), "lock").value().identity);
    }
    [[nodiscard]] std::function<int(const Line&)> holds() const
    {
        return [this](const Line& line) {
            const Fd file = open();
            line.say(::flock(file.get(), LOCK_EX) == 0 ? 'l' : 'x');
            (void)line.hear();
            return 0;
        };
    }
    Place place;
};

TEST_F(Holder, IsNobodyWhereNoneLocks)
{
    const Fd open_only = open();
    EXPECT_FALSE(find().has_value());
}

TEST_F(Holder, IsTheProcessThatLocked)
{
    Child child(holds());
    ASSERT_EQ(child.line().hear(), 'l');
    const auto holder = find();
    ASSERT_TRUE(holder.has_value());
    EXPECT_EQ(holder->pid, child.pid());
    EXPECT_FALSE(holder->ancestor);
    EXPECT_NE(holder->command.find("test"), std::string::npos) << holder->command;
    EXPECT_LE(holder->command.size(), 80U);
    EXPECT_EQ(holder->command.find('\0'), std::string::npos);
}

TEST_F(Holder, IsNotOneWhoWaitsOrLocksAnotherFile)
{
    place.write("other", "");
    const Fd ours = create_new(place.fd(), "ours", 0666).value();
    ASSERT_EQ(::flock(ours.get(), LOCK_EX), 0);
    Child elsewhere([&](const Line& line) {
        const Fd other = open_for_reading(place.fd(), "other").value();
        const Fd file = open();
        line.say(::flock(other.get(), LOCK_EX) == 0 ? 'l' : 'x');
        (void)line.hear();
        return 0;
    });
    ASSERT_EQ(elsewhere.line().hear(), 'l');
    EXPECT_FALSE(find().has_value());
    Child child(holds());
    ASSERT_EQ(child.line().hear(), 'l');
    Child waiter(holds());
    ASSERT_TRUE(await([&] { return queued_for_lock(waiter.pid()); }));
    EXPECT_EQ(find().value().pid, child.pid());
}

TEST_F(Holder, MayBeAnAncestorOrTheProcessItself)
{
    const Fd file = open();
    ASSERT_EQ(::flock(file.get(), LOCK_EX), 0);
    const pid_t test = ::getpid();
    EXPECT_EQ(find().value().pid, test);
    EXPECT_TRUE(find().value().ancestor);
    Child child([&](const Line&) {
        const auto holder = find();
        return holder && holder->pid == test && holder->ancestor ? 0 : 1;
    });
    EXPECT_EQ(child.wait(), 0);
}

// `exec 9>lock; flock 9; mandate`: the process that called flock(2) is gone.
TEST_F(Holder, IsTheAncestorThatInheritedTheLock)
{
    const Fd file = open();
    Child locker([&](const Line&) { return ::flock(file.get(), LOCK_EX) == 0 ? 0 : 1; });
    ASSERT_EQ(locker.wait(), 0);
    const pid_t test = ::getpid();
    Child child([&](const Line&) {
        const auto holder = find();
        return holder && holder->pid == test && holder->ancestor ? 0 : 1;
    });
    EXPECT_EQ(child.wait(), 0);
}

// The process that locked has died, and a stranger has the lock from it.
TEST_F(Holder, IsUnknownWhereItDiedAndLeftTheLockToAStranger)
{
    Child first([&](const Line& line) {
        const Fd file = open();
        if (::flock(file.get(), LOCK_EX) != 0) {
            return 1;
        }
        if (::fork() == 0) {
            ::prctl(PR_SET_PDEATHSIG, 0);
            line.say('l');
            (void)line.hear();  // ends with the test
            ::_exit(0);
        }
        return 0;
    });
    ASSERT_EQ(first.line().hear(), 'l');
    EXPECT_EQ(first.wait(), 0);
    EXPECT_EQ(::flock(open().get(), LOCK_EX | LOCK_NB), -1);
    EXPECT_FALSE(find().has_value());
}

TEST_F(Holder, IsUnknownFromAnotherPidNamespace)
{
    Child child(holds());
    ASSERT_EQ(child.line().hear(), 'l');
    Child outside([&](const Line&) {
        if (::unshare(CLONE_NEWPID) != 0) {
            return 77;
        }
        const pid_t inside = ::fork();
        if (inside == 0) {
            ::_exit(find() ? 1 : 0);  // /proc is still the outer one: its pids are not ours
        }
        int status = 0;
        return ::waitpid(inside, &status, 0) == inside && WIFEXITED(status) ? WEXITSTATUS(status) : 2;
    });
    const int result = outside.wait();
    if (result == 77) {
        GTEST_SKIP() << "no pid namespaces here";
    }
    EXPECT_NE(result, 2);
}

TEST_F(Holder, HasACommandAlsoWhenItIsLongOrHostile)
{
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    const Fd nothing(ends[0]);
    const Fd writer(ends[1]);
    Child child([&](const Line&) {
        ::dup2(nothing.get(), STDIN_FILENO);
        const Fd file(::dup(open().get()));  // kept by exec: dup clears close-on-exec
        if (::flock(file.get(), LOCK_EX) != 0) {
            return 1;
        }
        const std::string script = "read line # \x1b[2J " + std::string(500, 'x');
        ::execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
        return 1;
    });
    ASSERT_TRUE(await([&] {
        const auto holder = find();
        return holder && holder->command.starts_with("sh -c read line # \x1b[2J x");
    }));
    EXPECT_EQ(find().value().command.size(), 80U);
    EXPECT_TRUE(find().value().command.ends_with("..."));
}

}  // namespace
}  // namespace mandate::os
