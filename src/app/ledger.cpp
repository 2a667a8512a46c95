#include "app/ledger.hpp"

#include "base/text.hpp"
#include "base/timestamp.hpp"
#include "git/library.hpp"
#include "os/env.hpp"
#include "os/lock.hpp"

#include <cerrno>
#include <utility>
#include <vector>

namespace mandate::app {

namespace {

constexpr std::chrono::milliseconds k_ledger_lock_timeout{5000};
constexpr std::size_t k_lines_between_checkpoints = 16;

std::string_view line_ending_at(std::string_view bytes, std::size_t end)
{
    const std::size_t newline = end == 0 ? std::string_view::npos : bytes.rfind('\n', end - 1);
    const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    return bytes.substr(start, end - start);
}

}  // namespace

Ledger::Ledger(std::string common_dir, const std::string& lane_id)
    : m_common_dir(std::move(common_dir)), m_folders{"mandate"}, m_lane(text::escape(lane_id))
{
    const std::size_t slash = lane_id.find('/');
    if (slash != std::string::npos) {
        m_folders.push_back(lane_id.substr(0, slash));
    }
    m_file_name = lane_id.substr(slash == std::string::npos ? 0 : slash + 1) + ".jsonl";
    m_path = m_common_dir + "/" + text::join(m_folders, "/") + "/" + m_file_name;
}

Ledger::Ledger(const Place& place) : Ledger(place.common_dir, place.lane_id) { m_branch = text::escape(place.head.branch); }

Unexpected Ledger::failure(const std::string& what, const os::Errno& cause) const
{
    Error error{Code::ledger_unwritable, what + " the ledger: " + cause.text(), {}, {}, m_path};
    error.hint = "nothing was booked; make the ledger a file that you can write, then try again";
    return fail(std::move(error));
}

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
        return failure(facts->kind == os::Kind::regular ? "cannot read" : "no regular file stands in place of", mapped.error());
    }
    return std::optional(std::move(*mapped));
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

// Walks back from the end to the newest checkpoint that may be trusted, then folds forward from there.
Ledger::End Ledger::read_end(std::string_view bytes, const std::optional<std::string>& task)
{
    End end;
    end.size = bytes.size();
    end.torn = !bytes.empty() && bytes.back() != '\n';
    if (bytes.empty()) {
        end.state = core::LedgerState(task.value_or(""));
        return end;
    }
    std::size_t cursor = end.torn ? bytes.size() : bytes.size() - 1;
    end.last_line_id = git::blob_id(line_ending_at(bytes, cursor));
    std::vector<core::LedgerLine> after_checkpoint;  // newest first
    std::optional<core::LedgerState> start;
    bool complete_line = !end.torn;
    while (true) {
        const std::string_view bytes_of_line = line_ending_at(bytes, cursor);
        const std::size_t offset = cursor - bytes_of_line.size();
        std::optional<core::LedgerLine> line = complete_line ? core::parse_line(bytes_of_line) : std::nullopt;
        complete_line = true;
        if (line && line->checkpoint && line->checkpoint->offset == offset && (!task || line->checkpoint->state.task == *task)) {
            start = std::move(line->checkpoint->state);
            break;
        }
        if (line) {
            after_checkpoint.push_back(std::move(*line));
        }
        if (offset == 0) {
            break;
        }
        cursor = offset - 1;
    }
    end.since_checkpoint = after_checkpoint.size();
    if (!start) {
        std::string counted = task.value_or("");
        for (auto line = after_checkpoint.begin(); !task && line != after_checkpoint.end(); ++line) {
            if (core::is_booking_event(line->event)) {
                counted = line->task;
                break;
            }
        }
        start.emplace(std::move(counted));
    }
    end.state = std::move(*start);
    for (auto line = after_checkpoint.rbegin(); line != after_checkpoint.rend(); ++line) {
        end.state.apply(*line);
    }
    return end;
}

Result<core::LedgerState> Ledger::state(const std::optional<std::string>& task) const
{
    // Without a task the rounds of whatever was booked last are counted.
    auto mapped = map();
    if (!mapped) {
        return fail(std::move(mapped.error()));
    }
    const std::string_view bytes = *mapped ? (*mapped)->bytes() : std::string_view();
    return read_end(bytes, task ? std::optional(text::escape(*task)) : std::nullopt).state;
}

bool Ledger::torn() const
{
    const auto mapped = map();
    return mapped && *mapped && !(*mapped)->bytes().empty() && (*mapped)->bytes().back() != '\n';
}

