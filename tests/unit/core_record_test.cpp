#include "core/record.hpp"
#include "core/record_keys.hpp"

#include <gmock/gmock.h>
#include <string>
#include <utility>

namespace mandate::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using namespace std::string_literals;

constexpr const char* k_byte_order_mark = "\xEF\xBB\xBF";

Result<Record> parse(std::string bytes) { return parse_record(std::move(bytes), Vocabulary()); }

std::string block(const std::string& lines) { return "---\n" + lines + "---\n"; }

Record parsed(const std::string& lines)
{
    auto record = parse(block(lines));
    EXPECT_TRUE(record) << record.error().message;
    return record ? std::move(*record) : Record();
}

std::string detail(const Error& error, const std::string& key)
{
    for (const auto& [name, value] : error.details) {
        if (name == key) {
            return value;
        }
    }
    return "(none)";
}

// What a text is refused for, and on which line.
std::pair<std::string, std::string> refusal(const std::string& bytes)
{
    const auto record = parse(bytes);
    if (record) {
        return {"(accepted)", ""};
    }
    EXPECT_LE(record.error().message.size(), 250U);
    EXPECT_FALSE(record.error().hint.empty());
    return {std::string(info(record.error().code).name), detail(record.error(), "line")};
}

// --- the block

TEST(ParseRecord, ReadsEveryKey)
{
    const Record record = parsed(
        "mandate_version: 1\ntask: parser\nrecorded_at: 2026-01-31T09:05:00Z\nrecorded_by: mira\nauthorized_by: jo\n"
        "scope: the parser only\nterminal_gate: reviewed-pr\nallow: commit, open-pr\ndeny: merge\nreview_budget: 3\n"
        "review_rounds_used: 2\nlane_id: worktrees/x\nbranch: task/parser\nexpires_at: 2026-02-01T00:00:00Z\n"
        "round_state: booked\nprevious_state: reviewed\nround_booked: no\nround_token: t1\n"
        "reviewed_head: 0123456789abcdef0123456789abcdef01234567\nfindings_open: 4\nsettled_head: abcd123\n"
        "budget_spawn: 5\nbudget_spawn_used: 1\nbudget_spawn_token: s1\n");
    EXPECT_EQ(record.task, "parser");
    EXPECT_EQ(record.recorded_at, "2026-01-31T09:05:00Z");
    EXPECT_EQ(record.recorded_by, "mira");
    EXPECT_EQ(record.authorized_by, "jo");
    EXPECT_EQ(record.scope, "the parser only");
    EXPECT_EQ(record.terminal_gate, "reviewed-pr");
    EXPECT_THAT(record.allow, ElementsAre("commit", "open-pr"));
    EXPECT_THAT(record.deny, ElementsAre("merge"));
    EXPECT_EQ(record.review_budget, 3U);
    EXPECT_EQ(record.review_rounds_used, 2U);
    EXPECT_EQ(record.lane_id, "worktrees/x");
    EXPECT_EQ(record.branch, "task/parser");
    EXPECT_EQ(record.expires_at, parse_seconds_utc("2026-02-01T00:00:00Z"));
    EXPECT_EQ(record.round_state, RoundState::booked);
    EXPECT_EQ(record.previous_state, RoundState::reviewed);
    EXPECT_FALSE(record.round_booked);
    EXPECT_EQ(record.round_token, "t1");
    EXPECT_EQ(record.reviewed_head, "0123456789abcdef0123456789abcdef01234567");
    EXPECT_EQ(record.findings_open, 4U);
    EXPECT_EQ(record.settled_head, "abcd123");
    ASSERT_EQ(record.budgets.count("spawn"), 1U);
    EXPECT_EQ(record.budgets.at("spawn").limit, 5U);
    EXPECT_EQ(record.budgets.at("spawn").used, 1U);
    EXPECT_EQ(record.budgets.at("spawn").token, "s1");
    EXPECT_EQ(record.values.size(), 24U);
    EXPECT_EQ(record.values.at("allow"), "commit, open-pr");
    EXPECT_EQ(record.lines.at("mandate_version"), 2U);
    EXPECT_EQ(record.lines.at("budget_spawn_token"), 25U);
}

