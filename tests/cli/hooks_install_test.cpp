#include "hooks_fixture.hpp"

#include <sys/stat.h>

namespace mandate::test {
namespace {

constexpr const char* k_all = "pre-commit, post-commit, pre-push, pre-rebase, pre-merge-commit, reference-transaction";

class HooksInstall : public Hooks {
protected:
    HooksInstall() { EXPECT_EQ(hooks("uninstall").value("removed"), k_all); }

    Answer hooks(const std::string& what) const { return mandate.run(repo.path(), {"hooks", what}); }

    // Every name in a folder with its mode and bytes, links as what they point at.
    static std::string listing(const fs::path& folder)
    {
        std::map<std::string, std::string> all;
        for (const auto& entry : fs::directory_iterator(folder)) {
            struct stat facts {};
            ::lstat(entry.path().c_str(), &facts);
            all[entry.path().filename()] =
                std::to_string(facts.st_mode) + " " + std::to_string(facts.st_mtim.tv_nsec) + " " +
                (entry.is_symlink() ? fs::read_symlink(entry.path()).string() : read_file(entry.path()));
        }
        std::string text;
        for (const auto& [name, what] : all) {
            text += name + ": " + what + "\n";
        }
        return text;
    }

    // A hook of the user's that notes its arguments and stdin, and refuses when the file `stop` is there.
    void user_hook(const std::string& name, const fs::path& path) const
    {
        write_file(path, "#!/bin/sh\n# " + name + "\necho \"" + name + " $*\" >>" + log.string() +
                             "\ncase $0 in *push*|*transaction*) cat >>" + log.string() + ";; esac\n[ ! -e " +
                             (scratch.path() / "stop").string() + " ]\n");
        fs::permissions(path, fs::perms(0751));
    }
    std::string logged() const { return fs::exists(log) ? read_file(log) : ""; }

