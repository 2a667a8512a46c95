#include "core/rounds.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace mandate::core {

namespace {

std::string_view shown(RoundState state) { return state == RoundState::none ? "no round yet" : name(state); }

// What may follow each state. `round` may follow them all, while there is one left.
std::string possible_from(const Record& record)
{
    std::vector<std::string> verbs;
    switch (record.round_state) {
        case RoundState::booked:
            verbs = {"reviewed"};
            if (record.has("previous_state")) {
                verbs.emplace_back("cancel");
            }
            break;
        case RoundState::reviewed:
            if (record.findings_open.value_or(0) > 0) {
                verbs = {"fixed"};
            }
            [[fallthrough]];
        case RoundState::none:
        case RoundState::fixed:
        case RoundState::acknowledged:
            verbs.emplace_back("acknowledged");
            break;
    }
    if (!record.review_budget || record.review_rounds_used < *record.review_budget) {
        verbs.emplace_back("round");
    }
    return text::join(verbs, ", ");
}

Unexpected out_of_order(const Record& record, const std::string& what)
{
    Error error{Code::out_of_order,
                what + " (state: " + std::string(shown(record.round_state)) + ")",
                "possible now: " + possible_from(record),
                {},
                {}};
    error.with("round_state", name(record.round_state)).with("possible", possible_from(record));
    return fail(std::move(error));
}

// What to do without a round: what the state allows comes first.
std::string spent_advice(const Record& record)
{
    const std::string extend = "a person runs: mandate extend --rounds N --by WHO";
    if (*record.review_budget == 0) {
        return "this lane was given no review rounds; take it as it stands (mandate acknowledged --by WHO), or " +
               extend;
    }
    const std::string spent = "the review budget is spent (" + std::to_string(record.review_rounds_used) + " of " +
                              std::to_string(*record.review_budget) + "); ";
    if (record.round_state == RoundState::booked) {
        return spent + "record what round " + std::to_string(record.review_rounds_used) +
               " found (mandate reviewed --findings N); then take the lane as it stands (mandate acknowledged --by "
               "WHO), or " +
               extend;
    }
    return spent + "take the lane as it stands (mandate acknowledged --by WHO), or " + extend;
}

Edit set(std::string_view key, std::string_view value) { return {std::string(key), std::string(value)}; }
Edit set(std::string_view key, std::uint64_t value) { return {std::string(key), std::to_string(value)}; }
Edit clear(std::string_view key) { return {std::string(key), std::nullopt}; }
Edit set_or_clear(std::string_view key, std::string_view value) { return value.empty() ? clear(key) : set(key, value); }

void add_text(LedgerFields& fields, std::string_view key, const std::string& value)
{
    if (!value.empty()) {
        fields.emplace_back(std::string(key), value);
    }
}

// K of the open findings, all of them by default; out of range is the caller's mistake, not the record's.
Result<std::uint64_t> findings_to_close(const Record& record, const std::optional<std::uint64_t>& given)
{
    const std::uint64_t open = record.findings_open.value_or(0);
    if (!given) {
        return open;
    }
    if (*given == 0 || *given > open) {
        return fail(Code::value_invalid, "--findings is out of range: " + std::to_string(open) + " are open",
                    "give a number from 1 to the open findings, or leave it out for all of them");
    }
    return *given;
}

// The end of `fixed` and `acknowledged`: findings go down, and at 0 the lane stands settled at `head`.
Plan close_findings(const Record& record, RoundState settled, std::uint64_t closed, const std::string& head)
{
    const std::uint64_t open = record.findings_open.value_or(0) - closed;
    Plan plan;
    plan.event = name(settled);
    plan.fields = {{"round", record.review_rounds_used}, {"findings", closed}, {"findings_open", open}};
    plan.edits.push_back(set("findings_open", open));
    RoundState state = record.round_state;
    if (open == 0) {
        state = settled;
        plan.edits.push_back(set("round_state", name(settled)));
        plan.edits.push_back(set("settled_head", head));
        plan.fields.emplace_back("settled_head", head);
    }
    plan.answer.add("round", record.review_rounds_used)
        .add("round_state", name(state))
        .add("findings_closed", closed)
        .add("findings_open", open)
        .add("settled_head", open == 0 ? Value(head) : text_or_absent(record.settled_head));
    return plan;
}

Answer authorized_round(const Record& record, std::uint64_t used, RoundState previous)
{
    Answer answer;
    answer.add("round_authorized", true).add("round", used).append(round_counters(record.review_budget, used));
    if (previous == RoundState::booked) {
        answer.add("previous", name(previous));
    }
    return answer;
}

}  // namespace

Answer round_counters(const std::optional<std::uint64_t>& budget, std::uint64_t used)
{
    Answer answer;
    answer.add("review_rounds_used", used);
    answer.add("review_rounds_left", budget ? Value(*budget - std::min(*budget, used)) : Value(Absent{}));
    answer.add("review_budget_exhausted", budget ? Value(used >= *budget) : Value(Absent{}));
    return answer;
}

