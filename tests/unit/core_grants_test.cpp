// grant, revoke, extend, spend and refund: what they do to a record's lists and counters.

#include "core/budgets.hpp"
#include "core/grants.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mandate::core {
namespace {

using testing::ElementsAre;

Record record_of(const std::string& keys)
{
    auto record = parse_record("---\ntask: t\n" + keys + "---\n", Vocabulary());
    EXPECT_TRUE(record);
    return *record;
}

Record after(const Record& record, const Plan& plan)
{
    auto edited = parse_record(edit_record(record, plan.edits), Vocabulary());
    EXPECT_TRUE(edited);
    return *edited;
}

TEST(Grants, GrantTakesOutOfDenyAndRevokeLeavesUnlisted)
{
    const Record record = record_of("allow: commit\ndeny: merge, deploy\n");
    const Record granted = after(record, plan_grant(record, {"merge", "commit"}, "me"));
    EXPECT_THAT(granted.allow, ElementsAre("commit", "merge"));
    EXPECT_THAT(granted.deny, ElementsAre("deploy"));
    const Record revoked = after(granted, plan_revoke(granted, {"merge", "deploy"}, false));
    EXPECT_THAT(revoked.allow, ElementsAre("commit"));
    EXPECT_THAT(revoked.deny, ElementsAre("deploy")) << "a denied one stays denied";
    EXPECT_THAT(after(granted, plan_revoke(granted, {"merge"}, true)).deny, ElementsAre("deploy", "merge"));
}

TEST(Grants, ExtendNeedsABudgetAndKeepsItsLimit)
{
    const Record record = record_of("review_budget: 3\nreview_rounds_used: 3\n");
    EXPECT_EQ(after(record, *plan_extend(record, 2, "me")).review_budget, 5U);
    EXPECT_EQ(plan_extend(record_of(""), 2, "me").error().code, Code::out_of_order);
    EXPECT_EQ(plan_extend(record, 0, "me").error().code, Code::value_invalid);
    EXPECT_EQ(plan_extend(record, 999998, "me").error().code, Code::value_invalid);
    EXPECT_EQ(after(record, *plan_extend(record, 999997, "me")).review_budget, 1000000U);
}

TEST(Budgets, AllOfTheAmountOrNothing)
{
    Record record = record_of("budget_spawn: 5\n");
    record = after(record, *plan_spend(record, {"spawn", 3, "T"}));
    EXPECT_EQ(record.budgets.at("spawn").used, 3U);
    EXPECT_TRUE(plan_spend(record, {"spawn", 3, "T"})->event.empty()) << "the same call again charges nothing";
    const auto refused = plan_spend(record, {"spawn", 3, ""});
    EXPECT_EQ(refused->event, "refused");
    EXPECT_FALSE(refused->writes_record);
    record = after(record, *plan_spend(record, {"spawn", 2, ""}));
    EXPECT_EQ(record.budgets.at("spawn").used, 5U);
    EXPECT_EQ(record.budgets.at("spawn").token, "");
    record = after(record, *plan_refund(record, {"spawn", 9, ""}));
    EXPECT_EQ(record.budgets.at("spawn").used, 0U) << "never below 0";
    EXPECT_EQ(plan_spend(record, {"other", 1, ""}).error().code, Code::unknown_budget);
    EXPECT_EQ(plan_spend(record, {"spawn", 0, ""}).error().code, Code::value_invalid);
}

TEST(Budgets, NoLimitIsCounted)
{
    const Record record = record_of("budget_spawn:\n");
    const auto plan = plan_spend(record, {"spawn", 7, ""});
    EXPECT_EQ(plan->unenforced.at(0).reason, Unenforced::no_budget);
    EXPECT_EQ(after(record, *plan).budgets.at("spawn").used, 7U);
}

}  // namespace
}  // namespace mandate::core
