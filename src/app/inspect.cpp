#include "app/inspect.hpp"

#include "app/tracked.hpp"
#include "base/text.hpp"

#include <cerrno>
#include <utility>

namespace mandate::app {

namespace {

Unexpected refuse(Code code, const Place& place, std::string message, std::string hint)
{
    return fail(Error{code, std::move(message), std::move(hint), {}, place.root + "/" + k_record_name});
}

Unexpected wrong_kind(const Place& place, os::Kind kind)
{
    if (kind == os::Kind::symlink) {
        return refuse(Code::record_symlink, place, "the record is a symbolic link",
                      "replace it with a file of its own, or remove it");
    }
    return refuse(Code::record_not_regular, place, "the record is not a regular file", "move it away");
}

}  // namespace

Result<void> refuse_tracked(const Place& place)
{
    switch (tracked_state(place)) {
        case git::Tracked::no:
            return {};
        case git::Tracked::yes:
            return refuse(Code::record_tracked, place,
                          "the record is in git's index, so it came with a branch and grants nothing",
                          "ask who added it, then: git rm --cached MANDATE.md");
        case git::Tracked::unknown:
            break;
    }
    return refuse(Code::record_tracked_unknown, place,
                  "git's index cannot be read, so nobody can tell whether this is tracked",
                  "mend the index (git status says what is wrong with it)");
}

Result<std::optional<RecordFile>> read_record_file(const Place& place)
{
    const auto seen = os::look(place.root_dir, k_record_name);
    if (seen && seen->kind == os::Kind::absent) {
        return std::nullopt;
    }
    if (seen && seen->kind != os::Kind::regular) {
        return wrong_kind(place, seen->kind);
    }
    auto file = os::open_for_reading(place.root_dir, k_record_name);
    if (!file) {
        // The name may have changed hands since the look: the open decides.
        if (file.error() == ENOENT) {
            return std::nullopt;
        }
        if (file.error() == ELOOP) {
            return wrong_kind(place, os::Kind::symlink);
        }
        if (file.error() == ENXIO) {
            return wrong_kind(place, os::Kind::other);
        }
        return refuse(Code::record_unreadable, place, "cannot open the record: " + file.error().text(),
                      "check its permissions");
    }
    auto facts = os::facts(*file);
    if (!facts) {
        return refuse(Code::record_unreadable, place, "cannot read the record: " + facts.error().text(),
                      "check the file system");
    }
    if (facts->kind != os::Kind::regular) {
        return wrong_kind(place, facts->kind);
    }
    auto bytes = os::read_whole(*file, core::k_record_limit, facts->identity.size);
    if (!bytes && bytes.error() == EFBIG) {
        return refuse(Code::record_too_large, place, "the record is larger than 1 MiB", "shorten its body");
    }
    if (!bytes) {
        return refuse(Code::record_unreadable, place, "cannot read the record: " + bytes.error().text(),
                      "check the file system");
    }
    if (auto untracked = refuse_tracked(place); !untracked) {
        return fail(std::move(untracked.error()));
    }
    return RecordFile{std::move(*bytes), *facts, std::move(*file)};
}

Result<void> check_binding(const core::Record& record, const Place& place)
{
    const std::string lane_id = text::escape(place.lane_id);
    if (!record.lane_id.empty() && record.lane_id != lane_id) {
        return refuse(Code::lane_mismatch, place,
                      "the record was made for lane '" + record.lane_id + "', and this is '" + lane_id + "'",
                      "remove it, or take it over: mandate rebind --by WHO");
    }
    const std::string branch = text::escape(place.head.branch);
    if (!record.branch.empty() && !branch.empty() && record.branch != branch) {
        return refuse(Code::branch_mismatch, place,
                      "the record was made for branch '" + record.branch + "', and '" + branch + "' is checked out",
                      "check that branch out, or take the record over: mandate rebind --by WHO");
    }
    return {};
}

Result<std::optional<LoadedRecord>> load_record(const Lane& lane, Binding binding)
{
    const auto in_record = [&](Error error) {
        Error located = in_lane(std::move(error), lane);
        located.details.insert(located.details.begin() + 2, {"mandate_file", lane.record_path()});
        if (located.path.empty()) {
            located.path = lane.record_path();
        }
        return fail(std::move(located));
    };
    auto file = read_record_file(lane.place);
    if (!file) {
        return in_record(std::move(file.error()));
    }
    if (!*file) {
        return std::nullopt;
    }
    auto record = core::parse_record(std::move((*file)->bytes), lane.settings.vocabulary);
    if (!record) {
        return in_record(std::move(record.error()));
    }
    if (binding == Binding::check) {
        if (auto bound = check_binding(*record, lane.place); !bound) {
            bound.error().details.insert(bound.error().details.begin(), {"task", record->task});
            return in_record(std::move(bound.error()));
        }
    }
    return LoadedRecord{std::move(*record), (*file)->facts};
}

Result<LoadedRecord> require_record(const Lane& lane, Binding binding)
{
    auto loaded = load_record(lane, binding);
    if (!loaded) {
        return fail(std::move(loaded.error()));
    }
    if (!*loaded) {
        return fail(no_mandate(lane));
    }
    return std::move(**loaded);
}

Error no_mandate(const Lane& lane)
{
    return in_lane(Error{Code::no_mandate,
                         "there is no record",
                         std::string(k_how_to_grant),
                         {{"mandate_file", lane.record_path()}},
                         lane.record_path()},
                   lane);
}

Error expired(const core::Record& record)
{
    const std::string at = record.expires_at ? format_seconds_utc(*record.expires_at) : "";
    return Error{
        Code::expired, "the grant ran out at " + at, "a person renews it: edit expires_at in the record", {}, {}};
}

}  // namespace mandate::app
