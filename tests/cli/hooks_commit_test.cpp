#include "hooks_fixture.hpp"

namespace mandate::test {
namespace {

using HooksCommit = Hooks;

TEST_F(HooksCommit, EveryKindOfCommitIsSilentWhereItIsAllowed)
{
    expect_silent_success(commit(feat, "a"));
    write_file(feat / "a", "changed\n");
    expect_silent_success(git(feat, {"commit", "--quiet", "--all", "--message", "all"}));
    expect_silent_success(git(feat, {"commit", "--quiet", "--amend", "--message", "amended"}));
    change(feat, "b");
    change(feat, "c");
    expect_silent_success(git(feat, {"commit", "--quiet", "--message", "partial", "b"}));
    fs::create_directories(feat / "sub/deep");
    expect_silent_success(git(feat / "sub/deep", {"commit", "--quiet", "--message", "from below"}));
    EXPECT_EQ(in_ledger(feat, "unenforced"), 0U);
}

TEST_F(HooksCommit, WhatTheRecordDeniesOrDoesNotListIsRefused)
{
    EXPECT_EQ(mandate.run(feat, {"revoke", "commit", "--deny"}).exit(), 0);
    const std::string before = head(feat);
    expect_refusal(commit(feat, "a"), "pre-commit", "'commit', and the record denies it; ann can change that");
    EXPECT_EQ(head(feat), before);
    EXPECT_EQ(mandate.run(feat, {"grant", "commit", "--by", "ann"}).exit(), 0);
    expect_silent_success(git(feat, {"commit", "--quiet", "--message", "a"}));
    EXPECT_EQ(mandate.run(feat, {"revoke", "commit"}).exit(), 0);
    expect_refusal(commit(feat, "b"), "pre-commit", "the record does not allow it");
}

TEST_F(HooksCommit, PolicyDenyHoldsWithAndWithoutARecord)
{
    write_file(repo.path() / ".git/mandate/config.toml", "[policy]\ndeny = [\"commit\"]\n");
    expect_refusal(commit(feat, "a"), "pre-commit", "policy.deny denies it");
    expect_refusal(commit(repo.path(), "a"), "pre-commit", "policy.deny denies it");
}

TEST_F(HooksCommit, AnExpiredGrantIsRefused)
{
    EXPECT_EQ(mandate
                  .run(feat, {"init", "task=t", "authorized_by=ann", "--preset", "standard", "--force",
                              "expires_at=2020-01-01T00:00:00Z"})
                  .exit(),
              0);
    expect_refusal(commit(feat, "a"), "pre-commit", "ran out");
}

TEST_F(HooksCommit, WithoutARecordItPassesAndIsCountedOrIsRefused)
{
    expect_silent_success(commit(repo.path(), "a") /* on main: asks commit, then merge */);
    EXPECT_EQ(counted(repo.path(), "no-mandate"), 2U);
    write_file(repo.path() / ".git/mandate/config.toml", "[hooks]\nwithout_record = \"refuse\"\n");
    expect_refusal(commit(repo.path(), "b"), "pre-commit", "there is no record");
}

TEST_F(HooksCommit, ARecordThatRefusesOrBrokenConfigurationCannotDecide)
{
    fs::rename(feat / "MANDATE.md", feat / "elsewhere");
    fs::create_symlink("elsewhere", feat / "MANDATE.md");
    expect_refusal(commit(feat, "a"), "pre-commit", "cannot decide: the record is a symbolic link");
    write_file(repo.path() / ".git/mandate/config.toml", "[hooks]\non_error = \"pass\"\n");
    expect_silent_success(git(feat, {"commit", "--quiet", "--message", "a"}));
    EXPECT_EQ(counted(feat, "hook-error"), 1U);
    write_file(repo.path() / ".git/mandate/config.toml", "[hooks\n");
    expect_refusal(commit(feat, "b"), "pre-commit", "cannot decide: ");
}

TEST_F(HooksCommit, ARecordNeverGoesIntoACommit)
{
    const std::string before = head(feat);
    const auto refused = [&](std::vector<std::string> arguments, const Environment& more = {}) {
        expect_refusal(git(feat, std::move(arguments), more), "pre-commit", "is staged, and a record never goes");
        EXPECT_EQ(head(feat), before);
    };
    repo.git_in(feat, {"add", "--force", "MANDATE.md"});
    refused({"commit", "--message", "x"});
    refused({"commit", "--all", "--message", "x"});
    refused({"commit", "--message", "x", "MANDATE.md"});
    refused({"commit", "--message", "x"}, {{"MANDATE_BYPASS", "boss"}});
    repo.git_in(feat, {"rm", "--quiet", "--cached", "MANDATE.md"});
    repo.git_in(feat, {"add", "--force", ".MANDATE.lock"});
    refused({"commit", "--message", "x"});
    repo.git_in(feat, {"rm", "--quiet", "--cached", ".MANDATE.lock"});
    // Without any record to ask, on_error = pass and a folder of that name, all the same.
    fs::remove(feat / "MANDATE.md");
    write_file(repo.path() / ".git/mandate/config.toml", "[hooks]\non_error = \"pass\"\n");
    write_file(feat / "MANDATE.md/inner", "x\n");
    repo.git_in(feat, {"add", "--force", "MANDATE.md/inner"});
    refused({"commit", "--message", "x"});
    repo.git_in(feat, {"rm", "--quiet", "-r", "--cached", "MANDATE.md"});
    // Names beside it are nobody's business.
    change(feat, "MANDATE.md-notes");
    change(feat, "sub/MANDATE.md");
    change(feat, ".MANDATEx");
    fs::remove_all(feat / "MANDATE.md");
    expect_silent_success(git(feat, {"commit", "--quiet", "--message", "x"}));
}

TEST_F(HooksCommit, APartialCommitIsJudgedByItsOwnIndex)
{
    change(feat, "a");
    repo.git_in(feat, {"add", "--force", "MANDATE.md"});
    // The record is in the lane's index, so it grants nothing; and the commit itself would be clean.
    expect_refusal(git(feat, {"commit", "--message", "x", "--only", "a"}), "pre-commit", "git's index");
    repo.git_in(feat, {"rm", "--quiet", "--cached", "MANDATE.md"});
    repo.git_in(feat, {"add", "--intent-to-add", "--force", ".MANDATE.lock"});
    expect_refusal(git(feat, {"commit", "--all", "--message", "x"}), "pre-commit", ".MANDATE.*");
}

TEST_F(HooksCommit, NoVerifyBecomesANumberWithTheCommit)
{
    change(feat, "a");
    expect_silent_success(git(feat, {"commit", "--quiet", "--no-verify", "--message", "a"}));
    EXPECT_EQ(in_ledger(feat, "\"reason\":\"no-verify\",\"detail\":\"" + head(feat) + "\""), 1U);
    const Answer shown = mandate.run(feat, {"show"});
    EXPECT_EQ(shown.value("unenforced"), "1") << shown;
    // One that pre-commit saw and that was given up does not vouch for the next.
    change(feat, "b");
    EXPECT_NE(git(feat, {"commit", "--quiet"}, {{"GIT_EDITOR", "false"}}).exit_code, 0);
    expect_silent_success(git(feat, {"commit", "--quiet", "--no-verify", "--message", "b"}));
    expect_silent_success(git(feat, {"commit", "--quiet", "--no-verify", "--amend", "--message", "c"}));
    EXPECT_EQ(counted(feat, "no-verify"), 3U);
    expect_silent_success(commit(feat, "d"));
    EXPECT_EQ(counted(feat, "no-verify"), 3U);
}

TEST_F(HooksCommit, OperationsWithoutPreCommitAreNotCounted)
{
    repo.git_in(draft, {"commit", "--quiet", "--allow-empty", "--message", "base"});
    for (const char* name : {"p", "q", "r"}) {
        expect_silent_success(commit(draft, name));
        expect_silent_success(commit(feat, std::string("own-") + name));
    }
    const auto passes = [&](const std::vector<std::string>& arguments, const Environment& more = {}) {
        const Outcome outcome = git(feat, arguments, more);
        EXPECT_EQ(outcome.exit_code, 0) << arguments[0] << ' ' << arguments.back() << ": " << outcome;
    };
    passes({"cherry-pick", "draft"});
    passes({"cherry-pick", "--edit", "draft~1"});
    passes({"revert", "--no-edit", "HEAD"});
    passes({"revert", "--edit", "HEAD"});
    const Outcome patch = git(draft, {"format-patch", "--stdout", "-1", "draft~2"});
    write_file(scratch.path() / "patch", patch.out);
    passes({"am", (scratch.path() / "patch").string()});
    passes({"rebase", "--interactive", "draft"});
    passes({"rebase", "--interactive", "--force-rebase", "HEAD~2"},
           {{"GIT_SEQUENCE_EDITOR", "sed -i s/^pick/reword/"}});
    passes({"rebase", "--interactive", "--force-rebase", "HEAD~2"},
           {{"GIT_SEQUENCE_EDITOR", "sed -i 2s/^pick/squash/"}});
    passes({"rebase", "--apply", "--force-rebase", "HEAD~1"});
    EXPECT_EQ(counted(feat, "no-verify"), 0U) << read_file(repo.path() / ".git/mandate/worktrees/feat.jsonl");
    // A commit of one's own in the middle of a rebase is.
    passes({"rebase", "--interactive", "HEAD~1"}, {{"GIT_SEQUENCE_EDITOR", "sed -i s/^pick/edit/"}});
    passes({"commit", "--quiet", "--no-verify", "--amend", "--message", "mine"});
    EXPECT_EQ(counted(feat, "no-verify"), 1U);
    passes({"rebase", "--continue"});
    EXPECT_EQ(counted(feat, "no-verify"), 1U);
}

TEST_F(HooksCommit, BypassLetsItThroughCountedWithItsReason)
{
    change(draft, "a");
    EXPECT_EQ(mandate.run(draft, {"revoke", "commit", "--deny"}).exit(), 0);
    expect_refusal(git(draft, {"commit", "--message", "a"}, {{"MANDATE_BYPASS", " "}}), "pre-commit", "'commit'");
    expect_silent_success(git(draft, {"commit", "--quiet", "--message", "a"}, {{"MANDATE_BYPASS", "the\nboss"}}));
    EXPECT_EQ(in_ledger(draft, "\"reason\":\"bypass\",\"detail\":\"the\\\\x0aboss\""), 1U)
        << read_file(repo.path() / ".git/mandate/worktrees/draft.jsonl");
    EXPECT_EQ(counted(draft, "no-verify"), 0U);
    // Where it is allowed anyway, nothing was bypassed.
    change(feat, "a");
    expect_silent_success(git(feat, {"commit", "--quiet", "--message", "a"}, {{"MANDATE_BYPASS", "why"}}));
    EXPECT_EQ(counted(feat, "bypass"), 0U);
}

TEST_F(HooksCommit, APassThatCannotBeCountedSaysSo)
{
    fs::remove(repo.path() / ".git/mandate/main.jsonl");
    fs::create_directories(repo.path() / ".git/mandate/main.jsonl");
    const Outcome outcome = commit(repo.path(), "a");
    EXPECT_EQ(outcome.exit_code, 0) << outcome;
    EXPECT_NE((outcome.out + outcome.err).find("\nledger=unwritable\n"), std::string::npos) << outcome;
}

TEST_F(HooksCommit, MergesAskCommitOrMergeAndRebasesTheirOwnAction)
{
    expect_silent_success(commit(draft, "a"));
    expect_silent_success(commit(feat, "b"));
    const Outcome merged = git(feat, {"merge", "--quiet", "--no-edit", "draft"});
    EXPECT_EQ(merged.exit_code, 0) << merged;
    EXPECT_EQ(counted(feat, "no-verify"), 0U);
    grant(repo.path(), "standard");
    EXPECT_EQ(mandate.run(repo.path(), {"revoke", "merge", "--deny"}).exit(), 0);
    expect_refusal(git(repo.path(), {"merge", "--no-ff", "--no-edit", "feat"}), "pre-merge-commit", "'merge'");
    repo.git({"merge", "--abort"});
    expect_refusal(git(repo.path(), {"merge", "--ff-only", "feat"}), "reference-transaction", "'merge'");
    expect_refusal(git(draft, {"rebase", "feat"}), "pre-rebase", "'rebase-own-branch'");
}

// A limit: git runs nothing of ours. What comes in is caught where it would grant something.
TEST_F(HooksCommit, AMergeWithoutVerifyingIsAskedOnAProtectedBranchAlone)
{
    repo.git({"checkout", "--quiet", "-b", "side"});
    repo.commit_file(repo.path(), "s", "s\n");
    write_file(repo.path() / "MANDATE.md", "---\nallow: merge, destructive\n---\n");
    repo.git({"add", "--force", "MANDATE.md"});
    repo.git({"commit", "--quiet", "--no-verify", "--message", "a record"});
    repo.git({"checkout", "--quiet", "main"});
    expect_silent_success(commit(feat, "a"));
    fs::remove(feat / "MANDATE.md");
    expect_silent_success(git(feat, {"merge", "--quiet", "--no-verify", "--message", "m", "side"}));
    EXPECT_EQ(counted(feat, "no-verify"), 0U);
    EXPECT_EQ(mandate.run(feat, {"allows", "merge"}).value("error"), "record-tracked");
    grant(repo.path(), "standard");
    expect_refusal(git(repo.path(), {"merge", "--quiet", "--no-verify", "--no-ff", "--message", "m", "side~1"}),
                   "reference-transaction", "'merge'");
}

TEST_F(HooksCommit, AMergeThatWouldBringARecordInIsRefused)
{
    repo.git_in(draft, {"add", "--force", "MANDATE.md"});
    repo.git_in(draft, {"commit", "--quiet", "--no-verify", "--message", "sneaked in"});
    fs::remove(feat / "MANDATE.md");
    expect_silent_success(commit(feat, "b"));
    expect_refusal(git(feat, {"merge", "--no-edit", "draft"}), "pre-merge-commit", "a record never goes into a commit");
}

}  // namespace
}  // namespace mandate::test
