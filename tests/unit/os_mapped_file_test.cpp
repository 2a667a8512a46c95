#include "os/mapped_file.hpp"
#include "os_support.hpp"

#include <cerrno>
#include <sys/stat.h>
#include <utility>

namespace mandate::os {
namespace {

using testing::Place;

TEST(MappedFile, IsTheWholeFile)
{
    const Place place;
    const std::string bytes = std::string(100'000, 'm') + '\0' + "end";
    place.write("a", bytes);
    const auto mapped = MappedFile::open(place.fd(), "a");
    ASSERT_TRUE(mapped.has_value());
    EXPECT_EQ(mapped->bytes(), bytes);
}

TEST(MappedFile, StaysWhenTheFileIsReplacedOrTheObjectMoved)
{
    const Place place;
    place.write("a", "old");
    auto mapped = MappedFile::open(place.fd(), "a");
    ASSERT_TRUE(mapped.has_value());
    place.write("b", "new");
    ASSERT_EQ(::rename(place.path("b").c_str(), place.path("a").c_str()), 0);
    const MappedFile moved(std::move(*mapped));
    EXPECT_EQ(moved.bytes(), "old");
    EXPECT_EQ(mapped->bytes(), "");
}

TEST(MappedFile, OfAnAppendedFileNeedsNoSecondOpen)
{
    const Place place;
    const auto file = open_for_appending(place.fd(), "a", Create::yes);
    ASSERT_TRUE(write_whole(*file, "line\n").has_value());
    EXPECT_EQ(MappedFile::open(*file).value().bytes(), "line\n");
}

TEST(MappedFile, MayBeEmpty)
{
    const Place place;
    place.write("a", "");
    EXPECT_EQ(MappedFile::open(place.fd(), "a").value().bytes(), "");
}

TEST(MappedFile, IsARegularFileThatExists)
{
    const Place place;
    ASSERT_EQ(::mkfifo(place.path("fifo").c_str(), 0666), 0);
    ASSERT_EQ(::symlink("fifo", place.path("link").c_str()), 0);
    EXPECT_EQ(MappedFile::open(place.fd(), "fifo").error(), EINVAL);
    EXPECT_EQ(MappedFile::open(place.fd(), ".").error(), EINVAL);
    EXPECT_EQ(MappedFile::open(place.fd(), "link").error(), ELOOP);
    EXPECT_EQ(MappedFile::open(place.fd(), "absent").error(), ENOENT);
}

}  // namespace
}  // namespace mandate::os
