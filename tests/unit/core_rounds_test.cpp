// The state machine of docs/rounds.md: every (state, verb) pair, and what each does to the record.

#include "core/rounds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mandate::core {
namespace {

const std::string k_head(40, 'a');

Record record_in(const std::string& keys)
{
    auto record =
        parse_record("---\ntask: t\nreview_budget: 3\nreview_rounds_used: 1\n" + keys + "---\n", Vocabulary());
    EXPECT_TRUE(record);
    return *record;
}

Record after(const Record& record, const Plan& plan)
{
    auto edited = parse_record(edit_record(record, plan.edits), Vocabulary());
    EXPECT_TRUE(edited) << edited.error().message;
    return *edited;
}

struct State {
    std::string name, keys;
};
const std::vector<State> k_states{
    {"none", ""},
    {"booked", "round_state: booked\nprevious_state: reviewed\n"},
    {"booked, not to be cancelled", "round_state: booked\n"},
    {"findings open", "round_state: reviewed\nfindings_open: 3\n"},
    {"none open", "round_state: reviewed\nfindings_open: 0\n"},
    {"fixed", "round_state: fixed\nfindings_open: 0\n"},
    {"acknowledged", "round_state: acknowledged\nfindings_open: 0\n"},
};

// Rows as k_states, columns round cancel reviewed fixed acknowledged: what the state is after, "-" for out-of-order.
const std::vector<std::vector<std::string>> k_table{
    {"booked", "-", "reviewed", "-", "acknowledged"},
    {"booked", "reviewed", "reviewed", "-", "-"},
    {"booked", "-", "reviewed", "-", "-"},
    {"booked", "-", "reviewed", "fixed", "acknowledged"},
    {"booked", "-", "reviewed", "-", "acknowledged"},
    {"booked", "-", "reviewed", "-", "acknowledged"},
    {"booked", "-", "reviewed", "-", "acknowledged"},
};

TEST(Rounds, EveryStateAndVerb)
{
    for (std::size_t row = 0; row < k_states.size(); ++row) {
        const Record record = record_in(k_states[row].keys);
        const std::vector<Result<Plan>> plans{plan_round(record, ""), plan_cancel(record, ""),
                                              plan_reviewed(record, {2, k_head, "r"}), plan_fixed(record, {}, k_head),
                                              plan_acknowledged(record, {{}, k_head, "me", ""})};
        for (std::size_t verb = 0; verb < plans.size(); ++verb) {
            SCOPED_TRACE(k_states[row].name + ", verb " + std::to_string(verb));
            const std::string& expected = k_table[row][verb];
            if (expected == "-") {
                ASSERT_FALSE(plans[verb]);
                EXPECT_EQ(plans[verb].error().code, Code::out_of_order);
                EXPECT_THAT(plans[verb].error().hint, testing::HasSubstr("possible now: "));
            } else {
                ASSERT_TRUE(plans[verb]);
                EXPECT_EQ(name(after(record, *plans[verb]).round_state), expected);
            }
        }
    }
}

TEST(Rounds, ABudgetHoldsAndASpentOneLeavesTheRecordAlone)
{
    Record record = record_in("");
    for (std::uint64_t n = 2; n <= 3; ++n) {
        const auto plan = plan_round(record, "");
        EXPECT_EQ(plan->fields[0].second, LedgerValue(n));
        record = after(record, *plan);
        EXPECT_EQ(record.review_rounds_used, n);
    }
    const auto refused = plan_round(record, "");
    EXPECT_EQ(refused->event, "refused");
    EXPECT_FALSE(refused->writes_record);
    EXPECT_TRUE(refused->decided_no);
    EXPECT_TRUE(refused->edits.empty());
    EXPECT_THAT(refused->advice, testing::HasSubstr("mandate reviewed --findings N"))
        << "the last round awaits its outcome";
    EXPECT_THAT(plan_acknowledged(record, {std::nullopt, k_head, "me", ""}).error().hint,
                testing::Not(testing::HasSubstr("round")))
        << "none is left";
}

TEST(Rounds, ATokenIsAnsweredAgainUntilItIsCancelled)
{
    const Record record = record_in("");
    const Record booked = after(record, *plan_round(record, "T"));
    EXPECT_EQ(booked.round_token, "T");
    EXPECT_TRUE(plan_round(booked, "T")->event.empty()) << "nothing is written";
    EXPECT_EQ(plan_round(booked, "U")->event, "round");
    EXPECT_EQ(after(booked, *plan_round(booked, "")).round_token, "") << "a later round forgets it";
    const Record cancelled = after(booked, *plan_cancel(booked, ""));
    EXPECT_EQ(cancelled.round_token, "");
    EXPECT_EQ(plan_round(cancelled, "T")->event, "round");
}

TEST(Rounds, CancelGoesOneRoundBackAndNoFurther)
{
    const Record record =
        record_in("round_state: reviewed\nfindings_open: 2\nreviewed_head: " + k_head + "\nround_booked: no\n");
    const Record first = after(record, *plan_round(record, ""));
    const Record back = after(first, *plan_cancel(first, "x"));
    EXPECT_EQ(back.review_rounds_used, 1U);
    EXPECT_EQ(back.round_state, RoundState::reviewed);
    EXPECT_EQ(back.findings_open, 2U);
    EXPECT_FALSE(back.round_booked) << "the outcome before is as it was";
    const Record second = after(first, *plan_round(first, ""));
    const Record once = after(second, *plan_cancel(second, ""));
    EXPECT_EQ(once.round_state, RoundState::booked);
    EXPECT_EQ(plan_cancel(once, "").error().code, Code::out_of_order);
    EXPECT_EQ(plan_cancel(second, "")->unenforced.at(0).reason, Unenforced::round_cancelled)
        << "not benign, so counted";
}

TEST(Rounds, AnUnbookedReviewIsRecordedAndCounted)
{
    const Record record = record_in("");
    const auto plan = plan_reviewed(record, {0, k_head, "r"});
    EXPECT_EQ(plan->unenforced.at(0).reason, Unenforced::unbooked_review);
    EXPECT_FALSE(after(record, *plan).round_booked);
    const Record booked = record_in("round_state: booked\nprevious_state:\nround_booked: no\n");
    const auto proper = plan_reviewed(booked, {0, k_head, "r"});
    EXPECT_TRUE(proper->unenforced.empty());
    EXPECT_TRUE(after(booked, *proper).round_booked);
}

TEST(Rounds, FindingsAreClosedInParts)
{
    const Record three = record_in("round_state: reviewed\nfindings_open: 3\n");
    const Record one = after(three, *plan_fixed(three, 2, k_head));
    EXPECT_EQ(one.findings_open, 1U);
    EXPECT_EQ(one.round_state, RoundState::reviewed);
    EXPECT_EQ(one.settled_head, "");
    const Record none = after(one, *plan_acknowledged(one, {1, k_head, "me", ""}));
    EXPECT_EQ(none.round_state, RoundState::acknowledged);
    EXPECT_EQ(none.settled_head, k_head);
    for (const std::uint64_t bad : {0U, 4U}) {
        EXPECT_EQ(plan_fixed(three, bad, k_head).error().code, Code::value_invalid);
        EXPECT_EQ(plan_acknowledged(three, {bad, k_head, "me", ""}).error().code, Code::value_invalid);
    }
}

}  // namespace
}  // namespace mandate::core
