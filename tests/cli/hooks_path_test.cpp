// Where git looks for hooks, held against git itself: `git rev-parse --git-path hooks` in the same worktree.

#include "support/mandate.hpp"

#include <gtest/gtest.h>

namespace mandate::test {
namespace {

class HooksPath : public testing::Test {
protected:
    HooksPath()
    {
        feat = repo.add_worktree("feat");
        repo.git({"worktree", "add", "--quiet", "-b", "topic/a/b", (scratch.path() / "topic").string()});
    }

    // A file that sets core.hooksPath to a folder of its own name; the folder's path.
    std::string setting_file(const std::string& name) const
    {
        const std::string folder = (scratch.path() / ("hooks of " + name)).string();
        write_file(scratch.path() / name, "[core]\n\thooksPath = " + folder + "\n");
        return folder;
    }
    void configure(const std::string& key, const std::string& value) const { repo.git({"config", key, value}); }
    // At the end of the repository's file.
    void append(const std::string& text) const
    {
        const fs::path file = repo.path() / ".git/config";
        write_file(file, read_file(file) + text);
    }
    void include_if(const std::string& condition, const std::string& file) const
    {
        repo.git({"config", "--add", "includeIf." + condition + ".path", file});
    }

    std::string of_git(const fs::path& lane) const
    {
        return fs::weakly_canonical(lane / repo.git_in(lane, {"rev-parse", "--git-path", "hooks"})).string();
    }
    // Returns whether it is another folder than the default one.
    bool agree(const fs::path& lane) const
    {
        const Answer answer = mandate.run(lane, {"hooks", "status"});
        EXPECT_EQ(answer.value("hooks_dir"), of_git(lane)) << answer;
        return answer.value("hooks_path_from") != "default";
    }
    void refuses(const fs::path& lane, const std::string& why) const
    {
        const Answer answer = mandate.run(lane, {"hooks", "install"});
        EXPECT_EQ(answer.exit(), 2) << answer;
        EXPECT_EQ(answer.value("error"), "value-invalid") << answer;
        EXPECT_NE(answer.outcome.err.find(why), std::string::npos) << answer;
    }

