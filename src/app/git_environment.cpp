#include "app/git_environment.hpp"

#include "base/text.hpp"
#include "os/env.hpp"

#include <algorithm>

namespace mandate::app {

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view k_white = " \t\n\v\f\r";

bool is_white(char c) { return k_white.find(c) != std::string_view::npos; }

bool at_end_of_word(std::string_view text) { return text.empty() || is_white(text[0]); }

std::string_view trim_white(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(k_white);
    return first == std::string_view::npos ? std::string_view{}
                                           : text.substr(first, text.find_last_not_of(k_white) - first + 1);
}

// git's sq_dequote_step: '...' where \' and \! may stand between two quoted pieces. Takes the word off the
// front of `text`.
std::optional<std::string> take_quoted(std::string_view& text)
{
    if (text.empty() || text[0] != '\'') {
        return std::nullopt;
    }
    std::string word;
    for (std::size_t at = 1;;) {
        const std::size_t close = text.find('\'', at);
        if (close == std::string_view::npos) {
            return std::nullopt;
        }
        word += text.substr(at, close - at);
        const std::string_view after = text.substr(close + 1);
        const bool goes_on =
            after.size() >= 3 && after[0] == '\\' && (after[1] == '\'' || after[1] == '!') && after[2] == '\'';
        if (!goes_on) {
            text = after;
            return word;
        }
        word += after[1];
        at = close + 4;
    }
}

// git stops on a key without a section (config_parse_pair).
bool add_pair(std::string_view key, std::string_view value, Pairs& pairs)
{
    const std::size_t dot = key.find('.');
    if (dot == 0 || dot == std::string_view::npos || key.back() == '.') {
        return false;
    }
    pairs.emplace_back(key, value);
    return true;
}

// 'key=value' as older gits write it, or 'key'='value' as newer ones do. Takes it off the front of `text`.
bool take_parameter(std::string_view& text, Pairs& pairs)
{
    const auto first = take_quoted(text);
    if (!first) {
        return false;
    }
    if (at_end_of_word(text)) {
        const std::size_t equals = first->find('=');
        const std::string value = equals == std::string::npos ? std::string() : first->substr(equals + 1);
        return add_pair(trim_white(std::string_view(*first).substr(0, equals)), value, pairs);
    }
    if (text[0] != '=') {
        return false;
    }
    text.remove_prefix(1);
    if (at_end_of_word(text)) {
        return add_pair(*first, "", pairs);  // 'key'= is a key without a value
    }
    const auto second = take_quoted(text);
    return second && at_end_of_word(text) && add_pair(*first, *second, pairs);
}

bool take_parameters(std::string_view text, Pairs& pairs)
{
    while (!text.empty()) {
        if (!take_parameter(text, pairs)) {
            return false;
        }
        text.remove_prefix(std::min(text.find_first_not_of(k_white), text.size()));
    }
    return true;
}

bool take_counted(const std::string& count_text, Pairs& pairs)
{
    constexpr std::uint64_t k_most = 10000;  // far beyond what an environment holds
    const auto count = count_text.empty() ? std::optional<std::uint64_t>(0) : text::parse_decimal(count_text, k_most);
    if (!count) {
        return false;
    }
    for (std::uint64_t i = 0; i < *count; ++i) {
        const auto key = os::variable("GIT_CONFIG_KEY_" + std::to_string(i));
        const auto value = os::variable("GIT_CONFIG_VALUE_" + std::to_string(i));
        if (!key || !value || !add_pair(*key, *value, pairs)) {
            return false;
        }
    }
    return true;
}

}  // namespace

bool environment_flag(const std::string& name)
{
    const std::string value = text::lower(os::variable(name).value_or(""));
    if (value == "true" || value == "yes" || value == "on") {
        return true;
    }
    std::string_view number = value;
    if (!number.empty() && std::string_view("kmg").find(number.back()) != std::string_view::npos) {
        number.remove_suffix(1);
    }
    return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos &&
           number.find_first_not_of('0') != std::string_view::npos;
}

std::vector<std::string> git_config_files()
{
    std::vector<std::string> files;
    if (!environment_flag("GIT_CONFIG_NOSYSTEM")) {
        files.push_back(os::variable("GIT_CONFIG_SYSTEM").value_or("/etc/gitconfig"));
    }
    if (const auto global = os::variable("GIT_CONFIG_GLOBAL")) {
        files.push_back(*global);
    } else {
        const auto home = os::variable("HOME");
        const std::string xdg = os::variable("XDG_CONFIG_HOME").value_or("");
        if (!xdg.empty()) {
            files.push_back(xdg + "/git/config");
        } else if (home) {
            files.push_back(*home + "/.config/git/config");
        }
        if (home) {
            files.push_back(*home + "/.gitconfig");
        }
    }
    std::erase(files, std::string());
    return files;
}

std::optional<Pairs> git_config_from_environment()
{
    Pairs pairs;
    const auto count = os::variable("GIT_CONFIG_COUNT");
    if (count && !take_counted(*count, pairs)) {
        return std::nullopt;
    }
    const auto parameters = os::variable("GIT_CONFIG_PARAMETERS");
    if (parameters && !take_parameters(*parameters, pairs)) {
        return std::nullopt;
    }
    return pairs;
}

}  // namespace mandate::app