    fs::path folder = repo.path() / ".git/hooks";
    fs::path log = scratch.path() / "log";
};

TEST_F(HooksInstall, IsIdempotentAndUninstallLeavesNoTrace)
{
    const std::string before = listing(folder);
    const Answer first = hooks("install");
    EXPECT_EQ(first.exit(), 0) << first;
    EXPECT_EQ(first.value("hooks_dir"), folder.string());
    EXPECT_EQ(first.value("installed"), k_all);
    EXPECT_EQ(first.value("changed"), k_all);
    const std::string after = listing(folder);
    const Answer second = mandate.run(feat, {"hooks", "install"});
    EXPECT_EQ(second.value("hooks_dir"), folder.string());
    EXPECT_EQ(second.value("changed"), "");
    EXPECT_EQ(listing(folder), after);
    EXPECT_EQ(hooks("status").exit(), 0);
    EXPECT_EQ(hooks("uninstall").exit(), 0);
    EXPECT_EQ(listing(folder), before);
    EXPECT_EQ(hooks("status").exit(), 1);
    EXPECT_EQ(hooks("uninstall").value("removed"), "");
}

TEST_F(HooksInstall, AFolderThatWasMadeGoesWithTheHooks)
{
    fs::remove_all(folder);
    EXPECT_EQ(hooks("install").exit(), 0);
    EXPECT_EQ(hooks("install").value("changed"), "");
    expect_silent_success(commit(feat, "a"));
    EXPECT_EQ(hooks("uninstall").value("removed"), k_all);
    EXPECT_FALSE(fs::exists(folder));
    EXPECT_EQ(hooks("uninstall").exit(), 0);

    // What somebody puts into it keeps it.
    hooks("install");
    write_file(folder / "commit-msg", "#!/bin/sh\n");
    hooks("uninstall");
    EXPECT_EQ(listing(folder).find("mandate"), std::string::npos);
    EXPECT_TRUE(fs::exists(folder / "commit-msg"));
    fs::remove(folder / "commit-msg");

    // One that was there stays, empty as it was.
    hooks("install");
    hooks("uninstall");
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(HooksInstall, WhatAKilledOneLeftIsSwept)
{
    write_file(folder / ".mandate-hook.tmp.1.x", "#!/bin/sh\n");
    hooks("install");
    EXPECT_FALSE(fs::exists(folder / ".mandate-hook.tmp.1.x"));
    // Killed between the two renames: the earlier hook has its second name, and ours is not there yet.
    hooks("uninstall");
    user_hook("pre-commit", folder / "pre-commit.mandate-chained");
    EXPECT_EQ(hooks("uninstall").value("restored"), "pre-commit");
    EXPECT_TRUE(fs::exists(folder / "pre-commit"));
}

TEST_F(HooksInstall, TheAgentsFolderGoesWithItsSettings)
{
    const auto agent = [&](const std::string& what) {
        return mandate.run(feat, {"hooks", what, "--agent", "claude"}).exit();
    };
    EXPECT_EQ(agent("install"), 0);
    EXPECT_TRUE(fs::exists(feat / ".claude/settings.local.json"));
    EXPECT_EQ(agent("uninstall"), 0);
    EXPECT_FALSE(fs::exists(feat / ".claude"));
    write_file(feat / ".claude/notes", "mine\n");
    EXPECT_EQ(agent("install"), 0);
    EXPECT_EQ(agent("uninstall"), 0);
    EXPECT_EQ(listing(feat / ".claude").find("settings"), std::string::npos);
    EXPECT_EQ(read_file(feat / ".claude/notes"), "mine\n");
}

TEST_F(HooksInstall, EarlierHooksGoOnRunningWithArgumentsAndStdinAndComeBack)
{
    for (const char* name : {"pre-commit", "post-commit", "pre-push", "reference-transaction"}) {
        user_hook(name, folder / name);
    }
    user_hook("linked", scratch.path() / "linked");
    fs::create_symlink(scratch.path() / "linked", folder / "pre-rebase");
    const std::string before = listing(folder);
    EXPECT_EQ(hooks("install").value("chained"),
              "pre-commit, post-commit, pre-push, pre-rebase, reference-transaction");
    expect_silent_success(commit(feat, "a"));
    EXPECT_NE(logged().find("pre-commit \n"), std::string::npos) << logged();
    EXPECT_NE(logged().find("post-commit \n"), std::string::npos);
    EXPECT_NE(logged().find("reference-transaction prepared\n"), std::string::npos);
    EXPECT_NE(logged().find(head(feat) + " refs/heads/feat\n"), std::string::npos);
    EXPECT_EQ(counted(feat, "no-verify"), 0U);
    expect_silent_success(git(feat, {"push", "--quiet", "origin", "feat"}));
    EXPECT_NE(logged().find("pre-push origin " + remote.string() + "\nrefs/heads/feat " + head(feat)),
              std::string::npos)
        << logged();
    expect_refusal(git(feat, {"push", "--quiet", "origin", "feat:main"}), "pre-push", "'merge'");
    git(feat, {"rebase", "--quiet", "--force-rebase", "main"});
    EXPECT_NE(logged().find("linked main"), std::string::npos) << logged();

    write_file(scratch.path() / "stop", "");
    EXPECT_NE(commit(feat, "b").exit_code, 0);  // theirs refuses, so nobody goes on
    fs::remove(scratch.path() / "stop");
    EXPECT_EQ(hooks("uninstall").value("restored"),
              "pre-commit, post-commit, pre-push, pre-rebase, reference-transaction");
    EXPECT_EQ(listing(folder), before);
}

TEST_F(HooksInstall, AnEarlierHookThatStagesARecordIsSeen)
{
    write_file(folder / "pre-commit", "#!/bin/sh\ngit add --force MANDATE.md\n");
    fs::permissions(folder / "pre-commit", fs::perms(0755));
    hooks("install");
    expect_refusal(commit(feat, "a"), "pre-commit", "'MANDATE.md' is staged");
}

TEST_F(HooksInstall, HookManagersAreLeftAlone)
{
    write_file(folder / "pre-commit", "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n");
    write_file(folder / "pre-push", "#!/bin/sh\ncall_lefthook run \"pre-push\" \"$@\"\n");
    const Answer answer = hooks("install");
    EXPECT_EQ(answer.exit(), 1) << answer;
    EXPECT_EQ(answer.value("left_alone"), "pre-commit, pre-push");
    EXPECT_EQ(answer.value("complete"), "no");
    EXPECT_NE(answer.outcome.err.find("let lefthook run: mandate hook pre-push"), std::string::npos) << answer;
    hooks("uninstall");
    EXPECT_EQ(read_file(folder / "pre-push"), "#!/bin/sh\ncall_lefthook run \"pre-push\" \"$@\"\n");
}

TEST_F(HooksInstall, HooksPathAsGitResolvesIt)
{
    const auto installs_to = [&](const fs::path& lane, const fs::path& expected) {
        const Answer answer = mandate.run(lane, {"hooks", "install"});
        EXPECT_EQ(answer.exit(), 0) << answer;
        EXPECT_EQ(answer.value("hooks_dir"), expected.string());
        EXPECT_TRUE(fs::exists(expected / "pre-push"));
        EXPECT_EQ(repo.git_in(lane, {"hook", "run", "post-commit"}), "");  // git finds one there
        mandate.run(lane, {"hooks", "uninstall"});
        EXPECT_FALSE(fs::exists(expected / "pre-push"));
    };
    const fs::path away = scratch.path() / "away";
    repo.git({"config", "core.hooksPath", away.string()});  // missing: made
    installs_to(repo.path(), away);
    repo.git({"config", "core.hooksPath", "~/mine"});
    installs_to(feat, scratch.path() / "home/mine");
    repo.git({"config", "core.hooksPath", "../beside"});
    installs_to(feat, scratch.path() / "beside");
    repo.git({"config", "--unset", "core.hooksPath"});
    repo.git({"config", "--global", "core.hooksPath", away.string()});
    installs_to(feat, away);
    repo.git({"config", "extensions.worktreeConfig", "true"});
    repo.git_in(feat, {"config", "--worktree", "core.hooksPath", (scratch.path() / "own").string()});
    installs_to(feat, scratch.path() / "own");
    installs_to(draft, away);
}

TEST_F(HooksInstall, FoldersThatAreNotOursToWrite)
{
    const auto refuses = [&](const std::string& path, const std::string& why) {
        repo.git({"config", "core.hooksPath", path});
        const Answer answer = hooks("install");
        EXPECT_EQ(answer.exit(), 2) << answer;
        EXPECT_NE(answer.outcome.err.find(why), std::string::npos) << answer;
    };
    refuses("/dev/null", "no folder");
    refuses(".nohooks", "belongs to the branch");
    EXPECT_FALSE(fs::exists(repo.path() / ".nohooks"));
    repo.commit_file(repo.path(), "ci/hooks/pre-commit", "#!/bin/sh\n");
    refuses("ci/hooks", "belongs to the branch");
    EXPECT_EQ(listing(repo.path() / "ci/hooks").find("mandate"), std::string::npos);
    write_file(repo.path() / ".husky/_/pre-commit", "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"\n");
    refuses(".husky/_", "husky");
    refuses("~someone/hooks", "absolute path");
}

TEST_F(HooksInstall, SurvivesAStrippedPathAndSaysWhenTheBinaryIsGone)
{
    const fs::path binary = scratch.path() / "it's here/mandate";
    fs::create_directories(binary.parent_path());
    fs::copy_file(mandate_binary(), binary);
    Command command = mandate.command(repo.path(), {"hooks", "install"});
    command.arguments[0] = binary.string();
    EXPECT_TRUE(run(command).succeeded());
    user_hook("pre-push", folder / "pre-push.mandate-chained");
    Command where;
    where.arguments = {"sh", "-c", "command -v git"};
    where.environment = scratch.environment();
    const std::string real_git = run(where).out;
    Command stripped;
    stripped.arguments = {real_git.substr(0, real_git.find('\n')), "push", "--quiet", "origin", "feat:main"};
    stripped.environment = scratch.environment();
    stripped.environment["PATH"] = "/nonexistent";
    stripped.directory = feat.string();
    expect_silent_success(commit(feat, "a"));
    const Outcome pushed = run(stripped);
    EXPECT_NE(pushed.exit_code, 0);

    fs::rename(binary, scratch.path() / "moved");
    expect_refusal(commit(feat, "b"), "pre-commit", "is gone, so this is refused");
    fs::rename(scratch.path() / "moved", binary);
    write_file(repo.path() / ".git/mandate/config.toml", "[hooks]\non_error = \"pass\"\n");
    EXPECT_NE(run(command).out.find("changed=pre-commit"), std::string::npos);
    fs::remove(binary);
    const Outcome passed = git(feat, {"commit", "--quiet", "--message", "b"});
    EXPECT_EQ(passed.exit_code, 0) << passed;
    EXPECT_NE(passed.err.find("nothing was checked or counted; ledger=unwritable"), std::string::npos) << passed;
}

TEST_F(HooksInstall, WhatStandsInTheWayIsNeverOverwritten)
{
    hooks("install");
    write_file(folder / "pre-commit", "#!/bin/sh\n# new\n");
    write_file(folder / "pre-commit.mandate-chained", "#!/bin/sh\n# old\n");
    fs::remove(folder / "pre-push");
    fs::create_directories(folder / "pre-push");
    const Answer answer = hooks("install");
    EXPECT_EQ(answer.exit(), 1);
    EXPECT_EQ(answer.value("left_alone"), "pre-commit, pre-push") << answer;
    EXPECT_EQ(read_file(folder / "pre-commit.mandate-chained"), "#!/bin/sh\n# old\n");
}

}  // namespace
}  // namespace mandate::test
