// What git says about a lane, for core/gate: gathered as the decision asks for it, and no further.
//
// What cannot be told (a shallow clone, a pruned commit, no branch to compare with) is a fact with a sentence
// and no failure; the decision takes it as a no.
#pragma once

#include "app/lane.hpp"
#include "base/error.hpp"
#include "core/gate.hpp"
#include "git/branches.hpp"

#include <optional>
#include <string>

namespace mandate::app {

// What the caller says about where the lane went.
struct GateTarget {
    std::optional<git::Tip> into;            // --into: instead of the integration branch that is found
    std::optional<std::string> merged_head;  // --merged-head: the commit that a squash took in
};

// value-invalid for a revision that does not resolve, and for a --merged-head that is no commit id. A whole id need
// not be here: the forge may know a commit that was never fetched.
Result<GateTarget> read_target(const Place& place, const std::optional<std::string>& into,
                               const std::optional<std::string>& merged_head);

core::GateRules gate_rules(const Lane& lane);

// Fails with repository-broken, and only where the repository or its HEAD cannot be read at all.
Result<core::GateFacts> gather_facts(core::Question question, const Lane& lane, const core::Record& record,
                                     const GateTarget& target = {});

// The same through a repository that is open already (any worktree's: they share branches and objects), with
// the commit at this lane's HEAD given, "" where there is none. For a listing of many lanes.
core::GateFacts gather_facts(core::Question question, const Lane& lane, const core::Record& record,
                             const git::Repository& repository, std::string head, const GateTarget& target = {});

}  // namespace mandate::app
