#include "app/booking.hpp"

#include "app/booking_parts.hpp"
#include "app/exclude.hpp"
#include "base/text.hpp"
#include "git/library.hpp"
#include "git/repository.hpp"
#include "os/lock.hpp"
#include "os/replace.hpp"
#include "os/signals.hpp"

#include <cerrno>
#include <utility>

namespace mandate::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* k_lock_name = ".MANDATE.lock";
constexpr const char* k_temporary_prefix = ".MANDATE.tmp.";
constexpr int k_record_changes = 3;      // an editor that saves meanwhile starts us over, at most this often
constexpr int k_least_replacements = 8;  // a deleted lock file starts us over, at least this often

enum class Again { record_changed, lock_replaced };

// Either an answer, or the reason to start over from the lock.
struct Attempt {
    std::optional<Booked> booked;
    Again again = Again::record_changed;
};

class Run {
public:
    Run(const BookingRequest& request, const Decide& decide)
        : m_request(request), m_decide(decide), m_lane(request.lane), m_ledger(request.lane.place)
    {
    }

    Result<Booked> start();

private:
    struct Found {
        std::optional<RecordFile> file;
        std::optional<core::Record> record;
        std::string id;  // blob id of the bytes, "" for none
    };

    Result<Found> read_record() const;
    Result<Attempt> attempt(const os::FileLock* lock);
    Result<Attempt> write(const os::FileLock* lock, const Found& found, const core::Plan& plan, Booked booked);
    Result<void> append_what_was_found(const Found& found, core::Standing where, const core::LedgerState& state,
                                       Booked& booked);
    Result<void> count(const Found& found, const core::LetThrough& what, Booked& booked, const std::string& task);
    [[nodiscard]] bool record_is_still(const Found& found) const;
    [[nodiscard]] LedgerEntry entry(const Found& found, std::string event, core::LedgerFields fields) const;
    [[nodiscard]] std::string new_bytes(const Found& found, const core::Plan& plan) const;
    void abandon(const Found& found, std::uint64_t seq);

    const BookingRequest& m_request;
    const Decide& m_decide;
    const Lane& m_lane;
    Ledger m_ledger;
    ExcludeOutcome m_exclude;
    std::string m_head;
    std::optional<Error> m_refused_lock;  // `even_unlocked`: why there is no lock
};

std::string new_task(const core::Plan& plan, const core::Record* record)
{
    return plan.new_task ? *plan.new_task : record != nullptr ? record->task : std::string();
}

LedgerEntry Run::entry(const Found& found, std::string event, core::LedgerFields fields) const
{
    return {std::move(event), found.record ? found.record->task : std::string(), m_head, std::move(fields), found.id};
}

Result<Run::Found> Run::read_record() const
{
    auto file = read_record_file(m_lane.place);
    if (!file) {
        return fail(std::move(file.error()));
    }
    Found found{std::move(*file), std::nullopt, {}};
    if (!found.file) {
        if (!m_request.creates) {
            return fail(no_mandate(m_lane));
        }
        if (auto untracked = refuse_tracked(m_lane.place); !untracked) {
            return fail(std::move(untracked.error()));
        }
        return found;
    }
    found.id = git::blob_id(found.file->bytes);
    auto record = core::parse_record(found.file->bytes, m_lane.settings.vocabulary);
    if (!record) {
        if (m_request.creates) {
            return found;
        }
        return fail(std::move(record.error()));
    }
    if (m_request.binding == Binding::check && !m_request.creates) {
        if (auto bound = check_binding(*record, m_lane.place); !bound) {
            return fail(std::move(bound.error()));
        }
    }
    found.record = std::move(*record);
    return found;
}

