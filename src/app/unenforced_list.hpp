// What went unenforced in a lane, or in all lanes that a repository ever had; and a person's `ack` of it.
//
// Listing reads whole ledgers and never fails: what cannot be read is a problem beside the rows that can.
// An `ack` line is appended under the ledger's lock, so that what it accepts is what stood there at that
// moment; nothing is deleted or reset. Acknowledging fails with ledger-unwritable, lock-held, and with the
// refusals of the lane's record, whose rounds it accepts.
#pragma once

#include "app/lane.hpp"
#include "app/place.hpp"
#include "base/error.hpp"
#include "core/unenforced_tally.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace mandate::app {

struct LaneUnenforced {
    std::string lane_id;  // escaped, one word
    std::vector<core::UnenforcedRow> rows;
};

struct UnenforcedList {
    std::vector<LaneUnenforced> lanes;  // those with a row
    std::uint64_t foreign_lines = 0;    // lines that count for nothing: edited, binary, somebody else's
    std::vector<Error> problems;
};

UnenforcedList list_unenforced(const Place& place, bool all_lanes);

struct AckRequest {
    std::string by, reason;  // checked values; `reason` may be empty
};

struct Acknowledged {
    core::UnenforcedTotals taken;    // what was counted and is accepted
    std::uint64_t drift = 0;         // the history drift that is accepted
    std::string task;                // of this lane's record
    std::vector<std::string> notes;  // lanes that were left out, and why
};

// Of this lane: the line is appended even where there is nothing to accept.
Result<Acknowledged> acknowledge_lane(const Lane& lane, const AckRequest& request);

// Of every lane that has something to accept, this one included. A lane that is gone has no record, and so no
// drift; one whose record is refused is left out with a note.
Result<Acknowledged> acknowledge_all(const Lane& lane, const AckRequest& request);

}  // namespace mandate::app
