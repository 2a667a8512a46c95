// Further budgets of a record (`budget_<name>`), consumed and given back like review rounds, as pure
// functions from a record to a plan.
//
// Fail with unknown-budget, value-invalid (an amount of 0) and out-of-order (the counter's limit).
#pragma once

#include "base/error.hpp"
#include "core/plan.hpp"
#include "core/record.hpp"

#include <cstdint>
#include <string>

namespace mandate::core {

struct SpendRequest {
    std::string name;
    std::uint64_t amount = 1;
    std::string token;  // asked again with it, the answer is the same and nothing is charged
};

// All of the amount or nothing of it.
Result<Plan> plan_spend(const Record& record, const SpendRequest& request);

// Never below 0. The token is forgotten: what was given back is not answered again.
Result<Plan> plan_refund(const Record& record, const SpendRequest& request);

}  // namespace mandate::core
