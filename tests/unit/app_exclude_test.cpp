#include "app/exclude.hpp"
#include "app/exclude_lines.hpp"
#include "git_support.hpp"

#include <array>
#include <functional>
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mandate::app {
namespace {

constexpr const char* k_lines = "/MANDATE.md\n/.MANDATE.*\n";

TEST(ExcludeLines, AreAppendedOnceEach)
{
    EXPECT_EQ(missing_exclude_lines(""), k_lines);
    EXPECT_EQ(missing_exclude_lines(k_lines), "");
    EXPECT_EQ(missing_exclude_lines("# x\n/MANDATE.md\n"), "/.MANDATE.*\n");
    EXPECT_EQ(missing_exclude_lines("/.MANDATE.*"), "\n/MANDATE.md\n");
    EXPECT_EQ(missing_exclude_lines("/MANDATE.md \r\n/.MANDATE.*  "), "");
    EXPECT_EQ(missing_exclude_lines("\xEF\xBB\xBF/MANDATE.md\n/.MANDATE.*"), "");
    for (const char* other :
         {"MANDATE.md", "#/MANDATE.md", " /MANDATE.md", "/MANDATE.md\t", "!/MANDATE.md", "/MANDATE.mdx"}) {
        EXPECT_EQ(missing_exclude_lines(std::string(other) + "\n/.MANDATE.*\n"), "/MANDATE.md\n") << other;
    }
}

class Exclude : public mandate::testing::WithGit {
protected:
    [[nodiscard]] std::string ensure(const std::string& directory = "repo") const
    {
        const auto outcome = ensure_excluded(find_place(path(directory)).value());
        return std::string(name(outcome.state)) + (outcome.reason.empty() ? "" : " " + outcome.reason);
    }
    [[nodiscard]] std::string file() const { return path("repo/.git/info/exclude"); }
    [[nodiscard]] std::string content() const { return test::read_file(file()); }

    // Which of our names git would take, were they there.
    [[nodiscard]] std::string would_be_added() const
    {
        constexpr std::array k_names{"MANDATE.md", ".MANDATE.lock", ".MANDATE.tmp.0"};
        for (const char* name : k_names) {
            test::write_file(m_repo.path() / name, "x");
        }
        const std::string listed = git("repo", {"add", "-A", "-n"}).out;
        std::string names;
        for (const char* name : k_names) {
            names += listed.find("'" + std::string(name) + "'") != std::string::npos ? name : "";
            test::fs::remove(m_repo.path() / name);
        }
        return names;
    }

    test::Repo m_repo{m_scratch};
};

TEST_F(Exclude, IsAddedOnceAndWorks)
{
    const std::string before = content();
    EXPECT_EQ(ensure(), "yes");
    EXPECT_EQ(content(), before + k_lines);
    EXPECT_EQ(ensure(), "already");
    EXPECT_EQ(content(), before + k_lines);
    EXPECT_EQ(would_be_added(), "");
}

TEST_F(Exclude, KeepsOldBytesAndSuppliesTheFinalNewline)
{
    test::write_file(file(), "# mine\r\n\xFF*.o");
    EXPECT_EQ(ensure(), "yes");
    EXPECT_EQ(content(), std::string("# mine\r\n\xFF*.o\n") + k_lines);
}

TEST_F(Exclude, IsWrittenAlsoWhereAGitignoreHidesTheRecord)
{
    test::write_file(path("repo/.gitignore"), "*\n");
    EXPECT_EQ(ensure(), "yes");
    EXPECT_THAT(content(), ::testing::HasSubstr(k_lines));
}

TEST_F(Exclude, OfALinkedWorktreeIsInTheCommonDirectory)
{
    static_cast<void>(m_repo.add_worktree("lane"));
    EXPECT_EQ(ensure("lane"), "yes");
    EXPECT_EQ(ensure(), "already");
    EXPECT_FALSE(test::fs::exists(path("repo/.git/worktrees/lane/info")));
}

TEST_F(Exclude, MakesTheDirectoryAndFollowsLinks)
{
    test::fs::remove_all(path("repo/.git/info"));
    EXPECT_EQ(ensure(), "yes");
    EXPECT_EQ(content(), k_lines);

    test::fs::rename(file(), path("elsewhere"));
    test::write_file(path("elsewhere"), "x\n");
    test::fs::create_symlink(path("elsewhere"), file());
    EXPECT_EQ(ensure(), "yes");
    EXPECT_TRUE(test::fs::is_symlink(file()));
    EXPECT_EQ(test::read_file(path("elsewhere")), std::string("x\n") + k_lines);

    test::fs::remove(path("elsewhere"));
    EXPECT_EQ(ensure(), "yes") << "a dangling link";
    EXPECT_TRUE(test::fs::is_symlink(file()));
    EXPECT_EQ(would_be_added(), "");

    test::fs::rename(path("repo/.git/info"), path("info"));
    test::fs::create_directory_symlink(path("info"), path("repo/.git/info"));
    EXPECT_EQ(ensure(), "already");
}

TEST_F(Exclude, RefusesWhatIsNoFileWithoutOpeningIt)
{
    test::fs::remove(file());
    ASSERT_EQ(::mkfifo(file().c_str(), 0666), 0);
    EXPECT_EQ(ensure(), "no not-regular");
    test::fs::remove(file());
    test::fs::create_directory(file());
    EXPECT_EQ(ensure(), "no not-regular");
    test::fs::remove_all(path("repo/.git/info"));
    test::write_file(path("repo/.git/info"), "");
    EXPECT_EQ(ensure(), "no not-a-directory");
    EXPECT_EQ(test::read_file(path("repo/.git/info")), "");
}

TEST_F(Exclude, RefusesAFileThatIsTooLarge)
{
    test::write_file(file(), std::string((1U << 20U) + 1, 'x'));
    EXPECT_EQ(ensure(), "no too-large");
}

TEST_F(Exclude, TellsWhyItCannotBeWritten)
{
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root can mount, and become somebody else";
    }
    const std::string info = path("repo/.git/info");
    // In a process of its own, whose mounts nobody else sees.
    const auto in_a_child = [](const std::function<bool()>& holds) {
        const pid_t child = ::fork();
        if (child == 0) {
            ::_exit(holds() ? 0 : 1);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return status == 0;
    };
    const auto place = find_place(path("repo"));
    EXPECT_TRUE(in_a_child([&] {
        return ::setresgid(65534, 65534, 65534) == 0 && ::setresuid(65534, 65534, 65534) == 0 &&
               ensure_excluded(*place).reason == "denied";
    }));
    const bool read_only = in_a_child([&] {
        if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            ::mount(info.c_str(), info.c_str(), nullptr, MS_BIND, nullptr) != 0 ||
            ::mount(nullptr, info.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) != 0) {
            return true;  // not here
        }
        return ensure_excluded(*place).reason == "read-only";
    });
    EXPECT_TRUE(read_only);
}

TEST_F(Exclude, IsNoWhereAnotherRuleOutranksIt)
{
    for (const char* gitignore :
         {"!*.md\n", "!MANDATE.md\n", "*.md\n!/MANDATE.md", "!.MANDATE.tmp.*\n", "!/.*\n", "!*\n"}) {
        test::write_file(path("repo/.gitignore"), gitignore);
        EXPECT_EQ(ensure(), "no negated") << gitignore;
        EXPECT_NE(would_be_added(), "") << gitignore;
    }
    test::fs::remove(path("repo/.gitignore"));
    test::write_file(file(), std::string(k_lines) + "!/MANDATE.md\n");
    EXPECT_EQ(ensure(), "no negated");
    EXPECT_EQ(would_be_added(), "MANDATE.md");
}

TEST_F(Exclude, IsNotHeldUpByRulesThatDoNotReachIt)
{
    for (const char* gitignore : {"!MANDATE.md/\n", "!src/*.md\n", "tags\n!tags/\n.buildpath\n", "foo**/bar\n",
                                  "!*.md\n*.md\n", "#!*.md\n", "\\!*.md\n", "!x/MANDATE.md\n"}) {
        test::write_file(path("repo/.gitignore"), gitignore);
        EXPECT_THAT(ensure(), ::testing::AnyOf("yes", "already")) << gitignore;
        EXPECT_EQ(would_be_added(), "") << gitignore;
    }
}

TEST_F(Exclude, JudgesAGitignoreThatIsNoFileAsGitDoes)
{
    test::write_file(path("rules"), "!*.md\n");
    test::fs::create_symlink(path("rules"), path("repo/.gitignore"));
    EXPECT_EQ(ensure(), "yes") << "git does not follow it";
    EXPECT_EQ(would_be_added(), "");
    test::write_file(path("rules"), "/MANDATE.md\n/.MANDATE.*\n");
    test::write_file(file(), std::string(k_lines) + "!*.md\n");
    EXPECT_EQ(ensure(), "no negated");
    EXPECT_EQ(would_be_added(), "MANDATE.md");
    test::write_file(file(), k_lines);

    test::fs::remove(path("repo/.gitignore"));
    test::fs::create_directory(path("repo/.gitignore"));
    EXPECT_EQ(ensure(), "already");
    test::fs::remove(path("repo/.gitignore"));
    ASSERT_EQ(::mkfifo(path("repo/.gitignore").c_str(), 0666), 0);
    EXPECT_EQ(ensure(), "already") << "and does not hang";
}

TEST_F(Exclude, DoesNotHangOnAnExcludesFileThatIsAFifo)
{
    test::fs::create_directories(path("home/.config/git"));
    ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0666), 0);
    m_repo.git({"config", "core.excludesFile", path("fifo")});
    EXPECT_EQ(ensure(), "yes");
    m_repo.git({"config", "--unset", "core.excludesFile"});
    ASSERT_EQ(::mkfifo(path("home/.config/git/ignore").c_str(), 0666), 0);
    EXPECT_EQ(ensure(), "already");
}

