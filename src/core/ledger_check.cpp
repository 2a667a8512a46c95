#include "core/ledger_check.hpp"

#include "core/unenforced.hpp"

#include <algorithm>
#include <utility>

namespace mandate::core {

namespace {

constexpr std::size_t k_window = 256;        // lines before an unchained one that it may name
constexpr std::size_t k_tasks_at_once = 16;  // folded side by side
constexpr std::string_view k_nobody = "\n";  // no escaped text holds a line end
constexpr std::string_view k_line_start = R"({"v":1,"seq":)";

// The beginning of a line of ours that never reached its last brace: what a crash leaves of it. Some file systems
// give the bytes that were not written as zeros.
bool is_cut_short(std::string_view bytes)
{
    const std::string_view written = bytes.substr(0, bytes.find_last_not_of('\0') + 1);
    if (bytes.empty() || !written.starts_with(k_line_start.substr(0, written.size()))) {
        return false;
    }
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < written.size(); ++i) {
        const char c = written[i];
        if (in_string) {
            i += c == '\\' ? 1U : 0U;
            in_string = c != '"';
            continue;
        }
        in_string = c == '"';
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        if (depth <= 0) {
            return false;
        }
    }
    return true;
}

std::string short_id(std::string_view id) { return id.empty() ? "nothing" : std::string(id.substr(0, 12)); }

}  // namespace

LedgerCheck::LedgerCheck(std::string lane, std::string task, LineId id)
    : m_lane(std::move(lane)), m_task(std::move(task)), m_id(std::move(id)), m_nobody(std::string(k_nobody))
{
}

void LedgerCheck::resume_after(const FileLine& before)
{
    const auto line = parse_line(before.bytes);
    m_largest_seq = m_previous_seq = line ? line->seq : 0;
    m_window.push_back({m_id(before.bytes), m_largest_seq, !line || line->chained});
    m_forgotten = 1;
    m_whole = false;
}

void LedgerCheck::take(const FileLine& file_line, const std::optional<LedgerLine>& line)
{
    const std::uint64_t number = ++m_report.lines;
    settle_unparsed(line ? &*line : nullptr);
    if (!line) {
        // Its id is asked for only where a line of ours comes behind it: a file may be junk from end to end.
        m_unparsed = Unparsed{number, file_line.bytes};
        return;
    }
    if (!file_line.ended) {
        ++m_report.torn;
        m_report.add(LedgerFault::torn_line, number, "only its newline is missing");
    }
    if (line->lane != m_lane) {
        m_report.add(LedgerFault::other_lane, number, "it names the lane '" + line->lane + "'");
    }
    check_link(*line);
    if (m_whole) {
        check_closing(*line);
        fold(*line);
        check_checkpoint(*line, file_line.offset);
    }
    m_report.unchained += line->chained ? 0U : 1U;
    m_largest_seq = std::max(m_largest_seq, line->seq);
    m_previous_seq = line->seq;
    m_seqs.insert(line->seq);
    remember({m_id(file_line.bytes), m_largest_seq, line->chained});
}

void LedgerCheck::remember(Seen seen)
{
    m_window.push_back(std::move(seen));
    if (m_window.size() > k_window) {
        m_window.pop_front();
        ++m_forgotten;
    }
}

LedgerReport LedgerCheck::finish()
{
    settle_unparsed(nullptr);
    const auto asked = m_states.find(m_task);
    m_report.state = asked != m_states.end() ? asked->second : m_nobody;
    m_report.state.task = m_task;
    return std::move(m_report);
}

// A cut line is closed by the append behind it, which names it; anything else that does not parse is foreign.
void LedgerCheck::settle_unparsed(const LedgerLine* next)
{
    if (!m_unparsed) {
        return;
    }
    const std::string id = next != nullptr ? m_id(m_unparsed->bytes) : std::string();
    const bool closed_by_next = next == nullptr || !next->chained || next->prev == id;
    if (closed_by_next && is_cut_short(m_unparsed->bytes)) {
        ++m_report.torn;
        m_report.add(LedgerFault::torn_line, m_unparsed->number, "it ends in the middle");
    } else {
        m_report.add(LedgerFault::foreign_line, m_unparsed->number, "it is no line of a ledger");
    }
    m_unparsed.reset();
    if (next != nullptr) {
        remember({id, m_largest_seq, true});
    }
}

