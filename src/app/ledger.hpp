// The ledger file of one lane: append a line, or learn what the lines so far amount to.
//
// `<common dir>/mandate/main.jsonl` or `<common dir>/mandate/worktrees/<id>.jsonl`; nothing is created
// before the first append. An append is one write(2) with O_APPEND under a flock of the ledger itself,
// taken after the lane's lock and never the other way round. Where that flock cannot be had the line is
// appended all the same, marked `"chained":false`: a count is never lost for want of a lock.
//
// Reading needs only the end of the file (checkpoints, see core/ledger_state.hpp). A torn last line is
// closed by the next append. Fails with ledger-unwritable. Implemented in ledger.cpp (appending) and
// ledger_read.cpp.
#pragma once

#include "app/place.hpp"
#include "base/error.hpp"
#include "core/ledger_line.hpp"
#include "core/ledger_state.hpp"
#include "os/mapped_file.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::app {

constexpr std::uint64_t k_ledger_limit = 256U << 20U;  // bytes; a larger one is refused, not read

// What a caller says of an event; the ledger adds seq, time, lane, pid and the chain. Raw text.
struct LedgerEntry {
    std::string event;
    std::string task, head;
    core::LedgerFields fields;
    std::string record;  // blob id of the record's bytes as the booking leaves them
};

enum class Sync { no, yes };

class Ledger {
public:
    explicit Ledger(const Place& place);
    Ledger(std::string common_dir, const std::string& lane_id);  // of a lane that may be gone: for reading

    // The state at the end, with the rounds of `task` counted (none: of any task, for what does not depend on
    // one). An absent ledger is an empty state. A file that cannot be read is an error whose message says why.
    [[nodiscard]] Result<core::LedgerState> state(const std::optional<std::string>& task = std::nullopt) const;

    // True when the file ends without a newline.
    [[nodiscard]] bool torn() const;

    // Whether an append would find a file that takes it, or a folder in which to make one. Nothing is created.
    [[nodiscard]] Result<void> check_writable() const;

    // All bytes; nothing where there is no file.
    [[nodiscard]] Result<std::optional<os::MappedFile>> map() const;

    // Opens the file (made on the way) and holds its flock until `release` or the end of this object. A
    // booking holds it from before its decision to after its rename: unlike the lane's lock file, which
    // `git clean` may delete under its holder, this file stays, so two bookings of one lane never meet.
    // lock-held when others held it for the whole time.
    Result<void> hold();
    void release();

    // `state` while the flock is held, kept for the append that follows, so that the end is read once.
    Result<core::LedgerState> held_state(const std::optional<std::string>& task);

    // Appends and returns the line's seq; holds the flock for itself where nobody does. On failure nothing
    // of the line is left, as far as the disk allows.
    Result<std::uint64_t> append(const LedgerEntry& entry, Sync sync);

    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    struct End {
        core::LedgerState state;
        std::uint64_t size = 0;
        std::string last_line_id;          // blob id of the last line's bytes, "" in an empty file; for appending
        std::size_t since_checkpoint = 0;  // lines
        bool torn = false;
    };
    static End read_end(std::string_view bytes, const std::optional<std::string>& task);
    [[nodiscard]] Result<std::optional<os::Fd>> open_for_reading() const;
    [[nodiscard]] Result<os::Fd> open_for_appending() const;
    Result<End> end_of(std::uint64_t size, const std::string& task);
    Result<std::uint64_t> append_held(const LedgerEntry& entry, Sync sync);
    [[nodiscard]] Unexpected failure(const std::string& what, const os::Errno& cause) const;

    std::string m_common_dir;
    std::vector<std::string> m_folders;  // below the common dir
    std::string m_file_name;
    std::string m_path;            // for messages
    std::string m_lane, m_branch;  // escaped
    os::Fd m_file;                 // valid while held
    bool m_chained = true;         // false: the file system refused the flock
    std::optional<End> m_end;      // after our own last append
};

// Calls `visit` for every line from the oldest, with its bytes (no newline) and where it starts; the last
// one may be torn.
void for_each_line(std::string_view bytes,
                   const std::function<void(std::string_view, std::uint64_t, bool torn)>& visit);

// The bytes of the last line, without its newline where it has one.
std::string_view last_line(std::string_view bytes);

// Where the last `count` lines begin.
std::size_t begin_of_last_lines(std::string_view bytes, std::size_t count);

}  // namespace mandate::app
