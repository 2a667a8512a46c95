#include "core/record_values.hpp"

#include "base/text.hpp"
#include "core/excerpt.hpp"
#include "core/record_keys.hpp"

#include <algorithm>
#include <iterator>

namespace mandate::core {

namespace {

constexpr std::size_t k_shortest_id = 4;  // an abbreviated commit id, as `git rev-parse --short` allows it
constexpr std::size_t k_longest_id = 64;

Error bad_value(const RecordEntry& entry, const std::string& what, std::string hint)
{
    const std::string line = std::to_string(entry.line);
    Error error{
        Code::record_bad_value, std::string(entry.key) + " on line " + line + ": " + what, std::move(hint), {}, {}};
    return error.with("line", line).with("key", entry.key);
}

Result<void> take_number(const RecordEntry& entry, std::optional<std::uint64_t>& field)
{
    if (entry.value.empty()) {
        field.reset();
        return {};
    }
    field = text::parse_decimal(entry.value, k_number_limit);
    if (!field) {
        return fail(bad_value(entry, excerpt(entry.value) + " is not a number from 0 to 1000000 in plain decimals",
                              "write digits only, without sign, leading zero, quotes or comment"));
    }
    return {};
}

Result<void> take_counter(const RecordEntry& entry, std::uint64_t& field)
{
    std::optional<std::uint64_t> number;
    if (auto taken = take_number(entry, number); !taken) {
        return taken;
    }
    field = number.value_or(0);
    return {};
}

Result<void> take_list(const RecordEntry& entry, const Vocabulary& vocabulary, std::vector<std::string>& field)
{
    field = text::split_list(entry.value);
    for (const std::string& token : field) {
        if (!vocabulary.may_be_action(token)) {
            return fail(bad_value(entry, excerpt(token) + " is not an action", vocabulary.hint_for(token)));
        }
    }
    return {};
}

Result<void> take_gate(const RecordEntry& entry, std::string& field)
{
    if (!entry.value.empty() && !is_gate(entry.value)) {
        const std::string close = text::did_you_mean(entry.value, {gates().begin(), gates().end()});
        return fail(bad_value(entry, excerpt(entry.value) + " is not a gate",
                              suggestion_or(close, "the gates are " + text::join(gates(), ", "))));
    }
    field = entry.value;
    return {};
}

Result<void> take_time(const RecordEntry& entry, std::optional<Time>& field)
{
    field = parse_seconds_utc(entry.value);
    if (!field && !entry.value.empty()) {
        return fail(bad_value(entry, excerpt(entry.value) + " is not a time that exists",
                              "write it in UTC as YYYY-MM-DDThh:mm:ssZ"));
    }
    return {};
}

Result<void> take_state(const RecordEntry& entry, RoundState& field)
{
    const auto state = parse_round_state(entry.value);
    if (!state) {
        return fail(bad_value(entry, excerpt(entry.value) + " is not a state of a round",
                              "the states are booked, reviewed, fixed, acknowledged"));
    }
    field = *state;
    return {};
}

Result<void> take_round_booked(const RecordEntry& entry, bool& field)
{
    if (!entry.value.empty() && entry.value != "no") {
        return fail(
            bad_value(entry, excerpt(entry.value) + " is not 'no'", "remove the line where the round was booked"));
    }
    field = entry.value.empty();
    return {};
}

Result<void> take_commit(const RecordEntry& entry, std::string& field)
{
    const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    const bool fits = entry.value.size() >= k_shortest_id && entry.value.size() <= k_longest_id;
    if (!entry.value.empty() && (!fits || !std::all_of(entry.value.begin(), entry.value.end(), is_hex))) {
        return fail(
            bad_value(entry, excerpt(entry.value) + " is not a commit id", "write it in lower-case hex digits"));
    }
    field = entry.value;
    return {};
}

Result<void> take_version(const RecordEntry& entry)
{
    if (!entry.value.empty() && entry.value != "1") {
        return fail(
            bad_value(entry, excerpt(entry.value) + " is not a version that this program reads", "it reads version 1"));
    }
    return {};
}

Result<void> take_budget(Record& record, const RecordEntry& entry, const BudgetKey& key)
{
    Budget& budget = record.budgets[std::string(key.name)];
    switch (key.part) {
        case BudgetPart::limit:
            return take_number(entry, budget.limit);
        case BudgetPart::used:
            return take_counter(entry, budget.used);
        case BudgetPart::token:
            budget.token = entry.value;
            break;
    }
    return {};
}

// Keys that take any text; escaped where they are printed.
std::string* text_field(Record& record, std::string_view key)
{
    struct Field {
        std::string_view key;
        std::string Record::*member;
    };
    static constexpr Field k_fields[] = {
        {"task", &Record::task},
        {"recorded_at", &Record::recorded_at},
        {"recorded_by", &Record::recorded_by},
        {"authorized_by", &Record::authorized_by},
        {"scope", &Record::scope},
        {"lane_id", &Record::lane_id},
        {"branch", &Record::branch},
        {"round_token", &Record::round_token},
    };
    const auto* found =
        std::find_if(std::begin(k_fields), std::end(k_fields), [&](const Field& f) { return f.key == key; });
    return found == std::end(k_fields) ? nullptr : &(record.*(found->member));
}

}  // namespace

Result<void> take_value(Record& record, const RecordEntry& entry, const Vocabulary& vocabulary)
{
    if (std::string* field = text_field(record, entry.key)) {
        *field = entry.value;
        return {};
    }
    if (entry.key == "mandate_version") {
        return take_version(entry);
    }
    if (entry.key == "terminal_gate") {
        return take_gate(entry, record.terminal_gate);
    }
    if (entry.key == "allow") {
        return take_list(entry, vocabulary, record.allow);
    }
    if (entry.key == "deny") {
        return take_list(entry, vocabulary, record.deny);
    }
    if (entry.key == "review_budget") {
        return take_number(entry, record.review_budget);
    }
    if (entry.key == "review_rounds_used") {
        return take_counter(entry, record.review_rounds_used);
    }
    if (entry.key == "expires_at") {
        return take_time(entry, record.expires_at);
    }
    if (entry.key == "round_state") {
        return take_state(entry, record.round_state);
    }
    if (entry.key == "previous_state") {
        return take_state(entry, record.previous_state);
    }
    if (entry.key == "round_booked") {
        return take_round_booked(entry, record.round_booked);
    }
    if (entry.key == "reviewed_head") {
        return take_commit(entry, record.reviewed_head);
    }
    if (entry.key == "settled_head") {
        return take_commit(entry, record.settled_head);
    }
    if (entry.key == "findings_open") {
        return take_number(entry, record.findings_open);
    }
    const auto budget = parse_budget_key(entry.key);
    return budget ? take_budget(record, entry, *budget) : Result<void>{};
}

void drop_orphaned_budgets(Record& record)
{
    std::erase_if(record.budgets,
                  [&](const auto& budget) { return !record.has(budget_key(budget.first, BudgetPart::limit)); });
}

}  // namespace mandate::core
