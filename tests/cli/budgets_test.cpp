// `spend` and `refund`: amounts, limits and what is said where a budget does not hold them.

#include "support/mandate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mandate::test {
namespace {

using testing::HasSubstr;

class Budgets : public testing::Test {
protected:
    Budgets() : repo(scratch), mandate(scratch) {}
    Answer run(const std::vector<std::string>& arguments) const { return mandate.run(repo.path(), arguments); }
    void init(const std::vector<std::string>& more) const
    {
        std::vector<std::string> words{"init", "--force", "--preset", "standard", "task=t", "authorized_by=me"};
        words.insert(words.end(), more.begin(), more.end());
        ASSERT_EQ(run(words).exit(), 0);
    }
    fs::path record() const { return repo.path() / "MANDATE.md"; }
    // As somebody who edits the record by hand does it.
    void edit(const std::string& from, const std::string& to) const
    {
        std::string text = read_file(record());
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << text;
        write_file(record(), text.replace(at, from.size(), to));
    }
    void refused(const std::vector<std::string>& arguments, int exit, const std::string& code) const
    {
        const std::string before = fs::exists(record()) ? read_file(record()) : "";
        const Answer answer = run(arguments);
        EXPECT_EQ(answer.exit(), exit) << answer;
        EXPECT_EQ(answer.value("error"), code) << answer;
        EXPECT_EQ(fs::exists(record()) ? read_file(record()) : "", before) << answer;
    }

    ScratchDir scratch;
    Repo repo;
    Mandate mandate;
};

TEST_F(Budgets, AnAmountIsTakenWholeOrNotAtAll)
{
    init({"budget_spawn=5"});
    const Answer taken = run({"spend", "spawn", "--amount", "3"});
    EXPECT_EQ(taken.value("spend_authorized"), "yes");
    EXPECT_EQ(taken.value("used"), "3");
    EXPECT_EQ(taken.value("left"), "2");
    const Answer no = run({"spend", "spawn", "--amount", "3"});
    EXPECT_EQ(no.exit(), 0);
    EXPECT_EQ(no.value("spend_authorized"), "no");
    EXPECT_EQ(no.value("used"), "3");
    EXPECT_EQ(run({"spend", "spawn", "--amount", "2"}).value("left"), "0");
}

TEST_F(Budgets, GivingBackEndsAtNothing)
{
    init({"budget_spawn=5"});
    run({"spend", "spawn", "--amount", "4"});
    const Answer some = run({"refund", "spawn", "--amount", "3"});
    EXPECT_EQ(some.value("refunded"), "3");
    EXPECT_EQ(some.value("used"), "1");
    EXPECT_EQ(some.value("left"), "4");
    const Answer rest = run({"refund", "spawn", "--amount", "3"});
    EXPECT_EQ(rest.value("refunded"), "1") << "never below 0";
    EXPECT_EQ(rest.value("used"), "0");
    EXPECT_EQ(run({"verify"}).exit(), 0);
}

TEST_F(Budgets, WhatIsNoAmountOrNoBudgetIsRefused)
{
    refused({"spend", "spawn"}, 3, "no-mandate");
    init({"budget_spawn=5"});
    for (const std::string verb : {"spend", "refund"}) {
        refused({verb}, 2, "usage");
        refused({verb, "spawn", "."}, 2, "usage");
        refused({verb, "other"}, 2, "unknown-budget");
        for (const std::string amount : {"0", "-1", "01", "1.5", "", "1000001"}) {
            refused({verb, "spawn", "--amount=" + amount}, 2, "value-invalid");
        }
    }
    refused({"spend", "spawn", "--token="}, 2, "usage");
}

TEST_F(Budgets, AnExpiredGrantSpendsNothingAndTakesBack)
{
    init({"budget_spawn=5"});
    run({"spend", "spawn"});
    edit("\nallow:", "\nexpires_at: 2020-01-01T00:00:00Z\nallow:");
    refused({"spend", "spawn"}, 3, "expired");
    EXPECT_EQ(run({"refund", "spawn"}).value("used"), "0");
}

TEST_F(Budgets, CountersEndAtAMillion)
{
    init({"budget_spawn=unlimited", "review_budget=unlimited"});
    EXPECT_EQ(run({"spend", "spawn"}).value("left"), "") << "unknown is not exhausted";
    EXPECT_EQ(run({"round"}).value("review_rounds_left"), "");
    edit("budget_spawn_used: 1\n", "budget_spawn_used: 1000000\n");
    edit("review_rounds_used: 1\n", "review_rounds_used: 1000000\n");
    refused({"spend", "spawn"}, 5, "out-of-order");
    refused({"round"}, 5, "out-of-order");
    EXPECT_EQ(run({"refund", "spawn"}).value("used"), "999999");
}

}  // namespace
}  // namespace mandate::test
