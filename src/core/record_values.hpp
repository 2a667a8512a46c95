// What each key of a record takes: the typed half of reading one.
#pragma once

#include "base/error.hpp"
#include "core/record.hpp"

#include <cstddef>
#include <string_view>

namespace mandate::core {

struct RecordEntry {
    std::string_view key;
    std::string_view value;  // trimmed
    std::size_t line = 0;
};

// Puts a known key's value into the record's field; record-bad-value with `line=` and `key=`.
Result<void> take_value(Record& record, const RecordEntry& entry, const Vocabulary& vocabulary);

// `budget_<name>_used` or `_token` alone declares no budget: a counter without its limit would be one without end.
void drop_orphaned_budgets(Record& record);

}  // namespace mandate::core
