#include "base/timestamp.hpp"

#include <gtest/gtest.h>

namespace mandate {
namespace {

using std::chrono::milliseconds;
using std::chrono::sys_days;
using namespace std::chrono_literals;

// 2026-01-31T09:05:07.008Z, from the calendar and not from a string.
constexpr Time k_moment =
    sys_days(std::chrono::year(2026) / std::chrono::January / 31) + 9h + 5min + 7s + milliseconds(8);

TEST(Timestamp, EpochIsZero)
{
    ASSERT_TRUE(parse_seconds_utc("1970-01-01T00:00:00Z"));
    EXPECT_EQ(parse_seconds_utc("1970-01-01T00:00:00Z")->time_since_epoch().count(), 0);
}

// `date -u -d 2026-01-31T09:05:07Z +%s` says 1769850307.
TEST(Timestamp, ParsesToTheSecondsThatDateCounts)
{
    ASSERT_TRUE(parse_seconds_utc("2026-01-31T09:05:07Z"));
    EXPECT_EQ(parse_seconds_utc("2026-01-31T09:05:07Z")->time_since_epoch(), 1'769'850'307s);
}

TEST(Timestamp, FormatsSeconds) { EXPECT_EQ(format_seconds_utc(k_moment), "2026-01-31T09:05:07Z"); }

TEST(Timestamp, FormatsMilliseconds) { EXPECT_EQ(format_millis_utc(k_moment), "2026-01-31T09:05:07.008Z"); }

TEST(Timestamp, FormatsTimesBeforeTheEpochDownward)
{
    const Time before{milliseconds(-1)};
    EXPECT_EQ(format_seconds_utc(before), "1969-12-31T23:59:59Z");
    EXPECT_EQ(format_millis_utc(before), "1969-12-31T23:59:59.999Z");
}

TEST(Timestamp, WhatIsFormattedIsParsedBack)
{
    EXPECT_EQ(parse_utc(format_millis_utc(k_moment)), k_moment);
    EXPECT_EQ(parse_seconds_utc(format_seconds_utc(k_moment)), std::chrono::floor<std::chrono::seconds>(k_moment));
}

TEST(Timestamp, KnowsTheCalendar)
{
    EXPECT_TRUE(parse_seconds_utc("2024-02-29T00:00:00Z"));   // leap year
    EXPECT_TRUE(parse_seconds_utc("2000-02-29T00:00:00Z"));   // divisible by 400
    EXPECT_FALSE(parse_seconds_utc("2023-02-29T00:00:00Z"));  // not a leap year
    EXPECT_FALSE(parse_seconds_utc("1900-02-29T00:00:00Z"));  // divisible by 100
    EXPECT_FALSE(parse_seconds_utc("2026-04-31T00:00:00Z"));
    EXPECT_FALSE(parse_seconds_utc("2026-00-10T00:00:00Z"));
    EXPECT_FALSE(parse_seconds_utc("2026-13-10T00:00:00Z"));
    EXPECT_FALSE(parse_seconds_utc("2026-01-00T00:00:00Z"));
}

TEST(Timestamp, KnowsTheClock)
{
    EXPECT_TRUE(parse_seconds_utc("2026-01-31T23:59:59Z"));
    EXPECT_FALSE(parse_seconds_utc("2026-01-31T24:00:00Z"));
    EXPECT_FALSE(parse_seconds_utc("2026-01-31T23:60:00Z"));
    EXPECT_FALSE(parse_seconds_utc("2026-01-31T23:59:60Z"));
}

class NotATimestamp : public testing::TestWithParam<std::string_view> {};

TEST_P(NotATimestamp, IsRefused)
{
    EXPECT_FALSE(parse_seconds_utc(GetParam()));
    EXPECT_FALSE(parse_utc(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Shapes, NotATimestamp,
                         testing::Values("", "Z", ".Z", "2026-01-31", "2026-01-31T09:05:07", "2026-01-31 09:05:07Z",
                                         "2026-01-31t09:05:07Z", "2026-01-31T09:05:07z", "2026-01-31T09:05:07+00:00",
                                         "2026-01-31T09:05Z", " 2026-01-31T09:05:07Z", "2026-01-31T09:05:07Z ",
                                         "2026-1-31T09:05:07Z", "02026-01-31T09:05:07Z", "-026-01-31T09:05:07Z",
                                         "2026-01-31T09:05:+7Z", "2026-01-31T09:05:07.Z", "2026-01-31T09:05:07.1234Z",
                                         "2026-01-31T09:05:07.1", "2026-01-31T09:05:07.1xZ", "2026-01-31T09:05:07.-1Z",
                                         "2026-01-31T09:05:07..1Z"));

TEST(Timestamp, FractionsAreForLedgerLinesOnly)
{
    EXPECT_FALSE(parse_seconds_utc("2026-01-31T09:05:07.008Z"));
    EXPECT_EQ(parse_utc("2026-01-31T09:05:07.008Z"), k_moment);
    EXPECT_EQ(parse_utc("2026-01-31T09:05:07Z"), k_moment - 8ms);
}

TEST(Timestamp, FractionsAreTenthsHundredthsThousandths)
{
    const Time whole = k_moment - 8ms;
    EXPECT_EQ(parse_utc("2026-01-31T09:05:07.5Z"), whole + 500ms);
    EXPECT_EQ(parse_utc("2026-01-31T09:05:07.05Z"), whole + 50ms);
    EXPECT_EQ(parse_utc("2026-01-31T09:05:07.005Z"), whole + 5ms);
}

}  // namespace
}  // namespace mandate
