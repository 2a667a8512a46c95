// `gate` and `next` in real repositories: what a caller reads, through the life of a lane and where git cannot tell.

#include "gate_support.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace mandate::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST_F(Gate, FollowsTheWholeLifeOfALane)
{
    commit("work", "one\n");
    init();
    EXPECT_EQ(gate(), "not-reviewed");
    EXPECT_EQ(next(), "review");
    done({"round"});
    EXPECT_EQ(gate(), "booked-unreviewed");
    EXPECT_EQ(next(), "run-review");
    done({"reviewed", "--findings", "3"});
    EXPECT_EQ(gate(), "findings-open");
    EXPECT_EQ(next(), "fix");
    commit("work", "one, mended\n");
    done({"fixed", "--findings", "2"});
    EXPECT_EQ(gate(), "findings-open");
    EXPECT_EQ(next(), "fix");
    done({"acknowledged", "--by", "ann", "--findings", "1"});
    EXPECT_EQ(gate(), "yes");
    EXPECT_EQ(next(), "done");

    repo.commit_file(repo.path(), "elsewhere", "main moves on\n");
    git({"rebase", "--quiet", "main"});
    EXPECT_EQ(gate(), "yes");
    git({"commit", "--quiet", "--amend", "--message", "In other words"});
    EXPECT_EQ(gate(), "yes");
    EXPECT_EQ(next(), "done");

    commit("work", "one, mended.\n");
    EXPECT_EQ(gate(), "head-moved");
    EXPECT_EQ(next(), "re-review");
    review();
    review("1");
    EXPECT_EQ(next(), "fix");
    done({"fixed"});
    commit("work", "two\n");
    EXPECT_EQ(next(), "acknowledge");
    EXPECT_THAT(ask({"next"}).value("reason"), StartsWith("budget-spent "));
    done({"acknowledged", "--by", "ann"});
    EXPECT_EQ(gate(), "yes");
}

TEST_F(Gate, AnswersInTheOrderOfTheManual)
{
    init();
    const Answer answer = ask({"gate"});
    std::vector<std::string> keys;
    for (const auto& row : answer.rows) {
        keys.push_back(row.first);
    }
    EXPECT_THAT(keys, ElementsAre("lane", "lane_source", "mandate_file", "task", "gate", "gate_met", "reason"));
    EXPECT_EQ(answer.value("gate"), "reviewed-pr");
    EXPECT_THAT(ask({"next"}).value("reason"), StartsWith("not-reviewed "));

    const nlohmann::json json = ask({"gate", "--json"}).json();
    EXPECT_EQ(json.at("gate_met"), false);
    EXPECT_EQ(json.at("reasons").at(0).at("code"), "not-reviewed");
    EXPECT_EQ(ask({"next", "--json"}).json().at("next"), "review");
    for (const char* verb : {"gate", "next"}) {
        EXPECT_THAT(done({verb, "--help"}).outcome.out, HasSubstr(std::string("mandate ") + verb));
    }
}

TEST_F(Gate, NamesWhatAYesLeavesOpen)
{
    init();
    review("1");
    EXPECT_FALSE(ask({"gate"}).has("residual"));
    done({"fixed"});
    EXPECT_EQ(ask({"gate"}).value("residual"), "fixes-unreviewed");
    done({"reviewed", "--findings", "0"});  // nobody booked it
    EXPECT_EQ(ask({"gate"}).value("residual"), "unbooked-review");
    EXPECT_EQ(gate(), "yes");
    EXPECT_EQ(ask({"gate", "--json"}).json().at("residual"), nlohmann::json({"unbooked-review"}));
}

TEST_F(Gate, NeedsAReviewOfTheFixesWhereConfigured)
{
    init();
    review("1");
    done({"fixed"});
    EXPECT_EQ(gate(), "yes");
    write_file(repo.path() / ".git/mandate/config.toml", "[gate]\nfixes_need_review = true\n");
    EXPECT_EQ(gate(), "not-reviewed");
    EXPECT_EQ(next(), "re-review");
    done({"acknowledged", "--by", "ann"});
    EXPECT_EQ(gate(), "yes");
}

TEST_F(Gate, IsRefusedWithoutARecordAndAnsweredPastItsTime)
{
    for (const char* verb : {"gate", "next"}) {
        const Answer answer = ask({verb});
        EXPECT_EQ(answer.exit(), 3);
        EXPECT_EQ(answer.value("error"), "no-mandate");
        EXPECT_FALSE(answer.has("gate_met"));
    }
    record("expires_at: 2001-01-01T00:00:00Z\nterminal_gate: reviewed-pr\n");
    EXPECT_EQ(gate(), "not-reviewed");
    EXPECT_EQ(next(), "review");
}

