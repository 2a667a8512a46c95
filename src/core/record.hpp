// The record: MANDATE.md's front matter, parsed by one parser and edited line by line.
//
// `parse_record` is the only reader: init's output, hand edits and files of older tools all pass through
// it, and every write is read back through it. `edit_record` changes only the lines of the keys that it is
// given and keeps every other byte: line ends, BOM, body, unknown keys, nested lines, a missing final
// newline. Pure functions over bytes; fail with the record-* text codes, `line=` in the details.
#pragma once

#include "base/error.hpp"
#include "base/timestamp.hpp"
#include "core/vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::core {

constexpr std::size_t k_record_limit = 1U << 20U;  // bytes
constexpr std::uint64_t k_number_limit = 1000000;
constexpr std::size_t k_value_limit = 240;  // code points

enum class RoundState { none, booked, reviewed, fixed, acknowledged };
std::string_view name(RoundState state);  // "" for none
std::optional<RoundState> parse_round_state(std::string_view word);

struct Budget {
    std::optional<std::uint64_t> limit;  // none: no limit
    std::uint64_t used = 0;
    std::string token;
};

struct Record {
    std::string bytes;                          // exactly as read
    std::map<std::string, std::string> values;  // known keys that stand in the block, raw trimmed text
    std::map<std::string, std::size_t> lines;   // 1-based line of each of them

    std::string task, recorded_at, recorded_by, authorized_by, scope, terminal_gate;
    std::vector<std::string> allow, deny;
    std::optional<std::uint64_t> review_budget;
    std::uint64_t review_rounds_used = 0;
    std::string lane_id, branch;  // escaped form, as section "Keys" of record-format.md says
    std::optional<Time> expires_at;
    RoundState round_state = RoundState::none;
    RoundState previous_state = RoundState::none;
    bool round_booked = true;  // false: round_booked: no
    std::string round_token, reviewed_head, settled_head;
    std::optional<std::uint64_t> findings_open;
    std::map<std::string, Budget> budgets;  // by <name> of budget_<name>

    [[nodiscard]] bool has(std::string_view key) const { return values.find(std::string(key)) != values.end(); }
};

Result<Record> parse_record(std::string bytes, const Vocabulary& vocabulary);

// The keys in written order, without the budget_<name> family.
const std::vector<std::string_view>& record_keys();
bool is_record_key(std::string_view key);  // the budget_<name> family included

// A key to set; without a value: the line is removed. Order is kept for keys that are inserted.
struct Edit {
    std::string key;
    std::optional<std::string> value;
};
std::string edit_record(const Record& record, const std::vector<Edit>& edits);

// What a value given on the command line must obey before it may stand in a record or in the ledger:
// value-control-character, value-block-scalar, value-too-long. `what` names it in the message.
Result<void> check_value(std::string_view what, std::string_view value);

// A canonical record with its body for people. `keys` in any order; written in canonical order.
std::string canonical_record(const std::map<std::string, std::string>& values);

}  // namespace mandate::core
