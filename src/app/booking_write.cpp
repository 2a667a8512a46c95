// The second half of a booking: what puts a decision in place. See booking.hpp for the order.

#include "app/booking_run.hpp"
#include "base/text.hpp"
#include "git/library.hpp"

#include <cerrno>
#include <utility>

namespace mandate::app {

// Once for each reason: a booking that starts over lets nothing more through than one that does not. What an earlier
// attempt counted is in the answer already.
Result<void> Run::count(const Found& found, const core::LetThrough& what, Booked& booked, const std::string& task)
{
    if (m_counted.contains(what.reason)) {
        return {};
    }
    LedgerEntry context = entry(found, {}, {});
    if (!task.empty()) {
        context.task = task;
    }
    Counted counted = count_unenforced(m_ledger, std::move(context), what, Sync::no);
    if (counted.note) {
        return fail(Error{Code::ledger_unwritable, *counted.note, "nothing was booked", {}, m_ledger.path()});
    }
    booked.answer.append(counted.answer);
    m_let_through.append(counted.answer);
    m_counted.insert(what.reason);
    return {};
}

std::string Run::new_bytes(const Found& found, const core::Plan& plan) const
{
    if (plan.new_record) {
        return *plan.new_record;
    }
    std::vector<core::Edit> edits = plan.edits;
    // The first booking binds a record that names no lane or branch yet.
    if (m_request.binding == Binding::check) {
        if (found.record->lane_id.empty()) {
            edits.push_back({"lane_id", text::escape(m_lane.place.lane_id)});
        }
        if (found.record->branch.empty() && !m_lane.place.head.branch.empty()) {
            edits.push_back({"branch", text::escape(m_lane.place.head.branch)});
        }
    }
    return core::edit_record(*found.record, edits);
}

// The record must still be the file that was read: the same inode, size, times and bytes.
bool Run::record_is_still(const Found& found) const
{
    const auto now = read_record_file(m_lane.place);
    if (!now || now->has_value() != found.file.has_value()) {
        return false;
    }
    return !found.file || ((*now)->facts.identity == found.file->facts.identity && (*now)->bytes == found.file->bytes);
}

// Best effort: where this cannot be written either, the next booking sees the old record under a line that
// is not `done`, and says `abandoned` itself.
void Run::abandon(const Found& found, std::uint64_t seq)
{
    (void)m_ledger.append(entry(found, "abandoned", {{"of", seq}}), Sync::no);
}

// The new bytes beside the record, durable and read back; nothing when another holder of the lock swept them.
Result<std::optional<os::Replacement>> Run::prepare(const Found& found, const std::string& bytes) const
{
    if (const auto parsed = core::parse_record(bytes, m_lane.settings.vocabulary); !parsed) {
        return fail(Error{Code::write_failed,
                          "the new record would not be valid: " + parsed.error().message,
                          "report this as a fault",
                          {},
                          m_lane.record_path()});
    }
    const std::optional<os::FileFacts> like = found.file ? std::optional(found.file->facts) : std::nullopt;
    auto replacement = os::Replacement::prepare(m_lane.place.root_dir, k_temporary_prefix, bytes, like,
                                                found.file ? &found.file->file : nullptr);
    if (!replacement) {
        return fail(write_failure(m_lane, "cannot write the record", replacement.error()));
    }
    const auto read_back = replacement->read_back(core::k_record_limit);
    if (!read_back && read_back.error() == ENOENT) {
        return std::nullopt;
    }
    if (!read_back || *read_back != bytes) {
        return fail(
            write_failure(m_lane, "the record reads back differently", read_back ? os::Errno{EIO} : read_back.error()));
    }
    return std::optional(std::move(*replacement));
}

// What this booking lets through, on file before anything is put in place.
Result<void> Run::count_what_passes(const Found& found, const core::Plan& plan, Booked& booked)
{
    if (m_refused_lock) {
        const core::LetThrough what{core::Unenforced::lock_unsupported, m_refused_lock->message, {}};
        if (auto counted = count(found, what, booked, booked.task); !counted) {
            return counted;
        }
    }
    for (const core::LetThrough& what : plan.unenforced) {
        if (auto counted = count(found, what, booked, booked.task); !counted) {
            return counted;
        }
    }
    return {};
}

Result<Attempt> Run::write(const os::FileLock* lock, const Found& found, const core::Plan& plan, Booked booked)
{
    const std::string bytes = new_bytes(found, plan);
    auto replacement = prepare(found, bytes);
    if (!replacement) {
        return fail(std::move(replacement.error()));
    }
    if (!*replacement) {
        return Attempt{std::nullopt, Again::lock_replaced};
    }
    if (auto counted = count_what_passes(found, plan, booked); !counted) {
        return fail(std::move(counted.error()));
    }
    const std::string task = booked.task;
    // From here on the line is on disk before the record: a booking that is in the record is in the ledger.
    const auto seq = m_ledger.append({plan.event, task, m_head, plan.fields, git::blob_id(bytes)}, Sync::yes);
    if (!seq) {
        return fail(seq.error());
    }
    const bool record_same = record_is_still(found);
    if (!record_same || (lock != nullptr && !lock->still_named())) {
        abandon(found, *seq);
        return Attempt{std::nullopt, record_same ? Again::lock_replaced : Again::record_changed};
    }
    if (const auto renamed = (*replacement)->commit(k_record_name); !renamed) {
        abandon(found, *seq);
        if (renamed.error() == ENOENT) {
            return Attempt{std::nullopt, Again::lock_replaced};
        }
        return fail(write_failure(m_lane, "cannot put the record in place", renamed.error()));
    }
    const auto durable = os::sync(m_lane.place.root_dir);
    (void)m_ledger.append({"done", task, m_head, {{"of", *seq}}, git::blob_id(bytes)}, Sync::no);
    if (!durable) {
        return fail(not_durable(m_lane, durable.error()));
    }
    booked.answer.append(plan.answer);
    return Attempt{std::move(booked), {}};
}

}  // namespace mandate::app
