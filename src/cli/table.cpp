#include "cli/table.hpp"

#include <algorithm>
#include <numeric>

namespace mandate::cli {

namespace {

constexpr std::size_t k_gap = 2;
constexpr std::size_t k_comfortable = 16;  // columns; an optional column goes before another gets less
constexpr std::size_t k_least = 8;
constexpr std::size_t k_longest_word = 24;  // kept whole in a column that wraps

std::size_t total(const std::vector<std::size_t>& widths)
{
    const auto shown = std::count_if(widths.begin(), widths.end(), [](std::size_t width) { return width > 0; });
    return std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
           k_gap * static_cast<std::size_t>(std::max<long>(shown - 1, 0));
}

std::size_t longest_word(std::string_view text)
{
    std::size_t longest = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        longest = std::max(longest, display_width(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return longest;
}

std::vector<std::string> lines_of(const Cell& cell, const Column& column, std::size_t width)
{
    switch (column.fit) {
        case Fit::shortened:
            return {shortened(cell.text, width)};
        case Fit::wrapped:
            return wrapped(cell.text, width);
        case Fit::fixed:
            break;
    }
    return {cell.text};
}

}  // namespace

Table::Widths Table::natural_widths() const
{
    Widths widths(m_columns.size(), 0);
    for (const auto& row : m_rows) {
        for (std::size_t i = 0; i < widths.size(); ++i) {
            widths[i] = std::max(widths[i], display_width(row[i].text));
        }
    }
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (widths[i] > 0) {  // an empty column stays at 0 and is left out
            widths[i] = std::max(widths[i], display_width(m_columns[i].title));
        }
    }
    return widths;
}

bool Table::narrow(Widths& widths, std::size_t room, std::size_t least) const
{
    Widths floors(m_columns.size(), least);
    for (std::size_t i = 0; i < floors.size(); ++i) {
        for (const auto& row : m_rows) {
            const std::size_t word = m_columns[i].fit == Fit::wrapped ? longest_word(row[i].text) : 0;
            floors[i] = std::max(floors[i], std::min(word, k_longest_word));
        }
    }
    while (total(widths) > room) {
        std::size_t widest = m_columns.size();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (m_columns[i].fit != Fit::fixed && widths[i] > floors[i] &&
                (widest == m_columns.size() || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        if (widest == m_columns.size()) {
            return false;
        }
        --widths[widest];
    }
    return true;
}

Table::Widths Table::widths(std::size_t room) const
{
    const Widths natural = natural_widths();
    Widths all = natural;
    if (narrow(all, room, k_comfortable)) {
        return all;
    }
    Widths needed = natural;
    for (std::size_t i = 0; i < needed.size(); ++i) {
        needed[i] = m_columns[i].optional ? 0 : needed[i];
    }
    (void)narrow(needed, room, k_least);
    return needed;
}

std::string Table::line(const std::vector<Cell>& cells, const Widths& widths, const Terminal& terminal) const
{
    std::vector<std::vector<std::string>> parts(cells.size());
    std::size_t height = 1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (widths[i] > 0) {
            parts[i] = lines_of(cells[i], m_columns[i], widths[i]);
            height = std::max(height, parts[i].size());
        }
    }
    std::string out;
    for (std::size_t at = 0; at < height; ++at) {
        std::string pending;  // blanks that only count when something follows: no line ends in one
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (widths[i] == 0) {
                continue;
            }
            const std::string text = at < parts[i].size() ? parts[i][at] : std::string();
            const std::string blanks(widths[i] - std::min(widths[i], display_width(text)), ' ');
            const std::string before = m_columns[i].right ? pending + blanks : pending;
            if (!text.empty()) {
                out += before + terminal.paint(cells[i].tone, text);
            }
            pending = (text.empty() ? before : "") + (m_columns[i].right ? "" : blanks) + std::string(k_gap, ' ');
        }
        out += "\n";
    }
    return out;
}

std::string Table::render(const Terminal& terminal) const
{
    const Widths chosen = widths(terminal.width);
    std::vector<Cell> titles;
    for (const Column& column : m_columns) {
        titles.push_back({column.title, Tone::faint});
    }
    std::string out = line(titles, chosen, terminal);
    for (const auto& row : m_rows) {
        out += line(row, chosen, terminal);
    }
    return out;
}

}  // namespace mandate::cli
