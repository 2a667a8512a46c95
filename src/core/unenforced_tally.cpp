#include "core/unenforced_tally.hpp"

#include "base/timestamp.hpp"
#include "core/ledger_line.hpp"
#include "core/unenforced.hpp"

namespace mandate::core {

std::string one_word(std::string text)
{
    for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at)) {
        text.replace(at, 1, "\\x20");
    }
    return text;
}

void UnenforcedTally::apply(const LedgerLine& line)
{
    if (line.event == "ack") {
        m_seen.clear();
    } else if (line.event == "unenforced") {
        Seen& seen = m_seen[line.text("reason")];
        ++seen.count;
        seen.last = parse_utc(line.at) ? line.at : std::string();
    }
}

std::vector<UnenforcedRow> UnenforcedTally::rows() const
{
    std::vector<UnenforcedRow> rows;
    for (const UnenforcedInfo& known : all_unenforced()) {
        if (const auto seen = m_seen.find(std::string(known.name)); seen != m_seen.end()) {
            rows.push_back({seen->first, seen->second.count, seen->second.last, known.benign});
        }
    }
    for (const auto& [reason, seen] : m_seen) {
        if (!parse_unenforced(reason)) {
            rows.push_back({one_word(reason), seen.count, seen.last, false});
        }
    }
    return rows;
}

UnenforcedTotals totals(const std::map<std::string, std::uint64_t>& by_reason)
{
    UnenforcedTotals sums;
    for (const auto& [name, count] : by_reason) {
        const auto reason = parse_unenforced(name);
        (reason && info(*reason).benign ? sums.benign : sums.serious) += count;
    }
    return sums;
}

}  // namespace mandate::core
