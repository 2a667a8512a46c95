#include "core/closing.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace mandate::core {

namespace {

constexpr std::size_t k_named_paths = 10;

constexpr std::array k_reasons{
    CloseReasonInfo{CloseReason::malformed, "malformed", Decision::reject, "the message is no close request"},
    CloseReasonInfo{CloseReason::invalid_task, "invalid-task", Decision::reject,
                    "the task's name has characters that no task has"},
    CloseReasonInfo{CloseReason::repo_mismatch, "repo-mismatch", Decision::reject,
                    "the worktree is not one of the repository that the message names"},
    CloseReasonInfo{CloseReason::lane_mismatch, "lane-mismatch", Decision::reject,
                    "the worktree is the lane of another task"},
    CloseReasonInfo{CloseReason::main_worktree, "main-worktree", Decision::reject,
                    "the main worktree is never removed"},
    CloseReasonInfo{CloseReason::not_a_lane, "not-a-lane", Decision::reject,
                    "the directory is no worktree of a repository"},
    CloseReasonInfo{CloseReason::not_merged, "not-merged", Decision::ask, "commits are not in the integration branch"},
    CloseReasonInfo{CloseReason::post_merge_commits, "post-merge-commits", Decision::ask,
                    "commits came after the merge"},
    CloseReasonInfo{CloseReason::unpushed, "unpushed", Decision::ask, "the upstream lacks commits"},
    CloseReasonInfo{CloseReason::remote_ahead, "remote-ahead", Decision::ask,
                    "the upstream has commits that nobody merged"},
    CloseReasonInfo{CloseReason::dirty, "dirty", Decision::ask, "modified, staged, untracked or conflicted files"},
    CloseReasonInfo{CloseReason::ignored_files, "ignored-files", Decision::ask,
                    "ignored files that nobody called disposable"},
    CloseReasonInfo{CloseReason::operation_in_progress, "operation-in-progress", Decision::ask,
                    "git is in the middle of something"},
    CloseReasonInfo{CloseReason::stash, "stash", Decision::ask, "a stash entry was made on the branch"},
    CloseReasonInfo{CloseReason::submodule_dirty, "submodule-dirty", Decision::ask,
                    "a submodule holds work of its own"},
    CloseReasonInfo{CloseReason::lock_held, "lock-held", Decision::ask, "a booking is in progress"},
    CloseReasonInfo{CloseReason::worktree_locked, "worktree-locked", Decision::ask, "git worktree lock is on"},
    CloseReasonInfo{CloseReason::gate_not_met, "gate-not-met", Decision::ask, "the record's terminal gate is not met"},
    CloseReasonInfo{CloseReason::round_open, "round-open", Decision::ask,
                    "a review round is booked and has no outcome"},
    CloseReasonInfo{CloseReason::unenforced, "unenforced", Decision::ask,
                    "something went unenforced and nobody acknowledged it"},
    CloseReasonInfo{CloseReason::record_problem, "record-problem", Decision::ask, "the record cannot be trusted"},
};

constexpr bool in_enum_order()
{
    for (std::size_t i = 0; i < k_reasons.size(); ++i) {
        if (static_cast<std::size_t>(k_reasons[i].reason) != i) {
            return false;
        }
    }
    return k_reasons.size() == static_cast<std::size_t>(CloseReason::record_problem) + 1;
}
static_assert(in_enum_order());

std::string commits(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " commit" : " commits"); }

void add_history(const CloseFacts& facts, Closing& closing)
{
    if (facts.merge != MergeState::merged) {
        closing.because(facts.merge == MergeState::no ? CloseReason::not_merged : CloseReason::post_merge_commits,
                        facts.merge_text);
    }
    if (facts.unpushed) {
        closing.because(CloseReason::unpushed, commits(facts.unpushed->commits) + " not in " + facts.unpushed->from);
    }
    if (facts.remote_ahead) {
        closing.because(CloseReason::remote_ahead, *facts.remote_ahead);
    }
}

