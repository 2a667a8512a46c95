// The rounds of one task, put together from a ledger's lines: booked, reviewed with what, and what became of it.
//
// Pure, and made for any lines: what is out of order (a hand-edited ledger) gives a row that says less, never
// a failure. An interrupted booking did not happen and is left out.
#pragma once

#include "core/ledger_line.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mandate::core {

struct ReportedRound {
    std::optional<std::uint64_t> round;  // none: a review that nobody booked, before any round
    std::string at;                      // booked, or reviewed where it never was
    std::string state;                   // booked, reviewed, fixed, acknowledged, cancelled
    bool booked = true;
    std::string head;  // the newest commit that an outcome names; else the booking's
    std::optional<std::uint64_t> findings, findings_open;  // none: not reviewed
    std::string by, reason;                                // escaped text, as the ledger holds it
};

// Oldest first. `task`: escaped text; lines of other tasks are passed over. `pending`: the line of a booking that was
// interrupted and that no later one has abandoned yet.
std::vector<ReportedRound> report_rounds(const std::vector<LedgerLine>& lines, const std::string& task,
                                         const std::optional<std::uint64_t>& pending = std::nullopt);

}  // namespace mandate::core
