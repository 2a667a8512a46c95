#include "core/ledger_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mandate::core {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::Not;

LedgerLine round_line()
{
    LedgerLine line;
    line.seq = 7;
    line.at = "2026-01-31T09:05:00.123Z";
    line.event = "round";
    line.lane = "worktrees/demo";
    line.task = "demo";
    line.branch = "task/demo";
    line.head = "d51510460d42831b1cc5bbc7721bcbbc45e8807b";
    line.fields = {{"round", std::uint64_t{2}}, {"token", std::string("run-1")}, {"force", true}};
    line.pid = 4711;
    line.record = "cca78a3d7638808e4cb57d0ec962a4ccab80eeff";
    line.prev = "85fa007990429b4c1b5df9320761494138471445";
    return line;
}

std::vector<std::string> keys_of(const std::string& text)
{
    std::vector<std::string> keys;
    const nlohmann::ordered_json json = nlohmann::ordered_json::parse(text);
    for (const auto& [key, value] : json.items()) {
        keys.push_back(key);
    }
    return keys;
}

TEST(FormatLine, IsOneJsonObjectWithTheKeysInOrder)
{
    EXPECT_EQ(
        format_line(round_line()),
        R"({"v":1,"seq":7,"at":"2026-01-31T09:05:00.123Z","event":"round","lane":"worktrees/demo","task":"demo",)"
        R"("branch":"task/demo","head":"d51510460d42831b1cc5bbc7721bcbbc45e8807b","round":2,"token":"run-1","force":true,)"
        R"("pid":4711,"record":"cca78a3d7638808e4cb57d0ec962a4ccab80eeff",)"
        R"("prev":"85fa007990429b4c1b5df9320761494138471445"})");
}

TEST(FormatLine, SaysOnlyOfAnUnchainedLineThatItIsOne)
{
    LedgerLine line = round_line();
    line.chained = false;
    EXPECT_EQ(keys_of(format_line(line)).back(), "chained");
    EXPECT_FALSE(nlohmann::json::parse(format_line(line))["chained"].get<bool>());
    EXPECT_THAT(keys_of(format_line(round_line())), Not(testing::Contains("chained")));
}

TEST(ParseLine, ReadsWhatFormatWrote)
{
    LedgerLine line = round_line();
    line.chained = false;
    const auto parsed = parse_line(format_line(line));
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->seq, 7U);
    EXPECT_EQ(parsed->at, line.at);
    EXPECT_EQ(parsed->event, "round");
    EXPECT_EQ(parsed->lane, "worktrees/demo");
    EXPECT_EQ(parsed->task, "demo");
    EXPECT_EQ(parsed->branch, "task/demo");
    EXPECT_EQ(parsed->head, line.head);
    EXPECT_EQ(parsed->fields, line.fields);
    EXPECT_EQ(parsed->pid, 4711U);
    EXPECT_EQ(parsed->record, line.record);
    EXPECT_EQ(parsed->prev, line.prev);
    EXPECT_FALSE(parsed->chained);
    EXPECT_FALSE(parsed->checkpoint);
}

TEST(ParseLine, FindsFieldsByTheirType)
{
    const auto parsed = parse_line(format_line(round_line()));
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->number("round"), 2U);
    EXPECT_EQ(parsed->text("token"), "run-1");
    EXPECT_EQ(parsed->text("round"), "") << "a number is no text";
    EXPECT_EQ(parsed->number("token"), 0U);
    EXPECT_EQ(parsed->text("absent"), "");
    EXPECT_TRUE(parsed->has("force"));
    EXPECT_FALSE(parsed->has("absent"));
}

// Somebody else's line: what it says may come into a checkpoint of ours, and must not bring raw bytes there.
TEST(ParseLine, EscapesWhatAForeignWriterDidNot)
{
    const auto line = parse_line(
        "{\"v\":1,\"seq\":1,\"event\":\"unenforced\",\"task\":\"a\x7f\",\"re\x7f\":\"\u202e\",\"reason\":\"\\u001b\","
        "\"checkpoint\":{\"task\":\"\x7f\",\"unenforced\":{\"x\x7f\":2}}}");
    ASSERT_TRUE(line);
    EXPECT_EQ(line->task, "a\\x7f");
    EXPECT_EQ(line->text("re\\x7f"), "\\u{202E}");
    EXPECT_EQ(line->text("reason"), "\\x1b");
    EXPECT_EQ(line->checkpoint->state.task, "\\x7f");
    EXPECT_EQ(line->checkpoint->state.unenforced, (std::map<std::string, std::uint64_t>{{"x\\x7f", 2}}));
    EXPECT_EQ(format_line(*line).find('\x7f'), std::string::npos);
}

TEST(ParseLine, KeepsACheckpointWhole)
{
    LedgerLine line = round_line();
    Checkpoint checkpoint;
    checkpoint.offset = 4906;
    checkpoint.state = LedgerState("demo");
    checkpoint.state.last_seq = line.seq;
    checkpoint.state.newest = Booking{7, "round", "aa", "bb", 1, false};
    checkpoint.state.previous = Booking{5, "cancel", "bb", "cc", -1, true};
    checkpoint.state.found = "aa";
    checkpoint.state.task_rounds = 4;
    checkpoint.state.accepted_drift = 2;
    checkpoint.state.counted_drift = 3;
    checkpoint.state.unenforced = {{"no-budget", 4}, {"bypass", 1}};
    line.checkpoint = checkpoint;
    const auto parsed = parse_line(format_line(line));
    ASSERT_TRUE(parsed && parsed->checkpoint);
    EXPECT_EQ(*parsed->checkpoint, checkpoint);

    line.checkpoint->state.newest.reset();
    line.checkpoint->state.previous.reset();
    const auto without = parse_line(format_line(line));
    ASSERT_TRUE(without && without->checkpoint);
    EXPECT_EQ(*without->checkpoint, *line.checkpoint);
}

