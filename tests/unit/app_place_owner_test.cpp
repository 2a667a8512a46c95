#include "app/place.hpp"
#include "git_support.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

namespace mandate::app {
namespace {

using mandate::testing::code_of;
using ::testing::HasSubstr;

constexpr unsigned k_stranger = 54321;

// Every verdict is held against git's own with the same variables and files.
class PlaceOwner : public mandate::testing::WithGit {
protected:
    void SetUp() override
    {
        if (::geteuid() != 0) {
            GTEST_SKIP() << "only root can give a repository to somebody else";
        }
        set("HOME", path("home"));
        give("theirs", k_stranger);
    }

    void give(const std::string& name, unsigned user) const
    {
        const auto chown = [user](const test::fs::path& file) { ASSERT_EQ(::lchown(file.c_str(), user, user), 0); };
        chown(path(name));
        for (const auto& entry : test::fs::recursive_directory_iterator(path(name))) {
            chown(entry.path());
        }
    }

    void expect_verdict(const std::string& when, bool trusted) const
    {
        EXPECT_EQ(code_of(find_place(path("theirs"))), trusted ? "ok" : "repository-owner") << when;
    }
    [[nodiscard]] bool git_trusts() const { return git("theirs", {"rev-parse", "--show-toplevel"}).succeeded(); }
    void expect_verdict_of_git(const std::string& when, bool trusted) const
    {
        expect_verdict(when, trusted);
        EXPECT_EQ(git_trusts(), trusted) << when;
    }

    void global(const std::string& config) const { test::write_file(path("home/.gitconfig"), config); }

