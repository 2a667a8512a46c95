#include "hooks_fixture.hpp"

namespace mandate::test {
namespace {

class HooksPush : public Hooks {
protected:
    HooksPush() { expect_silent_success(commit(feat, "a")); }

    Outcome push(const std::vector<std::string>& arguments) const
    {
        std::vector<std::string> all{"push", "--quiet"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return git(feat, std::move(all));
    }
    void refuses(const std::vector<std::string>& arguments, const std::string& action) const
    {
        expect_refusal(push(arguments), "pre-push", "needs '" + action + "'");
    }
};

TEST_F(HooksPush, OwnBranchForwardRewrittenAndDeleted)
{
    expect_silent_success(push({"--set-upstream", "origin", "feat"}));
    expect_silent_success(push({"origin", "feat"}));  // up to date: git starts the hook with nothing to say
    expect_silent_success(commit(feat, "b"));
    expect_silent_success(push({}));
    expect_silent_success(git(feat, {"commit", "--quiet", "--amend", "--message", "rewritten"}));
    expect_silent_success(push({"--force-with-lease", "origin", "feat"}));
    EXPECT_EQ(mandate.run(feat, {"revoke", "rebase-own-branch"}).exit(), 0);
    expect_silent_success(git(feat, {"commit", "--quiet", "--amend", "--message", "again"}));
    refuses({"--force", "origin", "feat"}, "rebase-own-branch");
    refuses({"origin", ":feat"}, "rebase-own-branch");
    expect_silent_success(git(feat, {"reset", "--quiet", "--hard", "origin/feat"}));
    expect_silent_success(commit(feat, "c"));
    expect_silent_success(push({"origin", "feat"}));
    EXPECT_EQ(mandate.run(feat, {"revoke", "push-own-branch"}).exit(), 0);
    expect_silent_success(commit(feat, "d"));
    refuses({"origin", "feat"}, "push-own-branch");
}

TEST_F(HooksPush, ProtectedBranches)
{
    const std::string main_before = remote_ref("refs/heads/main");
    refuses({"origin", "feat:main"}, "merge");
    refuses({"origin", "HEAD:refs/heads/release/2.0/hotfix"}, "merge");
    refuses({"origin", ":main"}, "force-push-shared");
    EXPECT_EQ(remote_ref("refs/heads/main"), main_before);
    EXPECT_EQ(mandate.run(feat, {"grant", "merge", "--by", "ann"}).exit(), 0);
    expect_silent_success(push({"origin", "feat:main"}));
    expect_silent_success(git(feat, {"commit", "--quiet", "--amend", "--message", "rewritten"}));
    refuses({"--force", "origin", "feat:main"}, "force-push-shared");
}

TEST_F(HooksPush, AnothersBranchWhatIsUnknownHereAndSeveralAtOnce)
{
    refuses({"origin", "feat:draft"}, "force-push-shared");
    refuses({"origin", "draft"}, "force-push-shared");
    const Outcome several = push({"origin", "feat", "feat:draft", "feat:main"});
    expect_refusal(several, "pre-push", "and the record denies it");
    EXPECT_EQ(remote_ref("refs/heads/feat"), "");
    // Somebody else moved our branch on the remote: its commit is not here, so nobody can call it a fast-forward.
    expect_silent_success(push({"origin", "feat"}));
    const fs::path other = scratch.path() / "other";
    repo.git({"clone", "--quiet", "--branch", "feat", remote.string(), other.string()});
    repo.git_in(other, {"commit", "--quiet", "--allow-empty", "--message", "theirs"});
    repo.git_in(other, {"push", "--quiet"});
    EXPECT_EQ(mandate.run(feat, {"revoke", "rebase-own-branch"}).exit(), 0);
    refuses({"--force", "origin", "feat"}, "rebase-own-branch");
}

TEST_F(HooksPush, TagsNotesAndPathRemotes)
{
    repo.git_in(feat, {"tag", "v1"});
    expect_silent_success(push({remote.string(), "v1"}));
    expect_silent_success(commit(feat, "b"));
    repo.git_in(feat, {"tag", "--force", "v1"});
    refuses({"--force", "origin", "v1"}, "force-push-shared");
    refuses({"origin", ":v1"}, "force-push-shared");
    refuses({"origin", "--mirror"}, "force-push-shared");
    repo.git_in(feat, {"notes", "add", "--message", "n"});
    expect_silent_success(push({"origin", "refs/notes/commits"}));
}

TEST_F(HooksPush, FromSubdirectoryDetachedAndOtherLane)
{
    fs::create_directories(feat / "sub");
    expect_silent_success(git(feat / "sub", {"push", "--quiet", "origin", "feat"}));
    expect_silent_success(commit(draft, "d"));
    expect_silent_success(git(draft, {"push", "--quiet", "origin", "draft"}));
    expect_refusal(git(draft, {"push", "--quiet", "--force", "origin", "draft~1:draft"}), "pre-push",
                   "'rebase-own-branch'");
    // The directory decides, not GIT_DIR: the main lane has no record, and that is what is counted.
    EXPECT_EQ(counted(repo.path(), "no-mandate"), 0U);
    expect_silent_success(git(repo.path(), {"push", "--quiet", "origin", "feat:main"},
                              {{"GIT_DIR", (repo.path() / ".git/worktrees/feat").string()}}));
    EXPECT_EQ(counted(repo.path(), "no-mandate"), 1U);
    repo.git_in(feat, {"checkout", "--quiet", "--detach"});
    expect_refusal(git(feat, {"push", "--quiet", "--force", "origin", "HEAD~1:feat"}), "pre-push", "force-push-shared");
}

}  // namespace
}  // namespace mandate::test
