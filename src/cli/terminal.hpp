// What the person at the other end can see: a terminal of some width, with colours or without.
//
// Colour is never the only carrier of a meaning: the word stands there as well. NO_COLOR (no-color.org),
// TERM=dumb and a stdout that is no terminal turn it off; --color and MANDATE_COLOR decide over them.
#pragma once

#include "app/settings.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::cli {

enum class Tone { plain, good, warning, bad, faint, strong };

struct Terminal {
    bool colors = false;
    std::size_t width = 80;  // columns

    // The text in that tone; as it is without colours. The 16-colour set, so that the user's own palette
    // (light or dark) decides how it looks.
    [[nodiscard]] std::string paint(Tone tone, std::string_view text) const;
};

// `color`: --color, else MANDATE_COLOR, else automatic.
Terminal find_terminal(app::Color color);

// Columns that the text takes: one for each code point, two for wide ones (East Asian, emoji), none for
// combining marks.
std::size_t display_width(std::string_view text);

// At most `width` columns: the middle gives way to "...", since both ends of a path say most.
std::string shortened(std::string_view text, std::size_t width);

// The text in lines of at most `width` columns, broken at blanks; a longer word is cut. At least one line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

std::string padded(std::string text, std::size_t width);

// The tone of a word that stands for a state: "allowed", "denied", "booked", "missing" ...
Tone tone_of(std::string_view word);

}  // namespace mandate::cli