Result<Booked> Run::start()
{
    // Refusals of the command line come first, then those of the record, then the lock's; nothing is created
    // before.
    if (m_request.check_before) {
        if (auto checked = m_request.check_before(m_lane); !checked) {
            return fail(std::move(checked.error()));
        }
    }
    if (auto found = read_record(); !found) {
        return fail(std::move(found.error()));
    } else if (found->file && m_request.creates && !m_request.replaces) {
        m_ledger.release();
        const core::LedgerState empty;
        auto plan = m_decide(Snapshot{m_lane, found->record ? &*found->record : nullptr, true, {}, {}, empty});
        if (!plan) {
            return fail(std::move(plan.error()));
        }
    }
    {
        const auto repository = git::Repository::open(m_lane.place.root);
        m_exclude = ensure_excluded(m_lane.place, repository ? &*repository : nullptr);
        if (repository) {
            m_head = repository->head_commit().value_or(std::nullopt).value_or("");
        }
    }

    const Clock::time_point deadline = Clock::now() + m_request.lock_timeout;
    int record_changes = 0;
    for (int replaced = 0;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
        auto lock = os::FileLock::acquire({m_lane.place.root_dir, m_lane.place.root, k_lock_name,
                                           std::max(left, std::chrono::milliseconds(0)), m_request.say});
        if (!lock && !(m_request.even_unlocked && lock.error().code == Code::lock_unsupported)) {
            return fail(std::move(lock.error()));
        }
        if (!lock) {
            m_refused_lock = std::move(lock.error());
        }
        const os::SignalHold hold;
        auto outcome = attempt(lock ? &*lock : nullptr);
        m_ledger.release();
        if (!outcome) {
            return fail(std::move(outcome.error()));
        }
        if (outcome->booked) {
            return std::move(*outcome->booked);
        }
        if (outcome->again == Again::record_changed && ++record_changes > k_record_changes) {
            return fail(Error{Code::record_changed,
                              "somebody else keeps saving the record",
                              "close the editor, then try again",
                              {},
                              m_lane.record_path()});
        }
        if (outcome->again == Again::lock_replaced && ++replaced > k_least_replacements && Clock::now() > deadline) {
            return fail(Error{Code::lock_replaced,
                              "the lock file is replaced again and again",
                              "find what deletes it (git clean?)",
                              {},
                              m_lane.place.root + "/" + k_lock_name});
        }
    }
}

Result<Attempt> Run::attempt(const os::FileLock* lock)
{
    os::sweep(m_lane.place.root_dir, k_temporary_prefix);
    auto ledger_held = m_ledger.hold();
    auto found = read_record();
    if (!found) {
        return fail(std::move(found.error()));
    }
    const core::Record* record = found->record ? &*found->record : nullptr;
    auto state = m_ledger.held_state(record != nullptr ? std::optional(record->task) : std::nullopt);
    const core::LedgerState known = state ? *state : core::LedgerState();
    const Time now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    auto plan = m_decide(Snapshot{m_lane, record, found->file.has_value(), now, m_head, known});
    if (!plan) {
        return fail(std::move(plan.error()));
    }

    Booked booked;
    booked.decided_no = plan->decided_no;
    booked.task = new_task(*plan, record);
    booked.excluded = name(m_exclude.state);
    booked.excluded_reason = m_exclude.reason;
    if (!plan->advice.empty()) {
        m_request.say(plan->advice);
    }
    if (plan->event.empty()) {
        booked.answer = std::move(plan->answer);
        return Attempt{std::move(booked), {}};
    }
    Result<void> ledger = !ledger_held ? std::move(ledger_held) : state ? Result<void>() : fail(state.error());
    if (ledger) {
        ledger = append_what_was_found(*found, core::standing(known, found->id), known, booked);
    }
    if (!plan->writes_record) {
        if (ledger) {
            const auto appended = m_ledger.append(entry(*found, plan->event, plan->fields), Sync::yes);
            ledger = appended ? Result<void>() : fail(appended.error());
        }
        booked.answer.append(plan->answer);
        if (!ledger) {
            booked.answer.add("ledger", "unwritable");
            m_request.say(ledger.error().message + " '" + m_ledger.path() + "'");
        }
        return Attempt{std::move(booked), {}};
    }
    if (!ledger) {
        return fail(std::move(ledger.error()));
    }
    return write(lock, *found, *plan, std::move(booked));
}

