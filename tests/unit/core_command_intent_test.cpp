// What a command line is about to do. The expected words are the contract's.

#include "core/command_intent.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mandate::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Kind = Intent::Kind;

// "action" for what maps to one, "?" for ask, "!" for a guarded file, in a lane on `f` where `main` is protected.
std::vector<std::string> read(std::string_view line)
{
    static const std::vector<std::string> k_protected{"main", "release/*"};
    const Branches branches{"f", k_protected};
    std::vector<std::string> out;
    for (const Intent& intent : intents_of(line).all) {
        if (intent.kind == Kind::ask) {
            out.emplace_back("?");
        } else if (intent.kind == Kind::touches) {
            out.emplace_back("!");
        } else if (intent.kind == Kind::writes || intent.kind == Kind::checkout) {
            continue;  // only the file system can tell
        } else if (intent.kind == Kind::action) {
            out.push_back(intent.text);
        } else {
            for (const std::string& action : actions_of(intent, branches)) {
                out.push_back(action);
            }
        }
    }
    return out;
}

TEST(CommandIntent, GitCommandsMapToActions)
{
    EXPECT_THAT(read("git commit -m x"), ElementsAre("commit"));
    EXPECT_THAT(read("/usr/bin/git -C sub --no-pager commit"), ElementsAre("commit"));
    EXPECT_THAT(read("git push"), ElementsAre("push-own-branch"));
    EXPECT_THAT(read("git push -u origin HEAD"), ElementsAre("push-own-branch"));
    EXPECT_THAT(read("git push origin f"), ElementsAre("push-own-branch"));
    EXPECT_THAT(read("git push --force"), ElementsAre("rebase-own-branch"));
    EXPECT_THAT(read("git push --force-with-lease=f origin f"), ElementsAre("rebase-own-branch"));
    EXPECT_THAT(read("git push origin +f"), ElementsAre("rebase-own-branch"));
    EXPECT_THAT(read("git push origin HEAD:main"), ElementsAre("merge"));
    EXPECT_THAT(read("git push origin f:refs/heads/release/1"), ElementsAre("merge"));
    EXPECT_THAT(read("git push origin +main"), ElementsAre("force-push-shared"));
    EXPECT_THAT(read("git push origin :main"), ElementsAre("force-push-shared"));
    EXPECT_THAT(read("git push origin --delete f"), ElementsAre("force-push-shared"));
    EXPECT_THAT(read("git push origin other"), ElementsAre("force-push-shared"));
    EXPECT_THAT(read("git push --mirror"), ElementsAre("force-push-shared"));
    EXPECT_THAT(read("git push origin f main"), ElementsAre("push-own-branch", "merge"));
    EXPECT_THAT(read("git rebase main"), ElementsAre("rebase-own-branch"));
    EXPECT_THAT(read("git merge main"), ElementsAre("commit"));
    for (const std::string_view line :
         {"git reset --hard", "git clean -fdx", "git branch -D x", "git worktree remove ../x", "git checkout -- .",
          "git checkout -f", "git restore a", "git stash drop", "git update-ref refs/heads/x HEAD", "git filter-branch",
          "git reflog expire --all", "git tag -d v1", "git switch -C main"}) {
        EXPECT_THAT(read(line), ElementsAre("destructive")) << line;
    }
    EXPECT_THAT(read("gh pr create --fill"), ElementsAre("open-pr"));
    EXPECT_THAT(read("gh pr merge 3 --squash"), ElementsAre("merge"));
}

// git takes the beginning of a long option for the option.
TEST(CommandIntent, ShortenedOptionsMeanWhatTheyMeanToGit)
{
    EXPECT_THAT(read("git push --forc origin f"), ElementsAre("rebase-own-branch"));
    EXPECT_THAT(read("git push --mirr"), ElementsAre("force-push-shared"));
    EXPECT_THAT(read("git push origin --del f"), ElementsAre("force-push-shared"));
    for (const std::string_view line :
         {"git reset --har", "git branch --forc x y", "git tag --del v1", "git switch --disc x",
          "git checkout --forc x", "git restore --staged --work a", "git clean -f --dry"}) {
        EXPECT_THAT(read(line), ElementsAre("destructive")) << line;
    }
    EXPECT_THAT(read("git rebase --exe 'git push -f' main"), ElementsAre("?"));
}

