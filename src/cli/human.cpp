#include "cli/human.hpp"

#include "cli/output.hpp"
#include "cli/table.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace mandate::cli {

namespace {

using core::Answer;
using core::Value;

constexpr std::array<std::string_view, 4> k_time_keys{"at", "last", "recorded_at", "expires_at"};
// Too wide, these are shortened in the middle: both ends of a path say most. Other text goes on in the next line.
constexpr std::array<std::string_view, 3> k_path_keys{"lane", "mandate_file", "path"};
// Ids of commits and files; a table shows as much of them as git does.
constexpr std::array<std::string_view, 5> k_id_keys{"head", "reviewed_head", "settled_head", "record", "prev"};
constexpr std::size_t k_short_id = 12;

template<typename List>
bool contains(const List& list, std::string_view key)
{
    return std::find(list.begin(), list.end(), key) != list.end();
}

// Keys are written for programs; a person reads words.
std::string label(std::string_view key)
{
    std::string words(key);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

Tone tone_of_field(std::string_view key, const Value& value, const std::string& text)
{
    if (const auto* yes = std::get_if<bool>(&value)) {
        const bool bad_yes = key == "review_budget_exhausted" || key == "missing" || key == "torn";
        const bool bad_no = key == "enforced" || key == "gate_met" || key == "round_authorized" ||
                            key == "consistent" || key == "booked";
        return (bad_yes && *yes) || (bad_no && !*yes) ? Tone::warning : Tone::plain;
    }
    if (const auto* count = std::get_if<std::uint64_t>(&value)) {
        return *count > 0 && (key == "unenforced" || key == "history_drift") ? Tone::bad : Tone::plain;
    }
    return key == "task" ? Tone::strong : tone_of(text);
}

std::string shown(std::string_view key, const Value& value, Time now)
{
    const std::string text = text_of(value);
    return contains(k_time_keys, key) ? with_relative_time(text, now) : text;
}

std::optional<std::uint64_t> count_of(const Answer& answer, std::string_view key)
{
    for (const auto& [name, value] : answer.fields()) {
        const auto* count = name == key ? std::get_if<std::uint64_t>(&value) : nullptr;
        if (count != nullptr) {
            return *count;
        }
    }
    return std::nullopt;
}

std::string rows_as_table(const std::vector<Answer>& rows, const Terminal& terminal, Time now)
{
    std::vector<std::string> keys;
    for (const Answer& row : rows) {
        for (const auto& [key, value] : row.fields()) {
            if (!contains(keys, key)) {
                keys.push_back(key);
            }
        }
    }
    std::vector<Column> columns;
    for (const std::string& key : keys) {
        const bool number =
            std::any_of(rows.begin(), rows.end(), [&](const Answer& row) { return count_of(row, key); });
        columns.push_back({label(key), contains(k_path_keys, key) ? Fit::shortened : Fit::wrapped, number});
    }
    Table table(std::move(columns));
    for (const Answer& row : rows) {
        std::vector<Cell> cells;
        for (const std::string& key : keys) {
            const auto field = std::find_if(row.fields().begin(), row.fields().end(),
                                            [&](const Answer::Field& each) { return each.first == key; });
            std::string text = field == row.fields().end() ? std::string() : shown(key, field->second, now);
            text.resize(std::min(text.size(), contains(k_id_keys, key) ? k_short_id : text.size()));
            cells.push_back(
                {text, field == row.fields().end() ? Tone::plain : tone_of_field(key, field->second, text)});
        }
        table.add(std::move(cells));
    }
    return table.render(terminal);
}

}  // namespace

std::string with_relative_time(std::string_view timestamp, Time now)
{
    const auto at = parse_utc(timestamp);
    if (!at) {
        return std::string(timestamp);
    }
    struct Unit {
        std::int64_t seconds;
        std::string_view name;
    };
    constexpr std::array k_units{Unit{86400LL * 365, "year"}, Unit{86400LL * 30, "month"}, Unit{86400, "day"},
                                 Unit{3600, "hour"},          Unit{60, "minute"},          Unit{1, "second"}};
    const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(now - *at).count();
    const std::int64_t distance = seconds < 0 ? -seconds : seconds;
    for (const Unit& unit : k_units) {
        if (const std::int64_t count = distance / unit.seconds; count > 0) {
            const std::string words = std::to_string(count) + " " + std::string(unit.name) + (count == 1 ? "" : "s");
            return std::string(timestamp) + (seconds < 0 ? " (in " + words + ")" : " (" + words + " ago)");
        }
    }
    return std::string(timestamp) + " (now)";
}

std::string used_of(std::string_view used, std::string_view budget)
{
    return std::string(used) + (budget.empty() ? " used, no limit" : " of " + std::string(budget) + " used");
}

std::string budget_bar(std::uint64_t used, const std::optional<std::uint64_t>& budget)
{
    constexpr std::uint64_t k_longest_bar = 10;
    if (!budget) {
        return used_of(std::to_string(used), {});
    }
    const std::uint64_t length = std::min(*budget, k_longest_bar);
    const std::uint64_t filled = *budget == 0 ? 0 : std::min(length, (used * length + *budget - 1) / *budget);
    return std::string(filled, '#') + std::string(length - filled, '.') + (length > 0 ? " " : "") +
           used_of(std::to_string(used), std::to_string(*budget));
}

namespace {

// Bookings say what is left, `show` says the budget; an answer that says neither knows of no limit to show.
std::string used_rounds(const Answer& answer, std::uint64_t used)
{
    if (const auto budget = count_of(answer, "review_budget")) {
        return budget_bar(used, budget);
    }
    if (const auto left = count_of(answer, "review_rounds_left")) {
        return budget_bar(used, used + *left);
    }
    const auto& fields = answer.fields();
    const bool speaks_of_it = std::any_of(fields.begin(), fields.end(), [](const auto& field) {
        return field.first == "review_budget" || field.first == "review_rounds_left";
    });
    return speaks_of_it ? budget_bar(used, std::nullopt) : std::to_string(used);
}

std::string reason_lines(const Answer::Reason& reason, const Terminal& terminal)
{
    const std::string code = escaped(reason.code);
    const std::string rest = reason.text.empty() ? "" : ": " + escaped(reason.text);
    const auto lines = wrapped(code + rest, std::max<std::size_t>(terminal.width, 22) - 2);
    std::string out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool starts = i == 0 && lines[i].starts_with(code);
        out += i == 0 ? "- " : "  ";
        out += starts ? terminal.paint(Tone::warning, code) + lines[i].substr(code.size()) : lines[i];
        out += "\n";
    }
    return out;
}

}  // namespace

