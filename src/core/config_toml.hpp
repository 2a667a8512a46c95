// TOML text as a flat list of values with their lines; the only user of toml11.
//
// What the library cannot be trusted with is refused before it sees the text (config_bounds.hpp). Its exceptions
// end here, its messages are bounded (they quote whole lines of the file, raw), and its numbers are read from
// the text again: 3.7.1 clamps what is too large, and all versions take 0x10 and 1_000 where this program
// wants plain decimals.
#pragma once

#include "base/error.hpp"
#include "core/config.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mandate::core {

// Of a list. Each word is looked up in lists of words, and finding the line of each is a walk through the file.
constexpr std::size_t k_most_words = 200;

struct TomlString {
    std::string text;
    std::size_t line = 0;
};

using TomlStrings = std::vector<TomlString>;

struct TomlEmptyTable {};

struct TomlItem {
    std::vector<std::string> path;  // {"lock", "timeout"}; more than one level of table is more parts
    std::size_t line = 0;
    // monostate: a kind that no key takes (float, date, list of other things or of too many, a number that is no plain
    // decimal)
    std::variant<std::monostate, bool, std::uint64_t, std::string, TomlStrings, TomlEmptyTable> value;
};

// In the order of their lines. An empty table is an item of its own, so that a misspelt one does not go unnoticed.
Result<std::vector<TomlItem>> read_toml(std::string_view text, const LayerInfo& layer);

}  // namespace mandate::core
