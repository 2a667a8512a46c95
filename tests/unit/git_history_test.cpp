// Held against what git itself says of the same commits.

#include "git/branches.hpp"
#include "git/history.hpp"
#include "git/same_change.hpp"
#include "git_support.hpp"

#include <gmock/gmock.h>

namespace mandate::git {
namespace {

using mandate::testing::code_of;
using mandate::testing::message_of;
using ::testing::HasSubstr;

class WithHistory : public mandate::testing::WithGit {
protected:
    [[nodiscard]] static Repository open(const test::fs::path& where)
    {
        auto opened = Repository::open(where.string());
        EXPECT_TRUE(opened) << opened.error().message;
        return std::move(*opened);
    }
    [[nodiscard]] Repository open() const { return open(m_repo.path()); }
    std::string run(const std::vector<std::string>& arguments) const { return m_repo.git(arguments); }
    std::string id(const std::string& revision) const { return run({"rev-parse", revision}); }
    std::string commit(const std::string& name) const
    {
        m_repo.commit_file(m_repo.path(), name, name);
        return id("HEAD");
    }
    void checkout(const std::string& branch, const std::string& from = {}) const
    {
        from.empty() ? run({"checkout", "--quiet", branch}) : run({"checkout", "--quiet", "-b", branch, from});
    }
    // A shallow clone of the last `depth` commits of each branch.
    test::fs::path shallow_clone(int depth) const
    {
        const test::fs::path clone = m_scratch.path() / "clone";
        run({"clone", "--quiet", "--no-single-branch", "--depth", std::to_string(depth),
             "file://" + m_repo.path().string(), clone.string()});
        return clone;
    }
    test::Repo m_repo{m_scratch};
};

TEST_F(WithHistory, FindsCommitsByIdAndNeverByName)
{
    const std::string head = id("HEAD");
    run({"branch", "deadbeef"});
    EXPECT_EQ(find_commit(open(), head).value(), head);
    EXPECT_EQ(find_commit(open(), head.substr(0, 7)).value(), head);
    for (const std::string& other : {std::string("deadbeef"), std::string("main"), std::string(40, '1'),
                                     std::string(64, '1'), std::string(), id("HEAD^{tree}")}) {
        EXPECT_EQ(code_of(find_commit(open(), other)), "repository-broken") << other;
    }
}

TEST_F(WithHistory, AnswersWhatHoldsWhatAsGitDoes)
{
    commit("a");
    checkout("lane", "HEAD");
    commit("b");
    checkout("main");
    commit("c");
    run({"merge", "--quiet", "--no-edit", "lane"});
    checkout("other", "HEAD~1");
    run({"checkout", "--quiet", "--orphan", "unrelated"});
    commit("d");
    const std::vector<std::string> names{"main", "lane", "other", "unrelated", "main~2"};
    for (const std::string& tip : names) {
        for (const std::string& below : names) {
            const bool expected = git("repo", {"merge-base", "--is-ancestor", below, tip}).succeeded();
            EXPECT_EQ(holds(open(), id(tip), id(below)).value(), expected) << tip << " " << below;
            const test::Outcome base = git("repo", {"merge-base", tip, below});
            const auto ours = merge_base(open(), id(tip), id(below));
            EXPECT_EQ(ours ? *ours + "\n" : "", base.out) << tip << " " << below;
        }
    }
    EXPECT_THAT(message_of(merge_base(open(), id("main"), id("unrelated"))), HasSubstr("no history in common"));
}

TEST_F(WithHistory, SaysSoWhereCommitsAreMissing)
{
    const std::string gone(40, '1');
    EXPECT_EQ(code_of(holds(open(), id("HEAD"), gone)), "repository-broken");
    EXPECT_EQ(code_of(holds(open(), gone, id("HEAD"))), "repository-broken");
    EXPECT_EQ(code_of(merge_base(open(), gone, id("HEAD"))), "repository-broken");
    EXPECT_EQ(code_of(before_merge_of(open(), gone, id("HEAD"))), "repository-broken");
    EXPECT_EQ(code_of(holds(open(), "no id", id("HEAD"))), "repository-broken");
}

TEST_F(WithHistory, IsCertainInAShallowCloneOnlyOfWhatIsThere)
{
    checkout("lane", "HEAD");
    commit("a");
    checkout("main");
    for (const char* name : {"b", "c", "d"}) {
        commit(name);
    }
    const Repository clone = open(shallow_clone(2));
    EXPECT_EQ(holds(clone, id("main"), id("main")).value(), true);
    EXPECT_EQ(holds(clone, id("main"), id("main~1")).value(), true);
    EXPECT_EQ(holds(clone, id("main"), id("main~2")).value(), true) << "not here, but the parent of what is";
    for (const std::string& beyond : {id("lane"), id("main~3")}) {
        const auto answer = holds(clone, id("main"), beyond);
        ASSERT_EQ(code_of(answer), "repository-broken");
        EXPECT_THAT(answer.error().message, HasSubstr("shallow"));
        EXPECT_THAT(answer.error().hint, HasSubstr("--unshallow"));
    }
    EXPECT_THAT(message_of(merge_base(clone, id("main"), id("lane"))), HasSubstr("shallow"));
    EXPECT_THAT(message_of(before_merge_of(clone, id("main"), id("main~1"))), HasSubstr("shallow"));
}

TEST_F(WithHistory, FindsTheBaseInAShallowCloneWhereAllIsThereThatTells)
{
    commit("a");
    commit("b");
    checkout("lane", "HEAD");
    commit("c");
    checkout("main");
    commit("d");
    const Repository clone = open(shallow_clone(3));
    EXPECT_EQ(merge_base(clone, id("main"), id("lane")).value(), id("main~1"));
}

// Two bases, one of them behind the edge: the other alone would be a wrong answer.
TEST_F(WithHistory, FindsNoBaseInAShallowCloneWhereThereMayBeAnother)
{
    checkout("left", "HEAD");
    commit("a");
    checkout("right", "HEAD");
    const std::string right = commit("b");
    checkout("left");
    const std::string left = commit("c");
    checkout("main");
    commit("d");
    checkout("lane", "HEAD");
    run({"merge", "--quiet", "--no-edit", right});
    checkout("main");
    run({"merge", "--quiet", "--no-edit", left});
    run({"branch", "--quiet", "-D", "left", "right"});
    EXPECT_THAT(message_of(merge_base(open(), id("main"), id("lane"))), HasSubstr("both directions"));
    EXPECT_THAT(message_of(merge_base(open(shallow_clone(2)), id("main"), id("lane"))), HasSubstr("shallow"));
}

// Two commits of the same tree at the edge of a shallow clone: that both lack parents there does not make them the
// same.
TEST_F(WithHistory, KnowsAnAmendedMessageByTheParentsThatAreWritten)
{
    const std::string tree = id("HEAD^{tree}");
    const auto on = [&](const std::string& parent, const std::string& message) {
        return run({"commit-tree", tree, "-p", parent, "-m", message});
    };
    const std::string first = id("HEAD");
    const std::string other = on(first, "other");
    for (const auto& [name, id] : std::vector<std::pair<std::string, std::string>>{
             {"one", on(first, "one")}, {"two", on(first, "two")}, {"three", on(other, "three")}}) {
        run({"branch", name, id});
    }
    const Repository clone = open(shallow_clone(1));
    EXPECT_EQ(only_message_differs(clone, id("one"), id("two")).value(), true);
    EXPECT_EQ(only_message_differs(clone, id("one"), id("three")).value(), false);
}

TEST_F(WithHistory, RefusesToChooseAmongSeveralBases)
{
    checkout("lane", "HEAD");
    const std::string lane = commit("a");
    checkout("main");
    const std::string main = commit("b");
    run({"merge", "--quiet", "--no-edit", lane});
    checkout("lane");
    run({"merge", "--quiet", "--no-edit", main});
    EXPECT_EQ(run({"merge-base", "--all", "main", "lane"}).size(), 81U) << "two ids and a newline";
    EXPECT_THAT(message_of(merge_base(open(), id("main"), id("lane"))), HasSubstr("both directions"));
}

TEST_F(WithHistory, KnowsTheBranchAsItWasBeforeAMerge)
{
    checkout("lane", "HEAD");
    const std::string lane = commit("a");
    checkout("main");
    const std::string before = commit("b");
    run({"merge", "--quiet", "--no-edit", "lane"});
    EXPECT_EQ(before_merge_of(open(), id("main"), lane).value(), before);
    for (int more = 0; more < 9; ++more) {
        commit("more" + std::to_string(more));
        EXPECT_EQ(before_merge_of(open(), id("main"), lane).value(), before) << more;
    }
    // On the line of first parents nothing was merged: not main's own commits, not the first of all.
    for (const std::string& own : {before, id("main"), id("main~4"), id("main~10"), id("main~11"),
                                   run({"rev-list", "--max-parents=0", "main"})}) {
        EXPECT_EQ(before_merge_of(open(), id("main"), own).value(), std::nullopt);
    }
}

TEST_F(WithHistory, KnowsTheBranchAsItWasBeforeAFastForwardFromItsReflog)
{
    checkout("lane", "HEAD");
    commit("a");
    const std::string lane = commit("b");
    checkout("main");
    const std::string before = commit("c");
    checkout("lane");
    run({"rebase", "--quiet", "main"});
    const std::string rebased = id("lane");
    checkout("main");
    run({"merge", "--quiet", "--ff-only", "lane"});
    EXPECT_EQ(before_merge_of(open(), id("main"), rebased).value(), std::nullopt);
    EXPECT_EQ(before_in_reflog(open(), "refs/heads/main", rebased).value(), before);
    commit("d");
    EXPECT_EQ(before_in_reflog(open(), "refs/heads/main", rebased).value(), before);
    EXPECT_EQ(before_in_reflog(open(), "refs/heads/main", run({"rev-list", "--max-parents=0", "main"})).value(),
              std::nullopt);

    const test::fs::path log = m_repo.path() / ".git/logs/refs/heads/main";
    test::fs::remove(log);
    EXPECT_EQ(before_in_reflog(open(), "refs/heads/main", rebased).value(), std::nullopt);
    EXPECT_EQ(before_in_reflog(open(), "", rebased).value(), std::nullopt);
    EXPECT_FALSE(test::fs::exists(log)) << "reading creates nothing";
}

TEST_F(WithHistory, FindsTheUpstreamAsGitDoes)
{
    checkout("task/one", "HEAD");
    EXPECT_THAT(message_of(upstream_of(open(), "task/one")), HasSubstr("has no upstream"));
    run({"clone", "--quiet", "--bare", ".", path("origin.git")});
    run({"remote", "add", "origin", path("origin.git")});
    run({"push", "--quiet", "--set-upstream", "origin", "task/one"});
    const std::string pushed = id("HEAD");
    commit("a");
    const Tip tip = upstream_of(open(), "task/one").value();
    EXPECT_EQ(tip.name, run({"rev-parse", "--abbrev-ref", "@{upstream}"}));
    EXPECT_EQ(tip.commit, pushed);

    run({"branch", "--quiet", "--set-upstream-to", "main"});
    EXPECT_EQ(upstream_of(open(), "task/one").value().name, "main");
    run({"config", "branch.task/one.remote", "origin"});
    run({"config", "branch.task/one.merge", "refs/heads/gone"});
    EXPECT_THAT(message_of(upstream_of(open(), "task/one")), HasSubstr("is not here"));
    run({"config", "branch.task/one.remote", "no such remote"});
    EXPECT_EQ(code_of(upstream_of(open(), "task/one")), "repository-broken");
    run({"config", "--unset", "branch.task/one.remote"});
    EXPECT_THAT(message_of(upstream_of(open(), "task/one")), HasSubstr("has no upstream"));
}

TEST_F(WithHistory, FindsTheIntegrationBranch)
{
    const auto name = [&] {
        const auto tip = integration_branch(open(), "lane");
        return tip ? tip->name : tip.error().message;
    };
    checkout("lane", "HEAD");
    EXPECT_EQ(name(), "main");
    run({"branch", "master"});
    EXPECT_EQ(name(), "main");
    run({"branch", "--delete", "--force", "main"});
    EXPECT_EQ(name(), "master");
    run({"branch", "--delete", "--force", "master"});
    EXPECT_THAT(name(), HasSubstr("no integration branch"));

    run({"update-ref", "refs/remotes/origin/main", "HEAD"});
    EXPECT_EQ(name(), "origin/main");
    run({"branch", "main"});
    EXPECT_EQ(name(), "main");
    run({"update-ref", "refs/remotes/origin/trunk", "HEAD"});
    run({"symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"});
    EXPECT_EQ(name(), "origin/trunk");
    run({"update-ref", "refs/remotes/fork/trunk", "HEAD"});
    run({"symbolic-ref", "refs/remotes/fork/HEAD", "refs/remotes/fork/trunk"});
    EXPECT_EQ(name(), "origin/trunk");
    run({"config", "branch.lane.remote", "fork"});
    EXPECT_EQ(name(), "fork/trunk");
    run({"update-ref", "-d", "refs/remotes/fork/trunk"});
    EXPECT_EQ(name(), "origin/trunk") << "a HEAD that leads nowhere";
    run({"config", "branch.lane.remote", "https://example.invalid/../x.git"});
    EXPECT_EQ(name(), "origin/trunk");
}

TEST_F(WithHistory, TakesTheTipThatSomebodyNames)
{
    run({"branch", "develop"});
    EXPECT_EQ(named_tip(open(), "develop").value().ref, "refs/heads/develop");
    EXPECT_EQ(named_tip(open(), "HEAD~0").value().ref, "");
    EXPECT_EQ(named_tip(open(), "HEAD~0").value().commit, id("HEAD"));
    EXPECT_EQ(code_of(named_tip(open(), "nowhere")), "value-invalid");
    EXPECT_EQ(code_of(named_tip(open(), "")), "value-invalid");
}

}  // namespace
}  // namespace mandate::git
