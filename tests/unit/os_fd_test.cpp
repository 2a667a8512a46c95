#include "os/fd.hpp"

#include <cerrno>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <utility>

namespace mandate::os {
namespace {

Fd open_null() { return Fd(::open("/dev/null", O_RDWR | O_CLOEXEC)); }

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) != -1; }

TEST(Errno, HasTheNameAndTheWordsOfTheCLibrary)
{
    EXPECT_EQ(Errno{ENOSPC}.name(), "ENOSPC");
    EXPECT_EQ(Errno{ENOSPC}.text(), "No space left on device");
    EXPECT_EQ(Errno{EOPNOTSUPP}.name(), "EOPNOTSUPP");
}

TEST(Errno, IsItsNumberWhereTheCLibraryHasNoName)
{
    EXPECT_EQ(Errno{4242}.name(), "4242");
    EXPECT_EQ(Errno{4242}.text(), "error 4242");
}

TEST(Fd, ClosesItself)
{
    int number = -1;
    {
        const Fd fd = open_null();
        ASSERT_TRUE(fd.valid());
        number = fd.get();
        EXPECT_TRUE(is_open(number));
    }
    EXPECT_FALSE(is_open(number));
}

TEST(Fd, MovesWithoutClosing)
{
    Fd first = open_null();
    const int number = first.get();
    Fd second(std::move(first));
    EXPECT_EQ(second.get(), number);
    Fd third = open_null();
    const int replaced = third.get();
    third = std::move(second);
    EXPECT_EQ(third.get(), number);
    EXPECT_TRUE(is_open(number));
    EXPECT_FALSE(is_open(replaced));
}

TEST(Fd, ReleasesTheNumberWithoutClosing)
{
    Fd fd = open_null();
    const int number = fd.release();
    EXPECT_FALSE(fd.valid());
    EXPECT_TRUE(is_open(number));
    ::close(number);
}

TEST(Fd, ReportsWhatCloseSaid)
{
    Fd fd = open_null();
    EXPECT_TRUE(fd.close().has_value());
    EXPECT_FALSE(fd.valid());
    const auto again = fd.close();
    ASSERT_FALSE(again.has_value());
    EXPECT_EQ(again.error(), EBADF);
}

}  // namespace
}  // namespace mandate::os
