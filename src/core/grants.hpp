// Edits of a grant, as pure functions from a record to a plan: who may do what, how many rounds, where.
//
// `grant` and `extend` widen, so a person is named; `revoke` narrows and needs nobody. Actions are checked
// by the caller against the vocabulary.
#pragma once

#include "base/error.hpp"
#include "core/plan.hpp"
#include "core/record.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace mandate::core {

// Into `allow`, and out of `deny`.
Plan plan_grant(const Record& record, const std::vector<std::string>& actions, const std::string& by);

// Out of `allow`; with `deny` into `deny` as well. A denied action stays denied.
Plan plan_revoke(const Record& record, const std::vector<std::string>& actions, bool deny);

// Out-of-order without a budget: nothing bounds the rounds, so there is nothing to extend.
Result<Plan> plan_extend(const Record& record, std::uint64_t rounds, const std::string& by);

// The record belongs to this lane and branch from now on; both escaped, `branch` may be empty.
Plan plan_rebind(const Record& record, const std::string& lane_id, const std::string& branch, const std::string& by);

}  // namespace mandate::core
