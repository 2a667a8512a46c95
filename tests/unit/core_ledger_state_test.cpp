// The fold over a ledger, and how a record stands to it. Expected values are those of the contract on the ledger:
// L is the newest booking that is not abandoned, P the one before it, R the record as found.

#include "core/ledger_line.hpp"
#include "core/ledger_state.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace mandate::core {
namespace {

class Fold {
public:
    explicit Fold(const std::string& task = "demo") : state(task) {}

    // Appends a line and returns its seq.
    std::uint64_t add(const std::string& event, const std::string& record = {}, LedgerFields fields = {},
                      const std::string& task = "demo")
    {
        LedgerLine line;
        line.seq = ++m_seq;
        line.event = event;
        line.task = task;
        line.record = record;
        line.fields = std::move(fields);
        state.apply(line);
        return line.seq;
    }
    void done(std::uint64_t of, const std::string& record) { add("done", record, {{"of", of}}); }
    void abandoned(std::uint64_t of, const std::string& record) { add("abandoned", record, {{"of", of}}); }
    std::uint64_t booked(const std::string& event, const std::string& record)
    {
        const std::uint64_t seq = add(event, record);
        done(seq, record);
        return seq;
    }
    std::uint64_t drift(const std::string& record, std::uint64_t admitted) const
    {
        return history_drift(state, standing(state, record), admitted);
    }

