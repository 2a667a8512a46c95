// What keeps a review and what loses it, with the rebases, cherry-picks and merges that git itself makes.

#include "git/same_change.hpp"
#include "git_support.hpp"

#include <gmock/gmock.h>

namespace mandate::git {
namespace {

using mandate::testing::code_of;
using mandate::testing::message_of;
using ::testing::HasSubstr;

// Thirty lines, some of them changed: enough for changes that do not touch each other.
std::string lines(const std::map<int, std::string>& changed = {})
{
    std::string text;
    for (int number = 1; number <= 30; ++number) {
        const auto found = changed.find(number);
        text += found == changed.end() ? "line " + std::to_string(number) + "\n" : found->second;
    }
    return text;
}

class SameChange : public mandate::testing::WithGit {
protected:
    SameChange()
    {
        commit(m_repo.path(), "file", lines());
        test::write_file(m_repo.path() / "script", "echo\n");
        commit(m_repo.path(), "binary", std::string("\0\1\2binary\n", 10));
        m_lane = m_repo.add_worktree("lane");
    }
    void commit(const test::fs::path& where, const std::string& name, const std::string& content) const
    {
        test::write_file(where / name, content);
        m_repo.git_in(where, {"add", "--all"});
        m_repo.git_in(where, {"commit", "--quiet", "--allow-empty", "--message", "Change " + name});
    }
    std::string run(const std::vector<std::string>& arguments) const { return m_repo.git_in(m_lane, arguments); }
    [[nodiscard]] std::string head() const { return run({"rev-parse", "HEAD"}); }

    // The lane's change, in two commits; its reviewed commit.
    std::string work() const
    {
        commit(m_lane, "file", lines({{10, "changed\n"}}));
        commit(m_lane, "new", "a new file\n");
        return head();
    }
    // main goes on in the same file, in another one and in the directory of none.
    void move_main() const
    {
        commit(m_repo.path(), "file", lines({{1, "first\nand more\n"}, {25, ""}}));
        commit(m_repo.path(), "other/file", "other\n");
    }
    [[nodiscard]] Result<bool> same(const std::string& reviewed, const std::string& into = "main",
                                    const std::string& own_ref = "refs/heads/lane") const
    {
        const auto repository = Repository::open(m_lane.string());
        const auto tip = named_tip(repository.value(), into);
        return same_change(*repository, {tip.value(), own_ref, reviewed, head()});
    }

