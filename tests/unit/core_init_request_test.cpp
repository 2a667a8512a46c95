#include "core/init_request.hpp"
#include "core/record.hpp"

#include <gmock/gmock.h>
#include <string>

namespace mandate::core {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;
using Values = std::map<std::string, std::string>;

const Time k_now = *parse_seconds_utc("2026-01-31T09:05:00Z");

Result<Values> ask(const InitRequest& request, const std::string& branch = "task/x")
{
    static const Vocabulary vocabulary;
    return init_values(request, {vocabulary, k_now, "mira", "worktrees/x", branch});
}

// With the two keys that every record needs.
InitRequest request(Words more, std::optional<std::string> preset = "standard", Words without = {})
{
    more.insert(more.begin(), {"task=t", "authorized_by=me"});
    return {std::move(more), std::move(preset), std::move(without)};
}

std::string value(const InitRequest& asked, const std::string& key)
{
    auto values = ask(asked);
    EXPECT_TRUE(values) << values.error().message;
    return values ? (*values)[key] : "(refused)";
}

std::string code(const InitRequest& asked)
{
    const auto values = ask(asked);
    if (values) {
        return "";
    }
    EXPECT_LE(values.error().message.size(), 200U);
    EXPECT_FALSE(values.error().hint.empty()) << values.error().message;
    return std::string(info(values.error().code).name);
}

TEST(InitValues, JoinsArgumentsPresetAndContext)
{
    const auto values = ask(request({"scope= the parser "}));
    ASSERT_TRUE(values);
    EXPECT_EQ(*values,
              (Values{{"mandate_version", "1"},
                      {"task", "t"},
                      {"recorded_at", "2026-01-31T09:05:00Z"},
                      {"recorded_by", "mira"},
                      {"authorized_by", "me"},
                      {"scope", "the parser"},
                      {"terminal_gate", "reviewed-pr"},
                      {"allow", "commit, push-own-branch, open-pr, local-review, agreed-fixes, rebase-own-branch"},
                      {"deny", "merge, deploy, force-push-shared, destructive"},
                      {"review_budget", "3"},
                      {"review_rounds_used", "0"},
                      {"lane_id", "worktrees/x"},
                      {"branch", "task/x"}}));
}

TEST(InitValues, EveryPresetMakesARecordThatReads)
{
    const Vocabulary vocabulary;
    for (const Preset& preset : vocabulary.presets()) {
        const auto values = ask(request({}, preset.name));
        ASSERT_TRUE(values);
        const auto record = parse_record(canonical_record(*values), vocabulary);
        ASSERT_TRUE(record) << record.error().message;
        EXPECT_EQ(record->allow, preset.allow);
        EXPECT_EQ(record->deny, preset.deny);
        EXPECT_EQ(record->terminal_gate, preset.terminal_gate);
        EXPECT_EQ(record->review_budget, preset.review_budget);
    }
}

TEST(InitValues, ExplicitKeysWinOverThePreset)
{
    const InitRequest asked =
        request({"allow=commit,merge", "deny=", "terminal_gate=merged", "review_budget=0", "recorded_at=yesterday",
                 "recorded_by=hook", "review_rounds_used=2", "expires_at=2026-02-01T00:00:00Z", "budget_spawn=5"});
    EXPECT_EQ(value(asked, "allow"), "commit, merge");
    EXPECT_EQ(value(asked, "deny"), "");
    EXPECT_EQ(value(asked, "terminal_gate"), "merged");
    EXPECT_EQ(value(asked, "review_budget"), "0");
    EXPECT_EQ(value(asked, "recorded_at"), "yesterday");
    EXPECT_EQ(value(asked, "recorded_by"), "hook");
    EXPECT_EQ(value(asked, "review_rounds_used"), "2");
    EXPECT_EQ(value(asked, "expires_at"), "2026-02-01T00:00:00Z");
    EXPECT_EQ(value(asked, "budget_spawn"), "5");
}

TEST(InitValues, WithoutSubtractsLast)
{
    EXPECT_EQ(value(request({}, "standard", {"open-pr, agreed-fixes", "commit"}), "allow"),
              "push-own-branch, local-review, rebase-own-branch");
    EXPECT_EQ(value(request({"allow=commit,merge"}, "standard", {"merge"}), "allow"), "commit");
    EXPECT_EQ(value(request({"allow=commit"}, std::nullopt, {"commit"}), "allow"), "");
    EXPECT_EQ(value(request({"allow=commit"}, std::nullopt, {"deploy"}), "allow"), "commit") << "not in allow is fine";
    EXPECT_EQ(code(request({}, "standard", {"open-prs"})), "unknown-action");
    EXPECT_EQ(value(request({}, "standard", {"merge"}), "deny"), "merge, deploy, force-push-shared, destructive");
}

TEST(InitValues, WritesListsInOneForm)
{
    EXPECT_EQ(value(request({"allow= commit,,merge ,commit,"}), "allow"), "commit, merge");
}

TEST(InitValues, RefusesWhatIsMissingOrGivenTwice)
{
    EXPECT_EQ(code({{"task=t"}, "standard", {}}), "usage");
    EXPECT_EQ(code({{"authorized_by=me"}, "standard", {}}), "usage");
    EXPECT_EQ(code({{"task=", "authorized_by=me"}, "standard", {}}), "usage");
    EXPECT_EQ(code({{"task=t", "authorized_by= \t "}, "standard", {}}), "usage");
    EXPECT_EQ(code(request({}, std::nullopt)), "usage");
    EXPECT_EQ(code(request({"deny=merge"}, std::nullopt)), "usage");
    EXPECT_EQ(code(request({"allow=commit", "allow=commit"})), "usage");
    EXPECT_EQ(code(request({"task=t"})), "usage");
    EXPECT_EQ(code(request({"scope"})), "usage");
    EXPECT_EQ(code(request({""})), "usage");
    EXPECT_EQ(code(request({"allow="}, std::nullopt)), "") << "an empty grant that was asked for";
}

TEST(InitValues, KnowsOnlyTheSettableKeys)
{
    for (const char* key :
         {"mandate_version", "lane_id", "branch", "round_state", "round_token", "findings_open", "reviewed_head",
          "budget_x_used", "budget_x_token", "budget_", "Task", " task", "task ", "", "limit", "allow\n"}) {
        EXPECT_EQ(code(request({std::string(key) + "=1"})), "unknown-key") << key;
    }
    EXPECT_EQ(ask(request({"alow=commit"})).error().hint, "did you mean 'allow'?");
    EXPECT_THAT(ask(request({"frobnicate=1"})).error().hint, HasSubstr("budget_<name>"));
}

TEST(InitValues, KnowsOnlyTheWords)
{
    EXPECT_EQ(code(request({}, "standrd")), "unknown-preset");
    EXPECT_EQ(ask(request({}, "standrd")).error().hint, "did you mean 'standard'?");
    EXPECT_EQ(code(request({}, "")), "unknown-preset");
    EXPECT_EQ(code(request({"allow=commit,merg"})), "unknown-action");
    EXPECT_EQ(ask(request({"allow=commit,merg"})).error().hint, "did you mean 'merge'?");
    EXPECT_EQ(code(request({"deny=[merge, deploy]"})), "unknown-action");
    EXPECT_THAT(ask(request({"deny=[merge, deploy]"})).error().hint, HasSubstr("brackets"));
    EXPECT_EQ(code(request({"terminal_gate=done"})), "value-invalid");
    EXPECT_EQ(code(request({"terminal_gate=Merged"})), "value-invalid");
}

TEST(InitValues, TakesNumbersWithoutTrimming)
{
    for (const char* key : {"review_budget=", "review_rounds_used=", "budget_x="}) {
        for (const char* number :
             {"", " ", " 5", "5 ", "010", "0x10", "1e3", "-1", "+1", "1.0", "1000001", "\xEF\xBC\x95", "|", "5\n"}) {
            EXPECT_EQ(code(request({std::string(key) + number})), "value-invalid") << key << number;
        }
        EXPECT_EQ(code(request({std::string(key) + "1000000"})), "") << key;
    }
}

TEST(InitValues, NoLimitIsAskedForByName)
{
    EXPECT_EQ(value(request({"review_budget=unlimited"}), "review_budget"), "");
    EXPECT_EQ(value(request({"budget_x=unlimited"}), "budget_x"), "");
    EXPECT_EQ(code(request({"review_rounds_used=unlimited"})), "value-invalid");
    EXPECT_EQ(code(request({"review_budget=Unlimited"})), "value-invalid");
    EXPECT_EQ(code(request({"review_budget= unlimited"})), "value-invalid");
    EXPECT_THAT(ask(request({"review_budget="})).error().hint, HasSubstr("review_budget=unlimited"));
    EXPECT_EQ(value(request({"allow=commit"}, std::nullopt), "review_budget"), "")
        << "never asked for: the record says none";
}

TEST(InitValues, TakesOnlyTimesThatExist)
{
    for (const char* time : {"", "2026-02-30T00:00:00Z", "2026-02-01", "tomorrow", "2026-02-01T00:00:00+01:00"}) {
        EXPECT_EQ(code(request({std::string("expires_at=") + time})), "value-invalid") << time;
    }
}

TEST(InitValues, RefusesValuesThatTheReaderWouldRefuse)
{
    for (const char* key :
         {"task", "authorized_by", "scope", "recorded_by", "recorded_at", "allow", "deny", "terminal_gate"}) {
        InitRequest asked{{}, "standard", {}};
        for (const char* other : {"task", "authorized_by"}) {
            if (std::string(other) != key) {
                asked.assignments.push_back(std::string(other) + "=x");
            }
        }
        const auto with = [&](const std::string& text) {
            InitRequest changed = asked;
            changed.assignments.push_back(std::string(key) + "=" + text);
            return code(changed);
        };
        EXPECT_EQ(with("a\nallow: merge"), "value-control-character") << key;
        EXPECT_EQ(with("a\xE2\x80\xAE"), "value-control-character") << key;
        EXPECT_EQ(with("\xFF"), "value-control-character") << key;
        EXPECT_EQ(with("|-"), "value-block-scalar") << key;
        EXPECT_EQ(with(std::string(241, 'x')), "value-too-long") << key;
    }
}

TEST(InitValues, KeepsAllThatFollowsTheFirstEqualsSign)
{
    EXPECT_EQ(value(request({"scope=a=b: c==d"}), "scope"), "a=b: c==d");
}

TEST(InitValues, LeavesOutWhatTheLaneDoesNotHave)
{
    const auto values = ask(request({}), "");
    ASSERT_TRUE(values);
    EXPECT_THAT(canonical_record(*values), testing::Not(HasSubstr("branch:")));
    EXPECT_EQ(info(ask(request({}), "|").error().code).name, "value-block-scalar")
        << "git allows a branch of that name";
}

TEST(SettableKeys, AreThoseOfTheContract)
{
    EXPECT_THAT(settable_keys(),
                testing::ElementsAre("task", "recorded_at", "recorded_by", "authorized_by", "scope", "terminal_gate",
                                     "allow", "deny", "review_budget", "review_rounds_used", "expires_at"));
}

}  // namespace
}  // namespace mandate::core
