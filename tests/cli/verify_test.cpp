// `verify`: a real record against its real ledger, in every way in which the two can stand to each other.

#include "support/mandate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mandate::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Verify : public testing::Test {
protected:
    Verify() : repo(scratch), lane(repo.add_worktree("lane")), mandate(scratch) {}
    void booked_lane() const
    {
        init();
        for (int i = 0; i < 3; ++i) {
            ASSERT_EQ(in_lane({"round"}).exit(), 0);
        }
    }
    void init() const
    {
        ASSERT_EQ(
            in_lane({"init", "--preset", "standard", "task=demo", "authorized_by=me", "review_budget=9", "--force"})
                .exit(),
            0);
    }
    Answer in_lane(const std::vector<std::string>& arguments) const { return mandate.run(lane, arguments); }
    fs::path record() const { return lane / "MANDATE.md"; }
    fs::path ledger() const { return repo.path() / ".git/mandate/worktrees/lane.jsonl"; }
    std::vector<std::string> lines() const
    {
        std::vector<std::string> found;
        const std::string bytes = read_file(ledger());
        for (std::size_t start = 0; start < bytes.size();) {
            const std::size_t end = bytes.find('\n', start);
            found.push_back(bytes.substr(start, end - start));
            start = end + 1;
        }
        return found;
    }
    void keep_lines(std::size_t count) const
    {
        std::string bytes;
        for (const std::string& line : lines()) {
            bytes += count-- > 0 ? line + "\n" : "";
            if (count == 0) {
                break;
            }
        }
        write_file(ledger(), bytes);
    }
    void edit_record(const std::string& what, const std::string& with) const
    {
        std::string bytes = read_file(record());
        const std::size_t at = bytes.find(what);
        ASSERT_NE(at, std::string::npos);
        write_file(record(), bytes.replace(at, what.size(), with));
    }

    ScratchDir scratch;
    Repo repo;
    fs::path lane;
    Mandate mandate;
};

TEST_F(Verify, IsConsistentAfterBookings)
{
    booked_lane();
    const Answer answer = in_lane({"verify"});
    EXPECT_EQ(answer.exit(), 0) << answer;
    EXPECT_EQ(answer.value("consistent"), "yes");
    EXPECT_EQ(answer.value("chain"), "ok");
    EXPECT_EQ(answer.value("lines"), std::to_string(lines().size()));
    EXPECT_EQ(answer.value("pending"), "no");
    EXPECT_EQ(answer.value("hand_edited"), "no");
    EXPECT_EQ(answer.value("history_drift"), "0");
    EXPECT_EQ(answer.value("torn"), "0");
    EXPECT_EQ(answer.value("task"), "demo");
    EXPECT_EQ(answer.value("ledger_file"), ledger().string());
    EXPECT_THAT(answer.values("reason"), IsEmpty());
    const auto json = in_lane({"verify", "--json"}).json();
    EXPECT_EQ(json["consistent"], true);
    EXPECT_EQ(json["lines"], lines().size());
    EXPECT_EQ(json["chain"], "ok");
}

TEST_F(Verify, JudgesTheChainAloneWithoutARecord)
{
    EXPECT_EQ(in_lane({"verify"}).exit(), 0) << "neither a record nor a ledger";
    EXPECT_FALSE(fs::exists(repo.path() / ".git/mandate"));
    booked_lane();
    fs::remove(record());
    const Answer answer = in_lane({"verify"});
    EXPECT_EQ(answer.exit(), 0) << answer;
    EXPECT_EQ(answer.value("hand_edited"), "no");
    EXPECT_FALSE(answer.has("task"));
}

// A booking that died after its line and before its rename: the record is still the one before.
TEST_F(Verify, CallsAnInterruptedBookingPending)
{
    booked_lane();
    const std::string before = read_file(record());
    ASSERT_EQ(in_lane({"round"}).exit(), 0);
    write_file(record(), before);
    keep_lines(lines().size() - 1);  // the `done` line
    const Answer pending = in_lane({"verify"});
    EXPECT_EQ(pending.exit(), 0) << pending;
    EXPECT_EQ(pending.value("pending"), "yes");
    EXPECT_EQ(pending.value("hand_edited"), "no");
    EXPECT_EQ(pending.value("history_drift"), "0") << "no count includes it";

    ASSERT_EQ(in_lane({"round"}).exit(), 0);
    const Answer after = in_lane({"verify"});
    EXPECT_EQ(after.exit(), 0) << after;
    EXPECT_EQ(after.value("pending"), "no");
    EXPECT_THAT(read_file(ledger()), HasSubstr("\"event\":\"abandoned\""));
}

TEST_F(Verify, CallsAFirstInitThatDiedPending)
{
    init();
    fs::remove(record());
    keep_lines(1);
    const Answer pending = in_lane({"verify"});
    EXPECT_EQ(pending.exit(), 0) << pending;
    EXPECT_EQ(pending.value("pending"), "yes");
}

TEST_F(Verify, SeesAHandEditAndLetsItBe)
{
    booked_lane();
    edit_record("authorized_by: me", "authorized_by: you");
    const Answer edited = in_lane({"verify"});
    EXPECT_EQ(edited.exit(), 0) << edited;
    EXPECT_EQ(edited.value("hand_edited"), "yes");
    ASSERT_EQ(in_lane({"round"}).exit(), 0);
    EXPECT_EQ(in_lane({"verify"}).value("hand_edited"), "no");
    EXPECT_THAT(read_file(ledger()), HasSubstr("\"event\":\"edited\""));
}