TEST_F(Gate, IsNeverMetWithoutAGate)
{
    record("round_state: acknowledged\nsettled_head: " + git({"rev-parse", "HEAD"}) + "\n");
    EXPECT_EQ(gate(), "no-gate");
    EXPECT_EQ(ask({"gate"}).value("gate"), "");
    EXPECT_TRUE(ask({"gate", "--json"}).json().at("gate").is_null());
    EXPECT_EQ(next(), "done");
}

TEST_F(Gate, OfAPushedBranchAsksTheUpstream)
{
    init("draft-only");
    EXPECT_EQ(gate(), "no-upstream");
    EXPECT_EQ(next(), "push");
    add_origin();
    commit("work", "one\n");
    git({"push", "--quiet", "--set-upstream", "origin", "lane"});
    EXPECT_EQ(gate(), "yes");
    EXPECT_EQ(next(), "done");
    commit("work", "two\n");
    EXPECT_EQ(gate(), "not-pushed");
    EXPECT_THAT(reason(), AllOf(HasSubstr("'origin/lane'"), HasSubstr(git({"rev-parse", "HEAD"}).substr(0, 10))));
    EXPECT_EQ(next(), "push");
    git({"push", "--quiet"});
    git({"reset", "--quiet", "--hard", "HEAD~1"});
    EXPECT_EQ(gate(), "yes") << "the upstream holds it, and more";
    git({"update-ref", "-d", "refs/remotes/origin/lane"});
    EXPECT_EQ(gate(), "no-upstream");
    git({"push", "--quiet", "--force"});
    EXPECT_EQ(gate(), "yes");
    git({"checkout", "--quiet", "--detach"});
    EXPECT_EQ(gate(), "no-upstream");
    EXPECT_THAT(reason(), HasSubstr("detached"));
}

TEST_F(Gate, OfAMergedLaneAsksTheIntegrationBranch)
{
    add_origin();
    repo.git({"remote", "set-head", "origin", "main"});
    init("merge-delegated");
    commit("work", "one\n");
    EXPECT_EQ(gate(), "not-merged");
    EXPECT_THAT(reason(), HasSubstr("'origin/main'"));
    EXPECT_EQ(next(), "review");
    review();
    EXPECT_EQ(next(), "push");
    git({"push", "--quiet", "--set-upstream", "origin", "lane"});
    EXPECT_EQ(next(), "merge");
    repo.git({"merge", "--quiet", "--no-ff", "--no-edit", "lane"});
    EXPECT_EQ(gate(), "not-merged") << "main is not origin's";
    EXPECT_EQ(gate({"--into", "main"}), "yes");
    EXPECT_EQ(gate({"--into=HEAD"}), "yes");
    repo.git({"push", "--quiet", "origin", "main"});
    EXPECT_EQ(gate(), "yes");
    EXPECT_EQ(next(), "done");
    repo.git({"push", "--quiet", "origin", "--delete", "lane"});
    EXPECT_EQ(next(), "done") << "there is nothing to push any more";
    EXPECT_EQ(gate({"--into", "main~1"}), "not-merged");
}

TEST_F(Gate, IsAboutTheCommitThatHeadNames)
{
    init();
    commit("work", "one\n");
    const std::string reviewed = git({"rev-parse", "HEAD"});
    done({"round"});
    commit("work", "two, while the review ran\n");
    done({"reviewed", "--findings", "1", "--head", reviewed.substr(0, 9)});
    EXPECT_EQ(done({"show"}).value("reviewed_head"), reviewed);
    const std::string fixed = git({"rev-parse", "HEAD"});
    commit("work", "three, which nobody looked at\n");
    done({"fixed", "--head", "HEAD~1"});
    EXPECT_EQ(done({"show"}).value("settled_head"), fixed);
    EXPECT_EQ(gate(), "head-moved");
    git({"reset", "--quiet", "--hard", fixed});
    EXPECT_EQ(gate(), "yes");
}

TEST_F(Gate, OfASquashedLaneTakesTheForgesWord)
{
    init("merge-delegated");
    commit("work", "one\n");
    const std::string head = git({"rev-parse", "HEAD"});
    repo.git({"merge", "--quiet", "--squash", "lane"});
    repo.git({"commit", "--quiet", "--message", "Squashed"});
    EXPECT_EQ(gate(), "not-merged");
    EXPECT_EQ(gate({"--merged-head", head}), "yes");
    EXPECT_EQ(gate({"--merged-head", head.substr(0, 9)}), "yes");
    std::string upper = head;
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
    EXPECT_EQ(gate({"--merged-head", upper}), "yes");
    EXPECT_EQ(gate({"--merged-head", std::string(40, '1')}), "not-merged") << "never fetched";
    EXPECT_EQ(gate({"--merged-head", git({"rev-parse", "HEAD~1"})}), "not-merged");
    commit("work", "after the merge\n");
    EXPECT_EQ(gate({"--merged-head", head}), "not-merged");
}

