#include "core/duration.hpp"

#include <gtest/gtest.h>
#include <string>

namespace mandate::core {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using namespace std::string_literals;

TEST(ParseDuration, TakesUnitsAndBareSeconds)
{
    EXPECT_EQ(parse_duration("5s"), seconds(5));
    EXPECT_EQ(parse_duration("250ms"), milliseconds(250));
    EXPECT_EQ(parse_duration("2m"), minutes(2));
    EXPECT_EQ(parse_duration("7"), seconds(7));
    for (const char* zero : {"0", "0s", "0ms", "0m"}) {
        EXPECT_EQ(parse_duration(zero), milliseconds(0)) << zero;
    }
}

TEST(ParseDuration, IsBoundedByADay)
{
    for (const char* day : {"86400", "86400s", "86400000ms", "1440m"}) {
        EXPECT_EQ(parse_duration(day), hours(24)) << day;
    }
    for (const char* more :
         {"86401", "86401s", "86400001ms", "1441m", "18446744073709551616s", "99999999999999999999999"}) {
        EXPECT_FALSE(parse_duration(more)) << more;
    }
}

TEST(ParseDuration, RefusesEverythingElse)
{
    for (const std::string& text :
         {""s,   "s"s,  "ms"s,   "m"s,  " 5s"s,  "5s "s, "5 s"s,   "05s"s,  "010"s,  "0x10"s, "1e3"s,         "+5"s,
          "-1"s, "-0"s, "1.5s"s, "5S"s, "5sec"s, "5h"s,  "1m30s"s, "5mms"s, "5s\n"s, "5\0"s,  "\xEF\xBC\x95"s}) {
        EXPECT_FALSE(parse_duration(text)) << text;
    }
}

TEST(FormatDuration, ReadsBack)
{
    EXPECT_EQ(format_duration(seconds(5)), "5s");
    EXPECT_EQ(format_duration(minutes(2)), "2m");
    EXPECT_EQ(format_duration(milliseconds(1250)), "1250ms");
    EXPECT_EQ(format_duration(milliseconds(0)), "0");
    for (const int count : {1, 999, 1000, 1001, 60000, 61000, 90000, 86400000}) {
        EXPECT_EQ(parse_duration(format_duration(milliseconds(count))), milliseconds(count));
    }
}

}  // namespace
}  // namespace mandate::core
