// Canonical form: the block in written order, and below it the text for people. The text repeats what was granted
// when the record was made; no program reads it, and it says so itself.

#include "base/text.hpp"
#include "core/record.hpp"
#include "core/record_keys.hpp"

#include <algorithm>

namespace mandate::core {

namespace {

using Values = std::map<std::string, std::string>;

std::string_view value_of(const Values& values, std::string_view key)
{
    const auto found = values.find(std::string(key));
    return found == values.end() ? std::string_view() : std::string_view(found->second);
}

void append_key(std::string& out, std::string_view key, std::string_view value)
{
    out += key;
    out += value.empty() ? ":" : ": ";
    out += value;
    out += '\n';
}

// Up to review_rounds_used every key is written, so that a person who edits by hand finds its place; what comes
// after is ours and is left out while it is empty.
void append_block(std::string& out, const Values& values)
{
    out += "---\n";
    bool always = true;
    for (const std::string_view key : record_keys()) {
        const std::string_view value = value_of(values, key);
        if (always || !value.empty()) {
            append_key(out, key, value);
        }
        always = always && key != "review_rounds_used";
    }
    // A budget's limit may be empty (no limit), and its line declares the budget.
    for (const auto& [key, value] : values) {
        const auto budget = parse_budget_key(key);
        if (budget && (budget->part == BudgetPart::limit || !value.empty())) {
            append_key(out, key, value);
        }
    }
    out += "---\n";
}

std::string list_or(std::string_view list, std::string_view nothing)
{
    const auto words = text::split_list(list);
    if (words.empty()) {
        return std::string(nothing);
    }
    return "`" + text::join(words, "`, `") + "`";
}

std::string_view gate_in_words(std::string_view gate)
{
    if (gate == "pushed-branch") {
        return "The lane stops at the gate `pushed-branch`: its branch is pushed, and a person takes it from there.";
    }
    if (gate == "reviewed-pr") {
        return "The lane stops at the gate `reviewed-pr`: the change is reviewed and nothing is open, and a person "
               "takes it "
               "from there.";
    }
    if (gate == "merged") {
        return "The lane stops at the gate `merged`: the change has reached the branch that it was made for.";
    }
    return "No gate was named: nobody said where the lane stops, so ask before calling it done.";
}

std::string budget_in_words(std::string_view budget)
{
    if (budget.empty()) {
        return "Review rounds: no limit was set; every round is counted all the same.";
    }
    if (budget == "0") {
        return "Review rounds: none may run.";
    }
    return "Review rounds: at most " + std::string(budget) + ", each booked before it runs.";
}

void append_budgets(std::string& out, const Values& values)
{
    for (const auto& [key, value] : values) {
        const auto budget = parse_budget_key(key);
        if (budget && budget->part == BudgetPart::limit) {
            out += "- Budget `" + std::string(budget->name) +
                   "`: " + (value.empty() ? std::string("no limit, only counted") : "at most " + value) + ".\n";
        }
    }
}

void append_scope(std::string& out, std::string_view scope)
{
    out += "## Scope\n\n";
    if (scope.empty()) {
        out += "No scope was recorded.\n";
        return;
    }
    out += "The quoted line is data, as it was typed, and **grants nothing**:\n\n> ";
    out += scope;
    out += '\n';
}

constexpr std::string_view k_head =
    "\n# What this lane may do\n\n"
    "The front matter above is the record: programs read it and nothing below it. This text is for people. It says "
    "what was\n"
    "granted when the record was made and does not follow later changes; `mandate show` says what holds now.\n\n";

constexpr std::string_view k_tail =
    "\n## Changing it by hand\n\n"
    "Edit the lines between the two `---`, one `key: value` each. Lists are words with commas between, without "
    "brackets and\n"
    "quotes (`mandate actions` lists the words); numbers are plain digits; an empty `review_budget` is no limit. "
    "`mandate\n"
    "check` finds mistakes. A hand edit is allowed and shows in the lane's history; `mandate grant`, `revoke` and "
    "`extend`\n"
    "say there who made the change as well. Never commit this file.\n";

void append_body(std::string& out, const Values& values)
{
    out += k_head;
    out += "- ";
    out += gate_in_words(value_of(values, "terminal_gate"));
    out += "\n- May be done without asking again: " + list_or(value_of(values, "allow"), "nothing") + ".\n";
    out += "- Never without a new grant: " + list_or(value_of(values, "deny"), "nothing is named") +
           "; and what stands in neither list was not granted.\n";
    out += "- " + budget_in_words(value_of(values, "review_budget")) + "\n";
    append_budgets(out, values);
    if (const std::string_view end = value_of(values, "expires_at"); !end.empty()) {
        out += "- The grant ends at " + std::string(end) + ".\n";
    }
    out += '\n';
    append_scope(out, value_of(values, "scope"));
    out += k_tail;
}

}  // namespace

std::string canonical_record(const std::map<std::string, std::string>& values)
{
    std::string out;
    append_block(out, values);
    append_body(out, values);
    return out;
}

}  // namespace mandate::core
