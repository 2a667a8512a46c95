// The one read path: from a lane to its record, with every reason to refuse it.
//
// What is opened is what is checked and read: the open is relative to the lane's directory, never through
// a link, never blocking. Refusals come in the contract's order: the file (symlink, no regular file, too
// large, unreadable, tracked), its text, then whether it belongs to this lane and branch. Only a file that
// is absent is "no record".
#pragma once

#include "app/lane.hpp"
#include "base/error.hpp"
#include "core/record.hpp"
#include "os/file.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace mandate::app {

constexpr const char* k_record_name = "MANDATE.md";

// The file as it was read: its bytes and what fstat said of the descriptor that they came from.
struct RecordFile {
    std::string bytes;
    os::FileFacts facts;
    os::Fd file;  // still open: a booking carries its attributes over
};

struct LoadedRecord {
    core::Record record;
    os::FileFacts facts;
};

enum class Binding { check, ignore };  // `rebind` and `init --force` are what mends a wrong binding

// The file alone, with the tracked check; nothing when there is none.
Result<std::optional<RecordFile>> read_record_file(const Place& place);

// The record; nothing when there is none.
Result<std::optional<LoadedRecord>> load_record(const Lane& lane, Binding binding = Binding::check);

// The same, where the absence of a record is the refusal no-mandate.
Result<LoadedRecord> require_record(const Lane& lane, Binding binding = Binding::check);

// Refuses a MANDATE.md that is in git's index (or when nobody can tell), whether it is on disk or not.
Result<void> refuse_tracked(const Place& place);

// lane-mismatch, asked first, and branch-mismatch. A record without the keys is accepted.
Result<void> check_binding(const core::Record& record, const Place& place);

inline constexpr std::string_view k_how_to_grant =
    "a person grants one with: mandate init --preset standard task=… authorized_by=…";
Error no_mandate(const Lane& lane);
Error expired(const core::Record& record);

}  // namespace mandate::app
