#include "core/excerpt.hpp"

namespace mandate::core {

namespace {

constexpr std::size_t k_longest = 40;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

std::string excerpt(std::string_view value)
{
    if (value.size() <= k_longest) {
        return "'" + std::string(value) + "'";
    }
    std::size_t length = k_longest;
    // Not in the middle of a character: UTF-8 has at most three bytes after the first.
    for (int back = 0; back < 3 && continues_character(value[length]); ++back) {
        --length;
    }
    return "'" + std::string(value.substr(0, length)) + "...'";
}

std::string suggestion_or(std::string_view suggestion, std::string_view otherwise)
{
    if (suggestion.empty()) {
        return std::string(otherwise);
    }
    return "did you mean '" + std::string(suggestion) + "'?";
}

}  // namespace mandate::core
