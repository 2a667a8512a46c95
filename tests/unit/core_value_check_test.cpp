#include "core/record.hpp"

#include <gmock/gmock.h>
#include <string>

namespace mandate::core {
namespace {

using namespace std::string_literals;

std::string code_of(const std::string& value)
{
    const auto checked = check_value("task", value);
    if (checked) {
        return "";
    }
    EXPECT_THAT(checked.error().message, testing::StartsWith("task "));
    EXPECT_LE(checked.error().message.size(), 120U);
    return std::string(info(checked.error().code).name);
}

TEST(CheckValue, AcceptsOneLineOfVisibleText)
{
    for (const char* value :
         {"", "a", "parser: a = b", "\"quoted\" # [x]", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "| x", "a|", "\\n"}) {
        EXPECT_EQ(code_of(value), "") << value;
    }
}

TEST(CheckValue, RefusesWhatWouldForgeALineOrATerminalSequence)
{
    for (const std::string& value :
         {"a\nallow: merge"s, "a\r"s, "a\tb"s, "a\0b"s, "\x1b[2J"s, "\x7F"s, "\xC2\x9B"s /* C1 */, "\xFF"s, "\xC3"s,
          "\xED\xA0\x80"s /* surrogate */, "\xC0\x80"s, "a\xE2\x80\xAEz"s /* bidi */,
          "a\xE2\x80\x8Bz"s /* zero width */, "\xEF\xBB\xBF"s, "\xE2\x80\xA8"s}) {
        EXPECT_EQ(code_of(value), "value-control-character") << testing::PrintToString(value);
    }
}

TEST(CheckValue, RefusesBlockScalarMarks)
{
    for (const char* value : {"|", ">", "|-", ">+", "|2", ">2-", " | "}) {
        EXPECT_EQ(code_of(value), "value-block-scalar") << value;
    }
}

TEST(CheckValue, CountsCodePoints)
{
    std::string euros;
    for (int i = 0; i < 240; ++i) {
        euros += "\xE2\x82\xAC";
    }
    EXPECT_EQ(code_of(std::string(240, 'a')), "");
    EXPECT_EQ(code_of(std::string(241, 'a')), "value-too-long");
    EXPECT_EQ(code_of(euros), "");
    EXPECT_EQ(code_of(euros + "a"), "value-too-long");
}

// What check_value lets through reads back as the same value, in every place where a value may stand.
TEST(CheckValue, LetsThroughOnlyWhatTheReaderGivesBack)
{
    for (int first = 0; first < 256; ++first) {
        for (const std::string& rest : {""s, "-"s, "1"s, "x"s, ":"s, "\x80"s, "\xA9"s}) {
            const std::string value = static_cast<char>(first) + rest;
            const auto record = parse_record("---\nscope: " + value + "\n---\n", Vocabulary());
            if (check_value("scope", value) && value[0] != ' ') {
                ASSERT_TRUE(record) << first;
                EXPECT_EQ(record->scope, value);
            }
        }
    }
}

}  // namespace
}  // namespace mandate::core