TEST(ParseRecord, WithoutKeysGrantsNothing)
{
    const Record record = parsed("");
    EXPECT_EQ(record.bytes, "---\n---\n");
    EXPECT_THAT(record.allow, IsEmpty());
    EXPECT_THAT(record.values, IsEmpty());
    EXPECT_EQ(record.review_budget, std::nullopt);
    EXPECT_EQ(record.review_rounds_used, 0U);
    EXPECT_EQ(record.findings_open, std::nullopt);
    EXPECT_EQ(record.round_state, RoundState::none);
    EXPECT_TRUE(record.round_booked);
    EXPECT_FALSE(record.has("task"));
}

TEST(ParseRecord, EmptyValuesAreAbsentOnes)
{
    const Record record = parsed(
        "mandate_version:\nterminal_gate: \nallow:\ndeny: ,\t,\nreview_budget:\nreview_rounds_used:\nexpires_at:\n"
        "round_state:\nprevious_state:\nround_booked:\nreviewed_head:\nfindings_open:\nsettled_head:\nbudget_x:\n");
    EXPECT_TRUE(record.has("allow"));
    EXPECT_THAT(record.allow, IsEmpty());
    EXPECT_THAT(record.deny, IsEmpty());
    EXPECT_EQ(record.review_budget, std::nullopt);
    EXPECT_EQ(record.review_rounds_used, 0U);
    EXPECT_EQ(record.expires_at, std::nullopt);
    EXPECT_TRUE(record.round_booked);
    EXPECT_EQ(record.budgets.at("x").limit, std::nullopt);
}

TEST(ParseRecord, NeedsTheOpeningFenceOnLineOne)
{
    for (const std::string& bytes :
         {""s, "\n"s, "\n---\ntask: t\n---\n"s, " ---\ntask: t\n---\n"s, "----\n---\n"s, "--- \n---\n"s, "--\n---\n"s,
          "---x\n---\n"s, "---\t\n---\n"s, "task: t\n---\n---\n"s, "---\r\r\n---\n"s,
          k_byte_order_mark + std::string(k_byte_order_mark) + "---\n---\n", "\0---\n---\n"s}) {
        EXPECT_THAT(refusal(bytes), Pair("record-no-frontmatter", "1")) << bytes;
    }
}

TEST(ParseRecord, NeedsTheClosingFence)
{
    for (const std::string& bytes :
         {"---"s, "---\n"s, "---\r"s, "---\ntask: t\n"s, "---\ntask: t\n ---\n"s, "---\ntask: t\n--- \n"s,
          "---\ntask: t\n----\n"s, "---\ntask: t\n...\n"s, "---\ntask: t\r---\n"s}) {
        EXPECT_THAT(refusal(bytes), Pair("record-unclosed", "1")) << bytes;
    }
}

TEST(ParseRecord, SetsAsideByteOrderMarkAndCarriageReturns)
{
    const std::string bytes =
        k_byte_order_mark + "---\r\ntask: t\r\nallow: merge \r\nscope: a\rb\r\r\n---\r\nbody\r\n"s;
    const auto record = parse(bytes);
    ASSERT_TRUE(record) << record.error().message;
    EXPECT_EQ(record->bytes, bytes);
    EXPECT_EQ(record->task, "t");
    EXPECT_THAT(record->allow, ElementsAre("merge"));
    EXPECT_EQ(record->scope, "a\rb\r") << "one carriage return belongs to the line end, every other one is content";
    EXPECT_TRUE(parse("---\n---"));
    EXPECT_TRUE(parse("---\r\n---\r"));
}

TEST(ParseRecord, NeverReadsTheBody)
{
    const auto record = parse("---\ntask: t\n---\nallow: merge\ntask: again\nreview_budget: x\n---\n\0\xFF: |\n---\n"s);
    ASSERT_TRUE(record) << record.error().message;
    EXPECT_THAT(record->allow, IsEmpty());
    EXPECT_EQ(record->task, "t");
}

// Every cut of a record is refused or reads as a record without the lines that are gone: it never grants more.
TEST(ParseRecord, SurvivesEveryCut)
{
    const std::string whole =
        k_byte_order_mark + block("task: t\r\nallow: commit, merge\ndeny: deploy\n nested: x\n") + "body\n---\n";
    for (std::size_t length = 0; length <= whole.size(); ++length) {
        const auto record = parse(whole.substr(0, length));
        if (record) {
            EXPECT_THAT(record->deny, ElementsAre("deploy")) << length;
        }
    }
}

