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
constexpr const char* k_appending = "cannot append to";

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

Ledger::Ledger(const Place& place) : Ledger(place.common_dir, place.lane_id)
{
    m_branch = core::line_text(place.head.branch);
}

Unexpected Ledger::failure(const std::string& what, const os::Errno& cause) const
{
    bool no_file = false;
    switch (cause.value) {
        case EINVAL:
        case ELOOP:
        case EISDIR:
        case ENXIO:
            no_file = true;
            break;
        default:
            break;
    }
    Error error{Code::ledger_unwritable,
                no_file ? "the ledger is no regular file" : what + " the ledger: " + cause.text(),
                {},
                {},
                m_path};
    const bool too_large = cause == EFBIG && what != k_appending;  // else this process may not write so far
    error.hint = too_large ? "nothing was booked; move it away as it is, the next booking starts a new one"
                           : "nothing was booked; make the ledger a file that you can write, then try again";
    return fail(std::move(error));
}

// Folders and file are made on the way. A new name is durable only once its folder is synced, and whoever made it
// may have been killed before: as long as the file is empty nobody relies on it, and the whole way to it is synced.
Result<os::Fd> Ledger::open_for_appending() const
{
    std::vector<os::Fd> way;
    auto folder = os::open_directory(m_common_dir);
    for (const std::string& name : m_folders) {
        if (!folder) {
            break;
        }
        auto inner = os::open_directory_at(*folder, name);
        if (!inner && inner.error() == ENOENT) {
            if (const auto made = os::make_directory(*folder, name); !made) {
                return failure("cannot make the folder of", made.error());
            }
            inner = os::open_directory_at(*folder, name);
        }
        way.push_back(std::move(*folder));
        folder = std::move(inner);
    }
    if (!folder) {
        return failure("cannot open the folder of", folder.error());
    }
    const auto before = os::look(*folder, m_file_name);
    if (before && before->kind != os::Kind::absent && before->kind != os::Kind::regular) {
        return failure("cannot use", os::Errno{EINVAL});
    }
    auto file = os::open_for_appending(*folder, m_file_name, os::Create::yes);
    if (!file) {
        return failure("cannot open", file.error());
    }
    const auto opened = os::facts(*file);
    if (!opened || opened->identity.size == 0) {
        way.push_back(std::move(*folder));
        for (const os::Fd& one : way) {
            if (const auto synced = os::sync(one); !synced) {
                return failure("cannot sync the folder of", synced.error());
            }
        }
    }
    return std::move(*file);
}

Result<Ledger::End> Ledger::end_of(std::uint64_t size, const std::string& task)
{
    if (m_end && m_end->size == size && (task.empty() || m_end->state.task == task)) {
        return *m_end;
    }
    // Through the descriptor that is held, where the file may be read through it; else through one of its own.
    auto through_held = os::MappedFile::open(m_file);
    auto mapped = through_held ? Result<std::optional<os::MappedFile>>(std::move(*through_held)) : map();
    if (!mapped) {
        return fail(std::move(mapped.error()));
    }
    const std::string_view bytes = *mapped ? (*mapped)->bytes() : std::string_view();
    End end = read_end(bytes, task.empty() ? std::nullopt : std::optional(task));
    end.last_line_id = bytes.empty() ? "" : git::blob_id(last_line(bytes));
    return end;
}

Result<void> Ledger::check_writable() const
{
    const auto mapped = map();
    if (!mapped) {
        return fail(mapped.error());
    }
    // The nearest thing on the way to the file that exists must take a write.
    std::string path = m_path;
    for (auto facts = os::follow_path(path);
         facts && facts->kind == os::Kind::absent && path.size() > m_common_dir.size(); facts = os::follow_path(path)) {
        path.erase(path.rfind('/'));
    }
    if (!os::may_write(path)) {
        return failure("cannot write", os::Errno{EACCES});
    }
    return {};
}

Result<void> Ledger::hold()
{
    auto file = open_for_appending();
    if (!file) {
        return fail(std::move(file.error()));
    }
    const auto locked = os::lock_exclusive(*file, k_ledger_lock_timeout);
    if (!locked && locked.error() == EWOULDBLOCK) {
        return fail(Error{Code::lock_held,
                          "another process holds the ledger's lock",
                          "wait for it to end, then try again",
                          {},
                          m_path});
    }
    m_chained = locked.has_value();
    m_file = std::move(*file);
    return {};
}

void Ledger::release() { m_file = os::Fd(); }

Result<core::LedgerState> Ledger::held_state(const std::optional<std::string>& task)
{
    const auto facts = m_file.valid() ? os::facts(m_file) : tl::unexpected(os::Errno{EBADF});
    if (!facts || facts->identity.size > k_ledger_limit) {
        return state(task);
    }
    auto end = end_of(facts->identity.size, task ? core::line_text(*task) : std::string());
    if (!end) {
        return fail(std::move(end.error()));
    }
    m_end = std::move(*end);
    return m_end->state;
}

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
    const std::string task = core::line_text(entry.task);
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
    std::string bytes = core::format_line(line);
    if (line.checkpoint && bytes.size() > core::k_line_limit) {
        line.checkpoint.reset();  // a forged history can make it as long as it likes
        bytes = core::format_line(line);
    }
    const std::string written = closing + bytes + "\n";
    const auto taken = os::write_once(m_file, written);
    const auto synced = sync == Sync::yes && taken ? os::sync(m_file) : os::OsResult<void>();
    if (!taken || *taken != written.size() || !synced) {
        // Our own line goes again, whole or half, unless others may have appended behind it.
        if (taken && m_chained) {
            (void)os::truncate(m_file, size);
        }
        return failure(k_appending, !taken ? taken.error() : !synced ? synced.error() : os::Errno{ENOSPC});
    }
    end->size = size + written.size();
    end->last_line_id = git::blob_id(bytes);
    end->since_checkpoint = line.checkpoint ? 0 : end->since_checkpoint + 1;
    end->torn = false;
    m_end = std::move(*end);
    return line.seq;
}

}  // namespace mandate::app
