// Every state of a round against every gate and every fact. What is expected stands in section "Rounds" of the manual.

#include "core/gate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mandate::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* k_head = "1111111111111111111111111111111111111111";
constexpr const char* k_other = "2222222222222222222222222222222222222222";
constexpr GateRules k_fixes_need_review{true};

Record in_state(RoundState state, const char* gate = "reviewed-pr", std::optional<std::uint64_t> findings = 0)
{
    Record record;
    record.terminal_gate = gate;
    record.round_state = state;
    record.review_budget = 3;
    record.review_rounds_used = state == RoundState::none ? 0 : 1;
    if (state != RoundState::none) {
        record.reviewed_head = k_other;
        record.settled_head = k_other;
        record.findings_open = findings;
    }
    return record;
}

GateFacts facts(Certainty change, Certainty upstream = Certainty::yes, Certainty integration = Certainty::yes)
{
    GateFacts all;
    all.head = k_head;
    all.same_change = {change, {}, change == Certainty::unknown ? "a reason" : ""};
    all.upstream = {upstream, "origin/lane", upstream == Certainty::unknown ? "a reason" : ""};
    all.integration = {integration, "origin/main", integration == Certainty::unknown ? "a reason" : ""};
    return all;
}

std::vector<std::string> codes(const GateVerdict& verdict)
{
    std::vector<std::string> codes;
    for (const Answer::Reason& reason : verdict.reasons) {
        codes.push_back(reason.code);
        EXPECT_FALSE(reason.text.empty()) << reason.code;
    }
    return codes;
}

// "" when the gate is met, else its reason.
std::string gate(const Record& record, const GateFacts& known, GateRules rules = {})
{
    const GateVerdict verdict = decide_gate(record, rules, known);
    EXPECT_EQ(verdict.met, verdict.reasons.empty());
    EXPECT_LE(verdict.reasons.size(), 1U);
    return verdict.met ? "" : codes(verdict).at(0);
}

std::string next(const Record& record, const GateFacts& known, GateRules rules = {})
{
    const NextStep step = decide_next(record, rules, known);
    EXPECT_FALSE(step.reason.text.empty());
    return std::string(step.step) + " " + step.reason.code;
}

TEST(ReviewedPr, HoldsWhereTheNewestRoundIsSettledAtHead)
{
    struct Case {
        RoundState state;
        std::optional<std::uint64_t> findings;
        const char* same;
        const char* another;
    };
    const std::vector<Case> cases{
        {RoundState::none, std::nullopt, "not-reviewed", "not-reviewed"},
        {RoundState::booked, 0, "booked-unreviewed", "booked-unreviewed"},
        {RoundState::booked, 2, "booked-unreviewed", "booked-unreviewed"},
        {RoundState::reviewed, 0, "", "head-moved"},
        {RoundState::reviewed, 1, "findings-open", "findings-open"},
        {RoundState::reviewed, std::nullopt, "not-reviewed", "not-reviewed"},
        {RoundState::fixed, 0, "", "head-moved"},
        {RoundState::fixed, std::nullopt, "", "head-moved"},
        {RoundState::fixed, 1, "findings-open", "findings-open"},
        {RoundState::acknowledged, 0, "", "head-moved"},
        {RoundState::acknowledged, std::nullopt, "", "head-moved"},
        {RoundState::acknowledged, 4, "findings-open", "findings-open"},
    };
    for (const Case& each : cases) {
        const Record record = in_state(each.state, "reviewed-pr", each.findings);
        SCOPED_TRACE(std::string(name(each.state)) + " " + std::to_string(each.findings.value_or(99)));
        EXPECT_EQ(gate(record, facts(Certainty::yes)), each.same);
        EXPECT_EQ(gate(record, facts(Certainty::no)), each.another);
        EXPECT_EQ(gate(record, facts(Certainty::unknown)), each.another);
        EXPECT_NE(gate(record, {}), "") << "a fact that nobody gathered is no yes";
    }
}

TEST(ReviewedPr, NeedsAReviewOfTheFixesWhereConfigurationSaysSo)
{
    EXPECT_EQ(gate(in_state(RoundState::fixed), facts(Certainty::yes), k_fixes_need_review), "not-reviewed");
    EXPECT_EQ(gate(in_state(RoundState::reviewed), facts(Certainty::yes), k_fixes_need_review), "");
    EXPECT_EQ(gate(in_state(RoundState::acknowledged), facts(Certainty::yes), k_fixes_need_review), "");
}

