// The main job from a subdirectory of a linked worktree, as README shows it.

#include "support/mandate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace mandate::test {
namespace {

using testing::HasSubstr;

class MainJob : public testing::Test {
protected:
    MainJob() : repo(scratch), lane(repo.add_worktree("lane")), mandate(scratch)
    {
        fs::create_directories(lane / "sub/deep");
    }
    Answer in_lane(const std::vector<std::string>& arguments) const
    {
        return mandate.run(lane / "sub/deep", arguments);
    }
    Answer init(std::vector<std::string> more = {}) const
    {
        std::vector<std::string> arguments{"init", "--preset", "standard", "task=demo", "authorized_by=me"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return in_lane(arguments);
    }
    void expect_clean() const
    {
        EXPECT_EQ(repo.git_in(lane, {"status", "--porcelain"}), "");
        EXPECT_EQ(repo.git({"status", "--porcelain"}), "");
    }
    std::string record() const { return read_file(lane / "MANDATE.md"); }

    ScratchDir scratch;
    Repo repo;
    fs::path lane;
    Mandate mandate;
};

TEST_F(MainJob, IsAnsweredFromASubdirectoryAndLeavesTheTreeClean)
{
    const Answer made = init();
    ASSERT_EQ(made.exit(), 0) << made;
    EXPECT_EQ(made.value("mandate_file"), (lane / "MANDATE.md").string());
    EXPECT_EQ(made.value("mandate_exists"), "yes");
    EXPECT_EQ(made.value("written"), "yes");
    EXPECT_EQ(made.value("excluded"), "yes");
    EXPECT_EQ(made.value("lane"), lane.string());
    EXPECT_EQ(made.value("lane_source"), "cwd");
    expect_clean();

    const Answer commit = in_lane({"allows", "commit"});
    EXPECT_EQ(commit.exit(), 0);
    EXPECT_EQ(commit.value("verdict"), "allowed");
    const Answer merge = in_lane({"allows", "merge"});
    EXPECT_EQ(merge.exit(), 1);
    EXPECT_EQ(merge.value("verdict"), "denied");
    expect_clean();

    for (int n = 1; n <= 3; ++n) {
        const Answer round = in_lane({"round"});
        ASSERT_EQ(round.exit(), 0) << round;
        EXPECT_EQ(round.value("round_authorized"), "yes");
        EXPECT_EQ(round.value("round"), std::to_string(n));
        EXPECT_EQ(round.value("review_rounds_used"), std::to_string(n));
        EXPECT_EQ(round.value("review_rounds_left"), std::to_string(3 - n));
        EXPECT_EQ(round.value("review_budget_exhausted"), n == 3 ? "yes" : "no");
        EXPECT_EQ(round.has("previous"), n > 1) << "a round that was never reviewed is said";
        expect_clean();
    }
    const std::string before = record();
    const Answer fourth = in_lane({"round"});
    EXPECT_EQ(fourth.exit(), 0);
    EXPECT_EQ(fourth.value("round_authorized"), "no");
    EXPECT_FALSE(fourth.has("round"));
    EXPECT_EQ(fourth.value("review_rounds_left"), "0");
    EXPECT_THAT(fourth.outcome.err, HasSubstr("mandate acknowledged"));
    EXPECT_THAT(fourth.outcome.err, HasSubstr("mandate extend"));
    EXPECT_EQ(in_lane({"round", "--strict"}).exit(), 1);
    EXPECT_EQ(record(), before) << "a refused round leaves the record untouched";
    expect_clean();
    EXPECT_FALSE(fs::exists(repo.path() / "MANDATE.md"));
}

TEST_F(MainJob, ATokenIsChargedOnce)
{
    init();
    const Answer first = in_lane({"round", "--token", "t1"});
    EXPECT_EQ(first.value("round"), "1");
    EXPECT_FALSE(first.has("replayed"));
    const std::string before = record();
    const Answer again = in_lane({"round", "--token=t1"});
    EXPECT_EQ(again.exit(), 0);
    EXPECT_EQ(again.value("round"), "1");
    EXPECT_EQ(again.value("round_authorized"), "yes");
    EXPECT_EQ(again.value("replayed"), "yes");
    EXPECT_EQ(record(), before);
    in_lane({"reviewed", "--findings", "1"});
    EXPECT_EQ(in_lane({"round", "--token", "t1"}).value("replayed"), "yes") << "the newest round carries it still";
    EXPECT_EQ(in_lane({"round", "--token", "t2"}).value("round"), "2");
    EXPECT_EQ(in_lane({"round", "--token", "t1"}).value("round"), "3") << "an older token is a new call";
    EXPECT_EQ(in_lane({"round", "--token", ""}).value("error"), "usage");
}

TEST_F(MainJob, WithoutABudgetEveryRoundIsAuthorizedAndCounted)
{
    init({"review_budget=unlimited"});
    const Answer round = in_lane({"round"});
    EXPECT_EQ(round.value("round_authorized"), "yes");
    EXPECT_EQ(round.value("review_rounds_left"), "");
    EXPECT_EQ(round.value("review_budget_exhausted"), "");
    EXPECT_EQ(round.value("enforced"), "no");
    EXPECT_THAT(round.values("reason"), testing::ElementsAre(HasSubstr("no-budget")));
    EXPECT_EQ(in_lane({"show"}).value("unenforced_benign"), "1");
    EXPECT_EQ(in_lane({"show"}).value("unenforced"), "0");
    const auto json = in_lane({"round", "--json"}).json();
    EXPECT_TRUE(json["review_rounds_left"].is_null());
    EXPECT_TRUE(json["review_budget_exhausted"].is_null());
    EXPECT_EQ(json["round"], 2);
    EXPECT_EQ(json["round_authorized"], true);
}

TEST_F(MainJob, WithoutARecordNobodyWasAsked)
{
    const Answer verdict = in_lane({"allows", "commit"});
    EXPECT_EQ(verdict.exit(), 3);
    EXPECT_EQ(verdict.value("verdict"), "no-mandate");
    const Answer round = in_lane({"round"});
    EXPECT_EQ(round.exit(), 3);
    EXPECT_EQ(round.value("error"), "no-mandate");
    EXPECT_EQ(round.value("lane"), lane.string());
    const Answer shown = in_lane({"show"});
    EXPECT_EQ(shown.exit(), 0);
    EXPECT_EQ(shown.value("mandate_exists"), "no");
    EXPECT_EQ(shown.rows.size(), 4U) << shown;
    EXPECT_FALSE(fs::exists(lane / ".MANDATE.lock")) << "a refusal creates nothing";
    EXPECT_FALSE(fs::exists(repo.path() / ".git/mandate"));
    EXPECT_THAT(read_file(repo.path() / ".git/info/exclude"), testing::Not(HasSubstr("MANDATE")));
}

TEST_F(MainJob, AnExpiredGrantAnswersNothing)
{
    EXPECT_THAT(init({"expires_at=2020-01-01T00:00:00Z"}).outcome.err, HasSubstr("is past"));
    const Answer verdict = in_lane({"allows", "merge"});
    EXPECT_EQ(verdict.exit(), 3);
    EXPECT_EQ(verdict.value("verdict"), "expired");
    const Answer round = in_lane({"round"});
    EXPECT_EQ(round.exit(), 3);
    EXPECT_EQ(round.value("error"), "expired");
    EXPECT_FALSE(round.has("verdict"));
    EXPECT_EQ(in_lane({"show"}).exit(), 0);
    EXPECT_EQ(in_lane({"reviewed", "--findings", "0"}).exit(), 0) << "recording outcomes goes on";
}

TEST_F(MainJob, InitRefusesAnExistingRecord)
{
    init();
    const std::string before = record();
    const Answer again = init();
    EXPECT_EQ(again.exit(), 2);
    EXPECT_EQ(again.value("error"), "record-exists");
    EXPECT_EQ(again.value("written"), "no");
    EXPECT_EQ(again.value("existing_task"), "demo");
    EXPECT_EQ(again.value("task_mismatch"), "no");
    const Answer other = in_lane({"init", "--preset", "standard", "task=other", "authorized_by=me"});
    EXPECT_EQ(other.value("task_mismatch"), "yes");
    EXPECT_EQ(record(), before);
    const Answer unused = init({"--force"});
    EXPECT_EQ(unused.exit(), 0);
    EXPECT_EQ(unused.outcome.err, "");
    in_lane({"round"});
    const Answer forgets = init({"--force"});
    EXPECT_EQ(forgets.exit(), 0);
    EXPECT_THAT(forgets.outcome.err, HasSubstr("had used 1 rounds of task 'demo'"));
}

TEST_F(MainJob, AnInitThatIsRefusedForItsArgumentsCreatesNothing)
{
    for (const std::string bad : {"task=a\nallow: merge", "task=\xE2\x80\xAEx", "task=\xFF", "scope=|", "scope=>-",
                                  "review_budget=", "review_budget=010", "review_budget= 5", "review_budget=1e3",
                                  "allow=comit", "nokey=1", "terminal_gate=merge", "expires_at=tomorrow", "task="}) {
        const Answer refused = in_lane({"init", "--preset", "standard", "authorized_by=me", "task=t", bad});
        const Answer alone =
            bad.rfind("task", 0) == 0 ? in_lane({"init", "--preset", "standard", "authorized_by=me", bad}) : refused;
        EXPECT_EQ(alone.exit(), 2) << bad;
        EXPECT_FALSE(alone.has("written") && alone.value("written") == "yes");
    }
    EXPECT_EQ(in_lane({"init", "--preset", "standard", "task=t"}).value("error"), "usage")
        << "authorized_by is required";
    EXPECT_EQ(in_lane({"init", "task=t", "authorized_by=me"}).value("error"), "usage") << "allow= or a preset";
    EXPECT_EQ(in_lane({"init", "--preset", "standart", "task=t", "authorized_by=me"}).value("error"), "unknown-preset");
    EXPECT_EQ(in_lane({"init", "--preset", "standard", "task=t", "task=t", "authorized_by=me"}).value("error"),
              "usage");
    EXPECT_EQ(
        in_lane({"init", "--preset", "standard", "task=" + std::string(241, 'x'), "authorized_by=me"}).value("error"),
        "value-too-long");
    EXPECT_FALSE(fs::exists(lane / "MANDATE.md"));
    EXPECT_FALSE(fs::exists(lane / ".MANDATE.lock"));
    EXPECT_FALSE(fs::exists(repo.path() / ".git/mandate"));
    EXPECT_THAT(read_file(repo.path() / ".git/info/exclude"), testing::Not(HasSubstr("MANDATE")));
}

TEST_F(MainJob, ExplicitKeysWinAndWithoutSubtracts)
{
    in_lane({"init", "review_budget=1", "task=t", "--without", "open-pr, commit", "--preset", "standard",
             "--without=local-review", "authorized_by=me", "deny=merge"});
    const Answer shown = in_lane({"show"});
    EXPECT_EQ(shown.value("allow"), "push-own-branch, agreed-fixes, rebase-own-branch");
    EXPECT_EQ(shown.value("deny"), "merge");
    EXPECT_EQ(shown.value("review_budget"), "1");
    EXPECT_EQ(in_lane({"allows", "commit"}).value("verdict"), "unlisted");
    EXPECT_EQ(in_lane({"allows", "commit"}).exit(), 1);
    EXPECT_EQ(in_lane({"allows", " merge "}).value("verdict"), "denied");
    EXPECT_EQ(in_lane({"allows", "merge,commit"}).value("error"), "unknown-action");
    EXPECT_EQ(in_lane({"allows", "mergee"}).exit(), 2);
}

TEST_F(MainJob, ModesAndUmaskAreKept)
{
    for (const char* mask : {"000", "002", "022", "027", "077"}) {
        const fs::path here = repo.add_worktree(std::string("umask") + mask);
        const auto booked =
            run({{"sh", "-c",
                  std::string("umask ") + mask +
                      "; \"$0\" init --preset standard task=t authorized_by=me && \"$0\" round && \"$0\" round",
                  mandate_binary()},
                 scratch.environment(),
                 here.string(),
                 {},
                 {},
                 {}});
        ASSERT_TRUE(booked.succeeded()) << booked;
        const unsigned expected = 0666U & ~static_cast<unsigned>(std::stoi(mask, nullptr, 8));
        for (const char* name : {"MANDATE.md", ".MANDATE.lock"}) {
            struct stat status {};
            ASSERT_EQ(::stat((here / name).c_str(), &status), 0);
            EXPECT_EQ(status.st_mode & 07777U, expected) << name << " under umask " << mask;
        }
    }
}

TEST_F(MainJob, TheLedgerTellsItAll)
{
    init();
    in_lane({"round"});
    in_lane({"round"});
    const auto events = in_lane({"log", "--json"}).json()["events"];
    std::vector<std::string> names;
    for (const auto& event : events) {
        names.push_back(event["event"]);
        EXPECT_EQ(event["lane"], "worktrees/lane");
        EXPECT_EQ(event["branch"], "lane");
        EXPECT_EQ(event["head"], repo.git_in(lane, {"rev-parse", "HEAD"}));
    }
    EXPECT_THAT(names, testing::ElementsAre("init", "done", "round", "done", "round", "done"));
    EXPECT_EQ(events[2]["round"], 1);
    EXPECT_EQ(events[4]["round"], 2);
    EXPECT_EQ(events[4]["record"], repo.git_in(lane, {"hash-object", "MANDATE.md"}));
    // A line's prev is the blob id of the line before it, as git computes it.
    const std::string ledger = read_file(repo.path() / ".git/mandate/worktrees/lane.jsonl");
    const std::string first = ledger.substr(0, ledger.find('\n'));
    write_file(scratch.path() / "line", first);
    EXPECT_EQ(events[0]["prev"], "");
    EXPECT_EQ(events[1]["prev"], repo.git({"hash-object", "--no-filters", (scratch.path() / "line").string()}));
}

// Verbs that use no configuration answer whichever file of it is broken, also for a word that only one declares.
TEST_F(MainJob, ABrokenConfigurationKeepsOnlyThoseWhoUseItFromAnswering)
{
    const fs::path shared = repo.path() / ".git/mandate/config.toml";
    const std::string words = "[vocabulary]\nactions = [\"deploy-staging\"]\n";
    init();
    write_file(shared, words);
    ASSERT_EQ(in_lane({"grant", "deploy-staging", "--by", "me"}).exit(), 0);
    const std::string before = record();
    for (const auto& [file, bytes] :
         {std::pair(lane / ".mandate.toml", std::string("[lock]\ntimeout = \"soon\"\n")),
          std::pair(scratch.environment().at("XDG_CONFIG_HOME") / fs::path("mandate/config.toml"),
                    std::string("[lock\n")),
          std::pair(shared, words + "[lock]\ntimeout = \"soon\"\n"), std::pair(shared, words + "[lock\n")}) {
        write_file(file, bytes);
        for (const std::string verb : {"path", "show", "log", "check", "verify"}) {
            const Answer answer = in_lane({verb});
            EXPECT_EQ(answer.exit(), 0) << verb << ": " << answer;
            EXPECT_THAT(answer.outcome.err, HasSubstr(file.string())) << verb;
        }
        EXPECT_EQ(in_lane({"lane", "lane"}).outcome.out, lane.string() + "\n");
        EXPECT_THAT(in_lane({"show"}).value("allow"), HasSubstr("deploy-staging"));
        for (const auto& arguments : std::vector<std::vector<std::string>>{
                 {"allows", "commit"}, {"gate"}, {"next"}, {"round"}, {"revoke", "merge"}}) {
            EXPECT_EQ(in_lane(arguments).value("error"), "config-invalid") << arguments[0];
        }
        fs::remove(file);
        write_file(shared, words);
    }
    EXPECT_EQ(record(), before);
    EXPECT_EQ(in_lane({"allows", "deploy-staging"}).value("verdict"), "allowed");
}

TEST_F(MainJob, AHandEditIsSeenAndAllowed)
{
    init();
    in_lane({"round"});
    std::string text = record();
    text.replace(text.find("review_budget: 3"), 16, "review_budget: 9");
    write_file(lane / "MANDATE.md", text);
    EXPECT_EQ(in_lane({"round"}).value("review_rounds_left"), "7");
    const auto events = in_lane({"log", "--json"}).json()["events"];
    EXPECT_EQ(events[4]["event"], "edited");
    EXPECT_EQ(events[4]["review_budget"], "9");
    EXPECT_EQ(events[5]["event"], "round");
}

}  // namespace
}  // namespace mandate::test
