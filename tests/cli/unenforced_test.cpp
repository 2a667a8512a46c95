// `unenforced` and its `--ack`, against real ledgers.

#include "support/mandate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

namespace mandate::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Unenforced : public testing::Test {
protected:
    Unenforced() : repo(scratch), lane(repo.add_worktree("lane")), mandate(scratch) { init(lane, "demo", "2"); }
    void init(const fs::path& where, const std::string& task, const std::string& budget) const
    {
        const Answer made = mandate.run(where, {"init", "--preset", "standard", "task=" + task, "authorized_by=me",
                                                "review_budget=" + budget, "--force"});
        ASSERT_EQ(made.exit(), 0) << made;
    }
    Answer in_lane(const std::vector<std::string>& arguments) const { return mandate.run(lane, arguments); }
    void cancelled_round(const fs::path& where) const
    {
        ASSERT_EQ(mandate.run(where, {"round"}).exit(), 0);
        ASSERT_EQ(mandate.run(where, {"cancel"}).exit(), 0);
    }
    // The rows of the answer as they stand, times replaced.
    static std::vector<std::string> rows(const Answer& answer)
    {
        static const std::regex k_time("last=[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z");
        std::vector<std::string> found;
        std::istringstream lines(answer.outcome.out);
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("reason=")) {
                found.push_back(std::regex_replace(line, k_time, "last=T"));
            }
        }
        return found;
    }
    fs::path ledger() const { return repo.path() / ".git/mandate/worktrees/lane.jsonl"; }
    std::string last_line() const
    {
        const std::string bytes = read_file(ledger());
        return bytes.substr(bytes.rfind('\n', bytes.size() - 2) + 1);
    }

    ScratchDir scratch;
    Repo repo;
    fs::path lane;
    Mandate mandate;
};

TEST_F(Unenforced, IsEmptyAndYesAtFirst)
{
    const Answer answer = in_lane({"unenforced"});
    EXPECT_EQ(answer.exit(), 0) << answer;
    EXPECT_THAT(rows(answer), IsEmpty());
    EXPECT_EQ(answer.value("lane"), lane.string());
    EXPECT_EQ(answer.value("unenforced"), "0");
    const auto json = in_lane({"unenforced", "--json"}).json();
    EXPECT_TRUE(json["reasons"].is_array() && json["reasons"].empty());
}

TEST_F(Unenforced, IsALineAReason)
{
    cancelled_round(lane);
    cancelled_round(lane);
    init(lane, "demo", "unlimited");
    ASSERT_EQ(in_lane({"round"}).exit(), 0);
    const Answer answer = in_lane({"unenforced"});
    EXPECT_EQ(answer.exit(), 1) << answer;
    EXPECT_THAT(rows(answer), ElementsAre("reason=no-budget count=1 last=T benign=yes",
                                          "reason=round-cancelled count=2 last=T benign=no"));
    EXPECT_EQ(answer.value("unenforced"), "2");
    EXPECT_EQ(answer.value("unenforced_benign"), "1");
    const auto json = in_lane({"unenforced", "--json"}).json();
    ASSERT_EQ(json["reasons"].size(), 2U);
    EXPECT_EQ(json["reasons"][1]["reason"], "round-cancelled");
    EXPECT_EQ(json["reasons"][1]["count"], 2);
    EXPECT_EQ(json["reasons"][1]["benign"], false);
    EXPECT_TRUE(json["reasons"][0]["last"].is_string());
}

TEST_F(Unenforced, IsYesWhereAllOfItIsBenign)
{
    init(lane, "demo", "unlimited");
    ASSERT_EQ(in_lane({"round"}).exit(), 0);
    EXPECT_EQ(in_lane({"unenforced"}).exit(), 0);
}

