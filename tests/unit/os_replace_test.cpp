#include "os/replace.hpp"
#include "os_support.hpp"

#include <cerrno>
#include <csignal>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace mandate::os {
namespace {

using testing::Child;
using testing::Line;
using testing::Place;

const std::string k_prefix = ".MANDATE.tmp.";
using Names = std::vector<std::string>;

class Replace : public ::testing::Test {
protected:
    void SetUp() override { place.write("record", "old"); }

    OsResult<Replacement> prepare(std::string_view bytes) const
    {
        return Replacement::prepare(place.fd(), k_prefix, bytes, facts_of("record"));
    }
    [[nodiscard]] FileFacts facts_of(const std::string& name) const { return look(place.fd(), name).value(); }
    void set_mode(unsigned mode) const { ASSERT_EQ(::chmod(place.path("record").c_str(), mode), 0); }

    Place place;
};

TEST_F(Replace, ChangesNothingBeforeTheCommit)
{
    auto replacement = prepare("new");
    ASSERT_TRUE(replacement.has_value());
    EXPECT_EQ(place.read("record"), "old");
    EXPECT_EQ(replacement->read_back(100).value(), "new");
    EXPECT_EQ(place.names().size(), 2U);
    EXPECT_TRUE(place.names()[0].starts_with(k_prefix + std::to_string(::getpid()) + "."));

    ASSERT_TRUE(replacement->commit("record").has_value());
    EXPECT_EQ(place.read("record"), "new");
    EXPECT_EQ(place.names(), Names{"record"});
}

TEST_F(Replace, LeavesNothingWhenItIsNotCommitted)
{
    {
        auto first = prepare("new");
        const Replacement moved(std::move(*first));
        EXPECT_EQ(place.names().size(), 2U);
    }
    EXPECT_EQ(place.names(), Names{"record"});
    EXPECT_EQ(place.read("record"), "old");
}

TEST_F(Replace, LeavesNothingWhenTheRenameFails)
{
    {
        auto replacement = prepare("new");
        EXPECT_EQ(replacement->commit("no/such/place").error(), ENOENT);
    }
    EXPECT_EQ(place.names(), Names{"record"});
}

TEST_F(Replace, TellsThatItsFileWasSwept)
{
    auto replacement = prepare("new");
    sweep(place.fd(), k_prefix);
    EXPECT_EQ(replacement->commit("record").error(), ENOENT);
    EXPECT_EQ(place.read("record"), "old");
}

TEST_F(Replace, OfTwoAtOnceHasTwoFiles)
{
    auto first = prepare("one");
    auto second = prepare("two");
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->read_back(10).value(), "one");
    EXPECT_EQ(second->read_back(10).value(), "two");
}

TEST_F(Replace, KeepsTheMode)
{
    const mode_t before = ::umask(077);
    for (const unsigned mode : {0600U, 0640U, 0664U, 0666U, 0444U}) {
        set_mode(mode);
        EXPECT_TRUE(prepare("new")->commit("record").has_value());
        EXPECT_EQ(facts_of("record").mode, mode);
    }
    ::umask(before);
}

TEST_F(Replace, DropsSetIdBits)
{
    set_mode(06755);
    EXPECT_TRUE(prepare("new")->commit("record").has_value());
    EXPECT_EQ(facts_of("record").mode, 0755U);
}

TEST_F(Replace, GivesANewFileTheModeOfTheUmask)
{
    for (const mode_t mask : {000U, 002U, 022U, 027U, 077U}) {
        const mode_t before = ::umask(mask);
        auto replacement = Replacement::prepare(place.fd(), k_prefix, "new", std::nullopt);
        ::umask(before);
        EXPECT_TRUE(replacement->commit("fresh").has_value());
        EXPECT_EQ(facts_of("fresh").mode, 0666U & ~mask);
    }
}

TEST_F(Replace, KeepsTheOwnerWherePermitted)
{
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root may give files away";
    }
    set_mode(0664);
    ASSERT_EQ(::chown(place.path("record").c_str(), 1234, 2345), 0);
    EXPECT_TRUE(prepare("new")->commit("record").has_value());
    EXPECT_EQ(facts_of("record").uid, 1234U);
    EXPECT_EQ(facts_of("record").gid, 2345U);
    EXPECT_EQ(facts_of("record").mode, 0664U);
}

// The file of another user and group becomes ours: those who were "others" and are now its group gain nothing.
TEST_F(Replace, IsNeverWiderWhereTheOwnerCannotBeKept)
{
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root can become another user";
    }
    ASSERT_EQ(::chmod(place.path().c_str(), 0777), 0);
    const std::vector<std::pair<unsigned, unsigned>> expected{
        {0660, 0600}, {0664, 0644}, {0640, 0600}, {0666, 0666}, {0606, 0606}};
    for (const auto& [mode, narrowed] : expected) {
        set_mode(mode);
        Child child([&](const Line&) {
            if (testing::become_nobody() != 0) {
                return 1;
            }
            auto replacement = prepare("new");
            return replacement && replacement->commit("fresh") ? 0 : 2;
        });
        ASSERT_EQ(child.wait(), 0);
        EXPECT_EQ(facts_of("fresh").mode, narrowed) << std::oct << mode;
        EXPECT_EQ(facts_of("fresh").uid, 65534U);
    }
}

