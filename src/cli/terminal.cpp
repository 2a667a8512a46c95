#include "cli/terminal.hpp"

#include "os/env.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace mandate::cli {

namespace {

struct Character {
    std::string_view bytes;
    std::size_t width = 1;
};

// Answers are valid UTF-8 by the time they come here (the one escaping).
char32_t code_point(std::string_view bytes)
{
    const auto lead = static_cast<unsigned char>(bytes[0]);
    char32_t value = bytes.size() == 1 ? lead : lead & (0xFFU >> (bytes.size() + 1));
    for (const char c : bytes.substr(1)) {
        value = (value << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
    }
    return value;
}

// The blocks that terminals draw in two columns (Unicode UAX #11, W and F, by block) or on the one before.
std::size_t width_of(char32_t c)
{
    struct Range {
        char32_t first, last;
    };
    constexpr std::array k_combining{Range{0x0300, 0x036F}, Range{0x1AB0, 0x1AFF}, Range{0x20D0, 0x20FF},
                                     Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}};
    constexpr std::array k_wide{Range{0x1100, 0x115F},  Range{0x2E80, 0xA4CF},   Range{0xAC00, 0xD7A3},
                                Range{0xF900, 0xFAFF},  Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},
                                Range{0xFFE0, 0xFFE6},  Range{0x1F300, 0x1F64F}, Range{0x1F900, 0x1F9FF},
                                Range{0x20000, 0x3FFFD}};
    const auto holds = [c](const Range& range) { return c >= range.first && c <= range.last; };
    if (std::any_of(k_combining.begin(), k_combining.end(), holds)) {
        return 0;
    }
    return std::any_of(k_wide.begin(), k_wide.end(), holds) ? 2 : 1;
}

std::vector<Character> characters(std::string_view text)
{
    std::vector<Character> out;
    while (!text.empty()) {
        const auto lead = static_cast<unsigned char>(text[0]);
        const std::size_t length = std::min<std::size_t>(lead >= 0xF0   ? 4
                                                         : lead >= 0xE0 ? 3
                                                         : lead >= 0xC0 ? 2
                                                                        : 1,
                                                         text.size());
        const std::string_view bytes = text.substr(0, length);
        out.push_back({bytes, width_of(code_point(bytes))});
        text.remove_prefix(length);
    }
    return out;
}

}  // namespace

std::string Terminal::paint(Tone tone, std::string_view text) const
{
    constexpr std::array<std::string_view, 6> k_codes{"", "32", "33", "31", "2", "1"};
    const std::string_view code = k_codes[static_cast<std::size_t>(tone)];
    if (!colors || code.empty() || text.empty()) {
        return std::string(text);
    }
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

Terminal find_terminal(app::Color color)
{
    Terminal terminal;
    const bool is_terminal = os::is_terminal(1);
    const bool plain =
        !os::variable("NO_COLOR").value_or("").empty() || os::variable("TERM").value_or("dumb") == "dumb";
    terminal.colors = color == app::Color::always || (color == app::Color::automatic && is_terminal && !plain);
    if (is_terminal) {
        terminal.width = static_cast<std::size_t>(std::max(os::terminal_width(1), 20));
    }
    return terminal;
}

std::size_t display_width(std::string_view text)
{
    std::size_t width = 0;
    for (const Character& character : characters(text)) {
        width += character.width;
    }
    return width;
}

std::string shortened(std::string_view text, std::size_t width)
{
    constexpr std::string_view k_gap = "...";
    if (display_width(text) <= width) {
        return std::string(text);
    }
    if (width <= k_gap.size()) {
        return std::string(k_gap.substr(0, width));
    }
    const std::vector<Character> all = characters(text);
    std::size_t room = width - k_gap.size();
    std::size_t front = 0;
    std::size_t back = all.size();
    // The end of a path says more than its start, so it gets the odd column and the larger half.
    const std::size_t front_room = room * 2 / 5;
    std::size_t taken = 0;
    while (taken + all[front].width <= front_room) {
        taken += all[front++].width;
    }
    room -= taken;
    while (back > front && all[back - 1].width <= room) {
        room -= all[--back].width;
    }
    std::string out;
    for (std::size_t i = 0; i < front; ++i) {
        out += all[i].bytes;
    }
    out += k_gap;
    for (std::size_t i = back; i < all.size(); ++i) {
        out += all[i].bytes;
    }
    return out;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width)
{
    const std::size_t room = std::max<std::size_t>(width, 2);  // a wide character must fit
    std::vector<std::string> lines{std::string()};
    std::size_t taken = 0;
    const auto take_word = [&](const std::vector<Character>& word, std::size_t word_width) {
        if (taken > 0 && taken + 1 + word_width > room) {
            lines.emplace_back();
            taken = 0;
        } else if (taken > 0) {
            lines.back() += ' ';
            ++taken;
        }
        for (const Character& character : word) {
            if (taken + character.width > room) {
                lines.emplace_back();
                taken = 0;
            }
            lines.back() += character.bytes;
            taken += character.width;
        }
    };
    std::vector<Character> word;
    std::size_t word_width = 0;
    for (const Character& character : characters(text)) {
        if (character.bytes != " ") {
            word.push_back(character);
            word_width += character.width;
        } else if (!word.empty()) {
            take_word(word, word_width);
            word.clear();
            word_width = 0;
        }
    }
    take_word(word, word_width);
    return lines;
}

std::string padded(std::string text, std::size_t width)
{
    const std::size_t taken = display_width(text);
    return taken >= width ? text : text.append(width - taken, ' ');
}

Tone tone_of(std::string_view word)
{
    struct Word {
        std::string_view word;
        Tone tone;
    };
    constexpr std::array k_words{
        Word{"allowed", Tone::good},        Word{"ok", Tone::good},         Word{"auto", Tone::good},
        Word{"done", Tone::good},           Word{"fixed", Tone::good},      Word{"acknowledged", Tone::good},
        Word{"reviewed", Tone::good},       Word{"booked", Tone::warning},  Word{"unlisted", Tone::warning},
        Word{"ask", Tone::warning},         Word{"expired", Tone::warning}, Word{"no-mandate", Tone::warning},
        Word{"acknowledge", Tone::warning}, Word{"fix", Tone::warning},     Word{"run-review", Tone::warning},
        Word{"denied", Tone::bad},          Word{"reject", Tone::bad},      Word{"missing", Tone::bad},
        Word{"failed", Tone::bad},          Word{"refused", Tone::bad},     Word{"unenforced", Tone::bad},
    };
    const auto* found =
        std::find_if(k_words.begin(), k_words.end(), [&](const Word& each) { return each.word == word; });
    return found == k_words.end() ? Tone::plain : found->tone;
}

}  // namespace mandate::cli
