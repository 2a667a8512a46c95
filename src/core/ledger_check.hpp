// Holds a ledger against itself, line by line from its start: the chain, the numbers, the checkpoints.
//
// Pure and in one pass; of each line only its number stays in memory. What the lock keeps in order must be in
// order. A line that says `"chained":false` was written by somebody who could not have the lock, so it stands for
// what its writer saw: it may name any of the 256 lines before it, its number is one more than the largest up to
// the line that it names, and the next line under the lock may have been decided before it came, and so name what
// stood in front of it. Such a line can vanish unseen; every other change shows.
#pragma once

#include "core/ledger_line.hpp"
#include "core/ledger_state.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace mandate::core {

enum class LedgerFault {
    ledger_unreadable,
    ledger_missing,
    foreign_line,
    other_lane,
    chain_broken,
    sequence_gap,
    sequence_repeated,
    sequence_reordered,
    checkpoint_wrong,
    names_no_booking,
    history_drift,
    torn_line,
    booked_unlocked,
};

struct LedgerFaultInfo {
    LedgerFault fault;
    std::string_view name;
    bool wrong;         // false: worth saying, and no inconsistency
    bool breaks_chain;  // the file is not what was written
    std::string_view meaning;
};

std::span<const LedgerFaultInfo> all_ledger_faults();
const LedgerFaultInfo& info(LedgerFault fault);

struct LedgerFinding {
    LedgerFault fault;
    std::string text;  // raw
};

struct LedgerReport {
    std::uint64_t lines = 0;      // a last one without its newline included
    std::uint64_t torn = 0;       // of them cut short by a crash
    std::uint64_t unchained = 0;  // written without the ledger's lock
    std::uint64_t unlocked = 0;   // bookings made without the lane's lock
    bool chain_ok = true;
    bool consistent = true;
    std::uint64_t findings = 0;        // all of them,
    std::vector<LedgerFinding> shown;  // and the first few
    LedgerState state;                 // of the task that was asked for, folded from the start

    void add(LedgerFault fault, std::uint64_t line, std::string_view text);  // line 0: of no line

private:
    std::uint64_t m_wrong_shown = 0, m_notes_shown = 0;
};

// A line of the file. The bytes stay where they are until the next line was taken.
struct FileLine {
    std::string_view bytes;
    std::uint64_t offset = 0;
    bool ended = true;  // with a newline
};

// The git blob id of a line's bytes.
using LineId = std::function<std::string(std::string_view)>;

class LedgerCheck {
public:
    // `lane` and `task` as lines hold them.
    LedgerCheck(std::string lane, std::string task, LineId id);

    // For a look at the end of a long file: the lines come from here on, so what only the whole history tells
    // (checkpoints, what `done` names) is left out. `before` is the line in front of the first.
    void resume_after(const FileLine& before);

    void take(const FileLine& line) { take(line, parse_line(line.bytes)); }
    void take(const FileLine& file_line, const std::optional<LedgerLine>& line);  // where it is parsed already
    LedgerReport finish();

private:
    struct Seen {
        std::string id;
        std::uint64_t largest_seq = 0;  // up to this line
        bool chained = true;
    };
    struct Unparsed {
        std::uint64_t number = 0;
        std::string_view bytes;
    };

    [[nodiscard]] std::optional<std::uint64_t> seq_behind(const LedgerLine& line) const;
    void check_link(const LedgerLine& line);
    void check_sequence(const LedgerLine& line, std::uint64_t expected);
    void check_closing(const LedgerLine& line);
    void check_checkpoint(const LedgerLine& line, std::uint64_t offset);
    void fold(const LedgerLine& line);
    void settle_unparsed(const LedgerLine* next);
    void remember(Seen seen);

    std::string m_lane, m_task;
    LineId m_id;
    LedgerReport m_report;
    bool m_whole = true;        // from the first line on
    std::deque<Seen> m_window;  // the lines before, newest last
    std::uint64_t m_forgotten = 0;
    std::uint64_t m_largest_seq = 0, m_previous_seq = 0;
    std::unordered_set<std::uint64_t> m_seqs;
    std::map<std::uint64_t, std::uint64_t> m_open;  // bookings by seq that are neither done nor abandoned
    std::optional<Unparsed> m_unparsed;

    std::uint64_t m_shift = 0;        // between a checkpoint's byte and its own, as last reported
    bool m_checkpoints_match = true;  // of the last one looked at

    // Folds for the tasks that are around: a checkpoint is recomputed for the task that it counts.
    LedgerState m_nobody;
    std::map<std::string, LedgerState> m_states;
    std::deque<std::string> m_recent;  // their order of arrival
    std::set<std::string> m_dropped;   // too many tasks: their checkpoints are not recomputed
};

}  // namespace mandate::core