// An option that makes a command mean less counts where git takes it for one, and nowhere else.
TEST(CommandIntent, OnlyARealExcuseCounts)
{
    for (const std::string_view line : {"git push -n origin main", "git push origin main --dry-run", "git clean -xdn",
                                        "git clean -fd -e x -n", "git restore --staged a", "git rebase --abort"}) {
        EXPECT_THAT(read(line), IsEmpty()) << line;
    }
    for (const std::string_view line :
         {"git commit -m --abort", "git commit -m --quit", "git merge -m --abort x", "git rebase -s --abort f",
          "git push -onop origin main", "git push -o -n origin main", "git push --push-opt -n origin main",
          "git push --dry-run --no-dry-run origin main", "git push -n --no-dry origin main", "git clean -fdx -enew",
          "git clean -fdx -e -n", "git clean --dry-run --no-dry-run -f", "git restore --staged --no-staged a",
          "git restore -s --staged a"}) {
        EXPECT_THAT(read(line), testing::SizeIs(1)) << line;
    }
    EXPECT_THAT(read("git push -o -- --force origin f"), ElementsAre("rebase-own-branch"));
    EXPECT_THAT(read("git commit -m -- --no-verify"), ElementsAre("?"));
}

TEST(CommandIntent, WhatTakesMoreThanItsNameSays)
{
    for (const std::string_view line : {"git pull --rebase", "git pull -r"}) {
        EXPECT_THAT(read(line), ElementsAre("rebase-own-branch")) << line;
    }
    for (const std::string_view line : {"git push origin HEAD:HEAD", "git push --tags --force"}) {
        EXPECT_THAT(read(line), ElementsAre("force-push-shared")) << line;
    }
    for (const std::string_view line :
         {"git checkout HEAD~1 a", "git checkout -p", "git checkout ./a", "git checkout :/", "git stash -a",
          "git stash --all", "git rm -rf .", "git mv -f a b", "git gc --prune=now", "git worktree add -B main ../w",
          "git branch -m main old", "git submodule deinit -f ."}) {
        EXPECT_THAT(read(line), ElementsAre("destructive")) << line;
    }
}

TEST(CommandIntent, LeavingTheHooksOutIsAsked)
{
    for (const std::string_view line : {"git commit --no-verify -m x", "git commit -nm x", "git commit -an",
                                        "git commit --no-ver", "git push --no-verify", "git merge --no-verify main",
                                        "git rebase --no-verify main", "git pull --no-verify", "git am -n x"}) {
        EXPECT_THAT(read(line), ElementsAre("?")) << line;
    }
    // To these it says something else.
    EXPECT_THAT(read("git merge -n main"), ElementsAre("commit"));
    EXPECT_THAT(read("git rebase -n main"), ElementsAre("rebase-own-branch"));
    EXPECT_THAT(read("git cherry-pick -n x"), ElementsAre("commit"));
}

TEST(CommandIntent, FetchingIntoABranchIsAsked)
{
    for (const std::string_view line :
         {"git fetch . f:main", "git fetch origin +x:refs/heads/main", "git pull . f:main",
          "git submodule foreach 'git push -f'", "git submodule --quiet foreach x", "git bisect run make"}) {
        EXPECT_THAT(read(line), ElementsAre("?")) << line;
    }
    for (const std::string_view line :
         {"git fetch", "git fetch origin", "git fetch origin main", "git fetch host:path main",
          "git fetch origin main:refs/remotes/origin/main", "git submodule update"}) {
        EXPECT_THAT(read(line), IsEmpty()) << line;
    }
}

TEST(CommandIntent, HarmlessCommandsGetNoOpinion)
{
    for (const std::string_view line :
         {"ls -la", "git status", "git log --oneline", "git diff HEAD~1", "git add -A", "git reset HEAD a",
          "git clean -n", "git rebase --abort", "git push --dry-run", "make test", "cat MANDATE.md",
          "grep x .MANDATE.lock", "gh pr view 3", "git branch new", "git checkout -b new", "git restore --staged a",
          "echo git push", "./script.sh", "mandate show"}) {
        EXPECT_THAT(read(line), IsEmpty()) << line;
        EXPECT_FALSE(intents_of(line).only_actions) << line << ": nothing is allowed by having no opinion";
    }
}

TEST(CommandIntent, WhatCannotBeKnownIsAsked)
{
    for (const std::string_view line : {"git ci",
                                        "git -c alias.x=!sh x",
                                        "git -c core.hooksPath=/dev/null commit",
                                        "git -c core.editor=sh commit",
                                        "git --git-dir=/x commit",
                                        "git $X",
                                        "git push origin $BRANCH",
                                        "git push ext::sh",
                                        "git rebase --exec 'rm -rf x' main",
                                        "git rebase -x ls main",
                                        "eval git push",
                                        "xargs git push",
                                        "find . -exec git push ;",
                                        "ssh host git push",
                                        "sudo -u me git push",
                                        "sh -c \"$X\"",
                                        "bash",
                                        "GIT_DIR=/x git commit",
                                        "MANDATE_BYPASS=x git commit",
                                        "env GIT_EDITOR=sh git commit",
                                        "PATH=. git commit",
                                        "cd $X && git push",
                                        "for i in 1; do git push; done",
                                        "mandate grant merge --by me",
                                        "mandate init task=x",
                                        "mandate unenforced --ack --by me",
                                        "git config core.hooksPath x",
                                        "gh api -X PUT repos/a/b/merge",
                                        "gh release create v1"}) {
        EXPECT_THAT(read(line), testing::Contains("?")) << line;
    }
}

