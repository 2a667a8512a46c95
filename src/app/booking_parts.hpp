// For booking.cpp only: what it says of a failed write, and what it writes down of a record by another hand.
#pragma once

#include "app/lane.hpp"
#include "base/error.hpp"
#include "core/ledger_line.hpp"
#include "core/record.hpp"
#include "os/fd.hpp"

#include <string>

namespace mandate::app {

// read-only or write-failed: nothing was booked.
Error write_failure(const Lane& lane, const std::string& what, const os::Errno& cause);

// booked-not-durable: the booking stands, its name may not outlive a power cut.
Error not_durable(const Lane& lane, const os::Errno& cause);

// The grant and the counters of a record that somebody else wrote, for the `edited` line.
core::LedgerFields grant_fields(const core::Record& record);

}  // namespace mandate::app
