// Every worktree of a repository as one row: what it is for, where it stands, what it waits for.
//
// Missing, half-made and refused ones are rows too (`problem`), never an error. One repository is opened for
// all of them and a lane's own files are read once, so that hundreds of lanes cost milliseconds.
#pragma once

#include "app/lane.hpp"
#include "base/error.hpp"
#include "base/timestamp.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mandate::app {

struct LaneRow {
    std::string lane_id, path, branch;  // raw bytes
    bool missing = false;
    std::optional<std::string> locked;
    bool has_record = false;
    std::string problem;  // the code of the refusal, or that the grant is expired; "" when the record is fine
    std::string task, state, gate, next;
    std::uint64_t rounds_used = 0;
    std::optional<std::uint64_t> review_budget;
    std::optional<std::uint64_t> unenforced, unenforced_benign;  // none: the ledger cannot be read
};

// Sorted by task, then by path; lanes without a record last.
std::vector<LaneRow> list_lanes(const Lane& from, Time now);

}  // namespace mandate::app