// --- keys and values

TEST(ParseRecord, TakesAKeyOnlyAtColumnZero)
{
    const Record record = parsed(" task: a\n\ttask: b\n-task: c\n# task: d\ntask : e\n\"task\": f\n");
    EXPECT_EQ(record.task, "e");
    EXPECT_EQ(record.lines.at("task"), 6U);
    EXPECT_EQ(parsed("task\t \t:\tx\n").task, "x");
}

TEST(ParseRecord, IgnoresUnknownKeysAndOtherLines)
{
    const Record record = parsed(
        "Allow: merge\nALLOW: merge\nallow_: merge\nallows: merge\nsome words: x\nno colon\n:\n: x\n\n"
        "limit: |\nlimit: >\nlimit: >\nallow\xC2\xA0: merge\n\xE2\x80\x8B"
        "allow: merge\n\xD0\xB0llow: merge\nallow\n: merge\n");
    EXPECT_THAT(record.values, IsEmpty());
    EXPECT_THAT(record.allow, IsEmpty());
}

TEST(ParseRecord, KeepsAllThatFollowsTheFirstColon)
{
    EXPECT_EQ(parsed("scope: a: b = c == d :\n").scope, "a: b = c == d :");
    EXPECT_EQ(parsed("scope:no blank\n").scope, "no blank");
    EXPECT_EQ(parsed("scope: \t two  words \t\n").scope, "two  words");
    EXPECT_EQ(parsed("scope: \"quoted\" # no comment\n").scope, "\"quoted\" # no comment");
    EXPECT_EQ(parsed("scope: a\\nb\n").scope, "a\\nb");
    EXPECT_EQ(parsed("scope: \xC2\xA0x\n").scope, "\xC2\xA0x") << "a no-break space is content";
    EXPECT_EQ(parse("---\nscope: a\0\x1b[2J\xFF\n---\n"s)->scope, "a\0\x1b[2J\xFF"s) << "free text comes in raw";
}

TEST(ParseRecord, RefusesAKnownKeyTwice)
{
    const auto record = parse(block("task: a\nscope: x\nallow: merge\ntask : a\nscope: y\n"));
    ASSERT_FALSE(record);
    EXPECT_EQ(record.error().code, Code::record_duplicate_key);
    EXPECT_THAT(record.error().details, ElementsAre(Pair("line", "5"), Pair("first_line", "2"), Pair("key", "task")));
    EXPECT_THAT(refusal(block("budget_x: 1\nbudget_x: 1\n")), Pair("record-duplicate-key", "3"));
    EXPECT_THAT(refusal(block("budget_x_used: 1\nbudget_x_used: 1\n")), Pair("record-duplicate-key", "3"));
    EXPECT_THAT(refusal(block("task: a\n task: b\n")).first, "(accepted)");
}

TEST(ParseRecord, RefusesBlockScalarsOfKnownKeys)
{
    for (const char* mark : {"|", ">", "|-", ">+", "|2", ">-1", "|1+", "|+-9"}) {
        EXPECT_THAT(refusal(block("task: t\nscope: "s + mark + " \n  text\n")), Pair("record-block-scalar", "3"))
            << mark;
        EXPECT_THAT(refusal(block("allow: "s + mark + "\n")), Pair("record-block-scalar", "2")) << mark;
        EXPECT_THAT(refusal(block("review_budget: "s + mark + "\n")), Pair("record-block-scalar", "2")) << mark;
        EXPECT_THAT(refusal(block("budget_x: "s + mark + "\n")), Pair("record-block-scalar", "2")) << mark;
    }
    for (const char* text : {"| x", ">x", "a|", "->", "||", "> 1"}) {
        EXPECT_EQ(parsed("scope: "s + text + "\n").scope, text);
    }
}