TEST_F(Gate, RefusesRevisionsThatDoNotResolve)
{
    for (const std::vector<std::string>& more : {std::vector<std::string>{"--into", "nowhere"},
                                                 {"--into", ""},
                                                 {"--into", "HEAD^{tree}"},
                                                 {"--merged-head", ""},
                                                 {"--merged-head", "HEAD"},
                                                 {"--merged-head", "main"},
                                                 {"--merged-head", "abc"},
                                                 {"--merged-head", "1234567"},
                                                 {"--merged-head", std::string(41, '1')},
                                                 {"--merged-head", std::string(40, 'g')}}) {
        std::vector<std::string> arguments{"gate"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Answer answer = ask(arguments);
        EXPECT_EQ(answer.exit(), 2) << answer;
        EXPECT_EQ(answer.value("error"), "value-invalid");
        EXPECT_FALSE(answer.has("gate_met"));
    }
    EXPECT_EQ(ask({"next", "--into", "main"}).value("error"), "usage");
    EXPECT_EQ(ask({"gate", ".", "."}).value("error"), "usage");
}

TEST_F(Gate, KeepsAndLosesAReviewAsTheChangeDoes)
{
    review_and_move_main();
    const std::string reviewed = git({"rev-parse", "HEAD"});
    git({"merge", "--quiet", "--no-edit", "main"});
    EXPECT_EQ(gate(), "yes") << "main merged into the lane";
    git({"reset", "--quiet", "--hard", "main"});
    git({"cherry-pick", reviewed});
    EXPECT_EQ(gate(), "yes");
    commit("file", "A\na\nb\nc\nd\nE \nf\ng\nh\n");
    EXPECT_EQ(gate(), "head-moved") << "a blank at the end of a line";
    git({"reset", "--quiet", "--hard", "HEAD~1"});
    fs::permissions(lane / "file", fs::perms::owner_exec, fs::perm_options::add);
    git({"commit", "--quiet", "--all", "--message", "Mode"});
    EXPECT_EQ(gate(), "head-moved") << "a mode";
    git({"reset", "--quiet", "--hard", "HEAD~1"});
    EXPECT_EQ(gate(), "yes");
    git({"reset", "--quiet", "--hard", "main"});
    EXPECT_EQ(gate(), "head-moved") << "no change at all";
}

TEST_F(Gate, WritesNothing)
{
    review_and_move_main();
    git({"rebase", "--quiet", "main"});
    const auto files = [&] {
        std::vector<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(repo.path() / ".git")) {
            names.push_back(entry.path().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    };
    const std::vector<std::string> before = files();
    EXPECT_EQ(gate(), "yes");
    EXPECT_EQ(next(), "done");
    EXPECT_EQ(files(), before);
}

TEST_F(Gate, IsAboutCommitsAndNotAboutBranchesNamedLikeThem)
{
    const std::string head = git({"rev-parse", "HEAD"});
    const std::string settled = head[0] == 'd' ? "cafe" : "dead";
    git({"branch", settled});
    record("terminal_gate: reviewed-pr\nround_state: acknowledged\nsettled_head: " + settled + "\n");
    EXPECT_EQ(gate(), "head-moved");
    record("terminal_gate: reviewed-pr\nround_state: acknowledged\nsettled_head: " + head.substr(0, 12) + "\n");
    EXPECT_EQ(gate(), "yes");
    record("terminal_gate: reviewed-pr\nround_state: acknowledged\n");
    EXPECT_EQ(gate(), "head-moved");
    record("terminal_gate: reviewed-pr\nround_state: reviewed\nreviewed_head: " + head + "\n");
    EXPECT_EQ(gate(), "not-reviewed") << "nobody knows with how many findings";
}

TEST_F(Gate, SaysWhyWhereGitCannotTell)
{
    commit("work", "one\n");
    init();
    review();
    const std::string reviewed = git({"rev-parse", "HEAD"});
    git({"checkout", "--quiet", "-B", "lane", "main"});
    commit("work", "one\n");
    git({"branch", "--move", "main", "trunk"});
    git({"commit", "--quiet", "--amend", "--allow-empty", "--message", "x", "--date", "2001-01-01T00:00:00Z"});
    EXPECT_EQ(gate(), "yes") << "the same tree and parent need no integration branch";
    commit("more", "two\n");
    EXPECT_EQ(gate(), "head-moved");
    EXPECT_THAT(reason(), HasSubstr("--into REF"));
    EXPECT_EQ(gate({"--into", "trunk"}), "head-moved");

    fs::remove(repo.path() / ".git/objects" / reviewed.substr(0, 2) / reviewed.substr(2));
    EXPECT_EQ(gate(), "head-moved");
    EXPECT_THAT(reason(), HasSubstr("is not here"));
    EXPECT_EQ(next(), "re-review");
}

TEST_F(Gate, OfAnUnbornBranchIsNotMet)
{
    const std::string settled = git({"rev-parse", "main"});
    git({"checkout", "--quiet", "--orphan", "new"});
    for (const char* each : {"reviewed-pr", "pushed-branch", "merged"}) {
        record("terminal_gate: " + std::string(each) + "\nround_state: acknowledged\nsettled_head: " + settled + "\n");
        EXPECT_NE(gate(), "yes");
        EXPECT_THAT(reason(), HasSubstr("no commit at HEAD"));
        EXPECT_NE(next(), "done");
    }
}

TEST_F(Gate, OfALaneInTheMiddleOfARebaseIsAboutItsBranch)
{
    review_and_move_main();
    add_origin();
    git({"push", "--quiet", "--set-upstream", "origin", "lane"});
    repo.commit_file(repo.path(), "file", "a\nb\nc\nd\nanother E\nf\ng\nh\n");
    EXPECT_THROW(git({"rebase", "--quiet", "main"}), std::runtime_error);
    EXPECT_EQ(gate(), "head-moved");
    EXPECT_EQ(next(), "re-review");
    done({"init", "--preset", "draft-only", "--force", "task=demo", "authorized_by=me"});
    EXPECT_EQ(gate(), "not-pushed");
    git({"rebase", "--abort"});
    EXPECT_EQ(gate(), "yes");
}

TEST_F(Gate, OfAShallowCloneIsNotMetByWhatItCannotSee)
{
    for (const char* name : {"a", "b", "c"}) {
        repo.commit_file(repo.path(), name, name);
    }
    commit("work", "one\n");
    const fs::path clone = scratch.path() / "clone";
    repo.git({"clone", "--quiet", "--no-single-branch", "--branch", "lane", "--depth", "1",
              "file://" + repo.path().string(), clone.string()});
    const auto asked = [&](const std::string& keys, const std::vector<std::string>& arguments = {"gate"}) {
        record(keys, clone);
        return mandate.run(clone, arguments);
    };
    const std::string head = git({"rev-parse", "HEAD"});
    const Answer merged = asked("terminal_gate: merged\n");
    EXPECT_EQ(merged.exit(), 1);
    EXPECT_THAT(merged.value("reason"), AllOf(StartsWith("not-merged "), HasSubstr("shallow")));
    EXPECT_EQ(asked("terminal_gate: reviewed-pr\nround_state: acknowledged\nsettled_head: " + head + "\n").exit(), 0);
    repo.git_in(clone, {"commit", "--quiet", "--allow-empty", "--message", "More"});
    const std::string moved =
        "terminal_gate: reviewed-pr\nround_state: reviewed\nfindings_open: 0\nreviewed_head: " + head + "\n";
    const Answer reviewed = asked(moved);
    EXPECT_EQ(reviewed.exit(), 1);
    EXPECT_THAT(reviewed.value("reason"), AllOf(StartsWith("head-moved "), HasSubstr("shallow")));
    EXPECT_EQ(asked(moved, {"next"}).value("next"), "re-review");
    EXPECT_THAT(asked("terminal_gate: pushed-branch\n").value("reason"), StartsWith("not-pushed "));
}

TEST_F(Gate, IsNotHeldUpByAttributesThatNobodyNeeds)
{
    review_and_move_main();
    git({"rebase", "--quiet", "main"});
    ASSERT_EQ(::mkfifo((lane / ".gitattributes").c_str(), 0600), 0);
    ASSERT_EQ(::mkfifo((repo.path() / ".git/info/attributes").c_str(), 0600), 0);
    EXPECT_EQ(gate(), "yes");
}

TEST_F(Gate, AnswersForTheLaneOfABranchAndCountsAFallback)
{
    init();
    const Answer by_branch = mandate.run(repo.path(), {"gate", "--branch", "lane"});
    EXPECT_EQ(by_branch.value("lane"), lane.string());
    EXPECT_EQ(by_branch.value("lane_source"), "branch");
    const Answer fell_back = ask({"next", "--branch", "nowhere"});
    EXPECT_EQ(fell_back.value("lane_source"), "cwd");
    EXPECT_THAT(fell_back.values("reason"), testing::Contains(StartsWith("lane-fallback")));
    EXPECT_EQ(done({"show"}).value("unenforced_benign"), "1");
}

}  // namespace
}  // namespace mandate::test