TEST_F(Unenforced, IsAcceptedByAnAckThatOnlyAppends)
{
    cancelled_round(lane);
    const std::string before = read_file(ledger());
    const Answer acked = in_lane({"unenforced", "--ack", "--by", "ann", "--reason", "the reviewer was ill"});
    EXPECT_EQ(acked.exit(), 0) << acked;
    EXPECT_EQ(acked.value("acknowledged"), "1");
    EXPECT_EQ(acked.value("accepted_drift"), "0");
    EXPECT_EQ(acked.value("task"), "demo");
    EXPECT_THAT(rows(acked), IsEmpty());
    EXPECT_EQ(read_file(ledger()).substr(0, before.size()), before);
    const auto line = nlohmann::json::parse(last_line());
    EXPECT_EQ(line["event"], "ack");
    EXPECT_EQ(line["by"], "ann");
    EXPECT_EQ(line["reason"], "the reviewer was ill");
    EXPECT_EQ(line["drift"], 0);
    EXPECT_EQ(line["task"], "demo");
    EXPECT_EQ(in_lane({"show"}).value("unenforced"), "0");
    EXPECT_EQ(in_lane({"verify"}).exit(), 0);

    cancelled_round(lane);
    EXPECT_EQ(in_lane({"unenforced"}).exit(), 1) << "what comes after it is counted anew";
    EXPECT_THAT(rows(in_lane({"unenforced"})), ElementsAre("reason=round-cancelled count=1 last=T benign=no"));
}

TEST_F(Unenforced, AcceptsTheHistoryDriftOfTheMoment)
{
    ASSERT_EQ(in_lane({"round"}).exit(), 0);
    ASSERT_EQ(in_lane({"round"}).exit(), 0);
    init(lane, "demo", "2");  // the same task, as if no round had been
    EXPECT_EQ(in_lane({"show"}).value("history_drift"), "2");
    EXPECT_EQ(in_lane({"verify"}).exit(), 1);
    const Answer acked = in_lane({"unenforced", "--ack", "--by", "ann"});
    EXPECT_EQ(acked.value("accepted_drift"), "2") << acked;
    EXPECT_EQ(nlohmann::json::parse(last_line())["drift"], 2);
    EXPECT_EQ(in_lane({"show"}).value("history_drift"), "0");
    EXPECT_EQ(in_lane({"verify"}).exit(), 0);
    ASSERT_EQ(in_lane({"round"}).exit(), 0);
    EXPECT_EQ(in_lane({"show"}).value("history_drift"), "0");
    EXPECT_EQ(in_lane({"unenforced"}).exit(), 0) << "nor is it counted again";
}

TEST_F(Unenforced, TakesAllLanesAndThoseThatAreGone)
{
    const fs::path gone = repo.add_worktree("gone");
    init(gone, "other", "2");
    cancelled_round(gone);
    repo.git({"worktree", "remove", "--force", gone.string()});
    cancelled_round(lane);
    EXPECT_THAT(rows(in_lane({"unenforced", "--all"})),
                ElementsAre("reason=round-cancelled count=1 last=T benign=no lane=worktrees/gone",
                            "reason=round-cancelled count=1 last=T benign=no lane=worktrees/lane"));
    EXPECT_EQ(in_lane({"unenforced", "--all", "--json"}).json()["reasons"][0]["lane"], "worktrees/gone");
    EXPECT_THAT(rows(in_lane({"unenforced"})), testing::SizeIs(1));
    EXPECT_EQ(mandate.run(repo.path(), {"unenforced"}).exit(), 0) << "the main worktree has nothing of it";
    EXPECT_EQ(mandate.run(repo.path(), {"unenforced", "--all"}).exit(), 1);

    const Answer acked = in_lane({"unenforced", "--all", "--ack", "--by", "ann"});
    EXPECT_EQ(acked.exit(), 0) << acked;
    EXPECT_EQ(acked.value("acknowledged"), "2");
    EXPECT_FALSE(fs::exists(repo.path() / ".git/mandate/main.jsonl")) << "a lane without a ledger gets none";
}

TEST_F(Unenforced, LeavesALaneOutWhoseRecordIsRefused)
{
    const fs::path other = repo.add_worktree("other");
    init(other, "other", "2");
    cancelled_round(other);
    fs::remove(other / "MANDATE.md");
    fs::create_symlink("/dev/null", other / "MANDATE.md");
    const Answer acked = in_lane({"unenforced", "--all", "--ack", "--by", "ann"});
    EXPECT_EQ(acked.exit(), 1) << acked;
    EXPECT_THAT(acked.outcome.err, HasSubstr("lane 'worktrees/other' was not acknowledged"));
    EXPECT_THAT(rows(acked), testing::SizeIs(1));
    const Answer refused = mandate.run(other, {"unenforced", "--ack", "--by", "ann"});
    EXPECT_EQ(refused.exit(), 2);
    EXPECT_EQ(refused.value("error"), "record-symlink");
    EXPECT_EQ(mandate.run(other, {"unenforced"}).exit(), 1) << "counting needs no record";
}