TEST_F(Exclude, IsInDoubtWhereTheIndexMayHoldTheRules)
{
    m_repo.commit_file(m_repo.path(), ".gitignore", "!MANDATE.md\n");
    m_repo.git({"update-index", "--skip-worktree", ".gitignore"});
    test::fs::remove(path("repo/.gitignore"));
    EXPECT_EQ(ensure(), "no unknown");
    EXPECT_EQ(would_be_added(), "MANDATE.md") << "git reads them from there";
}

TEST_F(Exclude, StandsOnceHoweverManyLanesWriteAtTheSameInstant)
{
    const auto place = find_place(path("repo"));
    ASSERT_TRUE(place);
    std::array<int, 2> start{};
    for (int repeat = 0; repeat < 3; ++repeat) {
        test::fs::remove_all(path("repo/.git/info"));
        ASSERT_EQ(::pipe(start.data()), 0);
        std::vector<pid_t> children;
        for (int i = 0; i < 40; ++i) {
            const pid_t child = ::fork();
            ASSERT_NE(child, -1);
            if (child == 0) {
                ::close(start[1]);
                char none = 0;
                static_cast<void>(::read(start[0], &none, 1));  // until the parent lets all of them go
                ::_exit(ensure_excluded(*place).state == ExcludeOutcome::State::no ? 1 : 0);
            }
            children.push_back(child);
        }
        ::close(start[0]);
        ::close(start[1]);
        for (const pid_t child : children) {
            int status = 0;
            ::waitpid(child, &status, 0);
            EXPECT_EQ(status, 0);
        }
        EXPECT_EQ(content(), k_lines);
    }
}

}  // namespace
}  // namespace mandate::app
