// Gathers what core/closing decides on: may a lane be closed, and what stands in the way?
//
// Reads everything and writes nothing, except that a close request that ends in `auto` leaves a `closed`
// line in the ledger, which outlives the lane.
#pragma once

#include "app/lane.hpp"
#include "base/error.hpp"
#include "core/close_request.hpp"
#include "core/closing.hpp"

#include <optional>
#include <string>

namespace mandate::app {

struct CloseQuestion {
    std::optional<std::string> into;  // --into: the integration branch
    std::optional<std::string>
        merged_head;  // --merged-head: the commit that a squash merge took in, by the caller's word
    std::optional<std::string> remote_head;  // --remote-head: where the remote's branch stands, by the caller's word
};

struct CloseAnswer {
    core::Closing closing;
    std::string task;       // of the record, "" without one
    std::string head;       // "" on an unborn branch
    std::string into;       // the integration branch, a full ref name; "" where there is none
    std::string record_id;  // blob id of the record's bytes, "" without one
};

// Fails with value-invalid (a revision that does not resolve, an id that is none) and repository-broken.
Result<CloseAnswer> close_check(const Lane& lane, const CloseQuestion& question);

// Whether the message's task and repository are this lane's: repo-mismatch, lane-mismatch; nothing when they are.
std::optional<core::CloseRefusal> refuse_request(const Lane& lane, const core::CloseRequest& request);

// Appends `closed`. Fails with ledger-unwritable.
Result<void> record_closing(const Lane& lane, const CloseAnswer& answer, const std::string& task);

}  // namespace mandate::app
