// What `verify` may say of a ledger: the closed list, and how many of each are shown; part of ledger_check.hpp.

#include "core/ledger_check.hpp"

#include <array>

namespace mandate::core {

namespace {

constexpr std::uint64_t k_most_wrong = 20;
constexpr std::uint64_t k_most_notes = 5;  // they never take the place of what is wrong

constexpr std::array k_faults{
    LedgerFaultInfo{LedgerFault::ledger_unreadable, "ledger-unreadable", true, true,
                    "the ledger is no regular file, cannot be opened, or is larger than 256 MiB"},
    LedgerFaultInfo{LedgerFault::ledger_missing, "ledger-missing", true, false,
                    "the record bears marks of bookings, and there is no ledger or none in it"},
    LedgerFaultInfo{LedgerFault::foreign_line, "foreign-line", true, true, "a line that is no line of a ledger"},
    LedgerFaultInfo{LedgerFault::other_lane, "other-lane", true, true, "a line of another lane's ledger"},
    LedgerFaultInfo{
        LedgerFault::chain_broken, "chain-broken", true, true,
        "prev is not the blob id of the line before: that one was edited, or lines were taken out or put in"},
    LedgerFaultInfo{LedgerFault::sequence_gap, "sequence-gap", true, true, "numbers are missing before this line"},
    LedgerFaultInfo{LedgerFault::sequence_repeated, "sequence-repeated", true, true, "the number was there before"},
    LedgerFaultInfo{LedgerFault::sequence_reordered, "sequence-reordered", true, true, "the number belongs further up"},
    LedgerFaultInfo{LedgerFault::checkpoint_wrong, "checkpoint-wrong", true, false,
                    "the checkpoint is not what the lines up to it amount to, or stands at another byte"},
    LedgerFaultInfo{LedgerFault::names_no_booking, "names-no-booking", true, false,
                    "done or abandoned names no booking before it that is neither"},
    LedgerFaultInfo{LedgerFault::history_drift, "history-drift", true, false,
                    "the record admits fewer rounds of its task than the ledger holds"},
    LedgerFaultInfo{LedgerFault::torn_line, "torn-line", false, false,
                    "a line was cut short by a crash; the next booking closes it and goes on"},
    LedgerFaultInfo{LedgerFault::booked_unlocked, "booked-unlocked", false, false,
                    "a round was booked without a lock, by round --unenforced"},
};

constexpr bool in_enum_order()
{
    for (std::size_t i = 0; i < k_faults.size(); ++i) {
        if (static_cast<std::size_t>(k_faults[i].fault) != i) {
            return false;
        }
    }
    return k_faults.size() == static_cast<std::size_t>(LedgerFault::booked_unlocked) + 1;
}
static_assert(in_enum_order());

}  // namespace

std::span<const LedgerFaultInfo> all_ledger_faults() { return k_faults; }

const LedgerFaultInfo& info(LedgerFault fault) { return k_faults[static_cast<std::size_t>(fault)]; }

void LedgerReport::add(LedgerFault fault, std::uint64_t line, std::string_view text)
{
    const LedgerFaultInfo& about = info(fault);
    ++findings;
    chain_ok = chain_ok && !about.breaks_chain;
    consistent = consistent && !about.wrong;
    std::uint64_t& count = about.wrong ? m_wrong_shown : m_notes_shown;
    if (count < (about.wrong ? k_most_wrong : k_most_notes)) {
        ++count;
        shown.push_back({fault, (line == 0 ? "" : "line " + std::to_string(line) + ": ") + std::string(text)});
    }
}

}  // namespace mandate::core