TEST(ReviewedPr, SaysWhatAYesLeavesOpen)
{
    Record record = in_state(RoundState::fixed);
    EXPECT_THAT(decide_gate(record, {}, facts(Certainty::yes)).residual, ElementsAre("fixes-unreviewed"));
    record.round_booked = false;
    EXPECT_THAT(decide_gate(record, {}, facts(Certainty::yes)).residual,
                ElementsAre("fixes-unreviewed", "unbooked-review"));
    record.round_state = RoundState::reviewed;
    EXPECT_THAT(decide_gate(record, {}, facts(Certainty::yes)).residual, ElementsAre("unbooked-review"));
    record.round_booked = true;
    EXPECT_THAT(decide_gate(record, {}, facts(Certainty::yes)).residual, IsEmpty());
}

TEST(ReviewedPr, IsAboutTheCommitThatTheStateNames)
{
    Record record = in_state(RoundState::reviewed);
    record.settled_head = k_head;
    EXPECT_EQ(settled_commit(record), k_other);
    for (const RoundState state : {RoundState::fixed, RoundState::acknowledged}) {
        record.round_state = state;
        EXPECT_EQ(settled_commit(record), k_head);
    }
}

TEST(PushedBranch, HoldsWhereTheUpstreamHoldsHead)
{
    const Record record = in_state(RoundState::none, "pushed-branch");
    EXPECT_EQ(gate(record, facts(Certainty::no, Certainty::yes)), "");
    EXPECT_EQ(gate(record, facts(Certainty::yes, Certainty::no)), "not-pushed");
    EXPECT_EQ(gate(record, facts(Certainty::yes, Certainty::unknown)), "not-pushed");
    EXPECT_EQ(gate(record, {}), "not-pushed");
    GateFacts none = facts(Certainty::yes);
    none.upstream = {Certainty::unknown, {}, "there is no upstream"};
    EXPECT_EQ(gate(record, none), "no-upstream");
}

TEST(Merged, HoldsWhereTheIntegrationBranchHoldsHead)
{
    const Record record = in_state(RoundState::none, "merged");
    EXPECT_EQ(gate(record, facts(Certainty::no, Certainty::no, Certainty::yes)), "");
    EXPECT_EQ(gate(record, facts(Certainty::yes, Certainty::yes, Certainty::no)), "not-merged");
    EXPECT_EQ(gate(record, facts(Certainty::yes, Certainty::yes, Certainty::unknown)), "not-merged");
    EXPECT_EQ(gate(record, {}), "not-merged");
}

TEST(NoGate, IsNeverMet)
{
    for (const RoundState state : {RoundState::none, RoundState::reviewed, RoundState::acknowledged}) {
        EXPECT_EQ(gate(in_state(state, ""), facts(Certainty::yes)), "no-gate");
    }
    EXPECT_EQ(next(in_state(RoundState::none, ""), facts(Certainty::yes)), "done no-gate");
}

TEST(Next, RunsABookedReviewFirst)
{
    for (const char* each : {"", "pushed-branch", "reviewed-pr", "merged"}) {
        EXPECT_EQ(next(in_state(RoundState::booked, each, 2), facts(Certainty::yes)), "run-review booked-unreviewed");
    }
}

TEST(Next, LeadsToASettledChange)
{
    for (const char* each : {"reviewed-pr", "merged"}) {
        SCOPED_TRACE(each);
        const GateFacts same = facts(Certainty::yes, Certainty::no, Certainty::no);
        const GateFacts moved = facts(Certainty::no, Certainty::no, Certainty::no);
        EXPECT_EQ(next(in_state(RoundState::none, each), same), "review not-reviewed");
        EXPECT_EQ(next(in_state(RoundState::reviewed, each, 2), same), "fix findings-open");
        EXPECT_EQ(next(in_state(RoundState::reviewed, each), moved), "re-review head-moved");
        EXPECT_EQ(next(in_state(RoundState::fixed, each), moved), "re-review head-moved");
        EXPECT_EQ(next(in_state(RoundState::acknowledged, each), facts(Certainty::unknown)), "re-review head-moved");
        EXPECT_EQ(next(in_state(RoundState::fixed, each), same, k_fixes_need_review), "re-review not-reviewed");
        Record never = in_state(RoundState::acknowledged, each);
        never.reviewed_head.clear();
        EXPECT_EQ(next(never, moved), "review head-moved");
    }
}

TEST(Next, AsksAPersonWhereTheBudgetIsSpent)
{
    Record record = in_state(RoundState::reviewed);
    record.review_rounds_used = 3;
    EXPECT_EQ(next(record, facts(Certainty::no)), "acknowledge budget-spent");
    EXPECT_EQ(next(record, facts(Certainty::yes)), "done gate-met");
    record.findings_open = 1;
    EXPECT_EQ(next(record, facts(Certainty::no)), "fix findings-open");
    record.findings_open = 0;
    record.review_budget.reset();  // no limit
    EXPECT_EQ(next(record, facts(Certainty::no)), "re-review head-moved");
    Record none = in_state(RoundState::none);
    none.review_budget = 0;
    EXPECT_EQ(next(none, facts(Certainty::yes)), "acknowledge budget-spent");
}

