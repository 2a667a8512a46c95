// The one write path. Every booking verb is this line with another decision:
//
//   record and binding looked at (refusals that need no lock) -> exclude -> lock -> signals held ->
//   record read again -> ledger read -> DECIDE -> fresh file written and synced -> ledger lines, synced ->
//   record and lock still what they were -> rename -> directory synced -> `done` line.
//
// Any failure before the rename leaves the record byte for byte as it was and no temporary file; a line
// that is on disk by then is taken back by an `abandoned` line, or recognised as interrupted by the next
// booking. Fails with the lock, record-changed, read-only, write-failed, ledger-unwritable and
// booked-not-durable codes, and with what the decision refuses.
#pragma once

#include "app/inspect.hpp"
#include "app/lane.hpp"
#include "app/ledger.hpp"
#include "app/unenforced.hpp"
#include "core/answer.hpp"
#include "core/plan.hpp"
#include "core/record.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mandate::app {

// What a decision may look at, all of it read under the lock.
struct Snapshot {
    const Lane& lane;
    const core::Record* record;  // nothing only for `init`: there is none, or it does not parse
    bool exists;                 // a record file is there
    Time now;
    std::string head;  // commit at HEAD, "" when unborn
    const core::LedgerState& ledger;
};

using Decide = std::function<Result<core::Plan>(const Snapshot&)>;

struct BookingRequest {
    const Lane& lane;
    std::chrono::milliseconds lock_timeout;
    std::function<void(const std::string&)> say;              // while waiting, and where nothing can be counted
    std::function<Result<void>(const Lane&)> check_before{};  // arguments that need the lane to be judged
    bool creates = false;                                     // `init`: a missing record is no refusal
    bool replaces = false;                                    // `init --force`: nor is one that does not parse
    Binding binding = Binding::check;
    bool even_unlocked = false;  // `round --unenforced`: go on where the file system has no locks
};

struct Booked {
    core::Answer answer;
    std::string task;
    bool decided_no = false;                // the answer is a no; --strict makes it exit 1
    std::string advice;                     // what a person does then
    std::string excluded, excluded_reason;  // already, yes, no
};

Result<Booked> book(const BookingRequest& request, const Decide& decide);

}  // namespace mandate::app
