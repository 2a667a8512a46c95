// The ledgers of one lane, or of all lanes that a repository ever had, read from the start.
//
// For `log`, `unenforced` and `verify`: everything else needs only a ledger's end (app/ledger). Never
// fails: what cannot be read is a problem beside the lines that can.
#pragma once

#include "app/place.hpp"
#include "base/error.hpp"
#include "base/timestamp.hpp"
#include "core/ledger_line.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mandate::app {

struct History {
    std::vector<core::LedgerLine> lines;  // oldest first; of several lanes: by time, each lane's own order kept
    std::uint64_t foreign_lines = 0;      // not lines of a ledger: edited, binary, somebody else's
    bool torn = false;                    // a file ends in the middle of a line
    std::vector<std::string> damage;      // a sentence for each lane whose ledger is not what was written
    std::vector<Error> problems;
};

History read_history(const Place& place, bool all_lanes, const std::optional<Time>& since);

// Ids of the lanes that have a ledger, removed ones included; main first, then by name.
std::vector<std::string> lanes_with_ledger(const Place& place);

}  // namespace mandate::app
