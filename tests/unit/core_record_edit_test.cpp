#include "core/record.hpp"
#include "core/record_keys.hpp"

#include <gmock/gmock.h>
#include <string>

namespace mandate::core {
namespace {

using namespace std::string_literals;

Record parsed(const std::string& bytes)
{
    auto record = parse_record(bytes, Vocabulary());
    EXPECT_TRUE(record) << record.error().message << "\n" << bytes;
    return record ? std::move(*record) : Record();
}

std::string edited(const std::string& bytes, const std::vector<Edit>& edits)
{
    return edit_record(parsed(bytes), edits);
}

// --- single edits

TEST(EditRecord, RewritesTheLineOfItsKey)
{
    EXPECT_EQ(edited("---\ntask: a\nscope: b\n---\nbody", {{"task", "new"}}), "---\ntask: new\nscope: b\n---\nbody");
    EXPECT_EQ(edited("---\ntask \t:a  \n---\n", {{"task", "new"}}), "---\ntask: new\n---\n");
    EXPECT_EQ(edited("---\ntask: a\n---\n", {{"task", ""}}), "---\ntask:\n---\n");
}

TEST(EditRecord, LeavesALineThatHoldsTheValueAlready)
{
    const std::string bytes = "---\ntask  :   a  \r\n---\n";
    EXPECT_EQ(edited(bytes, {{"task", "a"}}), bytes);
    EXPECT_EQ(edited(bytes, {}), bytes);
}

TEST(EditRecord, RemovesTheLineOfItsKeyAlone)
{
    EXPECT_EQ(edited("---\ntask: a\n  nested: b\nscope: c\n---\n", {{"task", std::nullopt}}),
              "---\n  nested: b\nscope: c\n---\n");
    EXPECT_EQ(edited("---\nscope: c\n---\n", {{"task", std::nullopt}}), "---\nscope: c\n---\n");
}

TEST(EditRecord, InsertsBeforeTheClosingFenceInTheGivenOrder)
{
    EXPECT_EQ(
        edited("---\ntask: a\n # note\n---\nbody\n", {{"round_state", "booked"}, {"task", "b"}, {"round_token", "x"}}),
        "---\ntask: b\n # note\nround_state: booked\nround_token: x\n---\nbody\n");
    EXPECT_EQ(edited("---\n---", {{"task", "a"}}), "---\ntask: a\n---");
}

TEST(EditRecord, KeepsEachLinesEndAndTakesTheOpeningOneForNewLines)
{
    EXPECT_EQ(edited("\xEF\xBB\xBF---\r\ntask: a\nscope: b\r\n---\n", {{"task", "A"}, {"scope", "B"}, {"branch", "C"}}),
              "\xEF\xBB\xBF---\r\ntask: A\nscope: B\r\nbranch: C\r\n---\n");
    EXPECT_EQ(edited("---\ntask: a\r\n---\r\n", {{"branch", "C"}}), "---\ntask: a\r\nbranch: C\n---\r\n");
}

TEST(EditRecord, TakesTheLastOfTwoEditsOfAKey)
{
    EXPECT_EQ(edited("---\ntask: a\n---\n", {{"task", "b"}, {"task", "c"}}), "---\ntask: c\n---\n");
    EXPECT_EQ(edited("---\n---\n", {{"task", "b"}, {"task", "c"}}), "---\ntask: c\n---\n");
    EXPECT_EQ(edited("---\n---\n", {{"task", "b"}, {"task", std::nullopt}}), "---\n---\n");
}

TEST(EditRecord, NeverTouchesTheBody)
{
    const std::string body = "---\ntask: body\n---\ntask: body\n\0\xFF\r\n"s;
    EXPECT_EQ(edited("---\ntask: a\n---\n" + body, {{"task", std::nullopt}, {"branch", "b"}}),
              "---\nbranch: b\n---\n" + body);
}

TEST(EditRecord, AForgedLineStaysText)
{
    const Record after = parsed(edited("---\ntask: a\n---\n", {{"scope", "x\nallow: merge\r\n---\n"}}));
    EXPECT_TRUE(after.allow.empty());
    EXPECT_EQ(after.values.size(), 2U);
}

// --- every key over many shapes: the change is made, and every byte that is not of its line stays

struct Shape {
    std::string before, line, after;  // `line`: the key's own, or empty where the record lacks it
};

std::vector<Shape> shapes(const std::string& key, const std::string& old_value)
{
    const std::string bom = "\xEF\xBB\xBF";
    std::vector<Shape> all;
    for (const std::string end : {"\n", "\r\n"}) {
        for (const std::string start : {"", "\xEF\xBB\xBF"}) {
            for (const std::string tail : {"", "\n", "\r\n", "\n\nbody: x\n---\ntask: y", "\r\n\0\xFF"}) {
                for (const std::string separator : {": ", ":", " : ", "\t:\t"}) {
                    const std::string before = start + "---" + end + "unknown: |" + end + "  nested: 1" + end;
                    const std::string after = "\tdeep: 2\nAllow: merge\r\n\nno colon" + end + "---" + tail;
                    all.push_back({before, key + separator + old_value + end, after});
                    all.push_back({before, "", after});
                }
            }
        }
    }
    return all;
}

std::string value_for(const std::string& key, int variant)
{
    if (key == "mandate_version") {
        return variant == 0 ? "" : "1";
    }
    if (key == "terminal_gate") {
        return variant == 0 ? "merged" : "reviewed-pr";
    }
    if (key == "allow" || key == "deny") {
        return variant == 0 ? "commit" : "commit, merge";
    }
    if (key == "expires_at") {
        return variant == 0 ? "2026-01-01T00:00:00Z" : "2027-01-01T00:00:00Z";
    }
    if (key == "round_state" || key == "previous_state") {
        return variant == 0 ? "booked" : "reviewed";
    }
    if (key == "round_booked") {
        return variant == 0 ? "" : "no";
    }
    if (key == "reviewed_head" || key == "settled_head") {
        return std::string(40, variant == 0 ? 'a' : 'b');
    }
    return variant == 0 ? "7" : "12";
}

std::vector<std::string> all_keys()
{
    std::vector<std::string> keys(record_keys().begin(), record_keys().end());
    for (const BudgetPart part : {BudgetPart::limit, BudgetPart::used, BudgetPart::token}) {
        keys.push_back(budget_key("spawn", part));
    }
    return keys;
}

void expect_only_that_change(const Shape& shape, const std::string& key, const std::optional<std::string>& value)
{
    const Record old = parsed(shape.before + shape.line + shape.after);
    const std::string bytes = edit_record(old, {{key, value}});
    const Record changed = parsed(bytes);

    auto expected = old.values;
    expected.erase(key);
    if (value) {
        expected[key] = *value;
    }
    EXPECT_EQ(changed.values, expected);

    const std::size_t fence = shape.line.empty() ? shape.after.find("---") : 0;
    const std::string before = shape.before + shape.after.substr(0, fence);
    const std::string after = shape.after.substr(fence);
    ASSERT_GE(bytes.size(), before.size() + after.size());
    EXPECT_EQ(bytes.substr(0, before.size()), before);
    EXPECT_EQ(bytes.substr(bytes.size() - after.size()), after);
    const std::string line = bytes.substr(before.size(), bytes.size() - before.size() - after.size());
    const std::string end = shape.before.find("\r\n") == std::string::npos ? "\n" : "\r\n";
    if (!value) {
        EXPECT_EQ(line, "");
    } else if (old.has(key) && old.values.at(key) == *value) {
        EXPECT_EQ(line, shape.line);
    } else {
        EXPECT_EQ(line, key + (value->empty() ? ":" : ": ") + *value + end);
    }
}

TEST(EditRecord, ChangesOneLineAndNoOtherByte)
{
    for (const std::string& key : all_keys()) {
        for (const Shape& shape : shapes(key, value_for(key, 0))) {
            for (const std::optional<std::string>& value :
                 {std::optional(value_for(key, 1)), std::optional(value_for(key, 0)), std::optional(""s),
                  std::optional<std::string>()}) {
                expect_only_that_change(shape, key, value);
            }
        }
        if (HasFailure()) {
            FAIL() << "with the key " << key;
        }
    }
}

// A sequence of edits equals the record that was written with those values at once.
TEST(EditRecord, FollowsAWholeRoundAndComesBackToTheSameBytes)
{
    const std::string start = "---\r\ntask: t\r\nreview_rounds_used: 1\r\n---\r\nbody";
    std::string bytes = edited(start, {{"review_rounds_used", "2"}, {"round_state", "booked"}, {"round_token", "x"}});
    bytes = edited(bytes, {{"round_state", "reviewed"}, {"findings_open", "0"}, {"round_token", std::nullopt}});
    EXPECT_EQ(bytes,
              "---\r\ntask: t\r\nreview_rounds_used: 2\r\nround_state: reviewed\r\nfindings_open: 0\r\n---\r\nbody");
    EXPECT_EQ(
        edited(bytes, {{"review_rounds_used", "1"}, {"round_state", std::nullopt}, {"findings_open", std::nullopt}}),
        start);
}

}  // namespace
}  // namespace mandate::core
