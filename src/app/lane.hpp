// The lane that a verb answers for, and how it was found: a place, its configuration, and `lane_source`.
//
// The directory decides; `--branch` picks the worktree that holds the branch. Where none does, reading
// verbs answer for the directory and count it, and bookings refuse: charging another lane is the error
// that the flag exists to prevent.
#pragma once

#include "app/place.hpp"
#include "app/settings.hpp"
#include "base/error.hpp"
#include "core/answer.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mandate::app {

struct LaneRequest {
    std::string directory;              // "" for the current one
    std::optional<std::string> branch;  // an empty one means that the caller has none
    bool booking = false;
    bool needs_settings = true;  // false: an invalid configuration is a note, not a refusal
};

struct Lane {
    Place place;
    Settings settings;
    bool by_branch = false;
    bool fell_back = false;  // --branch named a branch that no worktree holds
    std::string missing_branch;
    std::vector<std::string> notes;

    [[nodiscard]] std::string record_path() const { return place.root + "/MANDATE.md"; }
    [[nodiscard]] core::Answer head_of_answer() const;  // lane=, lane_source=
};

Result<Lane> open_lane(const LaneRequest& request);

// Adds `lane=`, `lane_source=` (and more where given) to a refusal that came after the lane was found.
Error in_lane(Error error, const Lane& lane);

}  // namespace mandate::app