TEST(Next, PushesAndMergesWhatTheGateAsksFor)
{
    const auto at = [](const char* each) { return in_state(RoundState::reviewed, each); };
    EXPECT_EQ(next(at("reviewed-pr"), facts(Certainty::yes, Certainty::no, Certainty::no)), "done gate-met");
    EXPECT_EQ(next(at("pushed-branch"), facts(Certainty::no, Certainty::no, Certainty::no)), "push not-pushed");
    EXPECT_EQ(next(at("pushed-branch"), facts(Certainty::no, Certainty::yes, Certainty::no)), "done gate-met");
    EXPECT_EQ(next(at("merged"), facts(Certainty::yes, Certainty::no, Certainty::no)), "push not-pushed");
    EXPECT_EQ(next(at("merged"), facts(Certainty::yes, Certainty::yes, Certainty::no)), "merge not-merged");
    EXPECT_EQ(next(at("merged"), facts(Certainty::yes, Certainty::yes, Certainty::yes)), "done gate-met");
    EXPECT_EQ(next(at("merged"), facts(Certainty::yes, Certainty::no, Certainty::yes)), "done gate-met")
        << "what is merged need not be pushed any more";
}

TEST(Next, TakesTheSafeStepWithoutAnyFact)
{
    EXPECT_EQ(next(in_state(RoundState::reviewed), {}), "re-review head-moved");
    EXPECT_EQ(next(in_state(RoundState::none, "pushed-branch"), {}), "push not-pushed");
}

TEST(Wanted, IsOnlyWhatTheDecisionLooksAt)
{
    // The facts that are asked for one after the other, each answered with `answer`.
    const auto asked = [](Question question, const Record& record, Certainty answer) {
        std::string order;
        GateFacts known;
        while (const auto fact = wanted(question, record, {}, known)) {
            const GateFacts::Told told{answer, "a branch", ""};
            switch (*fact) {
                case GateFact::same_change:
                    order += "change ";
                    known.same_change = told;
                    break;
                case GateFact::upstream:
                    order += "upstream ";
                    known.upstream = told;
                    break;
                case GateFact::integration:
                    order += "integration ";
                    known.integration = told;
                    break;
            }
        }
        return order;
    };
    const auto both = [&](const Record& record, Certainty answer) {
        return asked(Question::gate, record, answer) + "/ " + asked(Question::next, record, answer);
    };
    EXPECT_EQ(both(in_state(RoundState::none), Certainty::yes), "/ ");
    EXPECT_EQ(both(in_state(RoundState::booked), Certainty::yes), "/ ");
    EXPECT_EQ(both(in_state(RoundState::reviewed, "reviewed-pr", 1), Certainty::yes), "/ ");
    EXPECT_EQ(both(in_state(RoundState::reviewed), Certainty::yes), "change / change ");
    EXPECT_EQ(both(in_state(RoundState::none, "pushed-branch"), Certainty::yes), "upstream / upstream ");
    EXPECT_EQ(both(in_state(RoundState::reviewed, "merged"), Certainty::yes), "integration / change integration ");
    EXPECT_EQ(both(in_state(RoundState::reviewed, "merged"), Certainty::no), "integration / change ");
    EXPECT_EQ(both(in_state(RoundState::none, "merged"), Certainty::yes), "integration / ");
    EXPECT_EQ(both(in_state(RoundState::reviewed, ""), Certainty::yes), "/ ");
}

TEST(Reasons, SayWhatStandsInTheWay)
{
    const auto text = [](const Record& record, const GateFacts& known) {
        return decide_gate(record, {}, known).reasons.at(0).text;
    };
    EXPECT_THAT(text(in_state(RoundState::reviewed, "reviewed-pr", 2), {}), HasSubstr("2 findings"));
    EXPECT_THAT(text(in_state(RoundState::reviewed), facts(Certainty::no)), HasSubstr("1111111111"));
    EXPECT_THAT(text(in_state(RoundState::reviewed), facts(Certainty::unknown)), HasSubstr("a reason"));
    EXPECT_THAT(text(in_state(RoundState::none, "pushed-branch"), facts(Certainty::yes, Certainty::no)),
                HasSubstr("'origin/lane'"));
    EXPECT_THAT(text(in_state(RoundState::none, "merged"), facts(Certainty::yes, Certainty::yes, Certainty::unknown)),
                HasSubstr("a reason"));
    Record nameless = in_state(RoundState::fixed);
    nameless.settled_head.clear();
    EXPECT_THAT(text(nameless, facts(Certainty::no)), HasSubstr("does not say at which commit"));
}

}  // namespace
}  // namespace mandate::core
