#include "app/closing.hpp"

#include "app/closing_history.hpp"
#include "app/gate_facts.hpp"
#include "app/inspect.hpp"
#include "app/ledger.hpp"
#include "app/operations.hpp"
#include "app/worktree_status.hpp"
#include "core/gate.hpp"
#include "core/unenforced.hpp"
#include "git/library.hpp"
#include "os/lock.hpp"

#include <utility>

namespace mandate::app {

namespace {

constexpr const char* k_lock_name = ".MANDATE.lock";

Result<void> add_files(const Lane& lane, const git::Repository& repository, const std::string& head,
                       core::CloseFacts& facts)
{
    const Place& place = lane.place;
    auto status = scan_worktree({place.root, place.root_dir, place.git_dir, place.common_dir, head,
                                 lane.settings.config.lane_files.values, lane.settings.config.disposable.values},
                                repository);
    if (!status) {
        return fail(std::move(status.error()));
    }
    facts.dirty = std::move(status->dirty);
    facts.ignored = std::move(status->ignored);
    facts.submodules = std::move(status->submodules);
    // A lane inside of this lane, also where it stands in a directory that is disposable.
    for (const WorktreeEntry& entry : list_worktrees(place)) {
        if (!entry.missing && entry.path.starts_with(place.root + "/")) {
            facts.dirty.add("worktree", entry.path.substr(place.root.size() + 1) + "/");
        }
        if (entry.lane_id == place.lane_id) {
            facts.worktree_locked = entry.locked;
        }
    }
    return {};
}

Result<void> add_gate(const Lane& lane, const core::Record& record, GateTarget target, const std::string& head,
                      core::CloseFacts& facts)
{
    if (record.round_state == core::RoundState::booked) {
        facts.open_round = record.review_rounds_used;
    }
    if (record.terminal_gate.empty()) {
        return {};  // nobody named a state to stop at, so none is missing
    }
    // A rebase-merge leaves HEAD out of the integration branch and everything of it in there.
    if (facts.merge == core::MergeState::merged && !head.empty()) {
        target.merged_head = head;
    }
    const auto gate_facts = gather_facts(core::Question::gate, lane, record, target);
    if (!gate_facts) {
        return fail(gate_facts.error());
    }
    const core::GateVerdict verdict = core::decide_gate(record, gate_rules(lane), *gate_facts);
    if (!verdict.met) {
        facts.gate = verdict.reasons;
    }
    return {};
}

void add_ledger(const Lane& lane, const core::Record* record, core::CloseFacts& facts)
{
    const Ledger ledger(lane.place);
    const auto state = record != nullptr ? ledger.state(record->task) : ledger.state();
    if (!state) {
        facts.ledger_problem = "the ledger cannot be read: " + state.error().message;
        return;
    }
    for (const auto& [code, count] : state->unenforced) {
        const auto known = core::parse_unenforced(code);
        if (count > 0 && !(known && core::info(*known).benign)) {
            facts.unenforced.emplace_back(code, count);
        }
    }
    const std::string_view drift_code = core::info(core::Unenforced::history_drift).name;
    if (record == nullptr || state->unenforced.contains(std::string(drift_code))) {
        return;
    }
    const core::Standing standing = core::standing(*state, git::blob_id(record->bytes));
    if (const auto drift = core::history_drift(*state, standing, record->review_rounds_used); drift > 0) {
        facts.unenforced.emplace_back(drift_code, drift);
    }
}

// Older scripts lock with a directory of that name; whether one of them is at work, nobody can tell.
std::string lock_holder(const os::Fd& root_dir)
{
    const auto seen = os::look(root_dir, k_lock_name);
    if (seen && seen->kind == os::Kind::directory) {
        return "the lock is a directory: an older script is at work, or has left it behind";
    }
    const auto held = os::is_held(root_dir, k_lock_name);
    if (!held) {
        return "nobody can tell whether a booking is in progress: " + held.error().text();
    }
    return *held ? "a booking is in progress" : "";
}

}  // namespace

Result<CloseAnswer> close_check(const Lane& lane, const CloseQuestion& question)
{
    CloseAnswer answer;
    core::CloseFacts facts;
    facts.main_worktree = lane.place.lane_id == "main";
    if (lane.fell_back) {
        facts.no_lane = "no worktree holds the branch";
    }
    // A record that cannot be trusted is a finding here, not a refusal.
    const auto loaded = load_record(lane);
    const core::Record* record = loaded && *loaded ? &(*loaded)->record : nullptr;
    if (record != nullptr) {
        answer.task = record->task;
        answer.record_id = git::blob_id(record->bytes);
    }
    if (facts.main_worktree || !facts.no_lane.empty()) {
        answer.closing = core::decide_closing(facts);
        return answer;
    }
    if (!loaded) {
        facts.record_problem = {std::string(info(loaded.error().code).name), loaded.error().message};
    }
    const auto repository = git::Repository::open(lane.place.root);
    if (!repository) {
        return fail(repository.error());
    }
    const auto head = repository->head_commit();
    if (!head) {
        return fail(head.error());
    }
    answer.head = head->value_or("");
    const auto target = read_target(lane.place, question.into, question.merged_head);
    if (!target) {
        return fail(target.error());
    }
    auto into = add_history(lane.place, *repository, answer.head,
                            {question.into, target->merged_head, question.remote_head}, facts);
    if (!into) {
        return fail(std::move(into.error()));
    }
    answer.into = std::move(*into);
    if (auto added = add_files(lane, *repository, answer.head, facts); !added) {
        return fail(std::move(added.error()));
    }
    facts.operations = operations_in_progress(lane.place.git_dir);
    facts.stashes = stashes_made_on(lane.place.common_dir, lane.place.head.branch);
    if (record != nullptr) {
        if (auto added = add_gate(lane, *record, *target, answer.head, facts); !added) {
            return fail(std::move(added.error()));
        }
    }
    add_ledger(lane, record, facts);
    // Last, so that a booking that began meanwhile is seen.
    facts.lock_held = lock_holder(lane.place.root_dir);
    answer.closing = core::decide_closing(facts);
    return answer;
}

std::optional<core::CloseRefusal> refuse_request(const Lane& lane, const core::CloseRequest& request)
{
    using core::CloseReason;
    using core::CloseRefusal;
    const auto named = find_place(request.repo);
    const auto real = os::real_path(request.repo);
    const bool same = named ? named->common_dir == lane.place.common_dir : real && *real == lane.place.common_dir;
    if (!same) {
        return CloseRefusal{CloseReason::repo_mismatch, "the worktree belongs to another repository than repo= names"};
    }
    const auto loaded = load_record(lane);
    if (!loaded) {
        return std::nullopt;  // record-problem, which close_check reports
    }
    if (*loaded) {
        return (*loaded)->record.task == request.task
                   ? std::nullopt
                   : std::optional(CloseRefusal{CloseReason::lane_mismatch, "the lane's record names another task"});
    }
    return lane.place.head.branch == "task/" + request.task
               ? std::nullopt
               : std::optional(
                     CloseRefusal{CloseReason::lane_mismatch, "there is no record, and the branch is not task/<task>"});
}

Result<void> record_closing(const Lane& lane, const CloseAnswer& answer, const std::string& task)
{
    Ledger ledger(lane.place);
    LedgerEntry entry;
    entry.event = "closed";
    entry.task = task;
    entry.head = answer.head;
    entry.record = answer.record_id;
    entry.fields = {{"into", answer.into}};
    const auto appended = ledger.append(entry, Sync::yes);
    return appended ? Result<void>{} : Result<void>(fail(appended.error()));
}

}  // namespace mandate::app
