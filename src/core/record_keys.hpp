// The further budgets of a record: `budget_<name>`, `budget_<name>_used` and `budget_<name>_token`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mandate::core {

enum class BudgetPart { limit, used, token };

struct BudgetKey {
    std::string_view name;
    BudgetPart part = BudgetPart::limit;
};

// A name is up to 64 letters, digits and underscores, and does not itself end in _used or _token: each key has one
// reading.
bool is_budget_name(std::string_view name);
std::optional<BudgetKey> parse_budget_key(std::string_view key);
std::string budget_key(std::string_view name, BudgetPart part);

}  // namespace mandate::core
