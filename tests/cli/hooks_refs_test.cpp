#include "hooks_fixture.hpp"

namespace mandate::test {
namespace {

class HooksRefs : public Hooks {
protected:
    HooksRefs()
    {
        expect_silent_success(commit(feat, "a"));
        // Somebody who may merge and rewrite sits on main.
        grant(repo.path(), "merge-delegated");
    }
    void refuses(const fs::path& lane, std::vector<std::string> arguments, const std::string& action) const
    {
        const std::string before = repo.git({"rev-parse", "main"});
        expect_refusal(git(lane, std::move(arguments)), "reference-transaction", "needs '" + action + "'");
        EXPECT_EQ(repo.git({"rev-parse", "main"}), before);
    }
};

TEST_F(HooksRefs, AForwardMoveOfAProtectedBranchIsAMerge)
{
    refuses(feat, {"update-ref", "refs/heads/main", "feat"}, "merge");
    refuses(feat, {"fetch", "--quiet", "--update-head-ok", ".", "feat:main"}, "merge");
    // The receiving end works in the git directory, which is no lane.
    expect_silent_success(git(draft, {"branch", "release/1"}));
    expect_refusal(git(feat, {"push", "--no-verify", "--quiet", ".", "feat:release/1"}), "reference-transaction",
                   "cannot decide");
    expect_silent_success(git(repo.path(), {"merge", "--quiet", "--ff-only", "feat"}));
    expect_silent_success(commit(repo.path(), "b"));
    EXPECT_EQ(mandate.run(repo.path(), {"revoke", "merge"}).exit(), 0);
    change(repo.path(), "c");
    refuses(repo.path(), {"commit", "--quiet", "--message", "c"}, "merge");
}

TEST_F(HooksRefs, LooseOrPackedADeletionIsSeen)
{
    repo.git({"checkout", "--quiet", "--detach"});
    expect_silent_success(git(feat, {"branch", "release/1", "HEAD"}));
    const std::string value = repo.git({"rev-parse", "release/1"});
    for (int packed = 0; packed < 2; ++packed) {
        refuses(feat, {"branch", "-D", "main"}, "destructive");
        refuses(feat, {"update-ref", "-d", "refs/heads/main"}, "destructive");
        refuses(feat, {"update-ref", "-d", "refs/heads/release/1", value}, "destructive");
        refuses(feat, {"branch", "--move", "release/1", "mine"}, "destructive");
        EXPECT_EQ(repo.git({"rev-parse", "release/1"}), value);
        const Outcome pack = git(feat, {"pack-refs", "--all", "--prune"});
        expect_silent_success(pack);
        EXPECT_FALSE(fs::exists(repo.path() / ".git/refs/heads/main"));
    }
    expect_silent_success(git(feat, {"gc", "--quiet"}));
    // A git that asks only once: in a real deletion it holds packed-refs.lock, in pruning it does not.
    const auto prunes = [&] {
        Command command = mandate.command(feat, {"hook", "reference-transaction", "prepared"});
        command.input = value + " " + std::string(40, '0') + " refs/heads/release/1\n";
        return run(command);
    };
    expect_silent_success(prunes());
    write_file(repo.path() / ".git/packed-refs.lock", "");
    expect_refusal(prunes(), "reference-transaction", "'destructive'");
}

TEST_F(HooksRefs, RewritesOfAProtectedBranch)
{
    expect_silent_success(commit(repo.path(), "b"));
    refuses(repo.path(), {"commit", "--quiet", "--amend", "--message", "other"}, "destructive");
    refuses(repo.path(), {"reset", "--quiet", "--hard", "HEAD~1"}, "destructive");
    refuses(feat, {"update-ref", "refs/heads/main", "feat"}, "destructive");
    EXPECT_EQ(mandate.run(feat, {"grant", "destructive", "--by", "ann"}).exit(), 0);
    expect_silent_success(git(feat, {"update-ref", "refs/heads/main", "feat"}));
}

TEST_F(HooksRefs, WhatIsNoMoveOfAProtectedBranchAsksNothing)
{
    expect_silent_success(git(draft, {"branch", "release/9", "feat"}));  // creating one
    expect_silent_success(git(draft, {"branch", "--force", "mine", "feat"}));
    expect_silent_success(git(draft, {"branch", "--force", "mine", "main"}));  // not protected
    expect_silent_success(git(draft, {"branch", "--quiet", "-D", "mine"}));
    expect_silent_success(git(draft, {"fetch", "--quiet", "origin"}));
    expect_silent_success(git(draft, {"update-ref", "refs/heads/main", "main"}));
    expect_silent_success(git(draft, {"tag", "t"}));
    expect_silent_success(git(draft, {"stash", "--quiet", "--include-untracked"}));
    EXPECT_EQ(in_ledger(draft, "unenforced"), 0U);
}

// What newer gits hand over (a name in place of an id), and lines that move nothing.
TEST_F(HooksRefs, NamesForOtherRefsAndVerifiedOnes)
{
    const std::string zeros(40, '0');
    const std::string main = repo.git({"rev-parse", "main"});
    const auto hook = [&](const std::string& lines) {
        Command command = mandate.command(feat, {"hook", "reference-transaction", "prepared"});
        command.input = lines;
        return run(command);
    };
    const auto hook_refuses = [&](const std::string& lines, const std::string& why) {
        expect_refusal(hook(lines), "reference-transaction", why);
    };
    // HEAD and the branches of lanes may point where they like, and a new name takes nothing away.
    expect_silent_success(hook("ref:refs/heads/main ref:refs/heads/feat HEAD\n"));
    expect_silent_success(hook(zeros + " ref:refs/heads/main refs/heads/mine\n"));
    expect_silent_success(hook(zeros + " ref:refs/heads/main refs/remotes/origin/HEAD\n"));
    expect_silent_success(hook(zeros + " ref:refs/heads/feat refs/heads/release/1\n"));
    // A protected branch that becomes a name is rewritten, one that was a name is judged by what it stands for.
    hook_refuses(zeros + " ref:refs/heads/feat refs/heads/main\n", "the rewrite of 'refs/heads/main'");
    hook_refuses(main + " ref:refs/heads/main refs/heads/main\n", "'destructive'");
    hook_refuses("ref:refs/heads/feat " + zeros + " refs/heads/main\n", "the deletion of 'refs/heads/main'");
    hook_refuses("ref:refs/heads/feat " + head(feat) + " refs/heads/main\n", "'merge'");
    expect_silent_success(hook("ref:refs/heads/feat " + main + " refs/heads/main\n"));
    for (const std::string bad : {"ref: ", "ref ", "ref:a\tb ", "main "}) {
        hook_refuses(zeros + " " + bad + "refs/heads/main\n", "line 1 of what git wrote to the hook is malformed");
    }
    // One refused line refuses the whole transaction, wherever it stands.
    hook_refuses(zeros + " " + main + " refs/heads/mine\n" + main + " " + zeros + " refs/heads/main\n", "deletion");
}

// `git symbolic-ref` runs no hook before git 2.46, but whoever moves a branch through another name moves it.
TEST_F(HooksRefs, AMoveThroughAnotherNameIsSeen)
{
    repo.git({"symbolic-ref", "refs/heads/alias", "refs/heads/main"});
    refuses(feat, {"update-ref", "refs/heads/alias", "feat"}, "merge");
    refuses(feat, {"update-ref", "--no-deref", "-d", "refs/heads/main"}, "destructive");
    expect_silent_success(git(feat, {"update-ref", "--no-deref", "-d", "refs/heads/alias"}));
}

// git writes the line of a deletion for `verify`. Where they cannot be told apart, it is taken for one.
TEST_F(HooksRefs, VerifyingAProtectedBranch)
{
    const auto verify = [&](const std::string& ref) {
        write_file(scratch.path() / "verify", "verify " + ref + " " + repo.git({"rev-parse", ref}) + "\n");
        return git(feat, {"-c", "alias.u=!git update-ref --stdin <" + (scratch.path() / "verify").string(), "u"});
    };
    expect_silent_success(verify("refs/heads/feat"));
    expect_refusal(verify("refs/heads/main"), "reference-transaction", "'destructive'");
    repo.git({"pack-refs", "--all", "--prune"});
    expect_silent_success(verify("refs/heads/main"));
}

TEST_F(HooksRefs, ACloneMovesTheRefsOfTheCloneAndNotOfTheLane)
{
    repo.git({"config", "--global", "core.hooksPath", (repo.path() / ".git/hooks").string()});
    expect_silent_success(git(draft, {"clone", "--quiet", remote.string(), (scratch.path() / "clone").string()}));
    // Nor can GIT_DIR be used to move main from outside of any lane.
    expect_refusal(
        git(scratch.path(), {"update-ref", "refs/heads/main", "feat"}, {{"GIT_DIR", (repo.path() / ".git").string()}}),
        "reference-transaction", "cannot decide");
    expect_refusal(git(scratch.path() / "clone",
                       {"--git-dir", (repo.path() / ".git").string(), "update-ref", "refs/heads/main", "feat"}),
                   "reference-transaction", "cannot decide: git moves refs of another repository");
}

TEST_F(HooksRefs, ABareRepositoryIsRefusedCleanly)
{
    repo.git_in(remote, {"config", "core.hooksPath", (repo.path() / ".git/hooks").string()});
    expect_silent_success(git(feat, {"push", "--quiet", "origin", "feat"}));
    EXPECT_EQ(mandate.run(feat, {"grant", "merge", "--by", "ann"}).exit(), 0);
    const Outcome outcome = git(feat, {"push", "--quiet", "origin", "feat:main"});
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_NE(outcome.err.find("mandate: reference-transaction: cannot decide"), std::string::npos) << outcome;
}

}  // namespace
}  // namespace mandate::test
