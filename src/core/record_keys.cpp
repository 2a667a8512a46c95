#include "core/record_keys.hpp"

#include "core/record.hpp"

#include <algorithm>

namespace mandate::core {

namespace {

constexpr std::string_view k_prefix = "budget_";
constexpr std::string_view k_used = "_used";
constexpr std::string_view k_token = "_token";
constexpr std::size_t k_longest_name = 64;  // as for every other word

bool is_key_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

const std::vector<std::string_view>& record_keys()
{
    static const std::vector<std::string_view> keys{
        "mandate_version", "task",          "recorded_at", "recorded_by",    "authorized_by",      "scope",
        "terminal_gate",   "allow",         "deny",        "review_budget",  "review_rounds_used", "lane_id",
        "branch",          "expires_at",    "round_state", "previous_state", "round_booked",       "round_token",
        "reviewed_head",   "findings_open", "settled_head"};
    return keys;
}

bool is_record_key(std::string_view key)
{
    const auto& keys = record_keys();
    return std::find(keys.begin(), keys.end(), key) != keys.end() || parse_budget_key(key).has_value();
}

bool is_budget_name(std::string_view name)
{
    return !name.empty() && name.size() <= k_longest_name && std::all_of(name.begin(), name.end(), is_key_character) &&
           !name.ends_with(k_used) && !name.ends_with(k_token);
}

std::optional<BudgetKey> parse_budget_key(std::string_view key)
{
    if (!key.starts_with(k_prefix)) {
        return std::nullopt;
    }
    BudgetKey parsed{key.substr(k_prefix.size()), BudgetPart::limit};
    if (parsed.name.ends_with(k_used)) {
        parsed.name.remove_suffix(k_used.size());
        parsed.part = BudgetPart::used;
    } else if (parsed.name.ends_with(k_token)) {
        parsed.name.remove_suffix(k_token.size());
        parsed.part = BudgetPart::token;
    }
    return is_budget_name(parsed.name) ? std::optional(parsed) : std::nullopt;
}

std::string budget_key(std::string_view name, BudgetPart part)
{
    std::string key(k_prefix);
    key += name;
    if (part == BudgetPart::used) {
        key += k_used;
    } else if (part == BudgetPart::token) {
        key += k_token;
    }
    return key;
}

}  // namespace mandate::core
