// Record and ledger of a lane held against each other, and the ledger's chain against itself.
//
// Reads only, takes no lock, and judges both as they stood at one moment. Fails with the refusals of the record;
// whatever is wrong with the ledger is a finding.
#pragma once

#include "app/lane.hpp"
#include "base/error.hpp"
#include "core/ledger_check.hpp"
#include "core/ledger_state.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace mandate::app {

struct Verification {
    std::string ledger_file;
    core::LedgerReport ledger;        // with the findings about the record among its own
    std::optional<std::string> task;  // of the record, where there is one
    core::Standing standing = core::Standing::no_record;
    std::uint64_t history_drift = 0;
};

Result<Verification> verify(const Lane& lane);

// The last few lines held against themselves, for verbs that must not read a long history: whether the ledger
// is torn, or damaged near its end. A ledger that cannot be read is for the caller to notice.
core::LedgerReport check_ledger_end(const Place& place);

}  // namespace mandate::app
