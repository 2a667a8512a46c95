#include "app/unenforced_list.hpp"

#include "app/history.hpp"
#include "app/inspect.hpp"
#include "app/ledger.hpp"
#include "base/text.hpp"
#include "git/library.hpp"
#include "git/repository.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace mandate::app {

namespace {

enum class Append { always, when_needed };

void list_lane(const Place& place, const std::string& lane_id, UnenforcedList& list)
{
    const auto mapped = Ledger(place.common_dir, lane_id).map();
    if (!mapped) {
        list.problems.push_back(mapped.error());
        return;
    }
    core::UnenforcedTally tally;
    for_each_line(*mapped ? (*mapped)->bytes() : std::string_view(),
                  [&](std::string_view bytes, std::uint64_t, bool torn) {
                      if (const auto line = core::parse_line(bytes)) {
                          tally.apply(*line);
                      } else {
                          list.foreign_lines += torn ? 0 : 1;
                      }
                  });
    if (auto rows = tally.rows(); !rows.empty()) {
        list.lanes.push_back({core::one_word(text::escape(lane_id)), std::move(rows)});
    }
}

// The ledger is held: what is accepted stands still until the line is there.
Result<Acknowledged> append_ack(Ledger& ledger, const core::Record* record, const std::string& head,
                                const AckRequest& request, Append append)
{
    Acknowledged accepted;
    LedgerEntry entry{"ack", record != nullptr ? record->task : std::string(), head, {{"by", request.by}}, {}};
    const auto state = ledger.state(record != nullptr ? std::optional(record->task) : std::nullopt);
    if (!state) {
        return fail(state.error());
    }
    accepted.task = entry.task;
    accepted.taken = core::totals(state->unenforced);
    if (record != nullptr) {
        entry.record = git::blob_id(record->bytes);
        const core::Standing where = core::standing(*state, entry.record);
        accepted.drift = core::history_drift(*state, where, record->review_rounds_used);
    }
    if (append == Append::when_needed && state->unenforced.empty() && accepted.drift == 0) {
        return accepted;
    }
    if (!request.reason.empty()) {
        entry.fields.emplace_back("reason", request.reason);
    }
    entry.fields.emplace_back("drift", accepted.drift);
    if (auto appended = ledger.append(entry, Sync::yes); !appended) {
        return fail(std::move(appended.error()));
    }
    return accepted;
}

// `hold` makes the file, which a lane that was never booked does not need.
bool has_no_ledger(const Ledger& ledger)
{
    const auto mapped = ledger.map();
    return mapped && !*mapped;
}

std::string head_of(const Place& place)
{
    const auto repository = git::Repository::open(place.root);
    return repository ? repository->head_commit().value_or(std::nullopt).value_or("") : std::string();
}

Result<Acknowledged> acknowledge(const Lane& lane, const AckRequest& request, Append append)
{
    const auto refused = load_record(lane);
    if (!refused) {
        return fail(refused.error());
    }
    Ledger ledger(lane.place);
    if (append == Append::when_needed && has_no_ledger(ledger)) {
        return Acknowledged{};
    }
    if (auto held = ledger.hold(); !held) {
        return fail(in_lane(std::move(held.error()), lane));
    }
    // Bookings hold the ledger too, so from here on nobody moves the record.
    const auto loaded = load_record(lane);
    if (!loaded) {
        return fail(loaded.error());
    }
    auto accepted = append_ack(ledger, *loaded ? &(*loaded)->record : nullptr, head_of(lane.place), request, append);
    return accepted ? std::move(accepted) : fail(in_lane(std::move(accepted.error()), lane));
}

// Another lane of the repository, whose worktree may be gone.
Result<Acknowledged> acknowledge_other(const Lane& here, const std::string& lane_id, const AckRequest& request)
{
    const std::vector<WorktreeEntry> worktrees = list_worktrees(here.place);
    const auto entry = std::find_if(worktrees.begin(), worktrees.end(), [&](const WorktreeEntry& each) {
        return each.lane_id == lane_id && !each.missing;
    });
    if (entry != worktrees.end()) {
        const auto lane = open_lane({entry->path, std::nullopt, true, false});
        return lane ? acknowledge(*lane, request, Append::when_needed) : fail(lane.error());
    }
    Ledger ledger(here.place.common_dir, lane_id);
    if (has_no_ledger(ledger)) {
        return Acknowledged{};
    }
    if (auto held = ledger.hold(); !held) {
        return fail(std::move(held.error()));
    }
    return append_ack(ledger, nullptr, {}, request, Append::when_needed);
}

bool is_about_the_ledger(Code code) { return info(code).exit == Exit::not_persisted; }

}  // namespace

UnenforcedList list_unenforced(const Place& place, bool all_lanes)
{
    UnenforcedList list;
    if (!all_lanes) {
        list_lane(place, place.lane_id, list);
        return list;
    }
    for (const std::string& lane_id : lanes_with_ledger(place)) {
        list_lane(place, lane_id, list);
    }
    return list;
}

Result<Acknowledged> acknowledge_lane(const Lane& lane, const AckRequest& request)
{
    return acknowledge(lane, request, Append::always);
}

Result<Acknowledged> acknowledge_all(const Lane& lane, const AckRequest& request)
{
    Acknowledged all;
    for (const std::string& lane_id : lanes_with_ledger(lane.place)) {
        const bool here = lane_id == lane.place.lane_id;
        auto one = here ? acknowledge(lane, request, Append::when_needed) : acknowledge_other(lane, lane_id, request);
        if (!one && (here || is_about_the_ledger(one.error().code))) {
            return one;
        }
        if (!one) {
            all.notes.push_back("lane '" + text::escape(lane_id) + "' was not acknowledged: " + one.error().message);
            continue;
        }
        all.task = here ? one->task : all.task;
        all.taken.serious += one->taken.serious;
        all.taken.benign += one->taken.benign;
        all.drift += one->drift;
    }
    return all;
}

}  // namespace mandate::app
