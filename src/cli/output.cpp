#include "cli/output.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace mandate::cli {

namespace {

using Json = nlohmann::ordered_json;
using core::Absent;
using core::Answer;
using core::Escaped;
using core::Value;

constexpr std::size_t k_sentence_limit = 400;  // bytes, without the path

// A refusal's details are text; these few are numbers and yes/no to whoever reads the JSON.
constexpr std::array<std::string_view, 4> k_number_details{"line", "first_line", "holder_pid", "findings_open"};
constexpr std::array<std::string_view, 2> k_flag_details{"written", "task_mismatch"};

template<typename List>
bool contains(const List& list, std::string_view key)
{
    return std::find(list.begin(), list.end(), key) != list.end();
}

Json json_value(const Value& value)
{
    struct Visitor {
        Json operator()(const Absent&) const { return nullptr; }
        Json operator()(const std::string& text) const { return text::escape(text); }
        Json operator()(const Escaped& escaped) const { return text::escape_again(escaped.text); }
        Json operator()(std::uint64_t number) const { return number; }
        Json operator()(bool yes) const { return yes; }
        Json operator()(const std::vector<std::string>& list) const
        {
            Json array = Json::array();
            for (const std::string& item : list) {
                array.push_back(text::escape(item));
            }
            return array;
        }
    };
    return std::visit(Visitor{}, value);
}

Json json_object(const Answer& answer)
{
    Json object = Json::object();
    for (const auto& [key, value] : answer.fields()) {
        object[text::escape_again(key)] = json_value(value);
    }
    if (!answer.reasons().empty()) {
        Json& reasons = object["reasons"] = Json::array();
        for (const Answer::Reason& reason : answer.reasons()) {
            reasons.push_back({{"code", text::escape(reason.code)}, {"text", text::escape(reason.text)}});
        }
    }
    if (!answer.rows_name().empty()) {
        // The listing of `unenforced` is called `reasons` too: rows go behind what stands there already.
        Json& rows = object[answer.rows_name()];
        if (rows.is_null()) {
            rows = Json::array();
        }
        for (const Answer& row : answer.rows()) {
            rows.push_back(json_object(row));
        }
    }
    return object;
}

std::string one_line(const Answer& row)
{
    std::string line;
    for (const auto& [key, value] : row.fields()) {
        line += (line.empty() ? "" : " ") + text::escape_again(key) + "=" + text_of(value);
    }
    return line + "\n";
}

// Cut at a character's start, with a mark that something is missing.
std::string bounded(std::string text, std::size_t limit)
{
    constexpr std::string_view k_cut = "...";
    if (text.size() <= limit) {
        return text;
    }
    std::size_t end = limit - k_cut.size();
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    text.resize(end);
    return text.append(k_cut);
}

void add_shell_lines(const Answer& answer, const std::string& prefix, std::string& out)
{
    // A key of a ledger line may be anything: only what a shell takes as a name is kept.
    const auto name = [&](std::string key) {
        std::replace_if(
            key.begin(), key.end(),
            [](char c) { return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')); }, '_');
        return prefix + key;
    };
    const auto add = [&](const std::string& key, const std::string& value) {
        out += name(key) + "=" + text::shell_quote(value) + "\n";
    };
    for (const auto& [key, value] : answer.fields()) {
        add(key, text_of(value));
    }
    std::size_t count = 0;
    for (const Answer::Reason& reason : answer.reasons()) {
        add("reason_" + std::to_string(count++), text::escape(reason.code));
    }
    if (!answer.rows_name().empty()) {
        add(answer.rows_name() + "_count", std::to_string(answer.rows().size()));
        for (std::size_t i = 0; i < answer.rows().size(); ++i) {
            add_shell_lines(answer.rows()[i], name(answer.rows_name() + "_" + std::to_string(i) + "_"), out);
        }
    }
}

}  // namespace

std::string text_of(const Value& value)
{
    struct Visitor {
        std::string operator()(const Absent&) const { return {}; }
        std::string operator()(const std::string& text) const { return text::escape(text); }
        std::string operator()(const Escaped& escaped) const { return text::escape_again(escaped.text); }
        std::string operator()(std::uint64_t number) const { return std::to_string(number); }
        std::string operator()(bool yes) const { return yes ? "yes" : "no"; }
        std::string operator()(const std::vector<std::string>& list) const
        {
            return text::escape(text::join(list, ", "));
        }
    };
    return std::visit(Visitor{}, value);
}

std::string escaped(const std::string& text) { return text::escape(text); }

std::string render_shell(const Answer& answer)
{
    std::string out;
    add_shell_lines(answer, "mandate_", out);
    return out;
}

std::string render_lines(const Answer& answer)
{
    std::string out;
    for (const auto& [key, value] : answer.fields()) {
        out += text::escape_again(key) + "=" + text_of(value) + "\n";
    }
    for (const Answer::Reason& reason : answer.reasons()) {
        out +=
            "reason=" + text::escape(reason.code) + (reason.text.empty() ? "" : " " + text::escape(reason.text)) + "\n";
    }
    for (const Answer& row : answer.rows()) {
        if (answer.rows_are_lines()) {
            out += one_line(row);
        } else {
            out += (out.empty() ? "" : "\n") + render_lines(row);
        }
    }
    return out;
}

std::string render_json(const Answer& answer)
{
    Json object = {{"schema", 1}};
    object.update(json_object(answer));
    return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Answer refusal(const Error& error)
{
    Answer answer;
    answer.add("error", info(error.code).name);
    for (const auto& [key, value] : error.details) {
        if (contains(k_number_details, key)) {
            answer.add(key, core::number(text::parse_decimal(value, UINT64_MAX)));
        } else if (contains(k_flag_details, key)) {
            answer.add(key, Value(value == "yes"));
        } else {
            answer.add(key, value);
        }
    }
    return answer;
}

Remark remark(const Error& error) { return {error.message, error.hint, error.path}; }

std::string sentence(const Error& error) { return sentence(remark(error)); }

std::string sentence(const Remark& remark)
{
    const std::string hint = remark.hint.empty() ? "" : "; " + text::escape_again(remark.hint);
    const std::string path = remark.path.empty() ? "" : ": '" + text::escape(remark.path) + "'";
    // The room holds what stands around the path and the newline too, so that the bound is one of the whole line.
    const std::size_t frame = (remark.path.empty() ? 0 : std::string_view(": ''").size()) + 1;
    const std::size_t room = k_sentence_limit - frame - std::min(hint.size(), k_sentence_limit / 2);
    return bounded("mandate: " + text::escape_again(remark.message), room) + path +
           bounded(hint, k_sentence_limit / 2) + "\n";
}

std::string sentence(const std::string& note)
{
    return bounded("mandate: " + text::escape_again(note), k_sentence_limit) + "\n";
}

}  // namespace mandate::cli
