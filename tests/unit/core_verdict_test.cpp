#include "core/verdict.hpp"

#include <gtest/gtest.h>

namespace mandate::core {
namespace {

using std::chrono::milliseconds;

Record granting(std::vector<std::string> allow, std::vector<std::string> deny)
{
    Record record;
    record.allow = std::move(allow);
    record.deny = std::move(deny);
    return record;
}

Verdict ask(const Record& record, const char* action, const std::vector<std::string>& policy = {})
{
    return decide(record, action, policy, Time());
}

TEST(Decide, AnswersFromTheLists)
{
    const Record record = granting({"commit"}, {"merge"});
    EXPECT_EQ(ask(record, "commit"), Verdict::allowed);
    EXPECT_EQ(ask(record, "merge"), Verdict::denied);
    EXPECT_EQ(ask(record, "deploy"), Verdict::unlisted);
    EXPECT_EQ(ask(Record(), "commit"), Verdict::unlisted);
}

TEST(Decide, DenyWinsOverAllow) { EXPECT_EQ(ask(granting({"merge"}, {"merge"}), "merge"), Verdict::denied); }

TEST(Decide, PolicyWinsOverTheRecord)
{
    EXPECT_EQ(ask(granting({"merge"}, {}), "merge", {"deploy", "merge"}), Verdict::denied);
    EXPECT_EQ(ask(granting({}, {}), "merge", {"merge"}), Verdict::denied);
    EXPECT_EQ(ask(granting({"commit"}, {}), "commit", {"merge"}), Verdict::allowed);
}

TEST(Decide, MatchesWholeWordsLiterally)
{
    const Record record = granting({"deploy-staging", "merge"}, {});
    for (const char* action : {"deploy", "staging", "Merge", "merge ", "deploy-stagin", "deploy-staging2", ""}) {
        EXPECT_EQ(ask(record, action), Verdict::unlisted) << action;
    }
}

TEST(Decide, PastItsEndTheGrantAnswersNothing)
{
    Record record = granting({"commit"}, {"merge"});
    record.expires_at = parse_seconds_utc("2026-02-01T00:00:00Z");
    const Time end = *record.expires_at;
    EXPECT_EQ(decide(record, "commit", {}, end - milliseconds(1)), Verdict::allowed);
    EXPECT_EQ(decide(record, "commit", {}, end), Verdict::allowed);
    for (const char* action : {"commit", "merge", "deploy"}) {
        EXPECT_EQ(decide(record, action, {"deploy"}, end + milliseconds(1)), Verdict::expired) << action;
    }
    EXPECT_FALSE(is_expired(record, end));
    EXPECT_TRUE(is_expired(record, end + milliseconds(1)));
    EXPECT_FALSE(is_expired(Record(), Time::max()));
}

TEST(Verdict, HasTheNamesOfTheContract)
{
    EXPECT_EQ(name(Verdict::allowed), "allowed");
    EXPECT_EQ(name(Verdict::denied), "denied");
    EXPECT_EQ(name(Verdict::unlisted), "unlisted");
    EXPECT_EQ(name(Verdict::no_mandate), "no-mandate");
    EXPECT_EQ(name(Verdict::expired), "expired");
}

}  // namespace
}  // namespace mandate::core
