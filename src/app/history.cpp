#include "app/history.hpp"

#include "app/ledger.hpp"
#include "base/text.hpp"
#include "core/ledger_check.hpp"
#include "git/library.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace mandate::app {

namespace {

constexpr std::string_view k_suffix = ".jsonl";

bool has_suffix(std::string_view name)
{
    return name.size() > k_suffix.size() && name.substr(name.size() - k_suffix.size()) == k_suffix;
}

void read_lane(const std::string& common_dir, const std::string& lane_id, const std::optional<Time>& since,
               History& history)
{
    const Ledger ledger(common_dir, lane_id);
    const auto mapped = ledger.map();
    if (!mapped) {
        history.problems.push_back(mapped.error());
        return;
    }
    if (!*mapped) {
        return;
    }
    core::LedgerCheck check(text::escape(lane_id), {}, git::blob_id);
    for_each_line((*mapped)->bytes(), [&](std::string_view bytes, std::uint64_t offset, bool torn) {
        auto line = core::parse_line(bytes);  // one that lacks only its newline is a line
        check.take({bytes, offset, !torn}, line);
        history.torn = history.torn || torn;
        if (!line) {
            history.foreign_lines += torn ? 0 : 1;
            return;
        }
        if (since) {
            const auto at = parse_utc(line->at);
            if (!at || *at < *since) {
                return;
            }
        }
        history.lines.push_back(std::move(*line));
    });
    if (const core::LedgerReport report = check.finish(); !report.chain_ok) {
        const auto first =
            std::find_if(report.shown.begin(), report.shown.end(),
                         [](const core::LedgerFinding& finding) { return info(finding.fault).breaks_chain; });
        history.damage.push_back("the ledger is damaged: " + first->text + "; mandate verify says more '" +
                                 ledger.path() + "'");
    }
}

}  // namespace

std::vector<std::string> lanes_with_ledger(const Place& place)
{
    std::vector<std::string> lanes;
    const std::string folder = place.common_dir + "/mandate/worktrees";
    if (const auto directory = os::open_directory(folder)) {
        for (const std::string& name : os::list_names(*directory).value_or(std::vector<std::string>())) {
            if (has_suffix(name)) {
                lanes.push_back("worktrees/" + name.substr(0, name.size() - k_suffix.size()));
            }
        }
    }
    std::sort(lanes.begin(), lanes.end());
    lanes.insert(lanes.begin(), "main");
    return lanes;
}

History read_history(const Place& place, bool all_lanes, const std::optional<Time>& since)
{
    History history;
    if (!all_lanes) {
        read_lane(place.common_dir, place.lane_id, since, history);
        return history;
    }
    for (const std::string& lane_id : lanes_with_ledger(place)) {
        read_lane(place.common_dir, lane_id, since, history);
    }
    // RFC 3339 in UTC with fixed width sorts as text.
    std::stable_sort(history.lines.begin(), history.lines.end(),
                     [](const core::LedgerLine& a, const core::LedgerLine& b) { return a.at < b.at; });
    return history;
}

}  // namespace mandate::app
