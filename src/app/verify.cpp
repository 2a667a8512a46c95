#include "app/verify.hpp"

#include "app/inspect.hpp"
#include "app/ledger.hpp"
#include "base/text.hpp"
#include "git/library.hpp"

#include <algorithm>
#include <utility>

namespace mandate::app {

namespace {

using core::LedgerFault;

constexpr int k_most_readings = 50;
constexpr std::size_t k_lines_at_end = 32;

struct Pair {
    std::optional<LoadedRecord> record;
    Result<std::optional<os::MappedFile>> ledger;
};

bool same_file(const std::optional<LoadedRecord>& a, const std::optional<LoadedRecord>& b)
{
    if (!a || !b) {
        return a.has_value() == b.has_value();
    }
    return a->facts.identity == b->facts.identity && a->record.bytes == b->record.bytes;
}

// A booking writes its line before the record: where the record is the same file before and after the ledger was
// mapped, no booking went by in between, and the two belong together. A mapping does not change: lines are appended.
Result<Pair> read_pair(const Lane& lane, const Ledger& ledger)
{
    auto before = load_record(lane);
    for (int reading = 0; before; ++reading) {
        auto mapped = ledger.map();
        auto after = load_record(lane);
        if (!after) {
            return fail(std::move(after.error()));
        }
        if (same_file(*before, *after) || reading == k_most_readings) {
            return Pair{std::move(*before), std::move(mapped)};
        }
        before = std::move(after);
    }
    return fail(std::move(before.error()));
}

core::LedgerReport check_ledger(const std::string& lane_id, const std::string& task, std::string_view bytes)
{
    core::LedgerCheck check(text::escape(lane_id), core::line_text(task), git::blob_id);
    for_each_line(bytes, [&check](std::string_view line, std::uint64_t offset, bool torn) {
        check.take({line, offset, !torn});
    });
    return check.finish();
}

// Everything that only a booking of ours writes, the binding of `init` included.
bool bears_marks(const core::Record& record)
{
    const bool spent = std::any_of(record.budgets.begin(), record.budgets.end(),
                                   [](const auto& budget) { return budget.second.used > 0; });
    return spent || record.review_rounds_used > 0 || record.round_state != core::RoundState::none ||
           !record.lane_id.empty();
}

void judge_record(const core::Record& record, bool ledger_exists, Verification& verification)
{
    core::LedgerReport& report = verification.ledger;
    verification.task = record.task;
    verification.standing = core::standing(report.state, git::blob_id(record.bytes));
    verification.history_drift = core::history_drift(report.state, verification.standing, record.review_rounds_used);
    const bool knows_record = report.state.newest.has_value() || !report.state.found.empty();
    if (!knows_record && bears_marks(record)) {
        report.add(LedgerFault::ledger_missing, 0,
                   ledger_exists ? "the record was booked, and the ledger holds no booking"
                                 : "the record was booked, and there is no ledger");
    }
    if (verification.history_drift > 0) {
        report.add(LedgerFault::history_drift, 0,
                   "the ledger holds " + std::to_string(verification.history_drift) +
                       " more rounds of this task than the record admits");
    }
}

}  // namespace

Result<Verification> verify(const Lane& lane)
{
    const Ledger ledger(lane.place);
    auto pair = read_pair(lane, ledger);
    if (!pair) {
        return fail(std::move(pair.error()));
    }
    const core::Record* record = pair->record ? &pair->record->record : nullptr;
    Verification verification;
    verification.ledger_file = ledger.path();
    if (!pair->ledger) {
        verification.ledger.add(LedgerFault::ledger_unreadable, 0, pair->ledger.error().message);
        if (record != nullptr) {
            verification.task = record->task;
        }
        return verification;
    }
    const bool exists = pair->ledger->has_value();
    const std::string_view bytes = exists ? (*pair->ledger)->bytes() : std::string_view();
    verification.ledger = check_ledger(lane.place.lane_id, record != nullptr ? record->task : std::string(), bytes);
    if (record != nullptr) {
        judge_record(*record, exists, verification);
    } else {
        verification.standing = core::standing(verification.ledger.state, {});
    }
    return verification;
}

core::LedgerReport check_ledger_end(const Place& place)
{
    core::LedgerCheck check(text::escape(place.lane_id), {}, git::blob_id);
    const auto mapped = Ledger(place).map();
    const std::string_view bytes = mapped && *mapped ? (*mapped)->bytes() : std::string_view();
    const std::size_t begin = begin_of_last_lines(bytes, k_lines_at_end);
    if (begin > 0) {
        const std::string_view before = last_line(bytes.substr(0, begin));
        check.resume_after({before, 0, true});
    }
    for_each_line(bytes.substr(begin), [&check](std::string_view line, std::uint64_t offset, bool torn) {
        check.take({line, offset, !torn});
    });
    return check.finish();
}

}  // namespace mandate::app
