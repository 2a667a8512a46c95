// Reading a record: the block's shape first (front_matter.cpp), then duplicates, then block scalars, then each
// value in the order of its line, so that one file has one diagnosis.

#include "core/excerpt.hpp"
#include "core/front_matter.hpp"
#include "core/record.hpp"
#include "core/record_values.hpp"

#include <utility>

namespace mandate::core {

namespace {

Error duplicate(std::string_view key, std::size_t first, std::size_t second)
{
    const std::string first_line = std::to_string(first);
    const std::string second_line = std::to_string(second);
    Error error{Code::record_duplicate_key,
                "the key " + std::string(key) + " stands on line " + first_line + " and again on line " + second_line,
                "keep one of the two lines",
                {},
                {}};
    return error.with("line", second_line).with("first_line", first_line).with("key", key);
}

Error block_scalar(const RecordEntry& entry)
{
    const std::string line = std::to_string(entry.line);
    Error error{Code::record_block_scalar,
                "the value of " + std::string(entry.key) + " on line " + line + " is the block-scalar mark " +
                    excerpt(entry.value) + ", which a record does not have",
                "write the whole value on the line of its key",
                {},
                {}};
    return error.with("line", line).with("key", entry.key);
}

// The known keys in the order of their lines, each once; record-duplicate-key for the first that comes again.
Result<std::vector<RecordEntry>> collect(const FrontMatter& block, Record& record)
{
    std::vector<RecordEntry> entries;
    std::optional<Error> refusal;
    block.for_each_line([&](const BlockLine& line) {
        const auto pair = split_key(line.text);
        if (!pair || !is_record_key(pair->key)) {
            return;
        }
        const auto [known, is_first] = record.lines.emplace(pair->key, line.number);
        if (is_first) {
            entries.push_back({pair->key, pair->value, line.number});
        } else if (!refusal) {
            refusal = duplicate(pair->key, known->second, line.number);
        }
    });
    if (refusal) {
        return fail(std::move(*refusal));
    }
    return entries;
}

}  // namespace

std::string_view name(RoundState state)
{
    switch (state) {
        case RoundState::none:
            return "";
        case RoundState::booked:
            return "booked";
        case RoundState::reviewed:
            return "reviewed";
        case RoundState::fixed:
            return "fixed";
        case RoundState::acknowledged:
            return "acknowledged";
    }
    return "";
}

std::optional<RoundState> parse_round_state(std::string_view word)
{
    for (const RoundState state :
         {RoundState::none, RoundState::booked, RoundState::reviewed, RoundState::fixed, RoundState::acknowledged}) {
        if (word == name(state)) {
            return state;
        }
    }
    return std::nullopt;
}

Result<Record> parse_record(std::string bytes, const Vocabulary& vocabulary)
{
    Record record;
    record.bytes = std::move(bytes);
    const auto block = FrontMatter::find(record.bytes);
    if (!block) {
        return fail(block.error());
    }
    const auto entries = collect(*block, record);
    if (!entries) {
        return fail(entries.error());
    }
    for (const RecordEntry& entry : *entries) {
        if (is_block_scalar_mark(entry.value)) {
            return fail(block_scalar(entry));
        }
    }
    for (const RecordEntry& entry : *entries) {
        if (auto taken = take_value(record, entry, vocabulary); !taken) {
            return fail(std::move(taken.error()));
        }
        record.values.emplace(entry.key, entry.value);
    }
    drop_orphaned_budgets(record);
    return record;
}

}  // namespace mandate::core
