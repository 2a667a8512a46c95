#include "core/ledger_state.hpp"

#include "core/ledger_line.hpp"
#include "core/record.hpp"
#include "core/unenforced.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace mandate::core {

namespace {

constexpr std::array<std::string_view, 12> k_booking_events{"init",   "grant",        "revoke", "extend",
                                                            "rebind", "round",        "cancel", "reviewed",
                                                            "fixed",  "acknowledged", "spend",  "refund"};

std::int64_t rounds_of(const LedgerLine& line, std::string_view task)
{
    if (line.task != task) {
        return 0;
    }
    return line.event == "round" ? 1 : line.event == "cancel" ? -1 : 0;
}

}  // namespace

bool is_booking_event(std::string_view event)
{
    return std::find(k_booking_events.begin(), k_booking_events.end(), event) != k_booking_events.end();
}

void LedgerState::apply(const LedgerLine& line)
{
    last_seq = std::max(last_seq, line.seq);
    if (is_booking_event(line.event)) {
        previous = std::move(newest);
        newest = Booking{line.seq, line.event, line.record, found, rounds_of(line, task), false};
        found = line.record;
        task_rounds += newest->rounds;
    } else if (line.event == "edited") {
        found = line.record;
    } else if (line.event == "done") {
        if (newest && newest->seq == line.number("of")) {
            newest->done = true;
        }
    } else if (line.event == "abandoned") {
        if (newest && newest->seq == line.number("of")) {
            task_rounds -= newest->rounds;
            found = newest->before;
            newest = std::exchange(previous, std::nullopt);
        }
    } else if (line.event == "unenforced") {
        const std::string reason = line.text("reason");
        ++unenforced[reason];
        if (reason == info(Unenforced::history_drift).name && line.task == task) {
            counted_drift = line.number("drift");
        }
    } else if (line.event == "ack") {
        unenforced.clear();
        counted_drift = 0;
        if (line.task == task) {
            accepted_drift += std::min(line.number("drift"), k_number_limit);
        }
    }
}

Standing standing(const LedgerState& state, std::string_view record)
{
    const std::optional<Booking>& newest = state.newest;
    if (record.empty()) {
        // Only a first `init` finds no record, so only then "still none" tells that it was interrupted.
        const bool first_init = newest && !newest->done && newest->event == "init" && newest->before.empty();
        return first_init ? Standing::interrupted : Standing::no_record;
    }
    if (record == state.found) {
        return Standing::in_step;
    }
    if (newest && !newest->done && record == newest->before) {
        return Standing::interrupted;
    }
    return Standing::edited;
}

std::uint64_t history_drift(const LedgerState& state, Standing where, std::uint64_t admitted)
{
    std::int64_t held = state.task_rounds;
    if (where == Standing::interrupted && state.newest) {
        held -= state.newest->rounds;
    }
    const std::int64_t drift = held - static_cast<std::int64_t>(admitted + state.accepted_drift);
    return static_cast<std::uint64_t>(std::max<std::int64_t>(drift, 0));
}

}  // namespace mandate::core