    test::Repo m_repo{m_scratch};
    test::fs::path m_lane;
};

TEST_F(SameChange, OutlivesARebaseOntoAMovedMain)
{
    const std::string reviewed = work();
    EXPECT_TRUE(same(reviewed).value());
    move_main();
    EXPECT_TRUE(same(reviewed).value());
    run({"rebase", "--quiet", "main"});
    EXPECT_NE(head(), reviewed);
    EXPECT_TRUE(same(reviewed).value());
    run({"commit", "--quiet", "--amend", "--message", "In other words"});
    EXPECT_TRUE(same(reviewed).value());
    run({"reset", "--quiet", "--soft", "main"});
    run({"commit", "--quiet", "--message", "As one commit"});
    EXPECT_TRUE(same(reviewed).value());
}

TEST_F(SameChange, OutlivesACherryPickAndAMergeOfMain)
{
    const std::string reviewed = work();
    move_main();
    run({"checkout", "--quiet", "-b", "picked", "main"});
    run({"cherry-pick", "main~2.." + reviewed});
    EXPECT_TRUE(same(reviewed, "main", "refs/heads/picked").value());
    run({"checkout", "--quiet", "lane"});
    run({"merge", "--quiet", "--no-edit", "main"});
    EXPECT_TRUE(same(reviewed).value());
}

TEST_F(SameChange, OutlivesAnEmptyCommit)
{
    const std::string reviewed = work();
    run({"commit", "--quiet", "--allow-empty", "--message", "Nothing"});
    EXPECT_TRUE(same(reviewed).value());
}

TEST_F(SameChange, IsLostWithAnyByte)
{
    const std::string reviewed = work();
    const auto lost_with = [&](const std::string& name, const std::string& content) {
        commit(m_lane, name, content);
        const auto before = same(reviewed);
        run({"rebase", "--quiet", "main"});
        const auto after = same(reviewed);
        run({"reset", "--quiet", "--hard", reviewed});
        return before && !*before && after && !*after;
    };
    for (const bool moved : {false, true}) {
        SCOPED_TRACE(moved);
        EXPECT_TRUE(lost_with("file", lines({{10, "Changed\n"}})));
        EXPECT_TRUE(lost_with("file", lines({{10, "changed \n"}}))) << "white space alone";
        EXPECT_TRUE(lost_with("file", lines({{10, "\tchanged\n"}})));
        EXPECT_TRUE(lost_with("file", lines({{10, "changed\r\n"}}))) << "a line end alone";
        EXPECT_TRUE(lost_with("file", lines({{10, "changed\n"}, {11, "line 11\n\n"}}))) << "an empty line";
        EXPECT_TRUE(lost_with("file", lines({{10, "changed\n"}, {20, "line 2O\n"}})));
        EXPECT_TRUE(lost_with("file", lines())) << "undone";
        EXPECT_TRUE(lost_with("new", "a new file")) << "without its last newline";
        EXPECT_TRUE(lost_with("another", ""));
        EXPECT_TRUE(lost_with("binary", std::string("\0\1\3binary\n", 10)));
        move_main();
    }
}

TEST_F(SameChange, IsLostWithAModeALinkOrAName)
{
    const std::string reviewed = work();
    move_main();
    for (const std::vector<std::string>& edit : {std::vector<std::string>{"chmod", "+x", "script"},
                                                 {"mv", "new", "New"},
                                                 {"rm", "script"},
                                                 {"ln", "-sf", "file", "new"},
                                                 {"ln", "-s", "file", "link"}}) {
        test::Command command;
        command.arguments = edit;
        command.directory = m_lane.string();
        command.environment = m_scratch.environment();
        ASSERT_TRUE(test::run(command).succeeded());
        run({"add", "--all"});
        run({"commit", "--quiet", "--message", "Edit"});
        EXPECT_FALSE(same(reviewed).value()) << edit[0] << " " << edit[1];
        run({"rebase", "--quiet", "main"});
        EXPECT_FALSE(same(reviewed).value()) << edit[0] << " " << edit[1];
        run({"reset", "--quiet", "--hard", reviewed});
    }
}

TEST_F(SameChange, IsLostWhereTheSameLinesStandInAnotherPlace)
{
    commit(m_lane, "file", lines({{10, "line 10\nreturn;\n"}}));
    const std::string reviewed = head();
    move_main();
    run({"checkout", "--quiet", "-B", "lane", "main"});
    commit(m_lane, "file", lines({{1, "first\nand more\n"}, {20, "line 20\nreturn;\n"}, {25, ""}}));
    EXPECT_FALSE(same(reviewed).value());
}

TEST_F(SameChange, IsLostWhereAPersonResolvedAConflict)
{
    commit(m_lane, "file", lines({{10, "ours\n"}}));
    const std::string reviewed = head();
    commit(m_repo.path(), "file", lines({{10, "theirs\n"}}));
    run({"reset", "--quiet", "--hard", "main"});
    commit(m_lane, "file", lines({{10, "ours\n"}}));
    EXPECT_FALSE(same(reviewed).value());
}

TEST_F(SameChange, CarriesModesBinariesAndDeletionsOver)
{
    test::fs::permissions(m_lane / "script", test::fs::perms::owner_exec, test::fs::perm_options::add);
    test::fs::remove(m_lane / "README");
    commit(m_lane, "binary", std::string("\0\1\4binary\n", 10));
    const std::string reviewed = head();
    commit(m_repo.path(), "script", "echo more\n");
    test::fs::permissions(m_repo.path() / "binary", test::fs::perms::owner_exec, test::fs::perm_options::add);
    move_main();
    run({"rebase", "--quiet", "main"});
    EXPECT_TRUE(same(reviewed).value());
    commit(m_lane, "binary", std::string("\0\1\6binary\n", 10));
    EXPECT_FALSE(same(reviewed).value());

    // The base changed the binary too: nobody can merge that, so whatever stands there was made by hand.
    run({"reset", "--quiet", "--hard", reviewed});
    commit(m_repo.path(), "binary", std::string("\0\1\5binary\n", 10));
    run({"rebase", "--quiet", "--strategy-option=theirs", "main"});
    EXPECT_FALSE(same(reviewed).value());
    commit(m_lane, "binary", "");
    EXPECT_FALSE(same(reviewed).value());
}

TEST_F(SameChange, IsLostWhereTheLaneUndoesWhatMainDid)
{
    const std::string reviewed = work();
    move_main();
    // The reviewed tree on top of the new main: main's own work is gone.
    run({"merge", "--quiet", "--no-edit", "--strategy", "ours", "main"});
    EXPECT_EQ(run({"diff", reviewed}), "");
    EXPECT_FALSE(same(reviewed).value());
}

TEST_F(SameChange, IsLostWithAnotherLaneMergedIn)
{
    const std::string reviewed = work();
    run({"checkout", "--quiet", "-b", "second", "main"});
    commit(m_lane, "second", "unreviewed\n");
    run({"checkout", "--quiet", "lane"});
    run({"merge", "--quiet", "--no-edit", "second"});
    EXPECT_FALSE(same(reviewed).value());
}

TEST_F(SameChange, IsStillToldAfterTheMerge)
{
    const std::string reviewed = work();
    move_main();
    run({"rebase", "--quiet", "main"});
    m_repo.git({"merge", "--quiet", "--no-ff", "--no-edit", "lane"});
    EXPECT_TRUE(same(reviewed).value());
    m_repo.git({"reset", "--quiet", "--hard", "HEAD~1"});
    m_repo.git({"merge", "--quiet", "--ff-only", "lane"});
    EXPECT_TRUE(same(reviewed).value()) << "from main's reflog";
    test::fs::remove(m_repo.path() / ".git/logs/refs/heads/main");
    EXPECT_THAT(message_of(same(reviewed)), HasSubstr("in 'main' already"));
}

// Over its own merge base each of two commits of the integration branch is an empty change; that says nothing.
TEST_F(SameChange, IsNeverTheSameBecauseBothWereMerged)
{
    const std::string reviewed = work();
    m_repo.git({"merge", "--quiet", "--ff-only", "lane"});
    commit(m_lane, "unreviewed", "x\n");
    EXPECT_EQ(code_of(same(reviewed)), "repository-broken");
    m_repo.git({"merge", "--quiet", "--ff-only", "lane"});
    EXPECT_EQ(code_of(same(reviewed)), "repository-broken");
    run({"commit", "--quiet", "--allow-empty", "--message", "Nothing"});
    EXPECT_EQ(code_of(same(reviewed)), "repository-broken");
    m_repo.git({"merge", "--quiet", "--ff-only", "lane"});
    EXPECT_EQ(code_of(same(reviewed)), "repository-broken");
}

// What the lane's own branch held before is its own work, and no base to measure it against.
TEST_F(SameChange, DoesNotTakeTheLanesOwnReflogForTheIntegrationBranch)
{
    const std::string base = head();
    const std::string reviewed = work();
    run({"reset", "--quiet", "--hard", base});
    commit(m_lane, "unreviewed", "x\n");
    run({"cherry-pick", base + ".." + reviewed});
    EXPECT_EQ(code_of(same(reviewed, "lane")), "repository-broken");
    EXPECT_FALSE(same(reviewed).value());
}

TEST_F(SameChange, IsUnknownWithoutItsObjects)
{
    const std::string reviewed = work();
    move_main();
    run({"rebase", "--quiet", "main"});
    const std::string tree = run({"rev-parse", reviewed + "^{tree}"});
    test::fs::remove(m_repo.path() / ".git/objects" / tree.substr(0, 2) / tree.substr(2));
    EXPECT_EQ(code_of(same(reviewed)), "repository-broken");
    EXPECT_EQ(code_of(same(std::string(40, '1'))), "repository-broken");
}

TEST_F(SameChange, OfUnrelatedHistoriesIsUnknown)
{
    const std::string reviewed = work();
    run({"checkout", "--quiet", "--orphan", "new"});
    run({"commit", "--quiet", "--message", "Another beginning"});
    EXPECT_THAT(message_of(same(reviewed)), HasSubstr("no history in common"));
}

TEST_F(SameChange, AnAmendedMessageNeedsNoIntegrationBranch)
{
    const std::string reviewed = work();
    const auto repository = Repository::open(m_lane.string());
    const auto reworded = [&] { return only_message_differs(*repository, reviewed, head()).value(); };
    EXPECT_TRUE(reworded());
    run({"commit", "--quiet", "--amend", "--message", "In other words"});
    EXPECT_NE(head(), reviewed);
    EXPECT_TRUE(reworded());
    run({"commit", "--quiet", "--allow-empty", "--message", "Nothing"});
    EXPECT_FALSE(reworded()) << "another parent";
    run({"reset", "--quiet", "--hard", "HEAD~1"});
    test::write_file(m_lane / "new", "A new file\n");
    run({"commit", "--quiet", "--all", "--amend", "--message", "Another tree"});
    EXPECT_FALSE(reworded());
}

}  // namespace
}  // namespace mandate::git
