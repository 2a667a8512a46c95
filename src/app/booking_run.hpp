// For booking.cpp and booking_write.cpp only: one run of the write path, in its two halves: up to the decision,
// and what puts it in place.
#pragma once

#include "app/booking.hpp"
#include "app/booking_parts.hpp"
#include "app/exclude.hpp"
#include "os/lock.hpp"
#include "os/replace.hpp"

#include <optional>
#include <set>
#include <string>

namespace mandate::app {

inline constexpr const char* k_lock_name = ".MANDATE.lock";
inline constexpr const char* k_temporary_prefix = ".MANDATE.tmp.";

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
    // Adds what a refusal prints beside its code: the lane, the record's path, and its task once it was read.
    [[nodiscard]] Error located(Error error) const;

private:
    struct Found {
        std::optional<RecordFile> file;
        std::optional<core::Record> record;
        std::string id;  // blob id of the bytes, "" for none
    };

    Result<Found> read_record();
    Result<void> refuse_early();
    Result<Attempt> attempt(const os::FileLock* lock);
    Result<Attempt> write(const os::FileLock* lock, const Found& found, const core::Plan& plan, Booked booked);
    Result<void> append_what_was_found(const Found& found, core::Standing where, const core::LedgerState& state,
                                       Booked& booked);
    [[nodiscard]] Result<std::optional<os::Replacement>> prepare(const Found& found, const std::string& bytes) const;
    Result<void> count_what_passes(const Found& found, const core::Plan& plan, Booked& booked);
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
    std::optional<std::string> m_task;     // of the record, once it was read
    std::set<core::Unenforced> m_counted;  // by this run, once for all its attempts,
    core::Answer m_let_through;            // and what the answer says of it
    std::optional<Error> m_refused_lock;   // `even_unlocked`: why there is no lock
};

}  // namespace mandate::app