TEST_F(Unenforced, RefusesACommandLineThatSaysHalf)
{
    cancelled_round(lane);
    const std::string before = read_file(ledger());
    for (const auto& [arguments, code] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"--ack"}, "usage"},
             {{"--ack", "--by", ""}, "usage"},
             {{"--ack", "--by", "  "}, "usage"},
             {{"--by", "ann"}, "usage"},
             {{"--reason", "x"}, "usage"},
             {{"--ack", "--by", "ann", "one", "two"}, "usage"},
             {{"--ack", "--by", "a\nb"}, "value-control-character"},
             {{"--ack", "--by", "ann", "--reason", "\xff"}, "value-control-character"},
             {{"--ack", "--by", "ann", "--reason", "a\u202eb"}, "value-control-character"},
             {{"--ack", "--by", "|"}, "value-block-scalar"},
             {{"--ack", "--by", std::string(241, 'x')}, "value-too-long"},
         }) {
        std::vector<std::string> all{"unenforced"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Answer refused = in_lane(all);
        EXPECT_EQ(refused.exit(), 2) << refused;
        EXPECT_EQ(refused.value("error"), code) << refused;
    }
    EXPECT_EQ(read_file(ledger()), before);
}

TEST_F(Unenforced, CountsAFallbackButAcknowledgesNoOtherLane)
{
    const Answer fell_back = in_lane({"unenforced", "--branch", "nowhere"});
    EXPECT_EQ(fell_back.exit(), 0);
    EXPECT_EQ(fell_back.value("enforced"), "no");
    EXPECT_THAT(fell_back.outcome.err, HasSubstr("no worktree holds the branch 'nowhere'"));
    EXPECT_THAT(rows(fell_back), ElementsAre("reason=lane-fallback count=1 last=T benign=yes"));
    const Answer refused = in_lane({"unenforced", "--branch", "nowhere", "--ack", "--by", "ann"});
    EXPECT_EQ(refused.exit(), 3);
    EXPECT_EQ(refused.value("error"), "no-lane");
    EXPECT_THAT(rows(in_lane({"unenforced"})), testing::SizeIs(1));
}

TEST_F(Unenforced, IsNoYesWhereTheLedgerCannotBeRead)
{
    fs::remove(ledger());
    fs::create_directories(ledger());
    const Answer answer = in_lane({"unenforced"});
    EXPECT_EQ(answer.exit(), 1) << answer;
    EXPECT_EQ(answer.value("ledger"), "unreadable");
    const Answer acked = in_lane({"unenforced", "--ack", "--by", "ann"});
    EXPECT_EQ(acked.exit(), 4);
    EXPECT_EQ(acked.value("error"), "ledger-unwritable");
}

// An ack takes the ledger's lock and no other: a booking that waits for the lane does not hold it up.
TEST_F(Unenforced, AcknowledgesWithoutTheLanesLock)
{
    Command holder;
    holder.arguments = {"flock", (lane / ".MANDATE.lock").string(), "sh", "-c", "echo held; read line"};
    holder.environment = scratch.environment();
    Background held(holder);
    held.wait_for_output("held");
    EXPECT_EQ(in_lane({"unenforced", "--ack", "--by", "ann"}).exit(), 0);
    held.kill(9);
    held.wait();
}

TEST_F(Unenforced, IsInertToAForgedLine)
{
    std::string bytes = read_file(ledger());
    bytes +=
        R"({"v":1,"seq":90,"at":"x benign=yes","event":"unenforced","reason":"no-budget count=9 benign=yes\nreason=x"})"
        "\n";
    write_file(ledger(), bytes);
    const Answer answer = in_lane({"unenforced"});
    EXPECT_EQ(answer.exit(), 1) << answer;
    EXPECT_THAT(rows(answer),
                ElementsAre(R"(reason=no-budget\x20count=9\x20benign=yes\x0areason=x count=1 last= benign=no)"));
}

}  // namespace
}  // namespace mandate::test
