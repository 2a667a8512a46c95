#include "core/grants.hpp"

#include "base/text.hpp"
#include "core/rounds.hpp"

#include <algorithm>

namespace mandate::core {

namespace {

bool contains(const std::vector<std::string>& list, const std::string& word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

std::vector<std::string> with(std::vector<std::string> list, const std::vector<std::string>& words)
{
    for (const std::string& word : words) {
        if (!contains(list, word)) {
            list.push_back(word);
        }
    }
    return list;
}

std::vector<std::string> without(const std::vector<std::string>& list, const std::vector<std::string>& words)
{
    std::vector<std::string> kept;
    for (const std::string& word : list) {
        if (!contains(words, word)) {
            kept.push_back(word);
        }
    }
    return kept;
}

Plan lists_plan(const char* event, const std::vector<std::string>& actions, const std::vector<std::string>& allow,
                const std::vector<std::string>& deny)
{
    Plan plan;
    plan.event = event;
    plan.fields = {{"action", text::join(actions, ", ")}};
    plan.edits = {{"allow", text::join(allow, ", ")}, {"deny", text::join(deny, ", ")}};
    plan.answer.add("action", Value(actions)).add("allow", Value(allow)).add("deny", Value(deny));
    return plan;
}

}  // namespace

Plan plan_grant(const Record& record, const std::vector<std::string>& actions, const std::string& by)
{
    Plan plan = lists_plan("grant", actions, with(record.allow, actions), without(record.deny, actions));
    plan.fields.emplace_back("by", by);
    return plan;
}

Plan plan_revoke(const Record& record, const std::vector<std::string>& actions, bool deny)
{
    Plan plan =
        lists_plan("revoke", actions, without(record.allow, actions), deny ? with(record.deny, actions) : record.deny);
    plan.fields.emplace_back("deny", deny);
    return plan;
}

Result<Plan> plan_extend(const Record& record, std::uint64_t rounds, const std::string& by)
{
    if (!record.review_budget) {
        return fail(Code::out_of_order, "the record has no review budget to extend",
                    "rounds are not limited here; see: mandate show");
    }
    if (rounds == 0 || rounds > k_number_limit - *record.review_budget) {
        return fail(Code::value_invalid, "--rounds is out of range", "give 1 or more; the budget ends at 1000000");
    }
    const std::uint64_t budget = *record.review_budget + rounds;
    Plan plan;
    plan.event = "extend";
    plan.fields = {{"rounds", rounds}, {"review_budget", budget}, {"by", by}};
    plan.edits = {{"review_budget", std::to_string(budget)}};
    plan.answer.add("review_budget", Value(budget)).append(round_counters(budget, record.review_rounds_used));
    return plan;
}

Plan plan_rebind(const Record& record, const std::string& lane_id, const std::string& branch, const std::string& by)
{
    Plan plan;
    plan.event = "rebind";
    plan.fields = {{"by", by}, {"from_lane", record.lane_id}, {"from_branch", record.branch}};
    plan.edits = {{"lane_id", lane_id}, {"branch", branch.empty() ? std::nullopt : std::optional(branch)}};
    plan.answer.add("lane_id", Value(Escaped{lane_id}))
        .add("branch", branch.empty() ? Value(Absent{}) : Value(Escaped{branch}));
    return plan;
}

}  // namespace mandate::core