TEST(ParseRecord, DiagnosesInTheOrderOfTheContract)
{
    const std::string bad = "review_budget: x\nscope: |\ntask: a\ntask: b\n";
    EXPECT_EQ(refusal("x\n" + bad).first, "record-no-frontmatter");
    EXPECT_EQ(refusal("---\n" + bad).first, "record-unclosed");
    EXPECT_THAT(refusal(block(bad)), Pair("record-duplicate-key", "5"));
    EXPECT_THAT(refusal(block("review_budget: x\nscope: |\n")), Pair("record-block-scalar", "3"));
    EXPECT_THAT(refusal(block("task: t\nreview_budget: x\nallow: y\n")), Pair("record-bad-value", "3"));
    EXPECT_THAT(refusal(block("task: t\nallow: y\nreview_budget: x\n")), Pair("record-bad-value", "3"));
}

// --- values

TEST(ParseRecord, TakesPlainDecimalsOnly)
{
    for (const char* key : {"review_budget", "review_rounds_used", "findings_open", "budget_x", "budget_x_used"}) {
        const std::string start = key + ": "s;
        for (const char* number : {"0", "1", "10", "999999", "1000000"}) {
            EXPECT_EQ(refusal(block(start + number + "\n")).first, "(accepted)") << start << number;
        }
        for (const std::string& number : {"-1"s,
                                          "+3"s,
                                          "00"s,
                                          "03"s,
                                          "1000001"s,
                                          "0b11"s,
                                          "0x10"s,
                                          "0o7"s,
                                          "1_0"s,
                                          "3.0"s,
                                          "1e3"s,
                                          "\"3\""s,
                                          "3 # c"s,
                                          "3\r\r"s,
                                          "1 0"s,
                                          "three"s,
                                          "unlimited"s,
                                          "\xEF\xBC\x93"s,
                                          "3\0"s,
                                          "99999999999999999999"s,
                                          "18446744073709551617"s}) {
            EXPECT_THAT(refusal(block(start + number + "\n")), Pair("record-bad-value", "2")) << start << number;
        }
    }
    EXPECT_EQ(parsed("review_budget: \t3 \n").review_budget, 3U);
    EXPECT_EQ(parsed("review_budget: 1000000\n").review_budget, 1000000U);
}

TEST(ParseRecord, TakesListsOfKnownActionsOnly)
{
    EXPECT_THAT(parsed("allow: commit,merge ,\tdeploy,,\n").allow, ElementsAre("commit", "merge", "deploy"));
    for (const char* key : {"allow", "deny"}) {
        for (const std::string& list :
             {"mrege"s, "commit merge"s, "commit; merge"s, "[commit, merge]"s, "\"merge\""s, "Merge"s, "merge # c"s,
              "all"s, "*"s, "merge\0"s, "merge\r, commit"s, "m\xC3\xA9rge"s}) {
            EXPECT_THAT(refusal(block(key + ": "s + list + "\n")), Pair("record-bad-value", "2")) << key << list;
        }
    }
    Vocabulary vocabulary;
    vocabulary.declare_action("deploy-staging");
    EXPECT_TRUE(parse_record(block("allow: deploy-staging\n"), vocabulary));
}

TEST(ParseRecord, HintsAtWhatWasMeant)
{
    const auto hint = [](const std::string& lines) { return parse(block(lines)).error().hint; };
    EXPECT_EQ(hint("allow: commit, merg\n"), "did you mean 'merge'?");
    EXPECT_THAT(hint("allow: [commit, merge]\n"), testing::HasSubstr("brackets and quotes"));
    EXPECT_THAT(hint("deny: \"merge\"\n"), testing::HasSubstr("brackets and quotes"));
    EXPECT_EQ(hint("terminal_gate: merge\n"), "did you mean 'merged'?");
    EXPECT_THAT(hint("terminal_gate: lunch\n"), testing::HasSubstr("reviewed-pr, merged, pushed-branch"));
}

