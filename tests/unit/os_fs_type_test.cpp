#include "os/file.hpp"
#include "os/fs_type.hpp"

#include <gtest/gtest.h>

namespace mandate::os {
namespace {

TEST(FileSystemName, IsTheOneThatMountShows)
{
    EXPECT_EQ(file_system_name(*open_directory("/proc")), "proc");
    EXPECT_EQ(file_system_name(*open_directory("/dev/shm")), "tmpfs");
}

TEST(FileSystemName, IsANumberWhereTheNameIsNotKnown)
{
    EXPECT_EQ(file_system_name(*open_directory("/sys")), "file system type 0x62656572");
}

TEST(FileSystemName, IsUnknownWithoutAFile) { EXPECT_EQ(file_system_name(Fd()), "an unknown file system"); }

}  // namespace
}  // namespace mandate::os
