// One line of the ledger: a JSON object with keys in a fixed order, and its parser.
//
// Strings in it carry the one escaping, so a ledger line never forges another line or a terminal escape.
// `parse_line` takes any bytes: what is not a line of ours is nothing, never a crash. What it returns is escaped,
// whoever wrote the line.
#pragma once

#include "core/ledger_state.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mandate::core {

constexpr std::size_t k_line_limit = 1U << 20U;  // bytes; a longer line is foreign
// A record that was edited by hand may hold a mebibyte in one value, and a line must not become foreign by that.
constexpr std::size_t k_line_text_limit = 4096;  // bytes of one escaped text; a longer one is cut and ends in "..."
constexpr std::size_t k_line_fields_limit = 100;

using LedgerValue = std::variant<std::string, std::uint64_t, bool>;
using LedgerFields = std::vector<std::pair<std::string, LedgerValue>>;

struct LedgerLine {
    std::uint64_t seq = 0;
    std::string at;  // RFC 3339 UTC, milliseconds
    std::string event;
    std::string lane, task, branch, head;  // escaped text
    LedgerFields fields;                   // what the event needs: round, findings, by, reason, action, of ...
    std::uint64_t pid = 0;
    std::string record;  // git blob id of the record's bytes as this booking leaves them
    std::string prev;    // git blob id of the previous line's bytes
    bool chained = true;
    // The history up to and including this line, so that a reader needs only the end of the file. It counts
    // only where the line stands at the byte that it names (`offset`), which an edited history does not.
    std::optional<Checkpoint> checkpoint;

    [[nodiscard]] std::string text(std::string_view field) const;      // "" when absent
    [[nodiscard]] std::uint64_t number(std::string_view field) const;  // 0 when absent
    [[nodiscard]] bool has(std::string_view field) const;
};

// Without the newline. Raw text fields must be escaped by the caller (see `escaped_fields`).
std::string format_line(const LedgerLine& line);
std::optional<LedgerLine> parse_line(std::string_view bytes);

// Raw text as a line holds it: escaped and cut.
std::string line_text(std::string_view raw);

// Fields with such text, ready for a line; what is beyond the limit of fields is left out.
LedgerFields escaped_fields(LedgerFields raw);

}  // namespace mandate::core
