#include "cli/markdown.hpp"

#include "cli/terminal.hpp"

#include <algorithm>
#include <cstddef>

namespace mandate::cli {

namespace {

constexpr std::size_t k_widest_text = 240;

std::size_t longest_run(std::string_view text, char mark)
{
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char c : text) {
        run = c == mark ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

}  // namespace

std::string code_span(std::string_view text)
{
    const std::string shown = shortened(text, k_widest_text);
    if (shown.empty()) {
        return {};
    }
    // A fence longer than any run of backticks inside. One that would touch it keeps a blank away, which readers take
    // off again on both sides.
    const std::string fence(longest_run(shown, '`') + 1, '`');
    const auto touches = [](char c) { return c == '`' || c == ' '; };
    const std::string pad = touches(shown.front()) || touches(shown.back()) ? " " : "";
    return fence + pad + shown + pad + fence;
}

// The bars of a table are found before code spans are, and `\|` is a bar of the text even inside of one.
std::string table_cell(std::string_view text)
{
    std::string cell;
    for (const char c : code_span(text)) {
        cell += c == '|' ? "\\|" : std::string(1, c);
    }
    return cell;
}

}  // namespace mandate::cli
