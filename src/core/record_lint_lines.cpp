#include "core/record_lint_lines.hpp"

#include "base/text.hpp"
#include "core/excerpt.hpp"
#include "core/record.hpp"
#include "core/record_lint_keys.hpp"

namespace mandate::core {

namespace {

// The word in front of the first `=` or blank: `allow = merge` was meant to be a key.
std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of("= \t")); }

bool is_quoted(std::string_view value)
{
    return value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
}

void lint_value(std::size_t line, const KeyValue& pair, LintReport& report)
{
    const std::string key = excerpt(pair.key);
    if (is_quoted(pair.value)) {
        report.add(Lint::quoted_value, line, "the quotes are part of the value of " + key,
                   "write the value without them");
    }
    if ((pair.key == "allow" || pair.key == "deny") && pair.value.starts_with('[')) {
        report.add(Lint::bracketed_list, line, "the list of " + key + " begins with a bracket",
                   "write it as 'merge, deploy'");
    }
    if (text::find_fault(pair.value) != text::Fault::none) {
        report.add(Lint::hidden_character, line,
                   "the value of " + key + " holds a character that cannot be seen, or is not UTF-8",
                   "type the value anew");
    }
}

void lint_unknown_label(const BlockLine& line, std::string_view label, LintReport& report)
{
    if (!is_ascii(label)) {
        if (const std::string key = nearest_key(look_alike_ascii(label)); !key.empty()) {
            report.add(
                Lint::look_alike_key, line.number,
                excerpt(label) + " holds letters that only look like those of '" + key + "', so the line is not read",
                "type '" + key + "' anew");
            return;
        }
    }
    // A label with blanks in it is prose, unless it is a key but for its spelling: `review budget: 3`.
    const bool is_prose = label.find_first_of(" \t") != std::string_view::npos;
    const std::string near = is_prose ? key_but_for_spelling(label) : nearest_key(label);
    if (!near.empty()) {
        report.add(Lint::misspelt_key, line.number, excerpt(label) + " is not a key, so the line is not read",
                   "did you mean '" + near + "'?");
    } else if (!is_prose) {
        report.add(Lint::unknown_key, line.number,
                   excerpt(label) + " is not a key of a record, so the line is not read",
                   "move notes below the closing '---'");
    }
}

void lint_indented(const BlockLine& line, std::string_view label, LintReport& report)
{
    if (const std::string key = key_but_for_spelling(label); !key.empty()) {
        report.add(Lint::indented_key, line.number, "the line is indented, so '" + key + "' is not read from it",
                   "remove the blanks in front of it");
    }
}

}  // namespace

void lint_block_line(const BlockLine& line, LintReport& report)
{
    const std::string_view text = text::trim(line.text);
    if (text.empty() || text[0] == '#') {
        return;
    }
    const std::size_t colon = text.find(':');
    const bool has_colon = colon != std::string_view::npos;
    const std::string_view label = text::trim(text.substr(0, colon));
    const auto pair = split_key(line.text);
    if (line.text[0] == ' ' || line.text[0] == '\t') {
        lint_indented(line, has_colon ? label : std::string_view(), report);
    } else if (!has_colon) {
        if (const std::string key = key_but_for_spelling(first_word(text)); !key.empty()) {
            report.add(Lint::missing_colon, line.number, "the line has no colon, so it is not read",
                       "write it as '" + key + ": ...'");
        }
    } else if (pair && is_record_key(pair->key)) {
        lint_value(line.number, *pair, report);
    } else {
        lint_unknown_label(line, label, report);
    }
}

void lint_body_line(const BlockLine& line, LintReport& report)
{
    if (const auto pair = split_key(line.text); pair && is_record_key(pair->key)) {
        report.add(Lint::key_in_body, line.number,
                   excerpt(pair->key) + " stands below the closing '---', where it is not read",
                   "move the line up, or begin it with '> ' if it is text");
    }
}

}  // namespace mandate::core
