// How long to wait, as people write it: `5s`, `250ms`, `2m`, a bare number of seconds, `0`.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace mandate::core {

constexpr std::chrono::hours k_longest_duration{24};

// Plain decimals with one of the units or none; no blanks, sign, fraction or leading zero; at most a day.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

// The shortest spelling that parse_duration reads back: `2m`, `5s`, `250ms`, `0`.
std::string format_duration(std::chrono::milliseconds duration);

}  // namespace mandate::core