TEST(ParseLine, TakesNothingThatIsNoLine)
{
    const std::string good = format_line(round_line());
    const std::string long_line =
        good.substr(0, good.size() - 1) + ",\"x\":\"" + std::string(k_line_limit, 'x') + "\"}";
    for (const std::string& bytes :
         {""s, " "s, "hello"s, "{}"s, "{"s, "[]"s, "null"s, "\0\0\0"s, "\xff\xfe"s, " " + good, good + "x",
          good + "\n" + good, good.substr(0, good.size() - 1), good.substr(1), long_line, R"({"v":1})"s,
          R"({"v":1,"seq":1})"s, R"({"v":2,"seq":1,"event":"round"})"s, R"({"seq":1,"event":"round"})"s,
          R"({"v":1,"seq":0,"event":"round"})"s, R"({"v":1,"seq":-1,"event":"round"})"s,
          R"({"v":1,"seq":1.5,"event":"round"})"s, R"({"v":1,"seq":"1","event":"round"})"s,
          R"({"v":1,"seq":1,"event":""})"s, R"({"v":1,"seq":1,"event":7})"s,
          // A number that no history reaches: the next one would have none to take.
          R"({"v":1,"seq":18446744073709551615,"event":"round"})"s}) {
        EXPECT_FALSE(parse_line(bytes)) << bytes.substr(0, 80);
    }
    EXPECT_TRUE(parse_line(R"({"v":1,"seq":1,"event":"round"})")) << "what is absent is empty";
}

TEST(ParseLine, SurvivesEveryKeyInEveryWrongType)
{
    const std::vector<std::string> keys{"at",     "lane", "task",    "branch",     "head", "pid",
                                        "record", "prev", "chained", "checkpoint", "round"};
    for (const std::string& key : keys) {
        const std::vector<std::string> values{
            "null",
            "true",
            "-1",
            "1e400",
            "1e30",
            "18446744073709551615",
            "\"\\ud800\"",
            "\"text\"",
            "[1]",
            "{\"a\":{}}",
            R"({"offset":-1,"rounds":"x","newest":[],"unenforced":{"a":-1,"b":"c"}})",
            R"({"offset":1,"rounds":99999999999999999,"accepted":18446744073709551615,"newest":{"rounds":77}})"};
        for (const std::string& value : values) {
            const auto parsed = parse_line(R"({"v":1,"seq":1,"event":"round",")" + key + "\":" + value + "}");
            if (parsed && parsed->checkpoint) {
                EXPECT_LE(parsed->checkpoint->state.task_rounds, 1'000'000'000'000);
                EXPECT_LE(parsed->checkpoint->state.accepted_drift, 1'000'000'000'000U);
            }
        }
    }
    std::string deep = R"({"v":1,"seq":1,"event":"round","x":)";
    deep += std::string(100'000, '[') + std::string(100'000, ']') + "}";
    EXPECT_TRUE(parse_line(deep)) << "depth alone harms nobody";
}

TEST(EscapedFields, NeverForgeALine)
{
    const LedgerFields fields =
        escaped_fields({{"reason", "a\n{\"v\":1}\x1b[2J\\ \u202e"s}, {"round", std::uint64_t{1}}});
    EXPECT_EQ(std::get<std::string>(fields[0].second), R"(a\x0a{"v":1}\x1b[2J\\ \u{202E})");
    EXPECT_EQ(std::get<std::uint64_t>(fields[1].second), 1U);
    LedgerLine line = round_line();
    line.fields = fields;
    EXPECT_EQ(format_line(line).find('\n'), std::string::npos);
    EXPECT_EQ(parse_line(format_line(line))->text("reason"), std::get<std::string>(fields[0].second));
}

TEST(LineText, IsCutBetweenCharacters)
{
    EXPECT_EQ(line_text("demo"), "demo");
    EXPECT_EQ(line_text(std::string(k_line_text_limit, 'x')), std::string(k_line_text_limit, 'x'));
    EXPECT_EQ(line_text(std::string(k_line_text_limit + 1, 'x')), std::string(k_line_text_limit, 'x') + "...");
    // One byte of 'x' moves the two-byte letters so that the limit falls inside of one.
    std::string letters = "x";
    for (std::size_t i = 0; i < k_line_text_limit; ++i) {
        letters += "\u00e9";
    }
    EXPECT_EQ(line_text(letters), letters.substr(0, k_line_text_limit - 1) + "...");
}

// A record that was edited by hand may hold a mebibyte in one key, and many keys; its line is still one of ours.
TEST(FormatLine, StaysBelowTheLimitWhateverARecordHolds)
{
    LedgerLine line = round_line();
    const std::string worst(k_line_limit, '\x01');
    line.task = line.branch = line_text(worst);
    LedgerFields fields;
    for (int i = 0; i < 5000; ++i) {
        fields.emplace_back("budget_" + std::string(64, 'n') + std::to_string(i), worst.substr(0, 10'000));
    }
    line.fields = escaped_fields(std::move(fields));
    line.checkpoint = Checkpoint{1, LedgerState(line.task)};
    const std::string bytes = format_line(line);
    EXPECT_LE(bytes.size(), k_line_limit);
    EXPECT_TRUE(parse_line(bytes));
}

}  // namespace
}  // namespace mandate::core
