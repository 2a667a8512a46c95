#include "core/gate.hpp"

#include "core/excerpt.hpp"

#include <utility>

namespace mandate::core {

namespace {

using Reason = Answer::Reason;
using Told = GateFacts::Told;

constexpr std::string_view k_reviewed_pr = "reviewed-pr";
constexpr std::string_view k_merged = "merged";
constexpr std::string_view k_pushed_branch = "pushed-branch";
constexpr std::size_t k_short_id = 10;  // digits of a commit id in a sentence

std::string short_id(const std::string& commit) { return commit.substr(0, k_short_id); }

bool holds(const std::optional<Told>& told) { return told && told->answer == Certainty::yes; }

// What a fact that could not be had says in a sentence.
std::string why_unknown(const std::optional<Told>& told)
{
    return told && !told->why.empty() ? told->why : "git was not asked";
}

// The newest round stands on a commit, so that all depends on whether HEAD is still that change.
bool stands_on_commit(const Record& record, const GateRules& rules)
{
    if (record.findings_open.value_or(0) > 0) {
        return false;
    }
    switch (record.round_state) {
        case RoundState::reviewed:
            return record.findings_open.has_value();
        case RoundState::fixed:
            return !rules.fixes_need_review;
        case RoundState::acknowledged:
            return true;
        case RoundState::none:
        case RoundState::booked:
            break;
    }
    return false;
}

Reason head_moved(const Record& record, const GateFacts& facts)
{
    const std::string settled = settled_commit(record);
    if (settled.empty()) {
        return {"head-moved", "the record does not say at which commit the lane was settled"};
    }
    if (facts.head.empty()) {
        return {"head-moved", "there is no commit at HEAD, and " + short_id(settled) + " was settled"};
    }
    const std::string moved = "HEAD is " + short_id(facts.head) + ", not the settled " + short_id(settled);
    if (facts.same_change && facts.same_change->answer == Certainty::no) {
        return {"head-moved", moved + ", and its change is another one"};
    }
    return {"head-moved", moved + ", and the changes cannot be compared: " + why_unknown(facts.same_change)};
}

// Why the change at HEAD is not a settled one; nothing when it is.
std::optional<Reason> unsettled(const Record& record, const GateRules& rules, const GateFacts& facts)
{
    const std::uint64_t open = record.findings_open.value_or(0);
    if (record.round_state == RoundState::none) {
        return Reason{"not-reviewed", "no review of this lane is recorded"};
    }
    if (record.round_state == RoundState::booked) {
        return Reason{"booked-unreviewed", "round " + std::to_string(record.review_rounds_used) +
                                               " is booked, and what its review found is not recorded"};
    }
    if (open > 0) {
        return Reason{"findings-open", std::to_string(open) + (open == 1 ? " finding is open" : " findings are open")};
    }
    if (!stands_on_commit(record, rules)) {
        return record.round_state == RoundState::fixed
                   ? Reason{"not-reviewed", "the fixes are not reviewed, and gate.fixes_need_review asks for it"}
                   : Reason{"not-reviewed", "the record does not say how many findings the review left open"};
    }
    if (holds(facts.same_change)) {
        return std::nullopt;
    }
    return head_moved(record, facts);
}

Reason not_pushed(const GateFacts& facts)
{
    const std::string name = facts.upstream ? facts.upstream->name : std::string();
    if (facts.upstream && name.empty()) {
        return {"no-upstream", facts.upstream->why};
    }
    if (facts.upstream && facts.upstream->answer == Certainty::no) {
        return {"not-pushed", "the upstream " + excerpt(name) + " does not hold HEAD " + short_id(facts.head)};
    }
    return {"not-pushed",
            "nobody can tell whether the upstream " + excerpt(name) + " holds HEAD: " + why_unknown(facts.upstream)};
}

Reason not_merged(const GateFacts& facts)
{
    const std::string name = facts.integration ? facts.integration->name : std::string();
    if (facts.integration && name.empty()) {
        return {"not-merged", facts.integration->why};
    }
    if (facts.integration && facts.integration->answer == Certainty::no) {
        return {"not-merged", "HEAD " + short_id(facts.head) + " is not in " + excerpt(name)};
    }
    return {"not-merged",
            "nobody can tell whether HEAD is in " + excerpt(name) + ": " + why_unknown(facts.integration)};
}

bool needs_review(const Record& record)
{
    return record.terminal_gate == k_reviewed_pr || record.terminal_gate == k_merged;
}

bool needs_push(const Record& record)
{
    return record.terminal_gate == k_pushed_branch || record.terminal_gate == k_merged;
}

std::optional<GateFact> wanted_by_next(const Record& record, const GateRules& rules, const GateFacts& facts)
{
    if (record.round_state == RoundState::booked) {
        return std::nullopt;
    }
    if (needs_review(record)) {
        if (stands_on_commit(record, rules) && !facts.same_change) {
            return GateFact::same_change;
        }
        if (unsettled(record, rules, facts)) {
            return std::nullopt;
        }
    }
    if (record.terminal_gate == k_merged && !facts.integration) {
        return GateFact::integration;
    }
    const bool merged = record.terminal_gate == k_merged && holds(facts.integration);
    return needs_push(record) && !merged && !facts.upstream ? std::optional(GateFact::upstream) : std::nullopt;
}

// The way to a settled change: a review while there are rounds, else a person's word.
NextStep towards_review(const Record& record, Reason reason)
{
    if (reason.code == "findings-open") {
        return {"fix", std::move(reason)};
    }
    if (record.review_budget && record.review_rounds_used >= *record.review_budget) {
        return {"acknowledge",
                {"budget-spent", reason.text + "; the budget of " + std::to_string(*record.review_budget) +
                                     " review rounds is spent, so a person must take it as it stands"}};
    }
    return {record.reviewed_head.empty() ? "review" : "re-review", std::move(reason)};
}

}  // namespace

std::string settled_commit(const Record& record)
{
    return record.round_state == RoundState::reviewed ? record.reviewed_head : record.settled_head;
}

std::optional<GateFact> wanted(Question question, const Record& record, const GateRules& rules, const GateFacts& facts)
{
    if (question == Question::next) {
        return wanted_by_next(record, rules, facts);
    }
    if (record.terminal_gate == k_reviewed_pr && stands_on_commit(record, rules) && !facts.same_change) {
        return GateFact::same_change;
    }
    if (record.terminal_gate == k_pushed_branch && !facts.upstream) {
        return GateFact::upstream;
    }
    return record.terminal_gate == k_merged && !facts.integration ? std::optional(GateFact::integration) : std::nullopt;
}

GateVerdict decide_gate(const Record& record, const GateRules& rules, const GateFacts& facts)
{
    GateVerdict verdict;
    if (record.round_state == RoundState::fixed) {
        verdict.residual.emplace_back("fixes-unreviewed");
    }
    if (!record.round_booked) {
        verdict.residual.emplace_back("unbooked-review");
    }
    if (record.terminal_gate == k_reviewed_pr) {
        if (auto reason = unsettled(record, rules, facts)) {
            verdict.reasons.push_back(std::move(*reason));
        }
    } else if (record.terminal_gate == k_pushed_branch) {
        if (!holds(facts.upstream)) {
            verdict.reasons.push_back(not_pushed(facts));
        }
    } else if (record.terminal_gate == k_merged) {
        if (!holds(facts.integration)) {
            verdict.reasons.push_back(not_merged(facts));
        }
    } else {
        verdict.reasons.push_back({"no-gate", "the record names no terminal gate"});
    }
    verdict.met = verdict.reasons.empty();
    return verdict;
}

NextStep decide_next(const Record& record, const GateRules& rules, const GateFacts& facts)
{
    if (record.round_state == RoundState::booked) {
        return {"run-review", *unsettled(record, rules, facts)};
    }
    if (needs_review(record)) {
        if (auto reason = unsettled(record, rules, facts)) {
            return towards_review(record, std::move(*reason));
        }
    }
    const bool merged = record.terminal_gate == k_merged && holds(facts.integration);
    if (needs_push(record) && !merged && !holds(facts.upstream)) {
        return {"push", not_pushed(facts)};
    }
    if (record.terminal_gate == k_merged && !merged) {
        return {"merge", not_merged(facts)};
    }
    if (record.terminal_gate.empty()) {
        return {"done", {"no-gate", "the record names no terminal gate"}};
    }
    return {"done", {"gate-met", "the gate " + record.terminal_gate + " is met"}};
}

}  // namespace mandate::core