TEST_F(Verify, SaysNoWhereTheHistoryDrifts)
{
    booked_lane();
    edit_record("review_rounds_used: 3", "review_rounds_used: 1");
    const Answer drifted = in_lane({"verify"});
    EXPECT_EQ(drifted.exit(), 1) << drifted;
    EXPECT_EQ(drifted.value("consistent"), "no");
    EXPECT_EQ(drifted.value("chain"), "ok");
    EXPECT_EQ(drifted.value("history_drift"), "2");
    EXPECT_THAT(drifted.values("reason"), Contains(StartsWith("history-drift ")));
}

// An older copy of the record under a booking that is done is a hand edit, whoever put it there.
TEST_F(Verify, SeesAnOlderCopyAsAHandEdit)
{
    booked_lane();
    const std::string before = read_file(record());
    ASSERT_EQ(in_lane({"round"}).exit(), 0);
    write_file(record(), before);
    const Answer edited = in_lane({"verify"});
    EXPECT_EQ(edited.value("hand_edited"), "yes") << edited;
    EXPECT_EQ(edited.value("history_drift"), "1");
    EXPECT_EQ(edited.exit(), 1);
}

TEST_F(Verify, MissesALedgerThatABookedRecordMustHave)
{
    booked_lane();
    fs::remove(ledger());
    for (int i = 0; i < 2; ++i) {
        const Answer missing = in_lane({"verify"});
        EXPECT_EQ(missing.exit(), 1) << missing;
        EXPECT_EQ(missing.value("lines"), "0");
        EXPECT_THAT(missing.values("reason"), Contains(StartsWith("ledger-missing ")));
        write_file(ledger(), "");  // emptied is as good as gone
    }
    // A record that no booking of ours ever touched needs none.
    fs::remove(ledger());
    write_file(record(),
               "---\ntask: demo\nauthorized_by: me\nallow: commit\nreview_budget: 3\nreview_rounds_used: 0\n---\n");
    EXPECT_EQ(in_lane({"verify"}).exit(), 0);
}

TEST_F(Verify, NamesTheLineOfEachFinding)
{
    booked_lane();
    std::vector<std::string> all = lines();
    std::string bytes;
    for (std::size_t i = 0; i < all.size(); ++i) {
        bytes += (i == 2 ? "{" + all[i].substr(2) : all[i]) + "\n";
    }
    write_file(ledger(), bytes);
    const Answer broken = in_lane({"verify"});
    EXPECT_EQ(broken.exit(), 1) << broken;
    EXPECT_EQ(broken.value("chain"), "broken");
    EXPECT_THAT(broken.values("reason"), Contains(StartsWith("foreign-line line 3: ")));
    EXPECT_THAT(broken.values("reason"), Contains(StartsWith("chain-broken line 4: ")));
    const auto json = in_lane({"verify", "--json"}).json();
    EXPECT_EQ(json["chain"], "broken");
    EXPECT_EQ(json["reasons"][0]["code"], "foreign-line");
}

TEST_F(Verify, ListsTwentyAndCountsTheRest)
{
    booked_lane();
    std::string bytes = read_file(ledger());
    for (int i = 0; i < 50; ++i) {
        bytes += "junk\n";
    }
    write_file(ledger(), bytes);
    const Answer answer = in_lane({"verify"});
    EXPECT_EQ(answer.value("findings"), "50");
    EXPECT_EQ(answer.values("reason").size(), 20U);
    EXPECT_EQ(answer.value("findings_not_shown"), "30");
}

TEST_F(Verify, RefusesARecordThatNobodyAnswersFrom)
{
    booked_lane();
    fs::remove(record());
    fs::create_symlink("/dev/null", record());
    const Answer refused = in_lane({"verify"});
    EXPECT_EQ(refused.exit(), 2);
    EXPECT_EQ(refused.value("error"), "record-symlink");
    EXPECT_FALSE(refused.has("consistent"));
}

TEST_F(Verify, AnswersWithoutAValidConfiguration)
{
    booked_lane();
    write_file(repo.path() / ".git/mandate/config.toml", "what = [");
    const Answer answer = in_lane({"verify"});
    EXPECT_EQ(answer.exit(), 0) << answer;
    EXPECT_THAT(answer.outcome.err, HasSubstr("config.toml"));
}

// A verify that runs beside bookings sees record and ledger of one moment.
TEST_F(Verify, IsConsistentWhileOthersBook)
{
    init();
    ASSERT_EQ(in_lane({"extend", "--rounds", "200", "--by", "ann"}).exit(), 0);
    Command booking = mandate.command(lane, {});
    booking.arguments = {"sh", "-c", "for n in $(seq 60); do \"$1\" round >/dev/null || exit 1; done", "sh",
                         mandate_binary()};
    Background writer(booking);
    for (int i = 0; i < 60; ++i) {
        const Answer answer = in_lane({"verify"});
        EXPECT_EQ(answer.exit(), 0) << answer;
        EXPECT_EQ(answer.value("hand_edited"), "no") << answer;
    }
    EXPECT_EQ(writer.wait().exit_code, 0);
}

}  // namespace
}  // namespace mandate::test