std::string render_human(const Answer& answer, const Terminal& terminal, Time now)
{
    std::size_t widest = 0;
    for (const auto& [key, value] : answer.fields()) {
        widest = std::max(widest, key.size());
    }
    std::string out;
    for (const auto& [key, value] : answer.fields()) {
        std::string text = shown(key, value, now);
        if (key == "review_rounds_used") {
            text = used_rounds(answer, std::get<std::uint64_t>(value));
        }
        if (text.empty()) {
            continue;  // what is absent takes no line from a person
        }
        const std::size_t room = std::max<std::size_t>(terminal.width, widest + 22) - widest - 2;
        const auto lines = contains(k_path_keys, key) ? std::vector{shortened(text, room)} : wrapped(text, room);
        const Tone tone = tone_of_field(key, value, text);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            out += terminal.paint(Tone::faint, padded(i == 0 ? label(key) : "", widest)) + "  " +
                   terminal.paint(tone, lines[i]) + "\n";
        }
    }
    for (const Answer::Reason& reason : answer.reasons()) {
        out += reason_lines(reason, terminal);
    }
    if (!answer.rows().empty()) {
        out += (out.empty() ? "" : "\n") + rows_as_table(answer.rows(), terminal, now);
    } else if (!answer.rows_name().empty()) {
        out += "no " + label(answer.rows_name()) + "\n";
    }
    return out;
}

}  // namespace mandate::cli
