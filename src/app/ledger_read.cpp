// Reading a ledger: the whole file as bytes, its lines, and what its end amounts to; part of ledger.hpp.

#include "app/ledger.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

namespace mandate::app {

namespace {

constexpr std::size_t k_lines_held = 512;  // in memory at once, while the end of a ledger is read

std::string_view line_ending_at(std::string_view bytes, std::size_t end)
{
    const std::size_t newline = end == 0 ? std::string_view::npos : bytes.rfind('\n', end - 1);
    const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    return bytes.substr(start, end - start);
}

std::size_t end_of_last_line(std::string_view bytes) { return bytes.back() == '\n' ? bytes.size() - 1 : bytes.size(); }

// What stands behind the newest checkpoint that may be trusted, or behind nothing.
struct Tail {
    std::optional<core::LedgerState> checkpoint;
    std::size_t begin = 0;                   // of the first line behind it
    std::vector<core::LedgerLine> newest;    // lines behind it, newest first; the older ones may be missing
    std::size_t count = 0;                   // of all of them
    std::optional<std::string> booked_task;  // of the newest booking among them
};

// Walks back from the end. A last line that lacks only its newline is a line: the next append ends it, and from
// then on everybody counts it.
Tail walk_back(std::string_view bytes, const std::optional<std::string>& task)
{
    Tail tail;
    std::size_t cursor = end_of_last_line(bytes);
    while (true) {
        const std::string_view bytes_of_line = line_ending_at(bytes, cursor);
        const std::size_t offset = cursor - bytes_of_line.size();
        auto line = core::parse_line(bytes_of_line);
        if (line && line->checkpoint && line->checkpoint->offset == offset &&
            (!task || line->checkpoint->state.task == *task)) {
            tail.checkpoint = std::move(line->checkpoint->state);
            tail.begin = std::min(cursor + 1, bytes.size());
            return tail;
        }
        if (line) {
            ++tail.count;
            if (!tail.booked_task && core::is_booking_event(line->event)) {
                tail.booked_task = line->task;
            }
            if (tail.newest.size() < k_lines_held) {
                tail.newest.push_back(std::move(*line));
            }
        }
        if (offset == 0) {
            return tail;
        }
        cursor = offset - 1;
    }
}

}  // namespace

Result<std::optional<os::Fd>> Ledger::open_for_reading() const
{
    auto opened = os::open_directory(m_common_dir);
    for (const std::string& folder : m_folders) {
        if (opened) {
            opened = os::open_directory_at(*opened, folder);
        }
    }
    if (opened) {
        opened = os::open_for_reading(*opened, m_file_name);
    }
    if (!opened) {
        if (opened.error() == ENOENT) {
            return std::nullopt;
        }
        return failure("cannot open", opened.error());
    }
    return std::optional(std::move(*opened));
}

Result<std::optional<os::MappedFile>> Ledger::map() const
{
    auto file = open_for_reading();
    if (!file) {
        return fail(std::move(file.error()));
    }
    if (!*file) {
        return std::nullopt;
    }
    const auto facts = os::facts(**file);
    if (!facts) {
        return failure("cannot read", facts.error());
    }
    if (facts->kind == os::Kind::regular && facts->identity.size > k_ledger_limit) {
        return failure("cannot use", os::Errno{EFBIG});
    }
    auto mapped = os::MappedFile::open(**file);
    if (!mapped) {
        return failure("cannot read", mapped.error());
    }
    return std::optional(std::move(*mapped));
}

std::string_view last_line(std::string_view bytes)
{
    return bytes.empty() ? bytes : line_ending_at(bytes, end_of_last_line(bytes));
}

std::size_t begin_of_last_lines(std::string_view bytes, std::size_t count)
{
    std::size_t begin = bytes.size();
    for (std::size_t n = 0; n < count && begin > 0; ++n) {
        begin -= last_line(bytes.substr(0, begin)).size() + (bytes[begin - 1] == '\n' ? 1U : 0U);
    }
    return begin;
}

void for_each_line(std::string_view bytes, const std::function<void(std::string_view, std::uint64_t, bool)>& visit)
{
    std::size_t start = 0;
    while (start < bytes.size()) {
        const std::size_t newline = bytes.find('\n', start);
        const bool torn = newline == std::string_view::npos;
        const std::size_t end = torn ? bytes.size() : newline;
        visit(bytes.substr(start, end - start), start, torn);
        start = end + 1;
    }
}

Ledger::End Ledger::read_end(std::string_view bytes, const std::optional<std::string>& task)
{
    End end;
    end.size = bytes.size();
    end.torn = !bytes.empty() && bytes.back() != '\n';
    if (bytes.empty()) {
        end.state = core::LedgerState(task.value_or(""));
        return end;
    }
    Tail tail = walk_back(bytes, task);
    end.since_checkpoint = tail.count;
    end.state =
        tail.checkpoint ? std::move(*tail.checkpoint) : core::LedgerState(task ? *task : tail.booked_task.value_or(""));
    if (tail.count == tail.newest.size()) {
        std::reverse(tail.newest.begin(), tail.newest.end());
        for (const core::LedgerLine& line : tail.newest) {
            end.state.apply(line);
        }
        return end;
    }
    // A long way without a checkpoint is read a second time, forward, rather than held in memory.
    for_each_line(bytes.substr(tail.begin), [&end](std::string_view bytes_of_line, std::uint64_t, bool) {
        if (const auto line = core::parse_line(bytes_of_line)) {
            end.state.apply(*line);
        }
    });
    return end;
}

Result<core::LedgerState> Ledger::state(const std::optional<std::string>& task) const
{
    auto mapped = map();
    if (!mapped) {
        return fail(std::move(mapped.error()));
    }
    const std::string_view bytes = *mapped ? (*mapped)->bytes() : std::string_view();
    return read_end(bytes, task ? std::optional(core::line_text(*task)) : std::nullopt).state;
}

bool Ledger::torn() const
{
    const auto mapped = map();
    return mapped && *mapped && !(*mapped)->bytes().empty() && (*mapped)->bytes().back() != '\n';
}

}  // namespace mandate::app
