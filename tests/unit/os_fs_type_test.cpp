#include "os/file.hpp"
#include "os/fs_type.hpp"

#include <array>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace mandate::os {
namespace {

TEST(FileSystemName, IsTheOneThatMountShows)
{
    EXPECT_EQ(file_system_name(*open_directory("/proc")), "proc");
    EXPECT_EQ(file_system_name(*open_directory("/dev/shm")), "tmpfs");
}

TEST(FileSystemName, IsANumberWhereTheNameIsNotKnown)
{
    // Every kernel has pipes, wherever they are mounted or not: "PIPE" (linux/magic.h).
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    const Fd reader(ends[0]);
    const Fd writer(ends[1]);
    EXPECT_EQ(file_system_name(reader), "file system type 0x50495045");
}

TEST(FileSystemName, IsUnknownWithoutAFile) { EXPECT_EQ(file_system_name(Fd()), "an unknown file system"); }

}  // namespace
}  // namespace mandate::os
