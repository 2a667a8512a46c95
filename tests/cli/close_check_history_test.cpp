// close-check and the commits of a lane: merged in every way, not merged, ahead, behind; and its record.

#include "support/closing.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace mandate::test {
namespace {

using testing::ElementsAre;

class CloseCheckHistory : public Closing {
protected:
    void init(const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> arguments{"init", "--preset", "merge-delegated", "task=done", "authorized_by=ann"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        ASSERT_EQ(mandate.run(lane, arguments).exit(), 0);
    }
    void book(const std::vector<std::string>& arguments) const
    {
        ASSERT_EQ(mandate.run(lane, arguments).exit(), 0) << arguments[0];
    }
};

TEST_F(CloseCheckHistory, NotMergedUntilItIs)
{
    commit("b.c", "b\n");
    commit("c.c", "c\n");
    expect_ask({"not-merged 2 commits not in main"});
    repo.commit_file(repo.path(), "other", "o\n");
    merge_into_main({"--no-ff"});
    expect_auto();
}

TEST_F(CloseCheckHistory, ASquashIsTheCallersWord)
{
    commit("b.c", "b\n");
    commit("b.c", "c\n");
    const std::string merged = head();
    repo.git({"merge", "--quiet", "--squash", "task/done"});
    repo.git({"commit", "--quiet", "-m", "squashed"});
    expect_ask({"not-merged 2 commits not in main"});
    expect_auto({"--merged-head", merged});
    commit("after.c", "a\n");
    expect_ask({"post-merge-commits 1 commit not in " + merged.substr(0, 12) + ", which was merged"},
               {"--merged-head", merged});
    git({"reset", "--quiet", "--hard", merged + "~1"});
    expect_ask({"not-merged HEAD is older than " + merged.substr(0, 12) + ", which was merged"},
               {"--merged-head", merged});
    const std::string unknown(40, '1');
    expect_ask({"not-merged HEAD is not 111111111111, which was merged and is not here"}, {"--merged-head", unknown});
}

TEST_F(CloseCheckHistory, ARebaseMergeIsFoundCommitByCommit)
{
    commit("b.c", "b\n");
    commit("src/a.c", "int a;\nint b;\n");
    repo.commit_file(repo.path(), "other", "o\n");
    repo.git({"cherry-pick", "task/done~1", "task/done"});
    expect_auto();
    commit("after.c", "a\n");
    expect_ask({"post-merge-commits 1 commit not in main"});
}

TEST_F(CloseCheckHistory, AnEmptyCommitIsNoSignOfAMerge)
{
    commit("b.c", "b\n");
    git({"commit", "-q", "--allow-empty", "-m", "nothing"});
    expect_ask({"not-merged 1 commit not in main"});
}

TEST_F(CloseCheckHistory, WhiteSpaceIsAChangeToo)
{
    commit("b.py", "if x:\n    y\n    z\n");
    repo.commit_file(repo.path(), "b.py", "if x:\n    y\nz\n");
    expect_ask({"not-merged 1 commit not in main"});
}

TEST_F(CloseCheckHistory, BinaryFilesAreComparedByTheirBytes)
{
    commit("b.bin", std::string_view("\0one", 4));
    repo.commit_file(repo.path(), "b.bin", std::string_view("\0two", 4));
    expect_ask({"not-merged 1 commit not in main"});
}

TEST_F(CloseCheckHistory, CommitsAfterAMergeCommit)
{
    commit("b.c", "b\n");
    merge_into_main({"--no-ff"});
    commit("after.c", "a\n");
    expect_ask({"post-merge-commits 1 commit not in main"});
}

TEST_F(CloseCheckHistory, TheOwnBranchIsNoIntegrationBranch)
{
    commit("b.c", "b\n");
    for (const char* own : {"task/done", "HEAD", "refs/heads/task/done"}) {
        const Answer answer = check({"--into", own});
        EXPECT_THAT(codes(answer), ElementsAre("not-merged")) << own << answer;
    }
    EXPECT_EQ(check({"--into", head()}).exit(), 2);  // keeps nothing once the branch is gone
    EXPECT_EQ(check({"--into", "no-such-branch"}).value("error"), "value-invalid");
    git({"branch", "keeper"});
    expect_auto({"--into", "keeper"});
}

TEST_F(CloseCheckHistory, TheRemotesHeadComesFirst)
{
    add_remote();
    repo.git({"remote", "set-head", "origin", "main"});
    commit("b.c", "b\n");
    merge_into_main();
    git({"push", "--quiet"});
    expect_ask({"not-merged 1 commit not in origin/main"});
    repo.git({"push", "--quiet", "origin", "main"});
    expect_auto();
}

TEST_F(CloseCheckHistory, UpstreamBehindAndAhead)
{
    add_remote();
    expect_auto();
    commit("b.c", "b\n");
    merge_into_main();
    expect_ask({"unpushed 1 commit not in origin/task/done"});
    git({"push", "--quiet"});
    expect_auto();
    const std::string ahead = git({"commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "theirs"});
    git({"push", "--quiet", "origin", ahead + ":task/done"});
    expect_ask({"remote-ahead 1 commit in origin/task/done and neither here nor merged"});
    repo.git({"merge", "--quiet", ahead});
    expect_auto();
}

TEST_F(CloseCheckHistory, TheRemotesHeadByTheCallersWord)
{
    const std::string unknown(40, '2');
    expect_ask({"remote-ahead the remote holds 222222222222, which was not fetched"}, {"--remote-head", unknown});
    expect_auto({"--remote-head", head()});
    expect_auto({"--remote-head", git({"rev-parse", "HEAD~1"})});
    EXPECT_EQ(check({"--remote-head", "main"}).value("error"), "value-invalid");
}

TEST_F(CloseCheckHistory, AnUpstreamThatTheForgeDeletedIsNone)
{
    add_remote();
    repo.git({"push", "--quiet", "--delete", "origin", "task/done"});
    expect_auto();
}

TEST_F(CloseCheckHistory, ABranchThatTracksTheIntegrationBranchIsNotBehindItself)
{
    add_remote();
    git({"branch", "--quiet", "--set-upstream-to", "origin/main"});
    repo.commit_file(repo.path(), "later", "l\n");
    repo.git({"push", "--quiet", "origin", "main"});
    expect_auto();
}

TEST_F(CloseCheckHistory, DetachedIsMergedWhereAnyRefKeepsIt)
{
    git({"checkout", "--quiet", "--detach"});
    expect_auto();
    commit("b.c", "b\n");
    expect_ask({"not-merged 1 commit not in main"});
    git({"tag", "kept"});
    expect_auto();
}

TEST_F(CloseCheckHistory, RefsOfTheWorktreeAloneGoWithIt)
{
    const std::string loose = git({"commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "loose"});
    git({"update-ref", "refs/worktree/mark", "HEAD"});
    expect_auto();
    for (const std::string name : {"refs/worktree/mark", "refs/bisect/bad", "refs/rewritten/onto"}) {
        git({"update-ref", name, loose});
        expect_ask({"not-merged a ref of this worktree alone keeps " + loose + ", which no branch has"});
        git({"update-ref", "-d", name});
    }
}

TEST_F(CloseCheckHistory, OperationsInProgress)
{
    repo.git({"checkout", "--quiet", "-b", "side", "HEAD~1"});
    repo.commit_file(repo.path(), "src/a.c", "int other;\n");
    repo.git({"checkout", "--quiet", "main"});
    const struct {
        std::vector<std::string> start;
        std::vector<std::string> stop;
        std::string operation;
    } operations[] = {
        {{"merge", "side"}, {"merge", "--abort"}, "merge"},
        {{"rebase", "side"}, {"rebase", "--abort"}, "rebase"},
        {{"cherry-pick", "side"}, {"cherry-pick", "--abort"}, "cherry-pick"},
        {{"revert", "--no-commit", "HEAD"}, {"revert", "--abort"}, "revert"},
        {{"bisect", "start"}, {"bisect", "reset"}, "bisect"},
    };
    for (const auto& operation : operations) {
        git_may_fail(operation.start);
        const Answer answer = check();
        EXPECT_THAT(reasons(answer), testing::Contains("operation-in-progress " + operation.operation)) << answer;
        git_may_fail(operation.stop);
        expect_auto();
    }
    // `am` stays on its branch, and its state looks like that of a rebase.
    const fs::path patch = scratch.path() / "patch";
    write_file(patch, repo.git({"format-patch", "--stdout", "-1", "side"}) + "\n");
    git_may_fail({"am", "--quiet", patch.string()});
    expect_ask({"operation-in-progress am"});
    git({"am", "--abort"});
    expect_auto();
    write_file(repo.path() / ".git/worktrees/lane/index.lock", "");
    expect_ask({"operation-in-progress index.lock"});
}

TEST_F(CloseCheckHistory, AConflictIsDirty)
{
    repo.git({"checkout", "--quiet", "-b", "side", "HEAD~1"});
    repo.commit_file(repo.path(), "src/a.c", "int other;\n");
    repo.git({"checkout", "--quiet", "main"});
    git_may_fail({"merge", "side"});
    expect_ask({"dirty conflicted src/a.c", "operation-in-progress merge"});
}

TEST_F(CloseCheckHistory, StashEntriesOfThisBranchAlone)
{
    put("src/a.c", "int b;\n");
    git({"stash", "push", "--quiet"});
    put("src/a.c", "int c;\n");
    git({"stash", "push", "--quiet", "-m", "named"});
    write_file(repo.path() / "README", "elsewhere\n");
    repo.git({"stash", "push", "--quiet"});
    expect_ask({"stash 2 entries made on this branch"});
    git({"stash", "drop", "--quiet", "stash@{1}"});
    expect_ask({"stash 1 entry made on this branch"});
}

// Such an entry belongs to no branch; as all entries it is the repository's, and outlives the lane.
TEST_F(CloseCheckHistory, AStashOfADetachedHeadStaysWhenTheLaneGoes)
{
    git({"checkout", "--quiet", "--detach"});
    put("src/a.c", "int stashed;\n");
    git({"stash", "push", "--quiet"});
    EXPECT_THAT(git({"stash", "list"}), testing::HasSubstr("WIP on (no branch): "));
    expect_auto();
    git({"checkout", "--quiet", "task/done"});
    expect_auto();
    repo.git({"worktree", "remove", "--force", lane.string()});
    repo.git({"branch", "--quiet", "-D", "task/done"});
    EXPECT_EQ(repo.git({"show", "stash@{0}:src/a.c"}), "int stashed;");
}

TEST_F(CloseCheckHistory, SubmodulesWithWorkOfTheirOwn)
{
    const Repo inner(scratch, "inner");
    git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path().string(), "sub"});
    git({"config", "--file", ".gitmodules", "submodule.sub.ignore", "all"});
    git({"commit", "--quiet", "-am", "submodule"});
    merge_into_main();
    expect_auto();
    write_file(lane / "sub/README", "changed\n");
    EXPECT_EQ(git({"status", "--porcelain"}), "");
    expect_ask({"submodule-dirty changes in sub"});
    repo.git_in(lane / "sub", {"stash", "push", "--quiet"});
    expect_ask({"submodule-dirty unpushed commits in sub"});
    repo.git_in(lane / "sub", {"stash", "drop", "--quiet"});
    expect_auto();
    repo.git_in(lane / "sub", {"commit", "--quiet", "--allow-empty", "-m", "own"});
    expect_ask({"submodule-dirty other commit in sub"});
    repo.git_in(lane / "sub", {"checkout", "--quiet", "HEAD~1"});
    expect_ask({"submodule-dirty unpushed commits in sub"});  // its branch has the commit still
    git({"submodule", "--quiet", "deinit", "--force", "sub"});
    expect_ask({"submodule-dirty repository without its files sub"});
}

TEST_F(CloseCheckHistory, ALockedWorktreeAndABookingInProgress)
{
    repo.git({"worktree", "lock", "--reason", "on a stick", lane.string()});
    expect_ask({"worktree-locked git worktree lock: on a stick"});
    repo.git({"worktree", "unlock", lane.string()});
    put(".MANDATE.lock", "");
    Command holder;
    holder.arguments = {"flock", (lane / ".MANDATE.lock").string(), "sh", "-c", "echo held; sleep 60"};
    holder.environment = scratch.environment();
    Background held(holder);
    held.wait_for_output("held");
    expect_ask({"lock-held a booking is in progress"});
    fs::remove(lane / ".MANDATE.lock");
    fs::create_directory(lane / ".MANDATE.lock");  // as scripts did before
    expect_ask({"lock-held the lock is a directory: an older script is at work, or has left it behind"});
}

TEST_F(CloseCheckHistory, TheMainWorktreeAndWhatIsNoLane)
{
    const Answer main = mandate.run(repo.path(), {"close-check"});
    EXPECT_EQ(main.exit(), 1);
    EXPECT_EQ(main.value("decision"), "reject");
    EXPECT_THAT(codes(main), ElementsAre("main-worktree"));
    fs::copy(lane, scratch.path() / "copy", fs::copy_options::recursive);
    for (const fs::path& directory : {scratch.path(), scratch.path() / "gone", scratch.path() / "copy"}) {
        const Answer answer = mandate.run(lane, {"close-check", directory.string()});
        EXPECT_EQ(answer.exit(), 1) << answer;
        EXPECT_EQ(answer.value("decision"), "reject") << answer;
        EXPECT_THAT(codes(answer), ElementsAre("not-a-lane")) << answer;
    }
    const Answer other = mandate.run(lane, {"--branch", "no-such", "close-check"});
    EXPECT_THAT(codes(other), testing::Contains("not-a-lane")) << other;
    EXPECT_EQ(other.exit(), 1);
}

TEST_F(CloseCheckHistory, AnUnbornLaneHoldsWhatIsInItsFiles)
{
    git({"checkout", "--quiet", "--orphan", "task/unborn"});
    git({"rm", "--quiet", "-rf", "."});
    expect_auto();
    put("x", "x\n");
    git({"add", "x"});
    expect_ask({"dirty staged x"});
}

TEST_F(CloseCheckHistory, TheRecordIsAskedWhereThereIsOne)
{
    init({"terminal_gate=reviewed-pr"});
    const Answer unreviewed = check();
    EXPECT_THAT(codes(unreviewed), ElementsAre("gate-not-met")) << unreviewed;
    EXPECT_THAT(reasons(unreviewed)[0], testing::StartsWith("gate-not-met not-reviewed"));
    EXPECT_EQ(unreviewed.value("task"), "done");
    book({"round"});
    EXPECT_THAT(codes(check()), ElementsAre("gate-not-met", "round-open"));
    book({"reviewed", "--findings", "0"});
    expect_auto();
    book({"reviewed", "--findings", "0"});  // nobody booked it
    EXPECT_THAT(reasons(check()), ElementsAre("unenforced unbooked-review 1"));
    book({"unenforced", "--ack", "--by", "ann"});
    expect_auto();
}

TEST_F(CloseCheckHistory, ARecordThatCannotBeTrustedIsAFinding)
{
    put("MANDATE.md", "no front matter\n");
    const Answer answer = check();
    EXPECT_THAT(codes(answer), ElementsAre("record-problem")) << answer;
    EXPECT_THAT(reasons(answer)[0], testing::StartsWith("record-problem record-no-frontmatter "));
}

TEST_F(CloseCheckHistory, JsonHoldsTheSame)
{
    put("b.txt", "b\n");
    const nlohmann::json json = check({"--json"}).json();
    EXPECT_EQ(json["decision"], "ask");
    EXPECT_EQ(json["reasons"][0]["code"], "dirty");
    EXPECT_EQ(json["reasons"][0]["text"], "untracked b.txt");
    EXPECT_TRUE(json["task"].is_null());
}

}  // namespace
}  // namespace mandate::test
