#include "core/round_report.hpp"

#include <gtest/gtest.h>

namespace mandate::core {
namespace {

LedgerLine line(std::uint64_t seq, const std::string& event, LedgerFields fields = {})
{
    LedgerLine made;
    made.seq = seq;
    made.at = "at " + std::to_string(seq);
    made.event = event;
    made.task = "t";
    made.head = "h" + std::to_string(seq);
    made.fields = std::move(fields);
    return made;
}

LedgerFields number(const char* name, std::uint64_t value) { return {{name, value}}; }

TEST(RoundReport, AnOutcomeBelongsToTheNewestRoundThatWasNotGivenBack)
{
    const auto rows = report_rounds({line(1, "round", number("round", 1)), line(2, "reviewed", number("findings", 2)),
                                     line(3, "round", number("round", 2)), line(4, "cancel", number("round", 2)),
                                     line(5, "fixed", {{"findings_open", std::uint64_t{1}}})},
                                    "t");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].state, "reviewed") << "one finding is still open";
    EXPECT_EQ(rows[0].findings_open, 1U);
    EXPECT_EQ(rows[1].state, "cancelled");
}

TEST(RoundReport, WhatWasInterruptedDidNotHappen)
{
    const std::vector<LedgerLine> lines{line(1, "round", number("round", 1)), line(2, "abandoned", number("of", 1)),
                                        line(3, "round", number("round", 1)), line(4, "round", number("round", 2))};
    EXPECT_EQ(report_rounds(lines, "t").size(), 2U);
    const auto rows = report_rounds(lines, "t", 4);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].at, "at 3");
}

TEST(RoundReport, TakesAnyLines)
{
    EXPECT_TRUE(report_rounds({}, "t").empty());
    EXPECT_TRUE(report_rounds({line(1, "round")}, "other").empty());
    const auto rows =
        report_rounds({line(1, "cancel"), line(2, "acknowledged"), line(3, "reviewed"), line(4, "nonsense")}, "t");
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_FALSE(rows[1].booked);
    EXPECT_EQ(rows[1].state, "acknowledged");
}

}  // namespace
}  // namespace mandate::core
