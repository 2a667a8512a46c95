#include "core/init_request.hpp"

#include "base/text.hpp"
#include "core/excerpt.hpp"
#include "core/record.hpp"
#include "core/record_keys.hpp"

#include <algorithm>

namespace mandate::core {

namespace {

using Values = std::map<std::string, std::string>;

constexpr std::string_view k_unlimited = "unlimited";

bool is_settable(std::string_view key)
{
    const auto& keys = settable_keys();
    const auto budget = parse_budget_key(key);
    return std::find(keys.begin(), keys.end(), key) != keys.end() || (budget && budget->part == BudgetPart::limit);
}

Result<Values> split_assignments(const std::vector<std::string>& assignments)
{
    Values values;
    for (const std::string& assignment : assignments) {
        const std::size_t equals = assignment.find('=');
        if (equals == std::string::npos) {
            return fail(Code::usage, excerpt(assignment) + " is not of the form key=value", "for instance task=parser");
        }
        const std::string key = assignment.substr(0, equals);
        if (!is_settable(key)) {
            const std::string close = text::did_you_mean(key, settable_keys());
            return fail(Code::unknown_key, excerpt(key) + " is not a key that can be set",
                        suggestion_or(close, "the keys are " +
                                                 text::join({settable_keys().begin(), settable_keys().end()}, " ") +
                                                 " budget_<name>"));
        }
        if (!values.emplace(key, assignment.substr(equals + 1)).second) {
            return fail(Code::usage, "the key " + key + " is given twice", "give each key once");
        }
    }
    return values;
}

Result<std::vector<std::string>> take_actions(std::string_view what, std::string_view list,
                                              const Vocabulary& vocabulary)
{
    std::vector<std::string> actions;
    for (std::string& action : text::split_list(list)) {
        if (!vocabulary.knows_action(action)) {
            return fail(Code::unknown_action, std::string(what) + ": " + excerpt(action) + " is not an action",
                        vocabulary.hint_for(action));
        }
        if (std::find(actions.begin(), actions.end(), action) == actions.end()) {
            actions.push_back(std::move(action));
        }
    }
    return actions;
}

Unexpected bad_number(std::string_view key, std::string_view value)
{
    const bool may_be_unlimited = key != "review_rounds_used";
    return fail(Code::value_invalid,
                std::string(key) + "=" + excerpt(value) + " is not a number from 0 to 1000000 in plain decimals",
                may_be_unlimited ? "for no limit, write " + std::string(key) + "=unlimited" : "write digits only");
}

// By the record's rule without its trimming. No limit is asked for by name: an empty value is more likely a
// shell variable that was never set.
Result<void> check_number(std::string_view key, std::string& value)
{
    if (key != "review_rounds_used" && value == k_unlimited) {
        value.clear();
        return {};
    }
    if (!text::parse_decimal(value, k_number_limit)) {
        return bad_number(key, value);
    }
    return {};
}

Result<void> check_gate(std::string_view gate)
{
    if (gate.empty() || is_gate(gate)) {
        return {};
    }
    const std::string close = text::did_you_mean(gate, {gates().begin(), gates().end()});
    return fail(Code::value_invalid, "terminal_gate=" + excerpt(gate) + " is not a gate",
                suggestion_or(close, "the gates are " + text::join(gates(), ", ")));
}

// One value as it was given; lists and numbers come out in the form in which they are written.
Result<void> take_value(const std::string& key, std::string& value, const Vocabulary& vocabulary)
{
    if (key == "review_budget" || key == "review_rounds_used" || parse_budget_key(key)) {
        return check_number(key, value);
    }
    value = text::trim(value);
    if (auto checked = check_value(key, value); !checked) {
        return checked;
    }
    if (key == "allow" || key == "deny") {
        const auto actions = take_actions(key, value, vocabulary);
        if (!actions) {
            return fail(actions.error());
        }
        value = text::join(*actions, ", ");
    } else if (key == "terminal_gate") {
        return check_gate(value);
    } else if (key == "expires_at" && !parse_seconds_utc(value)) {
        return fail(Code::value_invalid, "expires_at=" + excerpt(value) + " is not a time that exists",
                    "write it in UTC as YYYY-MM-DDThh:mm:ssZ");
    }
    return {};
}

// `emplace` keeps what was given explicitly.
void add_preset(Values& values, const Preset& preset)
{
    values.emplace("allow", text::join(preset.allow, ", "));
    values.emplace("deny", text::join(preset.deny, ", "));
    values.emplace("terminal_gate", preset.terminal_gate);
    values.emplace("review_budget", preset.review_budget ? std::to_string(*preset.review_budget) : std::string());
}

Result<void> subtract(Values& values, const std::vector<std::string>& lists, const Vocabulary& vocabulary)
{
    std::vector<std::string> allow = text::split_list(values["allow"]);
    for (const std::string& list : lists) {
        const auto unwanted = take_actions("--without", list, vocabulary);
        if (!unwanted) {
            return fail(unwanted.error());
        }
        std::erase_if(allow, [&](const std::string& action) {
            return std::find(unwanted->begin(), unwanted->end(), action) != unwanted->end();
        });
    }
    values["allow"] = text::join(allow, ", ");
    return {};
}

Result<void> require(const Values& values, std::string_view key)
{
    const auto found = values.find(std::string(key));
    if (found == values.end() || text::trim(found->second).empty()) {
        return fail(
            Code::usage, std::string(key) + "= is missing",
            "a record says what for and who granted it: mandate init --preset standard task=... authorized_by=...");
    }
    return {};
}

Result<void> check_complete(const Values& values, const InitRequest& request)
{
    for (const std::string_view key : {"task", "authorized_by"}) {
        if (auto given = require(values, key); !given) {
            return given;
        }
    }
    if (!request.preset && values.find("allow") == values.end()) {
        return fail(Code::usage, "nothing says what is allowed",
                    "give --preset standard ('mandate presets' lists them all) or allow=...");
    }
    return {};
}

Result<void> add_context(Values& values, const InitContext& context)
{
    values.emplace("mandate_version", "1");
    values.emplace("recorded_at", format_seconds_utc(context.now));
    values.emplace("recorded_by", text::escape(context.recorded_by));
    values.emplace("review_rounds_used", "0");
    values.emplace("lane_id", context.lane_id);
    values.emplace("branch", context.branch);
    // Not given by the user, so only what the reader could not read back is refused: git allows a branch named '|'.
    for (const char* key : {"recorded_by", "lane_id", "branch"}) {
        if (auto checked = check_value(key, values[key]);
            !checked && checked.error().code == Code::value_block_scalar) {
            return checked;
        }
    }
    return {};
}

}  // namespace

const std::vector<std::string_view>& settable_keys()
{
    static const std::vector<std::string_view> keys{
        "task",  "recorded_at", "recorded_by",   "authorized_by",      "scope",     "terminal_gate",
        "allow", "deny",        "review_budget", "review_rounds_used", "expires_at"};
    return keys;
}

Result<std::map<std::string, std::string>> init_values(const InitRequest& request, const InitContext& context)
{
    auto values = split_assignments(request.assignments);
    if (!values) {
        return values;
    }
    const Preset* preset = request.preset ? context.vocabulary.find_preset(*request.preset) : nullptr;
    if (request.preset && preset == nullptr) {
        return fail(Code::unknown_preset, excerpt(*request.preset) + " is not a preset",
                    suggestion_or(context.vocabulary.suggest_preset(*request.preset), "'mandate presets' lists them"));
    }
    if (auto complete = check_complete(*values, request); !complete) {
        return fail(complete.error());
    }
    for (auto& [key, value] : *values) {
        if (auto taken = take_value(key, value, context.vocabulary); !taken) {
            return fail(taken.error());
        }
    }
    if (preset != nullptr) {
        add_preset(*values, *preset);
    }
    if (auto subtracted = subtract(*values, request.without, context.vocabulary); !subtracted) {
        return fail(subtracted.error());
    }
    if (auto added = add_context(*values, context); !added) {
        return fail(added.error());
    }
    return values;
}

}  // namespace mandate::core
