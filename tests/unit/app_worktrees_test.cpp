#include "app/place.hpp"
#include "git_support.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace mandate::app {
namespace {

using mandate::testing::code_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Worktrees : public mandate::testing::WithGit {
protected:
    [[nodiscard]] std::string common() const { return path("repo/.git"); }
    [[nodiscard]] static std::vector<std::string> rows(const std::vector<WorktreeEntry>& entries)
    {
        std::vector<std::string> rows;
        for (const WorktreeEntry& entry : entries) {
            rows.push_back(entry.lane_id + " " + entry.head.branch + (entry.missing ? " missing" : ""));
        }
        return rows;
    }
    [[nodiscard]] std::vector<std::string> rows() const { return rows(list_worktrees(common())); }
    [[nodiscard]] std::string holder(const std::string& branch) const
    {
        const auto found = find_branch(common(), branch);
        return !found ? std::string(info(found.error().code).name) : *found ? (*found)->path : "nobody";
    }
    void git_ok(const std::string& directory, std::vector<std::string> arguments) const
    {
        const auto outcome = git(directory, std::move(arguments));
        ASSERT_TRUE(outcome.succeeded()) << outcome;
    }

    test::Repo m_repo{m_scratch};
};

TEST_F(Worktrees, AreListedMainFirstWithTheirBranches)
{
    for (const char* name : {"b", "a"}) {
        static_cast<void>(m_repo.add_worktree(name));
    }
    m_repo.git({"worktree", "add", "--quiet", "--detach", "../c\nworktree \xFF"});
    const auto entries = list_worktrees(common());
    ASSERT_THAT(rows(entries), ElementsAre("main main", "worktrees/a a", "worktrees/b b", HasSubstr("worktrees/c")));
    EXPECT_EQ(entries[0].path, path("repo"));
    EXPECT_EQ(entries[1].path, path("a"));
    EXPECT_EQ(entries[1].git_dir, common() + "/worktrees/a");
    EXPECT_EQ(entries[3].path, path("c\nworktree \xFF"));
    EXPECT_TRUE(entries[3].head.detached);
    EXPECT_FALSE(entries[3].missing);
}

TEST_F(Worktrees, AreMarkedWhereSomethingElseStandsInTheirPlace)
{
    for (const char* name : {"gone", "file", "plain", "other", "taken"}) {
        static_cast<void>(m_repo.add_worktree(name));
    }
    test::fs::remove_all(path("gone"));
    test::fs::remove_all(path("file"));
    test::write_file(path("file"), "x");
    test::fs::remove(path("plain/.git"));
    test::fs::remove_all(path("other"));
    const test::Repo other(m_scratch, "other");
    test::write_file(path("taken/.git"), "gitdir: " + common() + "/worktrees/plain\n");
    EXPECT_THAT(rows(), ElementsAre("main main", "worktrees/file file missing", "worktrees/gone gone missing",
                                    "worktrees/other other missing", "worktrees/plain plain missing",
                                    "worktrees/taken taken missing"));
    EXPECT_EQ(holder("gone"), "nobody");
}

TEST_F(Worktrees, ThatAreHalfMadeAreNoError)
{
    test::fs::create_directories(common() + "/worktrees/empty");
    test::write_file(common() + "/worktrees/x/commondir", "");
    test::write_file(common() + "/worktrees/y/gitdir", "\n");
    ASSERT_EQ(::mkfifo((common() + "/worktrees/y/HEAD").c_str(), 0666), 0);
    EXPECT_THAT(rows(),
                ElementsAre("main main", "worktrees/empty  missing", "worktrees/x  missing", "worktrees/y  missing"));
    EXPECT_EQ(list_worktrees(common())[1].path, "");
    EXPECT_EQ(code_of(open_worktree(list_worktrees(common())[1])), "worktree-mismatch");
}

TEST_F(Worktrees, TellTheReasonOfTheirLock)
{
    for (const char* name : {"a", "b"}) {
        static_cast<void>(m_repo.add_worktree(name));
    }
    m_repo.git({"worktree", "lock", "--reason", "on a\nstick", "../a"});
    m_repo.git({"worktree", "lock", "../b"});
    const auto entries = list_worktrees(common());
    EXPECT_EQ(entries[0].locked, std::nullopt);
    EXPECT_EQ(entries[1].locked, "on a\nstick");
    EXPECT_EQ(entries[2].locked, "");
}

TEST_F(Worktrees, OfABareRepositoryHaveNoMain)
{
    git_ok("", {"clone", "--quiet", "--bare", "repo", "bare.git"});
    git_ok("bare.git", {"worktree", "add", "--quiet", "../lane", "main"});
    EXPECT_THAT(rows(list_worktrees(path("bare.git"))), ElementsAre("worktrees/lane main"));
}

TEST_F(Worktrees, OfASubmoduleHaveTheSubmoduleAsMain)
{
    const test::Repo super(m_scratch, "super");
    super.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../repo", "sub"});
    git_ok("super/sub", {"worktree", "add", "--quiet", path("lane")});
    const auto entries = list_worktrees(path("super/.git/modules/sub"));
    EXPECT_THAT(rows(entries), ElementsAre("main main", "worktrees/lane lane"));
    EXPECT_EQ(entries[0].path, path("super/sub"));
}

TEST_F(Worktrees, OfASeparateGitDirectoryHaveAMainForWhoStandsInIt)
{
    test::fs::rename(common(), path("away.git"));
    test::fs::create_symlink("../away.git", common());
    EXPECT_THAT(list_worktrees(path("away.git")), ElementsAre());
    const auto place = find_place(path("repo"));
    ASSERT_TRUE(place);
    EXPECT_THAT(rows(list_worktrees(*place)), ElementsAre("main main"));
    EXPECT_EQ(find_branch(*place, "main").value().value().path, path("repo"));
}

TEST_F(Worktrees, AreFoundByTheirBranch)
{
    static_cast<void>(m_repo.add_worktree("lane"));
    EXPECT_EQ(holder("main"), path("repo"));
    EXPECT_EQ(holder("lane"), path("lane"));
    for (const char* nothing : {"", "lan", "refs/heads/lane", "HEAD"}) {
        EXPECT_EQ(holder(nothing), "nobody") << nothing;
    }
    m_repo.git({"worktree", "add", "--quiet", "--force", "../twin", "lane"});
    EXPECT_EQ(holder("lane"), "branch-ambiguous");
    test::fs::remove_all(path("twin"));
    EXPECT_EQ(holder("lane"), path("lane")) << "a worktree that is gone holds nothing";
}

TEST_F(Worktrees, AreOpenedWithAllChecks)
{
    static_cast<void>(m_repo.add_worktree("lane"));
    auto entry = list_worktrees(common())[1];
    EXPECT_EQ(open_worktree(entry).value().lane_id, "worktrees/lane");
    entry.path = path("repo");
    EXPECT_EQ(code_of(open_worktree(entry)), "worktree-mismatch");
    entry.path = path("nowhere");
    EXPECT_EQ(code_of(open_worktree(entry)), "not-a-directory");
}

class HeadOfAWorktree : public Worktrees {
protected:
    HeadOfAWorktree()
    {
        m_repo.commit_file(m_repo.path(), "file", "one\n");
        m_repo.git({"checkout", "--quiet", "-b", "side", "HEAD~1"});
        m_repo.commit_file(m_repo.path(), "file", "two\n");
    }
    // "branch operation", or "detached".
    [[nodiscard]] std::string head() const
    {
        const Head head = read_head(common()).value();
        return (head.detached ? "detached" : head.branch) + (head.operation.empty() ? "" : " " + head.operation);
    }
    void try_git(std::vector<std::string> arguments) const { static_cast<void>(git("repo", std::move(arguments))); }
};

TEST_F(HeadOfAWorktree, IsABranchOrDetached)
{
    EXPECT_EQ(head(), "side");
    m_repo.git({"checkout", "--quiet", "--detach"});
    EXPECT_EQ(head(), "detached");
    m_repo.git({"checkout", "--quiet", "--orphan", "a/b/c"});
    EXPECT_EQ(head(), "a/b/c");
    m_repo.git({"symbolic-ref", "HEAD", "refs/heads/\xFF"});
    EXPECT_EQ(head(), "\xFF");
    m_repo.git({"symbolic-ref", "HEAD", "refs/remotes/x"});
    EXPECT_EQ(head(), "");
}

TEST_F(HeadOfAWorktree, MayBeASymlink)
{
    test::fs::remove(common() + "/HEAD");
    test::fs::create_symlink("refs/heads/side", common() + "/HEAD");
    EXPECT_EQ(head(), "side");
    EXPECT_EQ(find_place(path("repo")).value().head.branch, "side");
}

TEST_F(HeadOfAWorktree, InTheMiddleOfARebaseIsTheBranchThatItReturnsTo)
{
    for (const char* backend : {"--merge", "--apply"}) {
        try_git({"rebase", backend, "main"});
        EXPECT_EQ(head(), "side rebase") << backend;
        EXPECT_EQ(holder("side"), path("repo"));
        m_repo.git({"rebase", "--abort"});
    }
    m_repo.git({"checkout", "--quiet", "--detach"});
    try_git({"rebase", "main"});
    EXPECT_EQ(head(), "detached rebase");
}

TEST_F(HeadOfAWorktree, InTheMiddleOfABisectionIsTheBranchThatItReturnsTo)
{
    m_repo.commit_file(m_repo.path(), "file", "three\n");
    m_repo.git({"bisect", "start", "HEAD", "HEAD~2"});
    EXPECT_EQ(head(), "side bisect");
    m_repo.git({"bisect", "reset"});
    m_repo.git({"checkout", "--quiet", "--detach"});
    m_repo.git({"bisect", "start", "HEAD", "HEAD~2"});
    EXPECT_EQ(head(), "detached bisect");
}

TEST_F(HeadOfAWorktree, InTheMiddleOfAnAmIsItsBranch)
{
    test::write_file(path("patch"), git("repo", {"format-patch", "-1", "--stdout", "main"}).out);
    try_git({"am", path("patch")});
    ASSERT_TRUE(test::fs::exists(common() + "/rebase-apply"));
    EXPECT_EQ(head(), "side");
}

}  // namespace
}  // namespace mandate::app