// What this booking finds and nobody has written down yet: an interrupted booking, a hand edit, a drift.
Result<void> Run::append_what_was_found(const Found& found, core::Standing where, const core::LedgerState& state,
                                        Booked& booked)
{
    std::optional<LedgerEntry> line;
    if (where == core::Standing::interrupted) {
        line = entry(found, "abandoned", {{"of", state.newest->seq}});
    } else if (where == core::Standing::edited && found.record) {
        line = entry(found, "edited", grant_fields(*found.record));
    }
    if (line) {
        if (auto appended = m_ledger.append(*line, Sync::no); !appended) {
            return fail(std::move(appended.error()));
        }
    }
    if (found.record) {
        const std::uint64_t drift = core::history_drift(state, where, found.record->review_rounds_used);
        if (drift > state.counted_drift) {
            const core::LetThrough what{
                core::Unenforced::history_drift, std::to_string(drift) + " more in the ledger", {{"drift", drift}}};
            if (auto counted = count(found, what, booked, found.record->task); !counted) {
                return counted;
            }
        }
    }
    const bool known = state.unenforced.count(std::string(info(core::Unenforced::exclude_ineffective).name)) != 0;
    if (m_exclude.state == ExcludeOutcome::State::no && !known) {
        return count(found, {core::Unenforced::exclude_ineffective, m_exclude.reason, {}}, booked, {});
    }
    return {};
}

Result<void> Run::count(const Found& found, const core::LetThrough& what, Booked& booked, const std::string& task)
{
    LedgerEntry context = entry(found, {}, {});
    if (!task.empty()) {
        context.task = task;
    }
    Counted counted = count_unenforced(m_ledger, std::move(context), what, Sync::no);
    if (counted.note) {
        return fail(Error{Code::ledger_unwritable, *counted.note, "nothing was booked", {}, m_ledger.path()});
    }
    booked.answer.append(counted.answer);
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

Result<Attempt> Run::write(const os::FileLock* lock, const Found& found, const core::Plan& plan, Booked booked)
{
    const std::string bytes = new_bytes(found, plan);
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
        return Attempt{std::nullopt, Again::lock_replaced};
    }
    if (!read_back || *read_back != bytes) {
        return fail(
            write_failure(m_lane, "the record reads back differently", read_back ? os::Errno{EIO} : read_back.error()));
    }

    const std::string task = booked.task;
    if (m_refused_lock) {
        const core::LetThrough what{core::Unenforced::lock_unsupported, m_refused_lock->message, {}};
        if (auto counted = count(found, what, booked, task); !counted) {
            return fail(std::move(counted.error()));
        }
    }
    for (const core::LetThrough& what : plan.unenforced) {
        if (auto counted = count(found, what, booked, task); !counted) {
            return fail(std::move(counted.error()));
        }
    }
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
    if (const auto renamed = replacement->commit(k_record_name); !renamed) {
        abandon(found, *seq);
        if (renamed.error() == ENOENT) {
            return Attempt{std::nullopt, Again::lock_replaced};
        }
        return fail(write_failure(m_lane, "cannot put the record in place", renamed.error()));
    }
    const auto durable = os::sync(m_lane.place.root_dir);
    (void)m_ledger.append({"done", task, m_head, {{"of", *seq}}, git::blob_id(bytes)}, Sync::no);
    if (!durable) {
        return fail(Error{Code::booked_not_durable,
                          "the booking stands, but its directory could not be synced: " + durable.error().text(),
                          "do not book again; a power cut now could lose it",
                          {},
                          m_lane.place.root});
    }
    booked.answer.append(plan.answer);
    return Attempt{std::move(booked), {}};
}

}  // namespace

Result<Booked> book(const BookingRequest& request, const Decide& decide)
{
    auto booked = Run(request, decide).start();
    if (booked) {
        return booked;
    }
    Error error = std::move(booked.error());
    const bool located = !error.details.empty() && error.details.front().first == "lane";
    return fail(located ? std::move(error) : in_lane(std::move(error), request.lane));
}

}  // namespace mandate::app
