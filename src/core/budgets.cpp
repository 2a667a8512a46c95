#include "core/budgets.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace mandate::core {

namespace {

Result<Budget> find_budget(const Record& record, const SpendRequest& request)
{
    if (request.amount == 0) {
        return fail(Code::value_invalid, "--amount is out of range", "give 1 or more");
    }
    const auto budget = record.budgets.find(request.name);
    if (budget != record.budgets.end()) {
        return budget->second;
    }
    std::vector<std::string> known;
    for (const auto& [name, ignored] : record.budgets) {
        known.push_back(name);
    }
    return fail(Code::unknown_budget, "the record has no budget '" + text::escape(request.name.substr(0, 60)) + "'",
                known.empty() ? "a person adds one: the line 'budget_NAME: N' in the front matter of the record"
                              : "there is: " + text::join(known, ", "));
}

Answer counters(const std::string& name, const Budget& budget, std::uint64_t used)
{
    Answer answer;
    answer.add("budget", name).add("used", Value(used));
    answer.add("left", budget.limit ? Value(*budget.limit - std::min(*budget.limit, used)) : Value(Absent{}));
    return answer;
}

}  // namespace

Result<Plan> plan_spend(const Record& record, const SpendRequest& request)
{
    const auto budget = find_budget(record, request);
    if (!budget) {
        return fail(budget.error());
    }
    const std::string key = "budget_" + request.name;
    Plan plan;
    if (!request.token.empty() && request.token == budget->token) {
        plan.answer.add("spend_authorized", true)
            .append(counters(request.name, *budget, budget->used))
            .add("replayed", true);
        return plan;
    }
    if (budget->limit && (budget->used >= *budget->limit || request.amount > *budget->limit - budget->used)) {
        plan.event = "refused";
        plan.fields = {{"verb", std::string("spend")},
                       {"budget", request.name},
                       {"amount", request.amount},
                       {"used", budget->used},
                       {"limit", *budget->limit}};
        plan.writes_record = false;
        plan.decided_no = true;
        plan.answer.add("spend_authorized", false).append(counters(request.name, *budget, budget->used));
        plan.advice = "the budget '" + request.name + "' does not hold " + std::to_string(request.amount) + " more (" +
                      std::to_string(budget->used) + " of " + std::to_string(*budget->limit) +
                      " used); a person raises " + key;
        return plan;
    }
    if (request.amount > k_number_limit - budget->used) {
        return fail(Code::out_of_order, "the counter of '" + request.name + "' is at its limit",
                    "give some back: mandate refund");
    }
    const std::uint64_t used = budget->used + request.amount;
    plan.event = "spend";
    plan.fields = {{"budget", request.name}, {"amount", request.amount}, {"used", used}};
    if (!request.token.empty()) {
        plan.fields.emplace_back("token", request.token);
    }
    plan.edits = {{key + "_used", std::to_string(used)},
                  {key + "_token", request.token.empty() ? std::nullopt : std::optional(request.token)}};
    plan.answer.add("spend_authorized", true).append(counters(request.name, *budget, used));
    if (!budget->limit) {
        plan.unenforced.push_back({Unenforced::no_budget, "budget " + request.name, {{"budget", request.name}}});
    }
    return plan;
}

Result<Plan> plan_refund(const Record& record, const SpendRequest& request)
{
    const auto budget = find_budget(record, request);
    if (!budget) {
        return fail(budget.error());
    }
    const std::string key = "budget_" + request.name;
    const std::uint64_t returned = std::min(request.amount, budget->used);
    const std::uint64_t used = budget->used - returned;
    Plan plan;
    plan.event = "refund";
    plan.fields = {{"budget", request.name}, {"amount", returned}, {"used", used}};
    plan.edits = {{key + "_used", std::to_string(used)}, {key + "_token", std::nullopt}};
    plan.answer.add("refunded", Value(returned)).append(counters(request.name, *budget, used));
    return plan;
}

}  // namespace mandate::core
