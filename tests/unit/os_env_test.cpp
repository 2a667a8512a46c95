#include "os/env.hpp"
#include "os_support.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mandate::os {
namespace {

using testing::Child;
using testing::Line;
using testing::Place;

TEST(Env, AnEmptyVariableIsSet)
{
    ::setenv("MANDATE_TEST_VARIABLE", "", 1);
    EXPECT_EQ(variable("MANDATE_TEST_VARIABLE"), "");
    ::unsetenv("MANDATE_TEST_VARIABLE");
    EXPECT_EQ(variable("MANDATE_TEST_VARIABLE"), std::nullopt);
}

TEST(Env, HomeCountsOnlyWhenAbsolute)
{
    Child child([](const Line&) {
        ::setenv("HOME", "/somewhere", 1);
        const bool absolute = home_directory() == "/somewhere";
        ::setenv("HOME", "somewhere", 1);
        const bool relative = home_directory() == std::nullopt;
        ::unsetenv("HOME");
        return absolute && relative && home_directory() == std::nullopt ? 0 : 1;
    });
    EXPECT_EQ(child.wait(), 0);
}

TEST(Env, ADeletedCurrentDirectoryIsToldAsSuch)
{
    const Place place;
    Child child([&](const Line&) {
        const bool there = ::chdir(place.path().c_str()) == 0 && current_directory().value() == place.path();
        const bool gone = ::rmdir(place.path().c_str()) == 0 && current_directory().error() == ENOENT;
        return there && gone ? 0 : 1;
    });
    EXPECT_EQ(child.wait(), 0);
}

TEST(Env, ExecutableIsTheRunningFile)
{
    const auto path = executable_path();
    ASSERT_TRUE(path.has_value());
    const auto itself = follow_path("/proc/self/exe").value();
    EXPECT_TRUE(follow_path(*path).value().identity.same_inode(itself.identity));
}

TEST(Env, PipesAreNoTerminalsAndEightyWide)
{
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    const Fd reader(ends[0]);
    const Fd writer(ends[1]);
    EXPECT_FALSE(is_terminal(writer.get()));
    EXPECT_EQ(terminal_width(writer.get()), 80);
}

// What write_stdout says in a process whose stdout is `make`'s.
int error_of_write_to(const std::function<int()>& make)
{
    Child child([&](const Line&) {
        ::signal(SIGPIPE, SIG_IGN);
        const int fd = make();
        if (fd == -1) {
            ::close(STDOUT_FILENO);
        } else {
            ::dup2(fd, STDOUT_FILENO);
        }
        const auto written = write_stdout("answer\n");
        return written ? 0 : written.error().value;
    });
    return child.wait();
}

TEST(Env, ALostStdoutIsReported)
{
    EXPECT_EQ(error_of_write_to([] { return ::open("/dev/null", O_WRONLY | O_CLOEXEC); }), 0);
    EXPECT_EQ(error_of_write_to([] { return ::open("/dev/full", O_WRONLY | O_CLOEXEC); }), ENOSPC);
    EXPECT_EQ(error_of_write_to([] { return -1; }), EBADF);
    EXPECT_EQ(error_of_write_to([] {
                  std::array<int, 2> ends{};
                  (void)::pipe2(ends.data(), O_CLOEXEC);
                  ::close(ends[0]);
                  return ends[1];
              }),
              EPIPE);
}

// A pipe that is non-blocking and full when the answer comes.
TEST(Env, AnAnswerIsWholeOnANonBlockingPipe)
{
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
    const Fd reader(ends[0]);
    Fd writer(ends[1]);
    const std::string answer(500'000, 'a');
    Child child([&](const Line&) {
        ::dup2(writer.get(), STDOUT_FILENO);
        return write_stdout(answer) ? 0 : 1;
    });
    writer = Fd();
    EXPECT_EQ(read_whole(reader, 1'000'000).value(), answer);
    EXPECT_EQ(child.wait(), 0);
}

TEST(Env, ALineThatMayBeLostDoesNotWaitForAFullPipe)
{
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    const Fd reader(ends[0]);
    Fd writer(ends[1]);
    Child child([&](const Line&) {
        ::dup2(writer.get(), STDERR_FILENO);
        write_stderr_unless_blocked("seen\n");
        ::fcntl(STDERR_FILENO, F_SETFL, O_WRONLY | O_NONBLOCK);
        const std::string page(4096, '.');
        while (::write(STDERR_FILENO, page.data(), page.size()) > 0) {
        }
        ::fcntl(STDERR_FILENO, F_SETFL, O_WRONLY);
        write_stderr_unless_blocked("lost\n");
        return 0;
    });
    writer = Fd();
    EXPECT_EQ(child.wait(), 0);  // not blocked: nobody reads yet
    const std::string text = read_whole(reader, 10'000'000).value();
    EXPECT_TRUE(text.starts_with("seen\n."));
    EXPECT_EQ(text.find("lost"), std::string::npos);
}

}  // namespace
}  // namespace mandate::os
