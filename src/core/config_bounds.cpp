#include "core/config_bounds.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace mandate::core {

namespace {

struct Bound {
    std::string_view characters;
    std::size_t most;
    const char* what;
};

// Measured: toml11 3.7.1 overflows the stack at about 10,000 nested brackets, and needs 1.3 s for keys of 250 parts in
// 256 KiB, 12 s for a list of 130,000 numbers on one line; 4.4 needs 5 s for 130,000 backslashes in a string.
constexpr std::array<Bound, 4> k_in_file{{
    {"[{", 500, "brackets (it would nest too deep)"},
    {"=", 500, "values"},
    {",", 2000, "commas"},
    {"\\", 500, "backslashes"},
}};
constexpr Bound k_dots_in_line{".", 100, "dots (a key would nest too deep)"};
constexpr std::size_t k_longest_line = 8192;
constexpr std::size_t k_longest_binary = 62;  // digits: 3.7.1 overflows a signed integer on more

std::size_t count(std::string_view text, const Bound& bound)
{
    const auto counted = [&](char c) { return bound.characters.find(c) != std::string_view::npos; };
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), counted));
}

Unexpected too_many(const Origin& origin, const Bound& bound)
{
    return fail(config_error(origin, "more than " + std::to_string(bound.most) + " " + bound.what,
                             "no configuration needs that many; shorten it"));
}

bool holds_long_binary(std::string_view line)
{
    for (std::size_t at = line.find("0b"); at != std::string_view::npos; at = line.find("0b", at + 1)) {
        const std::string_view digits = line.substr(at + 2);
        if (std::min(digits.find_first_not_of("01_"), digits.size()) > k_longest_binary) {
            return true;
        }
    }
    return false;
}

Result<void> check_lines(std::string_view rest, const LayerInfo& layer)
{
    for (Origin origin{layer.name, layer.source, 1}; !rest.empty(); ++origin.line) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        if (line.size() > k_longest_line) {
            return fail(config_error(origin, "a line longer than 8192 bytes", "break it into several lines"));
        }
        if (count(line, k_dots_in_line) > k_dots_in_line.most) {
            return too_many(origin, k_dots_in_line);
        }
        if (text::find_fault(line) == text::Fault::invalid_utf8) {
            return fail(config_error(origin, "bytes that are not UTF-8", "TOML is UTF-8; correct the file"));
        }
        if (holds_long_binary(line)) {
            return fail(
                config_error(origin, "a binary number of more than 62 digits", "write numbers in plain decimals"));
        }
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    return {};
}

}  // namespace

Error config_error(const Origin& origin, std::string message, std::string hint)
{
    if (origin.line != 0) {
        message += " (line " + std::to_string(origin.line) + ")";
    }
    Error error{Code::config_invalid, std::move(message), std::move(hint), {}, {}};
    error.with("file", origin.source);
    if (origin.line != 0) {
        error.with("line", std::to_string(origin.line));
    }
    return error.on(origin.source);
}

Result<void> check_bounds(std::string_view text, const LayerInfo& layer)
{
    const Origin file{layer.name, layer.source, 0};
    if (text.size() > k_config_limit) {
        return fail(config_error(file, "the configuration file is larger than 256 KiB", "shorten it"));
    }
    for (const Bound& bound : k_in_file) {
        if (count(text, bound) > bound.most) {
            return too_many(file, bound);
        }
    }
    return check_lines(text, layer);
}

}  // namespace mandate::core
