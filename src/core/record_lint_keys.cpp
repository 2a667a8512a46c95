#include "core/record_lint_keys.hpp"

#include "base/text.hpp"
#include "core/record.hpp"

#include <algorithm>
#include <iterator>

namespace mandate::core {

namespace {

struct LookAlike {
    std::string_view letter;  // UTF-8
    char ascii;
};

// Cyrillic and Greek letters that no font tells from the Latin ones in the names of keys.
constexpr LookAlike k_look_alikes[] = {
    {"\u0430", 'a'}, {"\u0435", 'e'}, {"\u043E", 'o'}, {"\u0440", 'p'}, {"\u0441", 'c'}, {"\u0443", 'y'},
    {"\u0445", 'x'}, {"\u0455", 's'}, {"\u0456", 'i'}, {"\u0458", 'j'}, {"\u0501", 'd'}, {"\u051B", 'q'},
    {"\u051D", 'w'}, {"\u04BB", 'h'}, {"\u0261", 'g'}, {"\u0269", 'i'}, {"\u03B1", 'a'}, {"\u03B5", 'e'},
    {"\u03B9", 'i'}, {"\u03BA", 'k'}, {"\u03BD", 'v'}, {"\u03BF", 'o'}, {"\u03C1", 'p'}, {"\u03C4", 't'},
    {"\u03C5", 'u'}, {"\u043A", 'k'}, {"\u043C", 'm'}, {"\u0442", 't'}, {"\u0410", 'A'}, {"\u0412", 'B'},
    {"\u0415", 'E'}, {"\u041A", 'K'}, {"\u041C", 'M'}, {"\u041D", 'H'}, {"\u041E", 'O'}, {"\u0420", 'P'},
    {"\u0421", 'C'}, {"\u0422", 'T'}, {"\u0425", 'X'}, {"\u0405", 'S'}, {"\u0406", 'I'}, {"\u0131", 'i'},
};

constexpr std::size_t k_longest_label = 64;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

bool is_ascii(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string key_but_for_spelling(std::string_view label)
{
    std::string spelt;
    for (const char c : label.substr(0, k_longest_label + 1)) {
        const bool joins = c == '-' || c == '.' || c == ' ' || c == '\t';
        spelt += joins ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return spelt.size() <= k_longest_label && is_record_key(spelt) ? spelt : std::string();
}

std::string nearest_key(std::string_view label)
{
    std::string known = key_but_for_spelling(label);
    return known.empty() ? text::did_you_mean(label, record_keys()) : known;
}

std::string look_alike_ascii(std::string_view label)
{
    std::string out;
    while (!label.empty()) {
        std::size_t length = 1;
        while (length < label.size() && length < 4 && continues_character(label[length])) {
            ++length;
        }
        const std::string_view letter = label.substr(0, length);
        const auto* known = std::find_if(std::begin(k_look_alikes), std::end(k_look_alikes),
                                         [&](const LookAlike& each) { return each.letter == letter; });
        if (known != std::end(k_look_alikes)) {
            out += known->ascii;
        } else if (is_ascii(letter)) {
            out += letter;
        } else if (text::find_fault(letter) != text::Fault::bidi_or_zero_width) {
            out += '?';
        }
        label.remove_prefix(length);
    }
    return out;
}

}  // namespace mandate::core
