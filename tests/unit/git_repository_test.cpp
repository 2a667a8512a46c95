#include "git/repository.hpp"
#include "git_support.hpp"

namespace mandate::git {
namespace {

using mandate::testing::code_of;

class OpenRepository : public mandate::testing::WithGit {
protected:
    [[nodiscard]] Repository open(const std::string& name = "repo") const
    {
        auto opened = Repository::open(path(name));
        EXPECT_TRUE(opened) << opened.error().message;
        return std::move(*opened);
    }
    test::Repo m_repo{m_scratch};
};

TEST_F(OpenRepository, KnowsTheCommitAtHead)
{
    EXPECT_EQ(open().head_commit().value(), m_repo.git({"rev-parse", "HEAD"}));
    m_repo.git({"checkout", "--quiet", "--orphan", "new"});
    EXPECT_EQ(open().head_commit().value(), std::nullopt);
    test::write_file(m_repo.path() / ".git/refs/heads/new", "no id\n");
    EXPECT_EQ(code_of(open().head_commit()), "repository-broken");
}

TEST_F(OpenRepository, ResolvesRevisionsToCommits)
{
    m_repo.git({"tag", "-a", "-m", "x", "v1"});
    const std::string head = m_repo.git({"rev-parse", "HEAD"});
    for (const std::string& revision :
         {std::string("HEAD"), std::string("main"), std::string("v1"), head.substr(0, 8)}) {
        EXPECT_EQ(open().resolve_commit(revision).value(), head) << revision;
    }
    for (const char* revision : {"nope", "HEAD^{tree}", "HEAD~7", ""}) {
        EXPECT_EQ(code_of(open().resolve_commit(revision)), "value-invalid") << revision;
    }
}

TEST_F(OpenRepository, ReadsSingleValues)
{
    EXPECT_EQ(open().config_string("core.hooksPath"), std::nullopt);
    m_repo.git({"config", "core.hooksPath", ".hooks"});
    m_repo.git({"config", "core.excludesFile", path("ignore")});
    EXPECT_EQ(open().config_string("core.hooksPath"), ".hooks");
    EXPECT_EQ(open().excludes_file(), path("ignore"));
    EXPECT_EQ(open().config_bool("core.bare"), false);
    EXPECT_EQ(open().config_bool("core.hooksPath"), std::nullopt);
}

TEST_F(OpenRepository, IsOfTheWorktreeThatWasNamed)
{
    // libgit2 would call these bare or elsewhere; git reads neither key from an included file.
    test::write_file(m_repo.path() / ".git/other", "[core]\nbare = true\nworktree = /nowhere\n");
    m_repo.git({"config", "include.path", "other"});
    test::write_file(m_repo.path() / ".gitignore", "x\n");
    EXPECT_EQ(open().is_ignored("x").value(), true);
    EXPECT_EQ(open().is_ignored("y").value(), false);
}

TEST_F(OpenRepository, AcceptsExtensionsThatTheFormatCheckLetThrough)
{
    m_repo.git({"config", "core.repositoryFormatVersion", "1"});
    for (const char* name : {"worktreeConfig", "preciousObjects", "noop"}) {
        m_repo.git({"config", std::string("extensions.") + name, "true"});
    }
    m_repo.git({"config", "extensions.partialClone", "origin"});
    EXPECT_TRUE(open().head_commit().value());
    test::write_file(m_repo.path() / ".git/config",
                     test::read_file(m_repo.path() / ".git/config") +
                         "[extensions]\nrelativeWorktrees = true\nobjectFormat = sha1\nrefStorage = files\n");
    EXPECT_TRUE(open().head_commit().value());
    test::write_file(m_repo.path() / ".git/config", test::read_file(m_repo.path() / ".git/config") + "foo = 1\n");
    EXPECT_EQ(code_of(Repository::open(path("repo"))), "repository-unsupported");
}

TEST_F(OpenRepository, NeverSearches)
{
    test::write_file(m_repo.path() / "below/x", "");
    EXPECT_EQ(code_of(Repository::open(path("repo/below"))), "repository-broken");
}

// libgit2 takes HOME once, when it starts: this case is run by the next one, in a process of its own.
TEST_F(OpenRepository, DISABLED_InAProcessWithoutHome)
{
    m_repo.git({"config", "include.path", "~/nope"});
    set("HOME", std::nullopt);
    EXPECT_TRUE(open().head_commit().value());
    EXPECT_EQ(open().config_bool("core.bare"), false) << "the configuration was read";
}

TEST_F(OpenRepository, ReadsAnIncludeFromHomeWhereThereIsNoHome)
{
    test::Command command;
    command.arguments = {"/proc/self/exe", "--gtest_also_run_disabled_tests",
                         "--gtest_filter=OpenRepository.DISABLED_InAProcessWithoutHome"};
    command.environment = m_scratch.environment();
    const auto outcome = test::run(command);
    EXPECT_TRUE(outcome.succeeded()) << outcome;
}

}  // namespace
}  // namespace mandate::git
