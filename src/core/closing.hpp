// May a lane's worktree and branch be removed without losing anything? The pure decision behind `close-check`.
//
// `auto` promises zero loss, so every fact that could not be established is a reason to ask. The reasons
// come in the order of the closed list; the worst of them decides.
#pragma once

#include "core/answer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mandate::core {

enum class Decision { automatic, ask, reject };
std::string_view name(Decision decision);  // auto, ask, reject

enum class CloseReason {
    malformed,
    invalid_task,
    repo_mismatch,
    lane_mismatch,
    main_worktree,
    not_a_lane,
    not_merged,
    post_merge_commits,
    unpushed,
    remote_ahead,
    dirty,
    ignored_files,
    operation_in_progress,
    stash,
    submodule_dirty,
    lock_held,
    worktree_locked,
    gate_not_met,
    round_open,
    unenforced,
    record_problem,
};

struct CloseReasonInfo {
    CloseReason reason;
    std::string_view name;
    Decision decision;
    std::string_view meaning;
};
std::span<const CloseReasonInfo> all_close_reasons();
const CloseReasonInfo& info(CloseReason reason);

// Paths found, of which only the first ten are kept: a million of them cost no more than a million counts.
class PathList {
public:
    void add(std::string_view what, std::string path);
    [[nodiscard]] std::uint64_t count() const { return m_count; }
    [[nodiscard]] bool empty() const { return m_count == 0; }
    [[nodiscard]] std::string text() const;  // `modified src/a.c, untracked b.txt (and 7 more)`

private:
    std::vector<std::string> m_named;
    std::uint64_t m_count = 0;
};

enum class MergeState {
    merged,  // all of the lane is in the integration branch
    partly,  // it was merged, and commits came after
    no,
};

struct Distance {
    std::uint64_t commits = 0;
    std::string from;  // which ref holds too few or too many
};

struct CloseFacts {
    bool main_worktree = false;
    std::string no_lane;  // why the directory is no lane

    MergeState merge = MergeState::no;
    std::string merge_text;
    std::optional<Distance> unpushed;
    std::optional<std::string> remote_ahead;

    PathList dirty, ignored, submodules;
    std::vector<std::string> operations;
    std::uint64_t stashes = 0;
    std::string lock_held;                       // by whom; "" when it is free
    std::optional<std::string> worktree_locked;  // with git's reason, which may be empty

    std::vector<Answer::Reason> gate;  // conditions that are not met
    std::optional<std::uint64_t> open_round;
    std::vector<std::pair<std::string, std::uint64_t>> unenforced;  // not benign, not acknowledged
    std::string ledger_problem;
    std::optional<Answer::Reason> record_problem;
};

struct Closing {
    Decision decision = Decision::automatic;
    std::vector<Answer::Reason> reasons;

    void because(CloseReason reason, std::string text);
};

Closing decide_closing(const CloseFacts& facts);

}  // namespace mandate::core