TEST_F(Replace, ReportsAWriteThatFailsAndLeavesNothing)
{
    Child child([&](const Line&) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{10, 10};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const auto replacement = prepare(std::string(100, 'x'));
        return !replacement && replacement.error() == EFBIG ? 0 : 1;
    });
    EXPECT_EQ(child.wait(), 0);
    EXPECT_EQ(place.names(), Names{"record"});
    EXPECT_EQ(place.read("record"), "old");
}

TEST_F(Replace, InADirectoryThatIsGoneIsAnError)
{
    ASSERT_EQ(::unlink(place.path("record").c_str()), 0);
    ASSERT_EQ(::rmdir(place.path().c_str()), 0);
    EXPECT_EQ(Replacement::prepare(place.fd(), k_prefix, "new", std::nullopt).error(), ENOENT);
}

TEST_F(Replace, KilledBeforeTheCommitLeavesTheOldFileAndALeftover)
{
    Child child([&](const Line& line) {
        auto replacement = prepare("new");
        line.say('p');
        (void)line.hear();
        return 0;
    });
    ASSERT_EQ(child.line().hear(), 'p');
    child.kill(SIGKILL);
    EXPECT_EQ(child.wait(), -SIGKILL);
    EXPECT_EQ(place.read("record"), "old");
    EXPECT_EQ(place.names().size(), 2U);
    sweep(place.fd(), k_prefix);
    EXPECT_EQ(place.names(), Names{"record"});
}

TEST_F(Replace, SweepsRegularFilesOfThePrefixOnly)
{
    place.write(k_prefix + "1.a", "");
    place.write(".MANDATE.lock", "");
    ASSERT_EQ(::symlink("record", place.path(k_prefix + "link").c_str()), 0);
    ASSERT_EQ(::mkdir(place.path(k_prefix + "directory").c_str(), 0777), 0);
    sweep(place.fd(), k_prefix);
    EXPECT_EQ(place.names(), (Names{".MANDATE.lock", k_prefix + "directory", k_prefix + "link", "record"}));
    sweep(place.fd(), "");
    EXPECT_EQ(place.names().size(), 4U);
}

// `u::rw- u:1234:r-- g::r-- m::r-- o::---` as the kernel stores it (linux/posix_acl_xattr.h, little-endian).
const std::string k_acl(
    "\x02\0\0\0"
    "\x01\0\x06\0\xff\xff\xff\xff"
    "\x02\0\x04\0\xd2\x04\0\0"
    "\x04\0\x04\0\xff\xff\xff\xff"
    "\x10\0\x04\0\xff\xff\xff\xff"
    "\x20\0\0\0\xff\xff\xff\xff",
    44);

std::optional<std::string> attribute(const std::string& path, const char* name)
{
    std::string value(1000, '\0');
    const ssize_t size = ::getxattr(path.c_str(), name, value.data(), value.size());
    if (size < 0) {
        return std::nullopt;
    }
    value.resize(static_cast<std::size_t>(size));
    return value;
}

class ReplaceAttributes : public Replace {
protected:
    [[nodiscard]] bool give(const std::string& name, const char* attribute_name, const std::string& value) const
    {
        return ::setxattr(place.path(name).c_str(), attribute_name, value.data(), value.size(), 0) == 0;
    }
};

TEST_F(ReplaceAttributes, AreCarriedOver)
{
    if (!give("record", "user.empty", "") || !give("record", "user.k", std::string("v\0w", 3)) ||
        !give("record", "system.posix_acl_access", k_acl)) {
        GTEST_SKIP() << "this file system has no such attributes";
    }
    const auto source = open_for_reading(place.fd(), "record");
    auto replacement = Replacement::prepare(place.fd(), k_prefix, "new", facts_of("record"), &*source);
    ASSERT_TRUE(replacement->commit("record").has_value());
    EXPECT_EQ(place.read("record"), "new");
    EXPECT_EQ(attribute(place.path("record"), "user.empty"), "");
    EXPECT_EQ(attribute(place.path("record"), "user.k"), std::string("v\0w", 3));
    EXPECT_EQ(attribute(place.path("record"), "system.posix_acl_access"), k_acl);
    EXPECT_EQ(facts_of("record").mode, 0640U);
}

// The directory gives its new files an ACL that the old file did not have: with the mode set on top of it,
// user 1234 could read what was closed to him.
TEST_F(ReplaceAttributes, OfTheDirectoryAreNotInherited)
{
    set_mode(0640);
    if (!give(".", "system.posix_acl_default", k_acl)) {
        GTEST_SKIP() << "this file system has no ACLs";
    }
    EXPECT_TRUE(prepare("new")->commit("record").has_value());
    EXPECT_EQ(attribute(place.path("record"), "system.posix_acl_access"), std::nullopt);
    EXPECT_EQ(facts_of("record").mode, 0640U);
}

}  // namespace
}  // namespace mandate::os
