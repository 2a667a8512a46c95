#include "core/round_report.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace mandate::core {

namespace {

std::set<std::uint64_t> abandoned_lines(const std::vector<LedgerLine>& lines)
{
    std::set<std::uint64_t> abandoned;
    for (const LedgerLine& line : lines) {
        if (line.event == "abandoned") {
            abandoned.insert(line.number("of"));
        }
    }
    return abandoned;
}

// What an outcome's line says replaces what an earlier one said.
void take(const LedgerLine& line, ReportedRound& row)
{
    for (const auto* key : {"reviewed_head", "settled_head"}) {
        if (line.has(key)) {
            row.head = line.text(key);
        }
    }
    if (line.has("findings_open")) {
        row.findings_open = line.number("findings_open");
    }
    row.by = line.has("by") ? line.text("by") : row.by;
    row.reason = line.has("reason") ? line.text("reason") : row.reason;
}

// The round that an outcome belongs to: the newest one that was not given back.
ReportedRound* newest(std::vector<ReportedRound>& rows)
{
    const auto found =
        std::find_if(rows.rbegin(), rows.rend(), [](const auto& row) { return row.state != "cancelled"; });
    return found == rows.rend() ? nullptr : &*found;
}

ReportedRound& unbooked(const LedgerLine& line, std::vector<ReportedRound>& rows)
{
    ReportedRound row;
    row.booked = false;
    row.at = line.at;
    return rows.emplace_back(std::move(row));
}

}  // namespace

std::vector<ReportedRound> report_rounds(const std::vector<LedgerLine>& lines, const std::string& task,
                                         const std::optional<std::uint64_t>& pending)
{
    const std::set<std::uint64_t> abandoned = abandoned_lines(lines);
    std::vector<ReportedRound> rows;
    for (const LedgerLine& line : lines) {
        if (line.task != task || line.seq == pending || abandoned.contains(line.seq)) {
            continue;
        }
        if (line.event == "round") {
            ReportedRound row;
            row.round = line.number("round");
            row.at = line.at;
            row.state = "booked";
            row.head = line.head;
            rows.push_back(std::move(row));
        } else if (line.event == "reviewed") {
            ReportedRound* row = newest(rows);
            ReportedRound& reviewed = row != nullptr && row->state == "booked" ? *row : unbooked(line, rows);
            reviewed.state = "reviewed";
            reviewed.findings = line.number("findings");
            reviewed.findings_open = reviewed.findings;
            take(line, reviewed);
        } else if (line.event == "fixed" || line.event == "acknowledged" || line.event == "cancel") {
            ReportedRound* row = newest(rows);
            ReportedRound& closed = row != nullptr ? *row : unbooked(line, rows);
            take(line, closed);
            const bool open = line.event != "cancel" && closed.findings_open.value_or(0) > 0;
            closed.state = open ? closed.state : line.event == "cancel" ? "cancelled" : line.event;
        }
    }
    return rows;
}

}  // namespace mandate::core
