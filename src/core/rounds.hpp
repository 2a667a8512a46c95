// Review rounds: the budget and the state machine, as pure functions from a record to a plan.
//
//   none ──round──> booked ──reviewed──> reviewed ──fixed──> fixed
//                     │                     └──acknowledged──> acknowledged
//                     └──cancel──> the state before
//
// Any state may be followed by `round`; `acknowledged` may follow any but booked. A round is booked before
// its review runs. `previous_state` stands only while booked and is what one `cancel` restores: empty for
// "no state yet", absent where the booked round can no longer be cancelled.
//
// Fail with out-of-order (saying the state and what is possible) and value-invalid (K out of range).
#pragma once

#include "base/error.hpp"
#include "core/plan.hpp"
#include "core/record.hpp"

#include <optional>
#include <string>

namespace mandate::core {

Result<Plan> plan_round(const Record& record, const std::string& token);

Result<Plan> plan_cancel(const Record& record, const std::string& reason);

struct ReviewOutcome {
    std::uint64_t findings = 0;
    std::string head;  // commit that was reviewed
    std::string by;
};
Result<Plan> plan_reviewed(const Record& record, const ReviewOutcome& outcome);

Result<Plan> plan_fixed(const Record& record, std::optional<std::uint64_t> findings, const std::string& head);

struct Acknowledgement {
    std::optional<std::uint64_t> findings;
    std::string head, by, reason;
};
Result<Plan> plan_acknowledged(const Record& record, const Acknowledgement& acknowledgement);

// review_rounds_used, review_rounds_left, review_budget_exhausted as every answer prints them; the last two
// are unknown, not zero, without a budget.
Answer round_counters(const std::optional<std::uint64_t>& budget, std::uint64_t used);

}  // namespace mandate::core