TEST(ParseRecord, TakesOnlyTheWordsOfItsOtherKeys)
{
    for (const char* line : {"mandate_version: 2",
                             "mandate_version: 01",
                             "mandate_version: 1.0",
                             "terminal_gate: done",
                             "terminal_gate: Merged",
                             "expires_at: 2026-02-30T00:00:00Z",
                             "expires_at: 2026-02-01",
                             "expires_at: 2026-02-01T00:00:00+00:00",
                             "expires_at: 2026-02-01T00:00:00.5Z",
                             "expires_at: never",
                             "round_state: done",
                             "round_state: Booked",
                             "previous_state: none",
                             "round_booked: yes",
                             "round_booked: No",
                             "round_booked: 0",
                             "reviewed_head: HEAD",
                             "reviewed_head: ABCDEF0",
                             "settled_head: abc",
                             "settled_head: abcd efgh"}) {
        EXPECT_THAT(refusal(block("task: t\n"s + line + "\n")), Pair("record-bad-value", "3")) << line;
    }
    EXPECT_THAT(refusal(block("settled_head: " + std::string(65, 'a') + "\n")).first, "record-bad-value");
}

TEST(ParseRecord, BoundsWhatItQuotes)
{
    const auto record = parse(block("allow: " + std::string(500000, 'x') + "\n"));
    ASSERT_FALSE(record);
    EXPECT_LE(record.error().message.size(), 120U);
    EXPECT_LE(record.error().hint.size(), 120U);
    const auto accent = parse(block("terminal_gate: " + std::string(39, 'x') + "\xC3\xA9\xC3\xA9\n"));
    EXPECT_THAT(accent.error().message, testing::HasSubstr(std::string(39, 'x') + "...'")) << "no half characters";
}

// --- further budgets

TEST(BudgetKeys, HaveOneReadingEach)
{
    const auto part = [](const char* key) { return parse_budget_key(key)->part; };
    EXPECT_EQ(parse_budget_key("budget_a_b")->name, "a_b");
    EXPECT_EQ(part("budget_a_b"), BudgetPart::limit);
    EXPECT_EQ(parse_budget_key("budget_a_used")->name, "a");
    EXPECT_EQ(part("budget_a_used"), BudgetPart::used);
    EXPECT_EQ(part("budget_a_token"), BudgetPart::token);
    EXPECT_EQ(parse_budget_key("budget_used")->name, "used");
    EXPECT_EQ(part("budget_used"), BudgetPart::limit);
    EXPECT_EQ(part("budget_used_used"), BudgetPart::used);
    for (const char* key : {"budget_", "budget__used", "budget_a_used_used", "budget_a_token_used", "budget_a-b",
                            "budget", "review_budget", "Budget_a", "budget_a b", ""}) {
        EXPECT_FALSE(parse_budget_key(key)) << key;
    }
    EXPECT_TRUE(parse_budget_key("budget_" + std::string(64, 'a')));
    EXPECT_FALSE(parse_budget_key("budget_" + std::string(65, 'a')));
    for (const BudgetPart each : {BudgetPart::limit, BudgetPart::used, BudgetPart::token}) {
        EXPECT_EQ(parse_budget_key(budget_key("spawn", each))->part, each);
    }
}

TEST(ParseRecord, ACounterAloneIsNoBudget)
{
    const Record record = parsed("budget_a_used: 3\nbudget_b_token: t\nbudget_c: 1\nbudget_c_used: 1\n");
    ASSERT_EQ(record.budgets.size(), 1U);
    EXPECT_EQ(record.budgets.at("c").used, 1U);
    EXPECT_TRUE(record.has("budget_a_used"));
}

TEST(RecordKeys, AreThoseOfTheContract)
{
    EXPECT_THAT(record_keys(),
                ElementsAre("mandate_version", "task", "recorded_at", "recorded_by", "authorized_by", "scope",
                            "terminal_gate", "allow", "deny", "review_budget", "review_rounds_used", "lane_id",
                            "branch", "expires_at", "round_state", "previous_state", "round_booked", "round_token",
                            "reviewed_head", "findings_open", "settled_head"));
    EXPECT_TRUE(is_record_key("budget_spawn"));
    EXPECT_FALSE(is_record_key("Task"));
}

TEST(RoundStates, HaveANameEach)
{
    for (const RoundState state :
         {RoundState::none, RoundState::booked, RoundState::reviewed, RoundState::fixed, RoundState::acknowledged}) {
        EXPECT_EQ(parse_round_state(name(state)), state);
    }
    EXPECT_EQ(name(RoundState::none), "");
    EXPECT_EQ(parse_round_state("Fixed"), std::nullopt);
}

}  // namespace
}  // namespace mandate::core
