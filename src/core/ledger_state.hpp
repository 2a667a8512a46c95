// What a ledger amounts to: the newest booking, the rounds of a task, the unenforced counts.
//
// A pure fold over lines in file order. It answers what a booking must know (was the one before
// interrupted, was the record edited by hand, how far does the record fall behind) and is itself written
// into every sixteenth line or so as a checkpoint, so that nobody reads a long ledger from its start.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace mandate::core {

struct LedgerLine;

// A booking line that is not abandoned. Ids are git blob ids of the record's bytes, "" for no record.
struct Booking {
    std::uint64_t seq = 0;
    std::string event;
    std::string record;       // what it leaves
    std::string before;       // what it found
    std::int64_t rounds = 0;  // what it adds to the count of the state's task: 1, -1 or 0
    bool done = false;
    bool operator==(const Booking&) const = default;
};

struct LedgerState {
    explicit LedgerState(std::string counted_task = {}) : task(std::move(counted_task)) {}

    std::string task;  // whose rounds are counted, escaped text
    std::uint64_t last_seq = 0;
    std::optional<Booking> newest;
    std::optional<Booking> previous;                  // the one before it, where known
    std::string found;                                // the record as last written by us or seen by `edited`
    std::int64_t task_rounds = 0;                     // round less cancel and abandoned, the newest included
    std::uint64_t accepted_drift = 0;                 // what acks accepted
    std::uint64_t counted_drift = 0;                  // what was last counted as history-drift, since the last ack
    std::map<std::string, std::uint64_t> unenforced;  // since the last ack, by reason

    void apply(const LedgerLine& line);
    bool operator==(const LedgerState&) const = default;
};

// The state as of a line, written into that line. It counts only where the line starts at the byte that it
// names: lines that slipped in unseen, or an edited history, move it and so disown it.
struct Checkpoint {
    std::uint64_t offset = 0;
    LedgerState state;
    bool operator==(const Checkpoint&) const = default;
};

bool is_booking_event(std::string_view event);

// How record and ledger stand to each other; `record` is the blob id of the record as found, "" for none.
//   in_step      the record is what the newest booking left (or what an `edited` line saw since)
//   interrupted  the newest booking wrote its line and died before its rename: it did not happen
//   edited       somebody else wrote the record
//   no_record    there is none
enum class Standing { in_step, interrupted, edited, no_record };
Standing standing(const LedgerState& state, std::string_view record);

// Rounds of the state's task that the ledger holds beyond what the record admits, less what acks accepted.
std::uint64_t history_drift(const LedgerState& state, Standing where, std::uint64_t admitted);

}  // namespace mandate::core