    test::Repo m_repo{m_scratch, "theirs"};
};

std::string safe(const std::string& value) { return "[safe]\n\tdirectory = " + value + "\n"; }

TEST_F(PlaceOwner, IsRefusedWithTheLineToAdd)
{
    const auto place = find_place(path("theirs"));
    ASSERT_EQ(code_of(place), "repository-owner");
    EXPECT_THAT(place.error().hint, HasSubstr("git config --global --add safe.directory '" + path("theirs") + "'"));
    expect_verdict_of_git("nothing configured", false);
}

TEST_F(PlaceOwner, IsTrustedByTheGlobalConfigurationAsByGit)
{
    const std::string root = path("theirs");
    const std::vector<std::pair<std::string, bool>> configs{
        {safe(root), true},
        {safe("*"), true},
        {safe(root + "/*"), false},
        {safe(root) + safe(""), false},
        {safe("") + safe(root), true},
        {safe("*") + safe("") + safe("/elsewhere"), false},
        {"[safe]\ndirectory = " + root + "\ndirectory\n", false},
        {"[SAFE]\nDirectory=\"" + root + "\" ; why\n", true},
        {"[safe \"x\"]\ndirectory=" + root + "\n", false},
        {"[include]\npath = more\n", true},
        {"[include]\npath = nowhere\n" + safe(root), true},
        {"[includeIf \"gitdir:" + root + "/\"]\npath = more\n", false},
    };
    test::write_file(path("home/more"), safe(root));
    for (const auto& [config, trusted] : configs) {
        global(config);
        expect_verdict_of_git(config, trusted);
    }
}

// Spellings that lead to the root: to git from 2.47 on all of them are the root, before none is. Here none is, so that
// the answer does not depend on which git is installed.
TEST_F(PlaceOwner, IsNotTrustedByAnotherSpelling)
{
    const std::string root = path("theirs");
    global(safe(root + "/"));
    const bool git_resolves = git_trusts();
    for (const std::string& value : {root + "/", std::string("."), std::string("~/../theirs"), "%(prefix)/.." + root}) {
        global(safe(value));
        expect_verdict(value, false);
        EXPECT_EQ(git_trusts(), git_resolves) << value;
    }
}

TEST_F(PlaceOwner, IsTrustedBelowHome)
{
    test::fs::rename(path("theirs"), path("home/theirs"));
    global(safe("~/theirs"));
    EXPECT_EQ(code_of(find_place(path("home/theirs"))), "ok");
    EXPECT_TRUE(git("home/theirs", {"rev-parse", "--show-toplevel"}).succeeded());
}

// gits from 2.46 on; the installed one may be older.
TEST_F(PlaceOwner, IsTrustedBelowAPrefix)
{
    for (const auto& [value, trusted] : std::vector<std::pair<std::string, bool>>{{path() + "/*", true},
                                                                                  {"/*", true},
                                                                                  {path("the") + "*", false},
                                                                                  {path("theirs") + "/*", false},
                                                                                  {path(), false}}) {
        global(safe(value));
        EXPECT_EQ(code_of(find_place(path("theirs"))), trusted ? "ok" : "repository-owner") << value;
    }
}

TEST_F(PlaceOwner, IsRefusedWhereTheConfigurationIsBroken)
{
    global(safe("*") + "[broken\n");
    EXPECT_EQ(code_of(find_place(path("theirs"))), "repository-broken");
}

TEST_F(PlaceOwner, IsNeverTrustedByTheRepositoryItself)
{
    test::write_file(path("theirs/.git/config"), test::read_file(path("theirs/.git/config")) + safe("*"));
    expect_verdict_of_git("its own configuration", false);
}

TEST_F(PlaceOwner, IsTrustedByOtherFilesAsByGit)
{
    const std::string trust = safe(path("theirs"));
    test::write_file(path("home/.config/git/config"), trust);
    expect_verdict_of_git("XDG", true);
    global(safe(""));
    expect_verdict_of_git("reset behind XDG", false);
    test::write_file(path("other"), trust);
    set("GIT_CONFIG_GLOBAL", path("other"));
    expect_verdict_of_git("GIT_CONFIG_GLOBAL", true);
    set("GIT_CONFIG_GLOBAL", "/dev/null");
    expect_verdict_of_git("no global configuration", false);
    set("GIT_CONFIG_SYSTEM", path("other"));
    expect_verdict_of_git("a system configuration that is switched off", false);
    set("GIT_CONFIG_NOSYSTEM", "false");
    expect_verdict_of_git("GIT_CONFIG_SYSTEM", true);
}

TEST_F(PlaceOwner, IsTrustedByTheEnvironmentAsByGit)
{
    set("GIT_CONFIG_COUNT", "1");
    set("GIT_CONFIG_KEY_0", "Safe.Directory");
    set("GIT_CONFIG_VALUE_0", path("theirs"));
    expect_verdict_of_git("GIT_CONFIG_COUNT", true);
    set("GIT_CONFIG_COUNT", "2");
    expect_verdict_of_git("a pair that is missing", false);
    set("GIT_CONFIG_KEY_1", "safe.directory");
    set("GIT_CONFIG_VALUE_1", "");
    expect_verdict_of_git("reset", false);
    for (const char* count : {"x", "", "0"}) {
        set("GIT_CONFIG_COUNT", count);
        expect_verdict_of_git(std::string("count ") + count, false);
    }
}

TEST_F(PlaceOwner, IsTrustedByOptionsOfGitAsByGit)
{
    const std::string root = path("theirs");
    const std::vector<std::pair<std::string, bool>> parameters{
        {"'safe.directory=" + root + "'", true},
        {"'safe.directory'='" + root + "'", true},
        {"'a.b=c' 'safe.directory'='" + root + "'  'x.y'=", true},
        {"'a.b'='it'\\''s' 'safe.directory'='*'", true},
        {"'safe.directory'='" + root + "' 'safe.directory'=", false},
        {"'safe.directory'='" + root + "' 'safe.directory'", false},
        {"'safe.directory'='" + root + "' junk", false},
        {"'safe.directory'=" + root, false},
        {"'safe.directory= " + root + "'", false},
        {"'nosection' 'safe.directory=" + root + "'", false},
        {"'safe.directory=" + root, false},
    };
    for (const auto& [value, trusted] : parameters) {
        set("GIT_CONFIG_PARAMETERS", value);
        expect_verdict_of_git(value, trusted);
    }
}

TEST_F(PlaceOwner, MayBeWhoeverCalledSudo)
{
    for (const auto& [value, trusted] :
         std::vector<std::pair<std::string, bool>>{{std::to_string(k_stranger), true},
                                                   {"1", false},
                                                   {"", false},
                                                   {std::to_string(k_stranger) + "x", false}}) {
        set("SUDO_UID", value);
        expect_verdict_of_git("SUDO_UID=" + value, trusted);
    }
}

TEST_F(PlaceOwner, IsAskedOfTheRootTheGitFileAndTheGitDirectory)
{
    give("theirs", 0);
    expect_verdict_of_git("all ours", true);
    for (const char* name : {"theirs", "theirs/.git"}) {
        ASSERT_EQ(::chown(path(name).c_str(), k_stranger, 0), 0);
        expect_verdict_of_git(name, false);
        ASSERT_EQ(::chown(path(name).c_str(), 0, 0), 0);
    }
    static_cast<void>(m_repo.add_worktree("lane"));
    for (const auto& [name, trusted] : std::vector<std::pair<std::string, bool>>{
             {"lane", false}, {"lane/.git", false}, {"theirs/.git/worktrees/lane", false}, {"theirs/.git", true}}) {
        ASSERT_EQ(::chown(path(name).c_str(), k_stranger, 0), 0);
        EXPECT_EQ(code_of(find_place(path("lane"))), trusted ? "ok" : "repository-owner") << name;
        EXPECT_EQ(git("lane", {"rev-parse", "--show-toplevel"}).succeeded(), trusted) << name;
        ASSERT_EQ(::chown(path(name).c_str(), 0, 0), 0);
    }
}

}  // namespace
}  // namespace mandate::app
