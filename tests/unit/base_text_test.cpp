#include "base/text.hpp"

#include <gmock/gmock.h>
#include <limits>
#include <string>

namespace mandate::text {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using namespace std::string_literals;

constexpr std::uint64_t k_million = 1'000'000;

// --- trim: spaces and tabs, nothing else

TEST(Trim, TakesSpacesAndTabsFromBothEnds) { EXPECT_EQ(trim(" \t a b\t "), "a b"); }

TEST(Trim, OfBlanksIsNothing)
{
    EXPECT_EQ(trim(""), "");
    EXPECT_EQ(trim(" \t "), "");
}

TEST(Trim, LeavesOtherWhiteSpaceAlone)
{
    EXPECT_EQ(trim("a\r"), "a\r");
    EXPECT_EQ(trim("\na\v"), "\na\v");
    EXPECT_EQ(trim("\xC2\xA0"), "\xC2\xA0");  // no-break space
    EXPECT_EQ(trim("\0a"s + "\0"s), "\0a\0"s);
}

// --- lists

TEST(SplitList, TrimsTokensAndDropsEmptyOnes)
{
    EXPECT_THAT(split_list("commit, merge ,\tdeploy"), ElementsAre("commit", "merge", "deploy"));
    EXPECT_THAT(split_list(",,commit, ,"), ElementsAre("commit"));
    EXPECT_THAT(split_list(""), IsEmpty());
    EXPECT_THAT(split_list(" , "), IsEmpty());
}

TEST(SplitList, KnowsNoQuotesAndNoBrackets) { EXPECT_THAT(split_list("[a, 'b']"), ElementsAre("[a", "'b']")); }

TEST(Join, PutsTheSeparatorBetween)
{
    EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
    EXPECT_EQ(join({"a"}, ", "), "a");
    EXPECT_EQ(join({}, ", "), "");
}

// --- numbers: plain ASCII decimals, no sign, no leading zero, nothing around them

TEST(ParseDecimal, AcceptsPlainNumbersUpToTheMaximum)
{
    EXPECT_EQ(parse_decimal("0", k_million), 0U);
    EXPECT_EQ(parse_decimal("7", k_million), 7U);
    EXPECT_EQ(parse_decimal("1000000", k_million), k_million);
}

TEST(ParseDecimal, RefusesOneMoreThanTheMaximum) { EXPECT_FALSE(parse_decimal("1000001", k_million)); }

class NotADecimal : public testing::TestWithParam<std::string> {};

TEST_P(NotADecimal, IsRefused)
{
    EXPECT_FALSE(parse_decimal(GetParam(), std::numeric_limits<std::uint64_t>::max())) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Shapes, NotADecimal,
                         testing::Values("", "00", "010", "+1", "-1", "-0", " 1", "1 ", "1\t", "1\n", "0x10", "1e3",
                                         "1.0", "1_000", "0b11", "one", "\xD9\xA1", "\xEF\xBC\x91", "1\0"s,
                                         "18446744073709551616", "99999999999999999999999999999999"));

// --- faults

TEST(FindFault, FindsNoneInPlainText)
{
    EXPECT_EQ(find_fault(""), Fault::none);
    EXPECT_EQ(find_fault("plain text: a=b, 'quoted' \\ # |"), Fault::none);
    EXPECT_EQ(find_fault("gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80"), Fault::none);
}

TEST(FindFault, FindsControlCharacters)
{
    EXPECT_EQ(find_fault("a\nb"), Fault::control);
    EXPECT_EQ(find_fault("a\tb"), Fault::control);
    EXPECT_EQ(find_fault("a\rb"), Fault::control);
    EXPECT_EQ(find_fault("\x1B[2J"), Fault::control);
    EXPECT_EQ(find_fault("\x7F"), Fault::control);
    EXPECT_EQ(find_fault("a\0b"s), Fault::control);
    EXPECT_EQ(find_fault("\xC2\x9B"), Fault::control);  // U+009B, the one-character form of ESC [
}

TEST(FindFault, FindsInvalidUtf8)
{
    for (const std::string bytes : {"\xFF", "\x80", "\xC3", "a\xC3(", "\xE2\x82", "\xF0\x9F\x98"}) {
        EXPECT_EQ(find_fault(bytes), Fault::invalid_utf8) << bytes;
    }
}

// RFC 3629: overlong forms, surrogates and values above U+10FFFF are not UTF-8.
TEST(FindFault, FindsUtf8ThatIsNoneByRfc3629)
{
    for (const std::string bytes : {"\xC0\xAF", "\xC1\xBF", "\xE0\x80\xAF", "\xE0\x9F\xBF", "\xF0\x80\x80\xAF",
                                    "\xED\xA0\x80", "\xED\xBF\xBF", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80"}) {
        EXPECT_EQ(find_fault(bytes), Fault::invalid_utf8) << bytes;
    }
    EXPECT_EQ(find_fault("\xF4\x8F\xBF\xBF"), Fault::none);  // U+10FFFF itself
    EXPECT_EQ(find_fault("\xED\x9F\xBF"), Fault::none);      // the last before the surrogates
}

TEST(FindFault, FindsBidiAndZeroWidth)
{
    for (const std::string bytes :
         {"\xE2\x80\xAE" /* U+202E */, "\xE2\x80\x8B" /* U+200B */, "\xE2\x80\x8F" /* U+200F */,
          "\xE2\x81\xA6" /* U+2066 */, "\xE2\x81\xA9" /* U+2069 */, "\xEF\xBB\xBF" /* U+FEFF */,
          "\xD8\x9C" /* U+061C */, "\xE2\x80\xA8" /* U+2028 */}) {
        EXPECT_EQ(find_fault("a" + bytes + "b"), Fault::bidi_or_zero_width) << bytes;
    }
}

TEST(FindFault, NamesTheWorst)
{
    EXPECT_EQ(find_fault("\xE2\x80\xAE\n\xFF"), Fault::invalid_utf8);
    EXPECT_EQ(find_fault("\xE2\x80\xAE\n"), Fault::control);
    EXPECT_EQ(find_fault("\n\xE2\x80\xAE"), Fault::control);
}

// --- code points

TEST(CodePoints, CountsCharactersAndStrayBytes)
{
    EXPECT_EQ(code_points(""), 0U);
    EXPECT_EQ(code_points("abc"), 3U);
    EXPECT_EQ(code_points("\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80"), 3U);
    EXPECT_EQ(code_points("\xFF\xFE"), 2U);
}

// --- escaping

TEST(Escape, LeavesPrintableUtf8Alone)
{
    EXPECT_EQ(escape("plain, gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80 a=b: 'x'"),
              "plain, gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80 a=b: 'x'");
}

TEST(Escape, ControlCharactersAndDel)
{
    EXPECT_EQ(escape("a\nb"), "a\\x0ab");
    EXPECT_EQ(escape("\t\r\x1B\x7F"), "\\x09\\x0d\\x1b\\x7f");
    EXPECT_EQ(escape("\0"s), "\\x00");
}

TEST(Escape, BytesThatAreNotUtf8)
{
    EXPECT_EQ(escape("a\xFF"), "a\\xff");
    EXPECT_EQ(escape("\xC3"), "\\xc3");
    EXPECT_EQ(escape("\xED\xA0\x80"), "\\xed\\xa0\\x80");
}

TEST(Escape, BidiAndZeroWidthCharacters)
{
    EXPECT_EQ(escape("\xE2\x80\xAE"), "\\u{202E}");
    EXPECT_EQ(escape("a\xE2\x80\x8B"), "a\\u{200B}");
    EXPECT_EQ(escape("\xEF\xBB\xBF"), "\\u{FEFF}");
}

TEST(Escape, DoublesBackslashesSoThatNothingIsForged)
{
    EXPECT_EQ(escape("\\"), "\\\\");
    EXPECT_EQ(escape("\\x0a"), "\\\\x0a");
    EXPECT_NE(escape("\\x0a"), escape("\n"));
}

TEST(Escape, IsOneLineOfValidUtf8WhateverComesIn)
{
    std::string all;
    for (int byte = 0; byte < 256; ++byte) {
        all += static_cast<char>(byte);
        all += static_cast<char>(255 - byte);
    }
    EXPECT_EQ(find_fault(escape(all)), Fault::none);
}

TEST(EscapeAgain, LeavesBackslashesOfAnEarlierEscaping)
{
    EXPECT_EQ(escape_again("feature\\xff"), "feature\\xff");
    EXPECT_EQ(escape_again("a\\x0a\x1B"), "a\\x0a\\x1b");
}

// --- suggestions

TEST(DidYouMean, FindsTypingErrors)
{
    EXPECT_EQ(did_you_mean("merg", {"commit", "merge", "deploy"}), "merge");
    EXPECT_EQ(did_you_mean("comit", {"commit", "merge", "deploy"}), "commit");
    EXPECT_EQ(did_you_mean("depoly", {"commit", "merge", "deploy"}), "deploy");
}

TEST(DidYouMean, SaysNothingWhenNothingIsClose)
{
    EXPECT_EQ(did_you_mean("xyzzy", {"commit", "merge", "deploy"}), "");
    EXPECT_EQ(did_you_mean("", {"a", "merge"}), "");
    EXPECT_EQ(did_you_mean("merge", {}), "");
    EXPECT_EQ(did_you_mean(std::string(100'000, 'a'), {"merge"}), "");
}

// --- shell quoting

TEST(ShellQuote, IsReadBackByAShell)
{
    EXPECT_EQ(shell_quote("plain"), "'plain'");
    EXPECT_EQ(shell_quote(""), "''");
    EXPECT_EQ(shell_quote("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_quote("$(rm) `x` \\ \"\n"), "'$(rm) `x` \\ \"\n'");
}

}  // namespace
}  // namespace mandate::text
