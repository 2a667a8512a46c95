// What `init` was asked for, turned into the values of a new record: arguments, preset and context joined.
//
// Refuses what the reader would refuse and what nobody asked for by name; fails with the command-line codes
// only and touches nothing. The result goes to canonical_record.
#pragma once

#include "base/error.hpp"
#include "base/timestamp.hpp"
#include "core/vocabulary.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::core {

struct InitRequest {
    std::vector<std::string> assignments;  // key=value, as given
    std::optional<std::string> preset;
    std::vector<std::string> without;  // comma lists
};

struct InitContext {
    const Vocabulary& vocabulary;
    Time now;
    std::string recorded_by;  // where none is given; raw bytes
    std::string lane_id;      // both escaped already; may be empty
    std::string branch;
};

// The keys that `init` takes, without the budget_<name> family.
const std::vector<std::string_view>& settable_keys();

// Explicit keys win over the preset whatever the order; `without` then subtracts from allow.
Result<std::map<std::string, std::string>> init_values(const InitRequest& request, const InitContext& context);

}  // namespace mandate::core