Result<Plan> plan_round(const Record& record, const std::string& token)
{
    Plan plan;
    const std::uint64_t used = record.review_rounds_used;
    if (!token.empty() && token == record.round_token) {
        plan.answer = authorized_round(record, used, record.previous_state).add("replayed", true);
        return plan;
    }
    if (record.review_budget && used >= *record.review_budget) {
        plan.event = "refused";
        plan.fields = {{"verb", std::string("round")}, {"used", used}, {"budget", *record.review_budget}};
        plan.writes_record = false;
        plan.decided_no = true;
        plan.answer.add("round_authorized", false).append(round_counters(record.review_budget, used));
        plan.advice = spent_advice(record);
        return plan;
    }
    if (used >= k_number_limit) {
        return out_of_order(record, "the counter of rounds is at its limit");
    }
    plan.event = "round";
    plan.fields = {{"round", used + 1}};
    add_text(plan.fields, "token", token);
    add_text(plan.fields, "previous_state", std::string(name(record.round_state)));
    plan.edits = {set("review_rounds_used", used + 1), set("round_state", name(RoundState::booked)),
                  set("previous_state", name(record.round_state)), set_or_clear("round_token", token)};
    plan.answer = authorized_round(record, used + 1, record.round_state);
    if (!record.review_budget) {
        plan.unenforced.push_back({Unenforced::no_budget, "round " + std::to_string(used + 1), {{"round", used + 1}}});
    }
    return plan;
}

Result<Plan> plan_cancel(const Record& record, const std::string& reason)
{
    if (record.round_state != RoundState::booked) {
        return out_of_order(record, "only a booked round can be cancelled");
    }
    if (!record.has("previous_state")) {
        return out_of_order(record, "another round followed this one, so it can no longer be cancelled");
    }
    const std::uint64_t used = record.review_rounds_used;
    const std::uint64_t after = used - std::min<std::uint64_t>(used, 1);
    Plan plan;
    plan.event = "cancel";
    plan.fields = {{"round", used}};
    add_text(plan.fields, "reason", reason);
    plan.edits = {set("review_rounds_used", after), set_or_clear("round_state", name(record.previous_state)),
                  clear("previous_state"), clear("round_token")};
    plan.answer.add("cancelled", true)
        .add("round", used)
        .add("round_state", text_or_absent(name(record.previous_state)))
        .append(round_counters(record.review_budget, after));
    plan.unenforced.push_back({Unenforced::round_cancelled, "round " + std::to_string(used), {{"round", used}}});
    return plan;
}

Result<Plan> plan_reviewed(const Record& record, const ReviewOutcome& outcome)
{
    const bool booked = record.round_state == RoundState::booked;
    Plan plan;
    plan.event = "reviewed";
    plan.fields = {
        {"round", record.review_rounds_used}, {"findings", outcome.findings}, {"reviewed_head", outcome.head}};
    add_text(plan.fields, "by", outcome.by);
    plan.edits = {set("round_state", name(RoundState::reviewed)),
                  clear("previous_state"),
                  booked ? clear("round_booked") : set("round_booked", "no"),
                  set("reviewed_head", outcome.head),
                  set("findings_open", outcome.findings),
                  clear("settled_head")};
    plan.answer.add("round", record.review_rounds_used)
        .add("round_state", name(RoundState::reviewed))
        .add("reviewed_head", outcome.head)
        .add("findings_open", outcome.findings)
        .add("booked", booked);
    if (!booked) {
        plan.fields.emplace_back("booked", false);
        plan.unenforced.push_back({Unenforced::unbooked_review, {}, {{"findings", outcome.findings}}});
    }
    return plan;
}

Result<Plan> plan_fixed(const Record& record, std::optional<std::uint64_t> findings, const std::string& head)
{
    if (record.round_state != RoundState::reviewed || record.findings_open.value_or(0) == 0) {
        return out_of_order(record, "there are no open findings of a review to fix");
    }
    const auto closed = findings_to_close(record, findings);
    if (!closed) {
        return fail(closed.error());
    }
    return close_findings(record, RoundState::fixed, *closed, head);
}

Result<Plan> plan_acknowledged(const Record& record, const Acknowledgement& acknowledgement)
{
    if (record.round_state == RoundState::booked) {
        return out_of_order(record, "a booked round awaits its review");
    }
    const auto closed = findings_to_close(record, acknowledgement.findings);
    if (!closed) {
        return fail(closed.error());
    }
    Plan plan = close_findings(record, RoundState::acknowledged, *closed, acknowledgement.head);
    add_text(plan.fields, "by", acknowledgement.by);
    add_text(plan.fields, "reason", acknowledgement.reason);
    plan.answer.add("by", acknowledgement.by);
    return plan;
}

}  // namespace mandate::core