// The largest seq up to the line that `prev` names, where that is a line which this one may name.
std::optional<std::uint64_t> LedgerCheck::seq_behind(const LedgerLine& line) const
{
    bool may_skip = true;
    for (auto seen = m_window.rbegin(); seen != m_window.rend() && may_skip; ++seen) {
        if (seen->id == line.prev) {
            return seen->largest_seq;
        }
        may_skip = !line.chained || !seen->chained;
    }
    const bool at_start = may_skip && m_forgotten == 0;
    return at_start && line.prev.empty() ? std::optional<std::uint64_t>(0) : std::nullopt;
}

void LedgerCheck::check_link(const LedgerLine& line)
{
    const auto behind = seq_behind(line);
    if (!behind) {
        const std::string before =
            m_window.empty() ? "it is the first line" : "the line before is " + short_id(m_window.back().id);
        m_report.add(LedgerFault::chain_broken, m_report.lines, "prev is " + short_id(line.prev) + ", and " + before);
    }
    check_sequence(line, behind.value_or(m_largest_seq) + 1);
}

// After a break the numbers go on from what stands there, so that one change is one finding and not a hundred.
void LedgerCheck::check_sequence(const LedgerLine& line, std::uint64_t expected)
{
    if (line.seq == expected || line.seq == m_previous_seq + 1) {
        return;
    }
    const std::string text = "seq is " + std::to_string(line.seq) + ", expected " + std::to_string(expected);
    if (line.seq > expected) {
        m_report.add(LedgerFault::sequence_gap, m_report.lines, text);
    } else if (m_seqs.contains(line.seq)) {
        m_report.add(LedgerFault::sequence_repeated, m_report.lines, text);
    } else {
        m_report.add(LedgerFault::sequence_reordered, m_report.lines, text);
    }
}

void LedgerCheck::check_closing(const LedgerLine& line)
{
    if (is_booking_event(line.event)) {
        ++m_open[line.seq];
    } else if (line.event == "done" || line.event == "abandoned") {
        const auto open = m_open.find(line.number("of"));
        if (open == m_open.end()) {
            m_report.add(LedgerFault::names_no_booking, m_report.lines,
                         line.event + " names " + std::to_string(line.number("of")));
        } else if (--open->second == 0) {
            m_open.erase(open);
        }
    } else if (line.event == "unenforced" && line.text("reason") == info(Unenforced::lock_unsupported).name) {
        ++m_report.unlocked;
        m_report.add(LedgerFault::booked_unlocked, m_report.lines, "the round behind it was booked without a lock");
    }
}

void LedgerCheck::fold(const LedgerLine& line)
{
    const bool is_new = !m_states.contains(line.task) && !m_dropped.contains(line.task);
    if (is_new) {
        // So far nobody had this task, so its state is that of a task that never comes.
        LedgerState state = m_nobody;
        state.task = line.task;
        m_states.emplace(line.task, std::move(state));
        m_recent.push_back(line.task);
    }
    if (m_recent.size() > k_tasks_at_once) {
        const auto oldest = m_recent.front() == m_task ? std::next(m_recent.begin()) : m_recent.begin();
        m_states.erase(*oldest);
        m_dropped.insert(*oldest);
        m_recent.erase(oldest);
    }
    m_nobody.apply(line);
    for (auto& [task, state] : m_states) {
        state.apply(line);
    }
}

void LedgerCheck::check_checkpoint(const LedgerLine& line, std::uint64_t offset)
{
    if (!line.checkpoint) {
        return;
    }
    // An unchained line that slipped in before it moves it. What was put in or taken out further up moves all that
    // come behind by the same number of bytes, which is said once.
    const std::uint64_t shift = offset - line.checkpoint->offset;  // modulo 2^64
    if (shift != 0) {
        const bool slipped = !m_window.empty() && !m_window.back().chained;
        if (!slipped && shift != m_shift) {
            m_report.add(LedgerFault::checkpoint_wrong, m_report.lines,
                         "it says byte " + std::to_string(line.checkpoint->offset) + " and stands at byte " +
                             std::to_string(offset));
            m_shift = shift;
        }
        return;
    }
    const std::string& task = line.checkpoint->state.task;
    if (m_dropped.contains(task)) {
        return;
    }
    const auto known = m_states.find(task);
    LedgerState expected = known != m_states.end() ? known->second : m_nobody;
    expected.task = task;
    expected.last_seq = line.seq;  // what is wrong with the numbers is said already
    const bool matches = expected == line.checkpoint->state;
    if (!matches && m_checkpoints_match) {
        // The next ones are made from this one, and as wrong.
        m_report.add(LedgerFault::checkpoint_wrong, m_report.lines, "the lines up to it amount to something else");
    }
    m_checkpoints_match = matches;
}

}  // namespace mandate::core