// Folders and file are made on the way; a new name is durable only once its folder is synced.
Result<os::Fd> Ledger::open_for_appending() const
{
    auto folder = os::open_directory(m_common_dir);
    for (const std::string& name : m_folders) {
        if (!folder) {
            break;
        }
        auto inner = os::open_directory_at(*folder, name);
        if (!inner && inner.error() == ENOENT) {
            const auto made = os::make_directory(*folder, name).and_then([&] { return os::sync(*folder); });
            if (!made) {
                return failure("cannot make the folder of", made.error());
            }
            inner = os::open_directory_at(*folder, name);
        }
        folder = std::move(inner);
    }
    if (!folder) {
        return failure("cannot open the folder of", folder.error());
    }
    const auto before = os::look(*folder, m_file_name);
    if (before && before->kind != os::Kind::absent && before->kind != os::Kind::regular) {
        return failure("no regular file stands in place of", os::Errno{EINVAL});
    }
    auto file = os::open_for_appending(*folder, m_file_name, os::Create::yes);
    if (!file) {
        return failure("cannot open", file.error());
    }
    if (!before || before->kind == os::Kind::absent) {
        if (const auto synced = os::sync(*folder); !synced) {
            return failure("cannot sync the folder of", synced.error());
        }
    }
    return std::move(*file);
}

Result<Ledger::End> Ledger::end_of(std::uint64_t size, const std::string& task)
{
    if (m_end && m_end->size == size && (task.empty() || m_end->state.task == task)) {
        return *m_end;
    }
    // The descriptor for appending is write-only, so the bytes come through one of their own.
    auto mapped = map();
    if (!mapped) {
        return fail(std::move(mapped.error()));
    }
    return read_end(*mapped ? (*mapped)->bytes() : std::string_view(), task.empty() ? std::nullopt : std::optional(task));
}

Result<void> Ledger::hold()
{
    auto file = open_for_appending();
    if (!file) {
        return fail(std::move(file.error()));
    }
    const auto locked = os::lock_exclusive(*file, k_ledger_lock_timeout);
    if (!locked && locked.error() == EWOULDBLOCK) {
        return fail(Error{Code::lock_held, "another process holds the ledger's lock", "wait for it to end, then try again", {}, m_path});
    }
    m_chained = locked.has_value();
    m_file = std::move(*file);
    return {};
}

void Ledger::release() { m_file = os::Fd(); }

Result<std::uint64_t> Ledger::append(const LedgerEntry& entry, Sync sync)
{
    if (m_file.valid()) {
        return append_held(entry, sync);
    }
    auto held = hold();
    if (!held && held.error().code == Code::lock_held) {
        // A count is never lost for want of a lock: unchained, it goes in beside whoever holds it.
        auto file = open_for_appending();
        if (!file) {
            return fail(std::move(file.error()));
        }
        m_file = std::move(*file);
        m_chained = false;
        held = {};
    }
    if (!held) {
        return fail(std::move(held.error()));
    }
    auto appended = append_held(entry, sync);
    release();
    return appended;
}

Result<std::uint64_t> Ledger::append_held(const LedgerEntry& entry, Sync sync)
{
    const auto facts = os::facts(m_file);
    if (!facts) {
        return failure("cannot read", facts.error());
    }
    const std::uint64_t size = facts->identity.size;
    if (size > k_ledger_limit) {
        return failure("cannot add to", os::Errno{EFBIG});
    }
    const std::string task = text::escape(entry.task);
    auto end = end_of(size, task);
    if (!end) {
        return fail(std::move(end.error()));
    }

    core::LedgerLine line;
    line.seq = end->state.last_seq + 1;
    line.at = format_millis_utc(std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()));
    line.event = entry.event;
    line.lane = m_lane;
    line.task = task;
    line.branch = m_branch;
    line.head = entry.head;
    line.fields = core::escaped_fields(entry.fields);
    line.pid = static_cast<std::uint64_t>(os::process_id());
    line.record = entry.record;
    line.prev = end->last_line_id;
    line.chained = m_chained;
    end->state.apply(line);
    // A torn line is closed in the same write(2), so that no other line can land on it.
    const std::string closing = end->torn ? "\n" : "";
    if (m_chained && end->since_checkpoint >= k_lines_between_checkpoints) {
        line.checkpoint = core::Checkpoint{size + closing.size(), end->state};
    }
    const std::string bytes = core::format_line(line);
    const std::string written = closing + bytes + "\n";
    const auto taken = os::write_once(m_file, written);
    const auto synced = sync == Sync::yes && taken ? os::sync(m_file) : os::OsResult<void>();
    if (!taken || *taken != written.size() || !synced) {
        // Our own line goes again, whole or half, unless others may have appended behind it.
        if (taken && m_chained) {
            (void)os::truncate(m_file, size);
        }
        return failure("cannot append to", !taken ? taken.error() : !synced ? synced.error() : os::Errno{ENOSPC});
    }
    end->size = size + written.size();
    end->last_line_id = git::blob_id(bytes);
    end->since_checkpoint = line.checkpoint ? 0 : end->since_checkpoint + 1;
    end->torn = false;
    m_end = std::move(*end);
    return line.seq;
}

}  // namespace mandate::app
