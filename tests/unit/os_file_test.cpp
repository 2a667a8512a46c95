#include "os/file.hpp"
#include "os_support.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

namespace mandate::os {
namespace {

using testing::Child;
using testing::Line;
using testing::Place;

void make_socket(const std::string& path)
{
    const Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
}

// One of each kind that can stand in a file's place.
class Kinds : public ::testing::Test {
protected:
    void SetUp() override
    {
        place.write("file", "text");
        ASSERT_EQ(::mkdir(place.path("directory").c_str(), 0777), 0);
        ASSERT_EQ(::mkfifo(place.path("fifo").c_str(), 0666), 0);
        make_socket(place.path("socket"));
        ASSERT_EQ(::symlink("file", place.path("link").c_str()), 0);
        ASSERT_EQ(::symlink("nowhere", place.path("dangling").c_str()), 0);
    }
    Place place;
};

TEST_F(Kinds, AreToldWithoutFollowing)
{
    const auto kind = [&](const char* name) { return look(place.fd(), name).value().kind; };
    EXPECT_EQ(kind("file"), Kind::regular);
    EXPECT_EQ(kind("directory"), Kind::directory);
    EXPECT_EQ(kind("fifo"), Kind::other);
    EXPECT_EQ(kind("socket"), Kind::other);
    EXPECT_EQ(kind("link"), Kind::symlink);
    EXPECT_EQ(kind("dangling"), Kind::symlink);
    EXPECT_EQ(kind("absent"), Kind::absent);
    EXPECT_EQ(look_at_path(place.path("link")).value().kind, Kind::symlink);
    EXPECT_EQ(look_at_path(place.path("absent")).value().kind, Kind::absent);
}

TEST_F(Kinds, AreThoseOfTheTargetWhenFollowed)
{
    EXPECT_EQ(follow_path(place.path("link")).value().kind, Kind::regular);
    EXPECT_EQ(follow_path(place.path("dangling")).value().kind, Kind::absent);
}

TEST_F(Kinds, BelowAFileAreAbsentForAPathAndAnErrorForADirectory)
{
    EXPECT_EQ(look_at_path(place.path("file/below")).value().kind, Kind::absent);
    EXPECT_EQ(look(place.fd(), "file/below").error(), ENOTDIR);
}

TEST_F(Kinds, NeverBlockOrRedirectAnOpen)
{
    EXPECT_EQ(open_for_reading(place.fd(), "link").error(), ELOOP);
    EXPECT_EQ(open_for_reading(place.fd(), "dangling").error(), ELOOP);
    const auto fifo = open_for_reading(place.fd(), "fifo");  // has no writer: a blocking open would stay here
    ASSERT_TRUE(fifo.has_value());
    EXPECT_EQ(facts(*fifo).value().kind, Kind::other);
    EXPECT_EQ(open_existing_for_writing(place.fd(), "link").error(), ELOOP);
    EXPECT_EQ(create_new(place.fd(), "dangling", 0666).error(), EEXIST);
    EXPECT_EQ(look(place.fd(), "nowhere").value().kind, Kind::absent);
}

TEST_F(Kinds, OtherThanFilesAreNotRead)
{
    EXPECT_EQ(read_small_file(place.fd(), "file", 100).value(), "text");
    EXPECT_EQ(read_small_file(place.fd(), "absent", 100).error(), ENOENT);
    EXPECT_EQ(read_small_file(place.fd(), "link", 100).error(), ELOOP);
    EXPECT_EQ(read_small_file(place.fd(), "directory", 100).error(), EISDIR);
    EXPECT_EQ(read_small_file(place.fd(), "fifo", 100).error(), EINVAL);
    EXPECT_EQ(read_small_file(place.fd(), "socket", 100).error(), EINVAL);
    EXPECT_EQ(read_small_file(place.path("link"), 100).value(), "text");
    EXPECT_EQ(read_small_file(place.path("dangling"), 100).error(), ENOENT);
    EXPECT_EQ(read_small_file(place.path("fifo"), 100).error(), EINVAL);
    EXPECT_EQ(read_small_file("/dev/zero", 100).error(), EINVAL);
}

TEST_F(Kinds, OtherThanFilesAreNotAppendedTo)
{
    const Fd reader(::open(place.path("fifo").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    EXPECT_EQ(open_for_appending(place.fd(), "fifo", Create::yes).error(), EINVAL);
    EXPECT_EQ(open_for_appending(place.fd(), "directory", Create::yes).error(), EISDIR);
    EXPECT_EQ(open_for_appending(place.fd(), "link", Create::yes).error(), ELOOP);
    EXPECT_EQ(open_for_appending(place.fd(), "dangling", Create::yes).error(), ELOOP);
    EXPECT_EQ(open_for_appending(place.fd(), "absent", Create::no).error(), ENOENT);
    EXPECT_EQ(place.read("file"), "text");
}

TEST_F(Kinds, AppendingFollowsALinkOnlyWhereAsked)
{
    const auto file = open_for_appending(place.fd(), "link", Create::no, Links::follow);
    ASSERT_TRUE(file.has_value());
    EXPECT_TRUE(write_whole(*file, "+").has_value());
    EXPECT_EQ(place.read("file"), "text+");
    EXPECT_TRUE(open_for_appending(place.fd(), "dangling", Create::yes, Links::follow).has_value());
    EXPECT_EQ(place.read("nowhere"), "");
    EXPECT_EQ(look(place.fd(), "dangling").value().kind, Kind::symlink);
}

TEST_F(Kinds, DirectoriesAreOpenedOnlyAsDirectories)
{
    ASSERT_EQ(::symlink("directory", place.path("to-directory").c_str()), 0);
    EXPECT_TRUE(open_directory_at(place.fd(), "directory").has_value());
    EXPECT_TRUE(open_directory(place.path("directory")).has_value());
    EXPECT_EQ(open_directory_at(place.fd(), "to-directory").error(), ENOTDIR);
    EXPECT_EQ(open_directory(place.path("to-directory")).error(), ENOTDIR);
    EXPECT_TRUE(open_directory(place.path("to-directory/.")).has_value());
    EXPECT_EQ(open_directory(place.path("file")).error(), ENOTDIR);
    EXPECT_EQ(open_directory(place.path("fifo")).error(), ENOTDIR);
}

TEST(File, EveryDescriptorIsCloseOnExec)
{
    const Place place;
    std::vector<OsResult<Fd>> opened;
    opened.push_back(create_new(place.fd(), "a", 0666));
    opened.push_back(open_for_reading(place.fd(), "a"));
    opened.push_back(open_existing_for_writing(place.fd(), "a"));
    opened.push_back(open_for_appending(place.fd(), "a", Create::no));
    opened.push_back(open_for_appending(place.fd(), "b", Create::yes, Links::follow));
    opened.push_back(open_directory(place.path()));
    opened.push_back(open_directory_at(place.fd(), "."));
    for (const auto& file : opened) {
        ASSERT_TRUE(file.has_value());
        EXPECT_NE(::fcntl(file->get(), F_GETFD) & FD_CLOEXEC, 0);
    }
}

TEST(File, IdentityTellsAChangeAndAReplacement)
{
    const Place place;
    place.write("a", "one");
    const auto before = look(place.fd(), "a").value().identity;
    EXPECT_EQ(before, look(place.fd(), "a").value().identity);
    place.write("a", "four");
    const auto changed = look(place.fd(), "a").value().identity;
    EXPECT_NE(before, changed);
    EXPECT_TRUE(before.same_inode(changed));
    place.write("b", "four");
    EXPECT_EQ(::rename(place.path("b").c_str(), place.path("a").c_str()), 0);
    EXPECT_FALSE(before.same_inode(look(place.fd(), "a").value().identity));
}

TEST(File, FactsHoldModeOwnerAndLinks)
{
    const Place place;
    place.write("a", "");
    ASSERT_EQ(::chmod(place.path("a").c_str(), 02640), 0);
    ASSERT_EQ(::link(place.path("a").c_str(), place.path("b").c_str()), 0);
    const auto found = look(place.fd(), "a").value();
    EXPECT_EQ(found.mode, 02640U);
    EXPECT_EQ(found.uid, ::geteuid());
    EXPECT_EQ(found.gid, ::getegid());
    EXPECT_EQ(found.links, 2U);
}

TEST(File, IsReadWholeUpToTheLimitAndNotBeyond)
{
    const Place place;
    for (const std::size_t size : {0U, 1U, 4095U, 4096U, 4097U, 100'000U}) {
        const std::string bytes(size, 'x');
        place.write("a", bytes);
        const auto file = open_for_reading(place.fd(), "a");
        EXPECT_EQ(read_whole(*file, size).value(), bytes);
        EXPECT_EQ(read_whole(*file, 1'000'000).value(), bytes) << "a second time, from the start";
        // A file that grew or shrank since its size was asked for.
        for (const std::size_t told : {std::size_t{1}, size / 2, size - 1, size, size + 1, 2 * size + 100}) {
            EXPECT_EQ(read_whole(*file, 1'000'000, told).value(), bytes) << size << " bytes, told " << told;
        }
        if (size > 0) {
            EXPECT_EQ(read_whole(*file, size - 1).error(), EFBIG);
        }
    }
}

TEST(File, OfProcIsReadThoughItsSizeIsZero) { EXPECT_NE(read_small_file("/proc/self/status", 100'000).value(), ""); }

TEST(File, ADirectoryIsNotRead) { EXPECT_EQ(read_whole(Place().fd(), 100).error(), EISDIR); }

// Non-blocking as a host may have left it, and filled while we read.
TEST(File, APipeIsReadToItsEnd)
{
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    const Fd reader(ends[0]);
    Fd writer(ends[1]);
    const std::string bytes(300'000, 'p');
    Child child([&](const Line&) { return write_whole(writer, bytes) ? 0 : 1; });
    ASSERT_TRUE(writer.close().has_value());
    EXPECT_EQ(read_whole(reader, 1'000'000).value(), bytes);
    EXPECT_EQ(child.wait(), 0);
}

const Line* to_the_test = nullptr;

TEST(File, AnInterruptedReadGoesOn)
{
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const Fd reader(ends[0]);
    Fd writer(ends[1]);
    Child child([&](const Line& line) {
        writer = Fd();
        to_the_test = &line;
        struct sigaction handler {};
        handler.sa_handler = [](int) { to_the_test->say('!'); };  // and no SA_RESTART
        ::sigaction(SIGUSR1, &handler, nullptr);
        const auto text = read_whole(reader, 100);
        return text && *text == "text" ? 0 : 1;
    });
    const std::string in_read = std::to_string(SYS_read) + " ";
    const std::string state = "/proc/" + std::to_string(child.pid()) + "/syscall";
    ASSERT_TRUE(testing::await([&] {
        const auto call = read_small_file(state, 1000);
        return call && call->starts_with(in_read);
    }));
    child.kill(SIGUSR1);
    ASSERT_EQ(child.line().hear(), '!');
    ASSERT_TRUE(write_whole(writer, "text").has_value());
    writer = Fd();
    EXPECT_EQ(child.wait(), 0);
}

TEST(File, AppendsEachWriteAtTheEnd)
{
    const Place place;
    const auto first = open_for_appending(place.fd(), "a", Create::yes);
    const auto second = open_for_appending(place.fd(), "a", Create::yes);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(write_once(*first, "one\n").value(), 4U);
    EXPECT_EQ(write_once(*second, "two\n").value(), 4U);
    EXPECT_EQ(write_once(*first, "three\n").value(), 6U);
    EXPECT_EQ(place.read("a"), "one\ntwo\nthree\n");
    EXPECT_EQ(read_whole(*first, 100).value(), "one\ntwo\nthree\n");
    EXPECT_TRUE(truncate(*first, 4).has_value());
    EXPECT_TRUE(sync(*first).has_value());
    EXPECT_EQ(place.read("a"), "one\n");
}

TEST(File, IsCreatedWithTheModeLessUmask)
{
    const Place place;
    const mode_t before = ::umask(027);
    EXPECT_TRUE(open_for_appending(place.fd(), "a", Create::yes).has_value());
    ::umask(before);
    EXPECT_EQ(look(place.fd(), "a").value().mode, 0640U);
}

TEST(File, FullDeviceIsReported)
{
    const Fd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
    EXPECT_EQ(write_whole(full, "text").error(), ENOSPC);
    EXPECT_EQ(write_once(full, "text").error(), ENOSPC);
}

TEST(Names, AreListedWhateverTheirBytes)
{
    const Place place;
    const std::vector<std::string> names{"..a", "a\nb", "\xff\xfe", "x"};
    for (const auto& name : names) {
        place.write(name, "");
    }
    auto expected = names;
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(place.names(), expected);
    EXPECT_EQ(place.names(), expected) << "the descriptor's own position is untouched";
}

TEST(Names, AreMadeAndRemoved)
{
    const Place place;
    EXPECT_TRUE(make_directory(place.fd(), "d").has_value());
    EXPECT_TRUE(make_directory(place.fd(), "d").has_value());
    place.write("a", "");
    EXPECT_TRUE(unlink(place.fd(), "a").has_value());
    EXPECT_EQ(unlink(place.fd(), "a").error(), ENOENT);
    EXPECT_EQ(place.names(), std::vector<std::string>{"d"});
}

TEST(Names, AreResolved)
{
    const Place place;
    const std::string target(1000, 'x');
    ASSERT_EQ(::symlink(target.c_str(), place.path("long").c_str()), 0);
    ASSERT_EQ(::symlink(".", place.path("here").c_str()), 0);
    EXPECT_EQ(read_link(place.path("long")).value(), target);
    EXPECT_EQ(read_link(place.path("here")).value(), ".");
    EXPECT_EQ(read_link(place.path()).error(), EINVAL);
    EXPECT_EQ(real_path(place.path("here")).value(), place.path());
    EXPECT_EQ(real_path(place.path("absent")).error(), ENOENT);
}

}  // namespace
}  // namespace mandate::os
