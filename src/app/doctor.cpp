#include "app/doctor.hpp"

#include "app/exclude.hpp"
#include "app/exclude_effect.hpp"
#include "app/exclude_lines.hpp"
#include "app/hook_files.hpp"
#include "app/inspect.hpp"
#include "app/ledger.hpp"
#include "app/verify.hpp"
#include "base/version.hpp"
#include "core/unenforced_tally.hpp"
#include "core/verdict.hpp"
#include "git/library.hpp"
#include "os/fs_type.hpp"
#include "os/lock.hpp"
#include "os/replace.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace mandate::app {

namespace {

constexpr const char* k_lock_name = ".MANDATE.lock";
constexpr const char* k_temporary_prefix = ".MANDATE.tmp.";
constexpr std::size_t k_exclude_limit = 1U << 20U;

Check ok(std::string name, std::string text) { return {std::move(name), Health::ok, std::move(text), {}}; }

Check failed(std::string name, const Error& error)
{
    return {std::move(name), Health::failed, error.message, error.hint};
}

Check check_record(const Lane& lane, Time now)
{
    const auto loaded = load_record(lane);
    if (!loaded) {
        return failed("record", loaded.error());
    }
    if (*loaded && core::is_expired((*loaded)->record, now)) {
        return {"record", Health::warning,
                "the grant of task " + (*loaded)->record.task + " ran out at " +
                    format_seconds_utc(*(*loaded)->record.expires_at),
                "a person renews it: edit expires_at in the record"};
    }
    return *loaded ? ok("record", "valid, for task " + (*loaded)->record.task)
                   : Check{"record", Health::warning, "there is none, so nobody granted anything here", "mandate init"};
}

// Two descriptors of one directory must exclude each other, as two bookings of one lock file must. The lock
// file itself is tried only where it exists: examining makes no files.
Check check_lock(const Lane& lane)
{
    const auto seen = os::look(lane.place.root_dir, k_lock_name);
    if (seen && seen->kind != os::Kind::absent) {
        const auto lock = os::FileLock::acquire(
            {lane.place.root_dir, lane.place.root, k_lock_name, std::chrono::milliseconds(0), {}});
        if (!lock && lock.error().code != Code::lock_held) {
            return failed("lock", lock.error());
        }
        return ok("lock",
                  lock ? "excludes on " + os::file_system_name(lane.place.root_dir) : "is held by a booking right now");
    }
    const auto first = os::open_directory(lane.place.root);
    const auto second = os::open_directory(lane.place.root);
    if (!first || !second) {
        return {"lock",
                Health::failed,
                "cannot open the lane twice: " + (!first ? first.error() : second.error()).text(),
                {}};
    }
    const bool taken = os::lock_exclusive(*first, std::chrono::milliseconds(0)).has_value();
    const auto again = taken ? os::lock_exclusive(*second, std::chrono::milliseconds(0)) : os::OsResult<void>();
    if (!taken || again || !(again.error() == EWOULDBLOCK)) {
        return {"lock", Health::failed,
                "the file system (" + os::file_system_name(lane.place.root_dir) + ") does not exclude",
                "bookings are refused here; move the lane to a local file system"};
    }
    return ok("lock", "excludes on " + os::file_system_name(lane.place.root_dir));
}

Check check_exclude(const Lane& lane, bool fix)
{
    const std::string path = lane.place.common_dir + "/info/exclude";
    if (fix) {
        const ExcludeOutcome outcome = ensure_excluded(lane.place);
        if (outcome.state == ExcludeOutcome::State::yes) {
            return {"exclude", Health::fixed, "the two lines are in '" + path + "' now", {}};
        }
    }
    const auto content = os::read_small_file(path, k_exclude_limit);
    if (!content || !missing_exclude_lines(*content).empty()) {
        return {"exclude", Health::warning, "git does not ignore the record yet",
                "the next booking adds the lines, or: mandate doctor --fix"};
    }
    const std::string obstacle = exclude_obstacle(lane.place, *content, nullptr);
    return obstacle.empty() ? ok("exclude", "git ignores the record")
                            : Check{"exclude", Health::failed, "the record can still be staged: " + obstacle,
                                    "look for a `!` rule in .gitignore"};
}

Check check_hooks(const Lane& lane, bool fix)
{
    auto report = inspect_hooks(lane);
    if (!report) {
        return failed("hooks", report.error());
    }
    const auto count = [&](std::string_view state) {
        return std::count_if(report->rows.begin(), report->rows.end(),
                             [&](const HookRow& row) { return row.state == state; });
    };
    if (report->complete()) {
        return ok("hooks", "all installed in '" + report->directory + "'");
    }
    if (count("outdated") > 0) {
        if (fix && install_hooks(lane)) {
            return {"hooks", Health::fixed, "outdated ones were installed anew in '" + report->directory + "'", {}};
        }
        return {"hooks", Health::failed,
                "some are for another binary, or not executable, in '" + report->directory + "'",
                "mandate hooks install"};
    }
    const std::string installed = std::to_string(count("installed")) + " of " + std::to_string(report->rows.size());
    return {"hooks", Health::warning,
            installed + " are installed in '" + report->directory + "', so git does not ask everything",
            "mandate hooks install"};
}

Check check_ledger(const Lane& lane)
{
    const Ledger ledger(lane.place);
    const auto verified = verify(lane);
    if (verified && !verified->ledger.consistent) {
        return {"ledger", Health::failed, "it contradicts itself or the record", "mandate verify"};
    }
    if (const auto writable = ledger.check_writable(); !writable) {
        return failed("ledger", writable.error());
    }
    return ok("ledger", "writable, '" + ledger.path() + "'");
}

Check check_unenforced(const Lane& lane)
{
    const auto state = Ledger(lane.place).state();
    if (!state) {
        return failed("unenforced", state.error());
    }
    std::string reasons;
    for (const auto& [reason, count] : state->unenforced) {
        reasons += (reasons.empty() ? "" : ", ") + reason + " " + std::to_string(count);
    }
    const core::UnenforcedTotals totals = core::totals(state->unenforced);
    if (totals.serious > 0) {
        return {"unenforced", Health::warning, reasons, "read mandate unenforced, then --ack --by WHO"};
    }
    return ok("unenforced", reasons.empty() ? "nothing" : reasons + " (benign)");
}

Check check_leftovers(const Lane& lane, bool fix)
{
    const auto leftovers = [&] {
        std::size_t count = 0;
        for (const std::string& name : os::list_names(lane.place.root_dir).value_or(std::vector<std::string>())) {
            count += name.rfind(k_temporary_prefix, 0) == 0 ? 1U : 0U;
        }
        return count;
    };
    if (leftovers() == 0) {
        return ok("leftovers", "none");
    }
    if (fix) {
        // Only the holder of the lock may sweep: another's temporary file may be a booking in the making.
        const auto lock = os::FileLock::acquire(
            {lane.place.root_dir, lane.place.root, k_lock_name, std::chrono::milliseconds(0), {}});
        if (lock) {
            os::sweep(lane.place.root_dir, k_temporary_prefix);
        }
        if (leftovers() == 0) {
            return {"leftovers", Health::fixed, "temporary files of killed bookings were removed", {}};
        }
    }
    return {"leftovers", Health::warning, "temporary files of killed bookings",
            "the next booking removes them, or: mandate doctor --fix"};
}

}  // namespace

std::string_view name(Health health)
{
    constexpr std::array<std::string_view, 4> k_names{"ok", "fixed", "warning", "failed"};
    return k_names[static_cast<std::size_t>(health)];
}

std::vector<Check> examine(const Lane& lane, bool fix, Time now)
{
    std::vector<Check> checks{check_record(lane, now),   check_lock(lane),   check_exclude(lane, fix),
                              check_hooks(lane, fix),    check_ledger(lane), check_unenforced(lane),
                              check_leftovers(lane, fix)};
    checks.push_back(lane.notes.empty()
                         ? ok("configuration", "valid")
                         : Check{"configuration", Health::warning, lane.notes.front(), "mandate config --show-origin"});
    checks.push_back(ok("versions", "mandate " + std::string(k_version) + ", libgit2 " + git::library_version()));
    return checks;
}

}  // namespace mandate::app
