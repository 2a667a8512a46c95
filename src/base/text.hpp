// Text as the record and the answers know it: trimming, strict numbers, UTF-8 and the one escaping.
//
// All functions are total: any bytes may come in. None allocates more than a small multiple of its input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::text {

// Spaces and tabs only: a carriage return or a no-break space is content, not a blank.
std::string_view trim(std::string_view value);

// ASCII letters alone, as git folds the names in its configuration.
std::string lower(std::string value);

// "a, b,,c" -> {"a", "b", "c"}: tokens trimmed, empty ones dropped.
std::vector<std::string> split_list(std::string_view value);
std::string join(const std::vector<std::string>& items, std::string_view separator);

// Plain ASCII decimal, 0 to `maximum`: no sign, no blanks, no leading zero ("0" itself is fine).
std::optional<std::uint64_t> parse_decimal(std::string_view digits, std::uint64_t maximum);

// What may stand in a value, worst first.
enum class Fault { none, invalid_utf8, control, bidi_or_zero_width };
Fault find_fault(std::string_view value);

// Code points; every byte that is not UTF-8 counts as one.
std::size_t code_points(std::string_view value);

// The one escaping: control characters, DEL and bytes that are not UTF-8 as \xNN, bidi and zero-width
// characters as \u{NNNN}, a backslash as two. The result is valid UTF-8 of one line.
std::string escape(std::string_view value);

// The same for a text that was escaped before (a ledger string, a record's `branch`): backslashes stay.
std::string escape_again(std::string_view escaped);

// Closest of `candidates` within a third of the word's length (at least one edit); empty when none is close.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

// '...' as a POSIX shell reads it back to the same bytes.
std::string shell_quote(std::string_view value);

}  // namespace mandate::text