TEST(CommandIntent, GitByAnotherNameIsSeenOrAsked)
{
    for (const std::string_view line : {"\"gi\\\nt\" push", "/usr/lib/git-core/git-push", "GIT push", "\\git push"}) {
        EXPECT_THAT(read(line), ElementsAre("push-own-branch")) << line;
    }
    for (const std::string_view line : {"command $G push",
                                        "env $G push",
                                        "sudo ${G} push",
                                        "echo x | bash /dev/stdin",
                                        "echo x | . /dev/stdin",
                                        "timeout 5 sh -c 'gi\"\"t push'",
                                        "xargs sh -c x",
                                        "busybox sh -c x",
                                        "find . -exec bash -c x \\;",
                                        "trap 'git\tpush' EXIT",
                                        "alias g=git",
                                        "export MANDATE_BYPASS=x",
                                        "MANDATE_BYPASS=x",
                                        "declare -x GIT_DIR=x",
                                        "python3 -c \"run(['git','push'])\"",
                                        "perl -e 'exec \"git\",\"push\"'",
                                        "git commit $N",
                                        "git reset $N",
                                        "git difftool -x x",
                                        "git grep -Ox y",
                                        "git config core.fsmonitor x",
                                        "git config --remove-section core",
                                        "git config remote.origin.push HEAD:main",
                                        "git fetch --refmap=+a:refs/heads/main origin a",
                                        "git fetch --stdin origin",
                                        "gh pr review --approve",
                                        "gh repo edit --visibility public",
                                        "gh mg"}) {
        EXPECT_THAT(read(line), ElementsAre("?")) << line;
    }
    EXPECT_THAT(read("git push origin \"2\">x"), ElementsAre("force-push-shared"));
    EXPECT_FALSE(intents_of("./git push").only_actions);
    std::string wrapped;
    for (int i = 0; i < 8000; ++i) {
        wrapped += "command ";
    }
    EXPECT_THAT(read(wrapped + "git push"), ElementsAre("?"));
}

TEST(CommandIntent, ACdThatMayNotHappenIsAsked)
{
    for (const std::string_view line : {"cd x && cd y; git push", "false || cd y && git push",
                                        "pushd y; popd; git push", "true && { cd y; }; git push"}) {
        EXPECT_THAT(read(line), testing::Contains("?")) << line;
    }
    for (const std::string_view line : {"cd x && cd y && git push", "cd x; git push", "cd x\ngit push"}) {
        EXPECT_THAT(read(line), ElementsAre("push-own-branch")) << line;
    }
}

TEST(CommandIntent, WrappersAndShellsAreLookedThrough)
{
    EXPECT_THAT(read("sh -c 'git push origin main'"), ElementsAre("merge"));
    EXPECT_THAT(read("bash -c \"cd x; git commit\" && git push"), ElementsAre("commit", "push-own-branch"));
    EXPECT_THAT(read("env A=1 git push"), ElementsAre("push-own-branch"));
    EXPECT_THAT(read("command git push"), ElementsAre("push-own-branch"));
    EXPECT_THAT(read("echo $(git push origin main)"), ElementsAre("merge"));
    EXPECT_THAT(read("true && (git push)"), ElementsAre("push-own-branch"));
}

TEST(CommandIntent, RecordsAndLedgersAreGuarded)
{
    for (const std::string_view line :
         {"echo x > MANDATE.md", "sed -i s/3/9/ MANDATE.md", "rm -f .MANDATE.lock", "cp x sub/MANDATE.md",
          "mv MANDATE.md x", "python3 -c \"open('MANDATE.md','w')\"", "cat x >> ../w/MANDATE.md", "tee mandate.md",
          "rm -rf .git/mandate", "> MANDATE.md", "git rm --cached MANDATE.md"}) {
        EXPECT_THAT(read(line), testing::Contains("!")) << line;
    }
    EXPECT_TRUE(is_guarded_path("/a/b/.git/mandate/main.jsonl"));
    EXPECT_FALSE(is_guarded_path("src/mandate.hpp"));
}

TEST(CommandIntent, AnAllowCoversTheWholeLineOrNothing)
{
    EXPECT_TRUE(intents_of("git commit -m x && git push").only_actions);
    for (const std::string_view line : {"make && git commit", "git commit -m x > file", "A=1 git commit",
                                        "git commit; ls", "git commit -m \"$(cat x)\""}) {
        EXPECT_FALSE(intents_of(line).only_actions) << line;
    }
}

TEST(CommandIntent, ActsWhereTheLineIsByThen)
{
    const Intents intents = intents_of("cd a && git -C b push; cd /c && git commit");
    ASSERT_EQ(intents.all.size(), 2U);
    EXPECT_EQ(intents.all[0].directory, "a/b");
    EXPECT_EQ(intents.all[1].directory, "/c");
}

}  // namespace
}  // namespace mandate::core
