#include "os/env.hpp"
#include "os/signals.hpp"
#include "os_support.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <initializer_list>
#include <sys/resource.h>
#include <unistd.h>

namespace mandate::os {
namespace {

using testing::Child;
using testing::Line;

class Held : public ::testing::TestWithParam<int> {};

TEST_P(Held, ActsAsSoonAsTheHoldEnds)
{
    Child child([](const Line& line) {
        {
            const SignalHold hold;
            ::raise(GetParam());
            line.say('h');  // still here, with the signal pending
        }
        line.say('x');
        return 0;
    });
    EXPECT_EQ(child.line().hear(), 'h');
    EXPECT_EQ(child.line().hear(), '\0');
    EXPECT_EQ(child.wait(), -GetParam());
}

INSTANTIATE_TEST_SUITE_P(Signals, Held, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST(SignalHold, OfAnotherHoldEndsWithTheOuterOne)
{
    Child child([](const Line& line) {
        const SignalHold outer;
        {
            const SignalHold inner;
            ::raise(SIGTERM);
        }
        line.say('h');
        return 0;
    });
    EXPECT_EQ(child.line().hear(), 'h');
    EXPECT_EQ(child.wait(), -SIGTERM);
}

TEST(SignalHold, LeavesOtherSignalsAlone)
{
    Child child([](const Line&) {
        const SignalHold hold;
        ::raise(SIGQUIT);
        return 0;
    });
    EXPECT_EQ(child.wait(), -SIGQUIT);
}

TEST(SignalHold, DoesNotBringBackWhatTheCallerIgnores)
{
    Child child([](const Line&) {
        ::signal(SIGHUP, SIG_IGN);  // nohup
        {
            const SignalHold hold;
            ::raise(SIGHUP);
        }
        return 0;
    });
    EXPECT_EQ(child.wait(), 0);
}

TEST(WriteSignals, AClosedPipeIsAnErrorAndNoSignal)
{
    Child child([](const Line&) {
        ignore_write_signals();
        std::array<int, 2> ends{};
        (void)::pipe2(ends.data(), O_CLOEXEC);
        ::close(ends[0]);
        return write_whole(Fd(ends[1]), "x").error() == EPIPE ? 0 : 1;
    });
    EXPECT_EQ(child.wait(), 0);
}

TEST(WriteSignals, AFileThatMayNotGrowIsAnErrorAndNoSignal)
{
    Child child([](const Line&) {
        ignore_write_signals();
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_FSIZE, &none);
        const Fd file(::open("/tmp", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
        return write_whole(file, "x").error() == EFBIG ? 0 : 1;
    });
    EXPECT_EQ(child.wait(), 0);
}

// In a child with those descriptors closed: the first file that it opens afterwards, and what write_stdout says.
struct Guarded {
    bool stdout_was_open = false;
    int first_file = -1;
    int stdout_error = 0;
};

Guarded guard_without(std::initializer_list<int> closed)
{
    Guarded result;
    Child child([&](const Line& line) {
        const Fd kept(::fcntl(::open("/dev/null", O_WRONLY | O_CLOEXEC), F_DUPFD_CLOEXEC, 10));
        ::dup2(kept.get(), STDOUT_FILENO);
        for (const int fd : closed) {
            ::close(fd);
        }
        line.say(guard_standard_descriptors() ? 'o' : 'c');
        line.say(static_cast<char>('0' + ::open("/", O_RDONLY | O_CLOEXEC)));
        const auto written = write_stdout("answer");
        return written ? 0 : written.error().value;
    });
    result.stdout_was_open = child.line().hear() == 'o';
    result.first_file = child.line().hear() - '0';
    result.stdout_error = child.wait();
    return result;
}

TEST(StandardDescriptors, AreLeftAloneWhenOpen)
{
    const Guarded guarded = guard_without({});
    EXPECT_TRUE(guarded.stdout_was_open);
    EXPECT_GT(guarded.first_file, 2);
    EXPECT_EQ(guarded.stdout_error, 0);
}

TEST(StandardDescriptors, AreNeverTakenByAFile)
{
    EXPECT_GT(guard_without({0}).first_file, 2);
    EXPECT_GT(guard_without({2}).first_file, 2);
    EXPECT_GT(guard_without({0, 2}).first_file, 2);
    EXPECT_TRUE(guard_without({0, 2}).stdout_was_open);
    EXPECT_EQ(guard_without({0, 2}).stdout_error, 0);
}

TEST(StandardDescriptors, ThatCameClosedStillFailToTakeTheAnswer)
{
    for (const auto closed : {std::initializer_list<int>{1}, std::initializer_list<int>{0, 1, 2}}) {
        const Guarded guarded = guard_without(closed);
        EXPECT_FALSE(guarded.stdout_was_open);
        EXPECT_GT(guarded.first_file, 2);
        EXPECT_EQ(guarded.stdout_error, EBADF);
    }
}

}  // namespace
}  // namespace mandate::os
