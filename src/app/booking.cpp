#include "app/booking_run.hpp"
#include "base/text.hpp"
#include "core/ledger_state.hpp"
#include "git/library.hpp"
#include "git/repository.hpp"
#include "os/file.hpp"
#include "os/signals.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace mandate::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int k_record_changes = 3;      // an editor that saves meanwhile starts us over, at most this often
constexpr int k_least_replacements = 8;  // a deleted lock file starts us over, at least this often

Time current_time() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

std::string new_task(const core::Plan& plan, const core::Record* record)
{
    return plan.new_task ? *plan.new_task : record != nullptr ? record->task : std::string();
}

}  // namespace

LedgerEntry Run::entry(const Found& found, std::string event, core::LedgerFields fields) const
{
    return {std::move(event), found.record ? found.record->task : std::string(), m_head, std::move(fields), found.id};
}

Result<Run::Found> Run::read_record()
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
    if (!m_request.creates) {  // the task of what `init` finds there is not its own
        m_task = record->task;
    }
    if (m_request.binding == Binding::check && !m_request.creates) {
        if (auto bound = check_binding(*record, m_lane.place); !bound) {
            return fail(std::move(bound.error()));
        }
    }
    found.record = std::move(*record);
    return found;
}

// Refusals of the command line come first, then those of the record, then the lock's; nothing is created before.
// Some of the first two take the decision to find: a budget that the record lacks, a grant that has run out. What is
// merely out of order waits for the lock, since whoever holds it may be about to change the state.
Result<void> Run::refuse_early()
{
    if (m_request.check_before) {
        if (auto checked = m_request.check_before(m_lane); !checked) {
            return checked;
        }
    }
    auto found = read_record();
    if (!found) {
        return fail(std::move(found.error()));
    }
    if (!found->file || m_request.replaces) {
        return {};
    }
    const core::LedgerState empty;
    const core::Record* record = found->record ? &*found->record : nullptr;
    auto plan = m_decide(Snapshot{m_lane, record, true, current_time(), m_head, empty});
    if (!plan && info(plan.error().code).exit != Exit::out_of_order) {
        return fail(std::move(plan.error()));
    }
    return {};
}

Result<Booked> Run::start()
{
    {
        const auto repository = git::Repository::open(m_lane.place.root);
        if (repository) {
            m_head = repository->head_commit().value_or(std::nullopt).value_or("");
        }
        if (auto refused = refuse_early(); !refused) {
            return fail(std::move(refused.error()));
        }
        m_exclude = ensure_excluded(m_lane.place, repository ? &*repository : nullptr);
    }

    const Clock::time_point deadline = Clock::now() + m_request.lock_timeout;
    bool told = false;  // who is waited for is said once, however often this starts over
    const auto waiting = [&](const std::string& sentence) {
        if (!std::exchange(told, true)) {
            m_request.say(sentence);
        }
    };
    int record_changes = 0;
    for (int replaced = 0;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
        auto lock = os::FileLock::acquire({m_lane.place.root_dir, m_lane.place.root, k_lock_name,
                                           std::max(left, std::chrono::milliseconds(0)), waiting});
        if (!lock && !(m_request.even_unlocked && os::has_no_locks(lock.error()))) {
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
    auto plan = m_decide(Snapshot{m_lane, record, found->file.has_value(), current_time(), m_head, known});
    if (!plan) {
        return fail(std::move(plan.error()));
    }

    Booked booked;
    booked.decided_no = plan->decided_no;
    booked.task = new_task(*plan, record);
    booked.excluded = name(m_exclude.state);
    booked.excluded_reason = m_exclude.reason;
    booked.answer = m_let_through;
    booked.advice = plan->advice;
    if (plan->event.empty()) {
        // A replayed answer says that a booking stands. Whoever made it may have been killed between the rename and
        // the sync of the directory, and then a power cut would take back what is answered here.
        if (const auto durable = os::sync(m_lane.place.root_dir); !durable) {
            return fail(not_durable(m_lane, durable.error()));
        }
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
            m_request.say(ledger.error().message + ": '" + m_ledger.path() + "'");
        }
        return Attempt{std::move(booked), {}};
    }
    if (!ledger) {
        // Where nothing can be written at all, say that rather than which file showed it first.
        return fail(os::is_read_only(m_lane.place.root_dir)
                        ? write_failure(m_lane, "cannot write the record", os::Errno{EROFS})
                        : std::move(ledger.error()));
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
    const bool known = state.unenforced.contains(std::string(info(core::Unenforced::exclude_ineffective).name));
    if (m_exclude.state == ExcludeOutcome::State::no && !known) {
        return count(found, {core::Unenforced::exclude_ineffective, m_exclude.reason, {}}, booked, {});
    }
    return {};
}

Error Run::located(Error error) const
{
    const auto has = [&error](std::string_view key) {
        return std::any_of(error.details.begin(), error.details.end(),
                           [key](const auto& detail) { return detail.first == key; });
    };
    std::vector<std::pair<std::string, std::string>> more;
    if (!has("mandate_file")) {
        more.emplace_back("mandate_file", m_lane.record_path());
    }
    if (m_task && !has("task")) {
        more.emplace_back("task", *m_task);
    }
    Error placed = has("lane") ? std::move(error) : in_lane(std::move(error), m_lane);
    placed.details.insert(placed.details.begin() + 2, more.begin(), more.end());
    return placed;
}

Result<Booked> book(const BookingRequest& request, const Decide& decide)
{
    Run run(request, decide);
    return run.start().map_error([&run](Error&& error) { return run.located(std::move(error)); });
}

}  // namespace mandate::app