void add_files(const CloseFacts& facts, Closing& closing)
{
    if (!facts.dirty.empty()) {
        closing.because(CloseReason::dirty, facts.dirty.text());
    }
    if (!facts.ignored.empty()) {
        closing.because(CloseReason::ignored_files, facts.ignored.text());
    }
    if (!facts.operations.empty()) {
        closing.because(CloseReason::operation_in_progress, text::join(facts.operations, ", "));
    }
    if (facts.stashes > 0) {
        closing.because(CloseReason::stash, std::to_string(facts.stashes) +
                                                (facts.stashes == 1 ? " entry" : " entries") + " made on this branch");
    }
    if (!facts.submodules.empty()) {
        closing.because(CloseReason::submodule_dirty, facts.submodules.text());
    }
}

void add_record(const CloseFacts& facts, Closing& closing)
{
    if (!facts.gate.empty()) {
        std::vector<std::string> unmet;
        for (const Answer::Reason& reason : facts.gate) {
            unmet.push_back(reason.code + (reason.text.empty() ? "" : " " + reason.text));
        }
        closing.because(CloseReason::gate_not_met, text::join(unmet, "; "));
    }
    if (facts.open_round) {
        closing.because(CloseReason::round_open,
                        "round " + std::to_string(*facts.open_round) + " is booked and has no outcome");
    }
    if (!facts.unenforced.empty() || !facts.ledger_problem.empty()) {
        std::vector<std::string> counts;
        for (const auto& [code, count] : facts.unenforced) {
            counts.push_back(code + " " + std::to_string(count));
        }
        if (!facts.ledger_problem.empty()) {
            counts.push_back("unknown, " + facts.ledger_problem);
        }
        closing.because(CloseReason::unenforced, text::join(counts, ", "));
    }
    if (facts.record_problem) {
        closing.because(CloseReason::record_problem, facts.record_problem->code + " " + facts.record_problem->text);
    }
}

}  // namespace

std::string_view name(Decision decision)
{
    switch (decision) {
        case Decision::automatic:
            return "auto";
        case Decision::ask:
            return "ask";
        case Decision::reject:
            break;
    }
    return "reject";
}

std::span<const CloseReasonInfo> all_close_reasons() { return k_reasons; }
const CloseReasonInfo& info(CloseReason reason) { return k_reasons[static_cast<std::size_t>(reason)]; }

void PathList::add(std::string_view what, std::string path)
{
    if (++m_count <= k_named_paths) {
        m_named.push_back(what.empty() ? std::move(path) : std::string(what) + " " + path);
    }
}

std::string PathList::text() const
{
    const std::string named = text::join(m_named, ", ");
    return m_count <= k_named_paths ? named : named + " (and " + std::to_string(m_count - k_named_paths) + " more)";
}

void Closing::because(CloseReason reason, std::string text)
{
    const CloseReasonInfo& known = info(reason);
    reasons.push_back({std::string(known.name), std::move(text)});
    decision = std::max(decision, known.decision);
}

Closing decide_closing(const CloseFacts& facts)
{
    Closing closing;
    if (facts.main_worktree) {
        closing.because(CloseReason::main_worktree, "the main worktree is the repository itself");
        return closing;
    }
    if (!facts.no_lane.empty()) {
        closing.because(CloseReason::not_a_lane, facts.no_lane);
        return closing;
    }
    add_history(facts, closing);
    add_files(facts, closing);
    if (!facts.lock_held.empty()) {
        closing.because(CloseReason::lock_held, facts.lock_held);
    }
    if (facts.worktree_locked) {
        closing.because(CloseReason::worktree_locked, facts.worktree_locked->empty()
                                                          ? "git worktree lock"
                                                          : "git worktree lock: " + *facts.worktree_locked);
    }
    add_record(facts, closing);
    return closing;
}

}  // namespace mandate::core