    LedgerState state;

private:
    std::uint64_t m_seq = 0;
};

TEST(LedgerStanding, IsNoRecordWhereNothingStands)
{
    const Fold fold;
    EXPECT_EQ(standing(fold.state, ""), Standing::no_record);
    EXPECT_EQ(standing(fold.state, "r"), Standing::edited) << "a record that the ledger never saw";
}

TEST(LedgerStanding, IsInStepWhereTheRecordIsWhatTheNewestBookingLeft)
{
    Fold fold;
    fold.booked("init", "a");
    EXPECT_EQ(standing(fold.state, "a"), Standing::in_step);
    const std::uint64_t seq = fold.add("round", "b");
    EXPECT_EQ(standing(fold.state, "b"), Standing::in_step) << "killed between rename and done";
    fold.done(seq, "b");
    EXPECT_EQ(standing(fold.state, "b"), Standing::in_step);
    for (const char* event : {"refused", "unenforced", "ack", "closed"}) {
        fold.add(event, "b");
        EXPECT_EQ(standing(fold.state, "b"), Standing::in_step) << event << " is no booking";
        EXPECT_EQ(fold.state.newest->seq, seq);
    }
}

TEST(LedgerStanding, IsInterruptedWhereTheBookingDiedBeforeItsRename)
{
    Fold fold;
    fold.booked("init", "a");
    fold.booked("round", "b");
    const std::uint64_t died = fold.add("round", "c");
    EXPECT_EQ(standing(fold.state, "b"), Standing::interrupted);
    EXPECT_EQ(fold.drift("b", 1), 0U) << "no count includes it";
    fold.abandoned(died, "b");
    EXPECT_EQ(standing(fold.state, "b"), Standing::in_step);
    EXPECT_EQ(fold.state.task_rounds, 1);
    EXPECT_EQ(fold.state.newest->event, "round");
    EXPECT_EQ(standing(fold.state, "c"), Standing::edited);
}

TEST(LedgerStanding, KnowsAFirstInitThatWasInterrupted)
{
    Fold fold;
    const std::uint64_t seq = fold.add("init", "a");
    EXPECT_EQ(standing(fold.state, ""), Standing::interrupted);
    fold.done(seq, "a");
    EXPECT_EQ(standing(fold.state, ""), Standing::no_record) << "it happened, and the record is gone since";
    fold.add("init", "b");
    EXPECT_EQ(standing(fold.state, ""), Standing::no_record) << "a later init found a record";
}

TEST(LedgerStanding, SeesAnOlderCopyUnderADoneBookingAsEdited)
{
    Fold fold;
    fold.booked("init", "a");
    fold.booked("round", "b");
    EXPECT_EQ(standing(fold.state, "a"), Standing::edited) << "put back under a booking that is done";
    EXPECT_EQ(standing(fold.state, "z"), Standing::edited);
}

// An `edited` line says what the next booking found, so that is what an interrupted one leaves.
TEST(LedgerStanding, TakesAnEditedLineAsWhatTheNextBookingFound)
{
    Fold fold;
    fold.booked("init", "a");
    fold.add("edited", "hand");
    EXPECT_EQ(standing(fold.state, "hand"), Standing::in_step);
    EXPECT_EQ(standing(fold.state, "a"), Standing::edited);
    const std::uint64_t died = fold.add("round", "b");
    EXPECT_EQ(standing(fold.state, "hand"), Standing::interrupted);
    fold.abandoned(died, "hand");
    EXPECT_EQ(standing(fold.state, "hand"), Standing::in_step);
}

TEST(LedgerState, CountsRoundsOfItsTaskLessCancelAndAbandoned)
{
    Fold fold;
    fold.booked("init", "a");
    fold.booked("round", "b");
    fold.booked("round", "c");
    fold.booked("cancel", "d");
    const std::uint64_t seq = fold.add("round", "e");
    fold.abandoned(seq, "d");
    fold.add("round", "f", {}, "other");
    fold.booked("reviewed", "g");
    EXPECT_EQ(fold.state.task_rounds, 1);

    Fold other("other");
    other.add("round", "f", {}, "other");
    other.booked("round", "b");
    EXPECT_EQ(other.state.task_rounds, 1);
}

TEST(LedgerState, AbandonsOnlyTheNewestBooking)
{
    Fold fold;
    const std::uint64_t first = fold.booked("round", "a");
    fold.booked("round", "b");
    fold.abandoned(first, "b");
    EXPECT_EQ(fold.state.task_rounds, 2);
    fold.abandoned(99, "b");
    EXPECT_EQ(fold.state.newest->record, "b");
}

TEST(HistoryDrift, IsWhatTheLedgerHoldsBeyondTheRecord)
{
    Fold fold;
    fold.booked("init", "a");
    fold.booked("round", "b");
    fold.booked("round", "c");
    fold.booked("round", "d");
    EXPECT_EQ(fold.drift("d", 3), 0U);
    fold.booked("init", "fresh");  // --force, with the same task
    EXPECT_EQ(fold.drift("fresh", 0), 3U);
    EXPECT_EQ(fold.drift("hand", 1), 2U) << "lowered by hand";
    EXPECT_EQ(fold.drift("hand", 7), 0U) << "a record that admits more drifts nowhere";
}

TEST(HistoryDrift, IsLessWhatAnAckAccepted)
{
    Fold fold;
    fold.booked("init", "a");
    fold.booked("round", "b");
    fold.booked("round", "c");
    fold.booked("init", "fresh");
    fold.add("ack", "fresh", {{"by", std::string("ann")}, {"drift", std::uint64_t{2}}});
    EXPECT_EQ(fold.drift("fresh", 0), 0U);
    fold.booked("round", "d");
    EXPECT_EQ(fold.drift("d", 1), 0U) << "a new round is admitted";
    EXPECT_EQ(fold.drift("hand", 0), 1U) << "and missed when it is not";
    fold.add("ack", "hand", {{"drift", std::uint64_t{1}}}, "other");
    EXPECT_EQ(fold.drift("hand", 0), 1U) << "an ack for another task accepts nothing of this one";
}

TEST(LedgerState, CountsUnenforcedByReasonSinceTheLastAck)
{
    Fold fold;
    fold.add("unenforced", "", {{"reason", std::string("no-budget")}});
    fold.add("unenforced", "", {{"reason", std::string("no-budget")}});
    fold.add("unenforced", "", {{"reason", std::string("bypass")}}, "");
    EXPECT_EQ(fold.state.unenforced, (std::map<std::string, std::uint64_t>{{"no-budget", 2}, {"bypass", 1}}));
    fold.add("unenforced", "", {{"reason", std::string("history-drift")}, {"drift", std::uint64_t{4}}});
    EXPECT_EQ(fold.state.counted_drift, 4U);
    fold.add("ack", "", {{"drift", std::uint64_t{0}}});
    EXPECT_TRUE(fold.state.unenforced.empty());
    EXPECT_EQ(fold.state.counted_drift, 0U) << "what was not accepted is counted again";
}

// Folding on from a checkpoint is folding from the start, wherever the checkpoint stands.
TEST(LedgerState, GoesOnFromACheckpointAtAnyLine)
{
    const std::vector<std::string> events{"init",   "done",  "round", "done",   "unenforced", "round", "abandoned",
                                          "edited", "round", "done",  "cancel", "ack",        "round", "reviewed"};
    std::vector<LedgerLine> lines;
    for (const std::string& event : events) {
        LedgerLine line;
        line.seq = lines.size() + 1;
        line.event = event;
        line.task = lines.size() == 10 ? "other" : "demo";
        line.record = "r" + std::to_string(lines.size());
        line.fields = {{"of", line.seq - 1}, {"reason", std::string("bypass")}, {"drift", std::uint64_t{1}}};
        lines.push_back(std::move(line));
    }
    LedgerState whole("demo");
    for (std::size_t cut = 0; cut < lines.size(); ++cut) {
        whole.apply(lines[cut]);
        LedgerLine with_checkpoint = lines[cut];
        with_checkpoint.checkpoint = Checkpoint{0, whole};
        const auto parsed = parse_line(format_line(with_checkpoint));
        ASSERT_TRUE(parsed && parsed->checkpoint);
        LedgerState resumed = parsed->checkpoint->state;
        LedgerState from_start = whole;
        for (std::size_t i = cut + 1; i < lines.size(); ++i) {
            resumed.apply(lines[i]);
            from_start.apply(lines[i]);
        }
        EXPECT_EQ(resumed, from_start) << "checkpoint in line " << cut + 1;
    }
}

}  // namespace
}  // namespace mandate::core
