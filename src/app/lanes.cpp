#include "app/lanes.hpp"

#include "app/gate_facts.hpp"
#include "app/inspect.hpp"
#include "app/ledger.hpp"
#include "core/gate.hpp"
#include "core/unenforced_tally.hpp"
#include "core/verdict.hpp"
#include "git/repository.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace mandate::app {

namespace {

class Lister {
public:
    Lister(const Lane& from, Time now) : m_from(from), m_now(now), m_repository(git::Repository::open(from.place.root))
    {
    }

    LaneRow row(const WorktreeEntry& entry) const;

private:
    void add_record(const Lane& lane, const core::Record& record, LaneRow& row) const;
    [[nodiscard]] std::string head_of(const Lane& lane) const;

    const Lane& m_from;
    const Time m_now;
    Result<git::Repository> m_repository;
};

// The commit at HEAD through the one open repository: branches are shared, a detached HEAD is the lane's own.
std::string Lister::head_of(const Lane& lane) const
{
    const Head& head = lane.place.head;
    if (!head.branch.empty() && head.operation.empty()) {
        return m_repository->resolve_commit("refs/heads/" + head.branch).value_or("");
    }
    const auto own = git::Repository::open(lane.place.root);
    return own ? own->head_commit().value_or(std::nullopt).value_or("") : std::string();
}

void Lister::add_record(const Lane& lane, const core::Record& record, LaneRow& row) const
{
    row.task = record.task;
    row.state = core::name(record.round_state);
    row.gate = record.terminal_gate;
    row.rounds_used = record.review_rounds_used;
    row.review_budget = record.review_budget;
    if (core::is_expired(record, m_now)) {
        row.problem = info(Code::expired).name;
    }
    const core::GateRules rules = gate_rules(lane);
    if (m_repository) {
        const bool needs_head = core::wanted(core::Question::next, record, rules, {}).has_value();
        const auto facts =
            gather_facts(core::Question::next, lane, record, *m_repository, needs_head ? head_of(lane) : "");
        row.next = core::decide_next(record, rules, facts).step;
    }
}

LaneRow Lister::row(const WorktreeEntry& entry) const
{
    LaneRow row;
    row.lane_id = entry.lane_id;
    row.path = entry.path;
    row.branch = entry.head.branch;
    row.missing = entry.missing;
    row.locked = entry.locked;
    // The administration has named the place and the place has named its administration: nothing is searched again.
    auto root_dir = entry.missing ? os::OsResult<os::Fd>(os::Fd()) : os::open_directory(entry.path);
    row.missing = entry.missing || !root_dir;
    Lane lane{{entry.path, root_dir ? std::move(*root_dir) : os::Fd(), entry.git_dir, m_from.place.common_dir,
               entry.lane_id, entry.head},
              m_from.settings,
              false,
              false,
              {},
              {}};
    if (const auto state = Ledger(lane.place).state()) {
        const auto sums = core::totals(state->unenforced);
        row.unenforced = sums.serious;
        row.unenforced_benign = sums.benign;
    }
    if (row.missing) {
        return row;
    }
    if (entry.head_unreadable) {  // nobody knows which branch the record would have to name
        row.problem = info(Code::repository_broken).name;
        return row;
    }
    const auto loaded = load_record(lane);
    if (!loaded) {
        row.problem = info(loaded.error().code).name;
        row.has_record = true;
    } else if (*loaded) {
        row.has_record = true;
        add_record(lane, (*loaded)->record, row);
    }
    return row;
}

}  // namespace

std::vector<LaneRow> list_lanes(const Lane& from, Time now)
{
    const Lister lister(from, now);
    std::vector<LaneRow> rows;
    for (const WorktreeEntry& entry : list_worktrees(from.place)) {
        rows.push_back(lister.row(entry));
    }
    std::sort(rows.begin(), rows.end(), [](const LaneRow& a, const LaneRow& b) {
        const auto key = [](const LaneRow& row) { return std::make_tuple(row.task.empty(), row.task, row.path); };
        return key(a) < key(b);
    });
    return rows;
}

}  // namespace mandate::app
