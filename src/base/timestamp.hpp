// Points in time as the record and the ledger write them: UTC, RFC 3339, nothing local.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace mandate {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;

// Exactly `YYYY-MM-DDThh:mm:ssZ`, a date that exists; anything else is nothing.
std::optional<Time> parse_seconds_utc(std::string_view text);

// The same with an optional fraction of one to three digits, as ledger lines carry it.
std::optional<Time> parse_utc(std::string_view text);

std::string format_seconds_utc(Time time);  // 2026-01-31T09:05:00Z
std::string format_millis_utc(Time time);   // 2026-01-31T09:05:00.123Z

}  // namespace mandate
