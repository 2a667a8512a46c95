#include "core/ledger_line.hpp"
#include "core/unenforced.hpp"
#include "core/unenforced_tally.hpp"

#include <gtest/gtest.h>
#include <string>

namespace mandate::core {
namespace {

LedgerLine line(const std::string& event, const std::string& reason = {},
                const std::string& at = "2026-01-31T09:05:00.123Z")
{
    LedgerLine made;
    made.seq = 1;
    made.at = at;
    made.event = event;
    made.fields = {{"reason", reason}};
    return made;
}

TEST(UnenforcedTally, CountsByReasonWithTheTimeOfTheLast)
{
    UnenforcedTally tally;
    tally.apply(line("unenforced", "bypass", "2026-01-01T00:00:00.000Z"));
    tally.apply(line("round"));
    tally.apply(line("unenforced", "no-budget", "2026-01-02T00:00:00.000Z"));
    tally.apply(line("unenforced", "bypass", "2026-01-03T00:00:00.000Z"));
    const auto rows = tally.rows();
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].reason, "no-budget") << "the order of the closed list";
    EXPECT_EQ(rows[0].count, 1U);
    EXPECT_TRUE(rows[0].benign);
    EXPECT_EQ(rows[1].reason, "bypass");
    EXPECT_EQ(rows[1].count, 2U);
    EXPECT_EQ(rows[1].last, "2026-01-03T00:00:00.000Z");
    EXPECT_FALSE(rows[1].benign);
}

TEST(UnenforcedTally, StartsAnewAtAnAck)
{
    UnenforcedTally tally;
    tally.apply(line("unenforced", "bypass"));
    tally.apply(line("ack"));
    EXPECT_TRUE(tally.rows().empty());
    tally.apply(line("unenforced", "bypass"));
    EXPECT_EQ(tally.rows()[0].count, 1U);
}

TEST(UnenforcedTally, KnowsTheBenignOnes)
{
    UnenforcedTally tally;
    for (const UnenforcedInfo& reason : all_unenforced()) {
        tally.apply(line("unenforced", std::string(reason.name)));
    }
    std::string benign;
    for (const UnenforcedRow& row : tally.rows()) {
        benign += row.benign ? row.reason + " " : "";
    }
    EXPECT_EQ(benign, "no-mandate lane-fallback no-budget ");
}

// A line of a ledger is data: a word in it forges no other word of the row, and what nobody knows is not benign.
TEST(UnenforcedTally, TakesWhatItDoesNotKnowAsSerious)
{
    UnenforcedTally tally;
    tally.apply(line("unenforced", "no-budget count=0 benign=yes", "yesterday benign=yes"));
    const auto rows = tally.rows();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].reason, R"(no-budget\x20count=0\x20benign=yes)");
    EXPECT_EQ(rows[0].last, "");
    EXPECT_FALSE(rows[0].benign);
}

TEST(UnenforcedTotals, AddUp)
{
    const UnenforcedTotals sums = totals({{"no-budget", 2}, {"no-mandate", 3}, {"bypass", 4}, {"who-knows", 1}});
    EXPECT_EQ(sums.benign, 5U);
    EXPECT_EQ(sums.serious, 5U);
}

}  // namespace
}  // namespace mandate::core