    ScratchDir scratch;
    Repo repo{scratch};
    Mandate mandate{scratch};
    fs::path feat;
    fs::path topic = scratch.path() / "topic";
};

TEST_F(HooksPath, IncludesCountWhereTheyStand)
{
    const std::string one = setting_file("one");
    EXPECT_FALSE(agree(feat));
    configure("include.path", "../../one");  // from the folder of the file that says so
    EXPECT_TRUE(agree(feat));
    // `git config` writes it into the [core] that is there already, before the include: not the last word.
    configure("core.hooksPath", (scratch.path() / "earlier").string());
    EXPECT_TRUE(agree(feat));
    EXPECT_EQ(of_git(feat), one);
    append("[core]\n\thooksPath = " + (scratch.path() / "last").string() + "\n");
    EXPECT_TRUE(agree(feat));
    EXPECT_EQ(of_git(feat), (scratch.path() / "last").string());
    repo.git({"config", "--unset-all", "core.hooksPath"});
    write_file(scratch.path() / "outer", "[Include]\n\tPath = one\n[include]\n\tpath = missing\n");
    configure("include.path", "~/../outer");
    EXPECT_TRUE(agree(feat));
    EXPECT_EQ(of_git(feat), one);
}

TEST_F(HooksPath, AConditionOnTheGitDirectory)
{
    setting_file("one");
    const std::string file = (scratch.path() / "one").string();
    const std::string parent = scratch.path().filename().string();
    fs::create_directory_symlink(scratch.path(), scratch.path() / "home/link");
    const std::string conditions[] = {
        "gitdir:" + (repo.path() / ".git").string(),  // the main worktree alone
        "gitdir:" + repo.path().string(),
        "gitdir:" + repo.path().string() + "/",
        "gitdir:" + (repo.path() / ".git/worktrees/feat").string(),
        "gitdir:" + (repo.path() / ".git").string() + "/worktrees/*",
        "gitdir:" + (repo.path() / ".git").string() + "/**/feat",
        "gitdir:" + scratch.path().string() + "/*/.git",
        "gitdir:" + scratch.path().string() + "/**",
        "gitdir:" + scratch.path().string() + "/rep**",
        "gitdir:repo/",
        "gitdir:" + parent + "/repo/.git",
        "gitdir:epo/",
        "gitdir:REPO/",
        "gitdir/i:REPO/",
        "gitdir:[r]epo/.git",
        "gitdir:~/",
        "gitdir:~/../repo/",
        "gitdir:~/link/repo/",
        "gitdir:./",
        "gitdir:./worktrees/",
        "gitdir/i:./WORKTREES/f?at",
        "gitdir:../",
        "gitdir:",
        "gitdir:**",
        "GITDIR:repo/",
        "onbranch",
        "something:else",
    };
    std::size_t held = 0;
    for (const std::string& condition : conditions) {
        SCOPED_TRACE(condition);
        include_if(condition, file);
        held += agree(repo.path()) ? 1U : 0U;
        held += agree(feat) ? 1U : 0U;
        repo.git({"config", "--unset", "includeIf." + condition + ".path"});
    }
    EXPECT_GT(held, 20U);  // so that both answers occur
    EXPECT_LT(held, 2 * std::size(conditions) - 10);
}

TEST_F(HooksPath, AConditionOnTheBranch)
{
    setting_file("one");
    const std::string file = (scratch.path() / "one").string();
    for (const std::string condition :
         {"onbranch:feat", "onbranch:main", "onbranch:topic/", "onbranch:topic/*", "onbranch:topic/**", "onbranch:t**",
          "onbranch:**/b", "onbranch:f*", "onbranch:FEAT", "onbranch:", "onbranch:refs/heads/feat"}) {
        SCOPED_TRACE(condition);
        include_if(condition, file);
        for (const fs::path& lane : {repo.path(), feat, topic}) {
            agree(lane);
        }
        repo.git({"config", "--unset", "includeIf." + condition + ".path"});
    }
    include_if("onbranch:feat", file);
    EXPECT_TRUE(agree(feat));
    EXPECT_FALSE(agree(topic));
    repo.git_in(feat, {"checkout", "--quiet", "--detach"});
    EXPECT_FALSE(agree(feat));
    // A rebase will return to the branch, and is not on it.
    repo.git_in(feat, {"checkout", "--quiet", "feat"});
    repo.commit_file(feat, "f", "f\n");
    repo.git_in(feat, {"-c", "sequence.editor=sed -i s/^pick/edit/", "rebase", "--quiet", "-i", "main"});
    EXPECT_FALSE(agree(feat));
    repo.git_in(feat, {"rebase", "--continue"});
    EXPECT_TRUE(agree(feat));
    repo.git_in(feat, {"checkout", "--quiet", "--orphan", "unborn"});
    include_if("onbranch:unb*", file);
    EXPECT_TRUE(agree(feat));
}

TEST_F(HooksPath, ConditionsInsideOfIncludedFilesAndFromTheEnvironment)
{
    setting_file("one");
    write_file(scratch.path() / "outer", "[includeIf \"gitdir:./repo/\"]\n\tpath = one\n");
    repo.git({"config", "--global", "include.path", (scratch.path() / "outer").string()});
    EXPECT_TRUE(agree(repo.path()));
    EXPECT_TRUE(agree(feat));
    repo.git({"config", "--global", "--unset", "include.path"});
    EXPECT_FALSE(agree(feat));
    const auto from_environment = [&](const std::string& key) {
        Mandate told(scratch);
        told.set("GIT_CONFIG_COUNT", "1").set("GIT_CONFIG_KEY_0", key);
        told.set("GIT_CONFIG_VALUE_0", (scratch.path() / "one").string());
        return told.run(feat, {"hooks", "status"}).value("hooks_dir");
    };
    const std::string one = (scratch.path() / "hooks of one").string();
    EXPECT_EQ(from_environment("include.path"), one);
    EXPECT_EQ(from_environment("includeIf.onbranch:feat.path"), one);
    EXPECT_EQ(from_environment("includeIf.onbranch:main.path"), (repo.path() / ".git/hooks").string());
}

TEST_F(HooksPath, WhatOnlyGitCanJudgeIsSaidAndNotGuessed)
{
    setting_file("one");
    write_file(scratch.path() / "harmless", "[user]\n\tname = x\n");
    include_if("hasconfig:remote.*.url:https://example.invalid/**", (scratch.path() / "harmless").string());
    EXPECT_FALSE(agree(feat));
    include_if("hasconfig:remote.*.url:https://example.invalid/**", (scratch.path() / "one").string());
    refuses(feat, "hasconfig");
    EXPECT_FALSE(fs::exists(repo.path() / ".git/hooks/pre-commit"));
    EXPECT_FALSE(fs::exists(scratch.path() / "hooks of one"));
    append("[core]\n\thooksPath = " + (scratch.path() / "certain").string() + "\n");  // later, so it counts either way
    EXPECT_TRUE(agree(feat));
    repo.git({"config", "--unset", "core.hooksPath"});
    repo.git({"config", "--remove-section", "includeIf.hasconfig:remote.*.url:https://example.invalid/**"});
    EXPECT_FALSE(agree(feat));
    configure("include.path", "~root/no-such-file");
    refuses(feat, "only git can tell which file");
}

TEST_F(HooksPath, AnIncludeThatGoesInCirclesStopsBoth)
{
    write_file(scratch.path() / "ring", "[includeIf \"gitdir:**\"]\n\tpath = ring\n");
    configure("include.path", (scratch.path() / "ring").string());
    EXPECT_THROW(of_git(feat), std::runtime_error);
    const Answer answer = mandate.run(feat, {"hooks", "install"});
    EXPECT_EQ(answer.exit(), 2) << answer;
    EXPECT_EQ(answer.value("error"), "repository-broken") << answer;
}

}  // namespace
}  // namespace mandate::test
