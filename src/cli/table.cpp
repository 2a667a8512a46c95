#include "cli/table.hpp"

#include <algorithm>
#include <numeric>

namespace mandate::cli {

namespace {

constexpr std::size_t k_gap = 2;
constexpr std::size_t k_least_width = 8;  // of a column that gives way

std::string aligned(const Cell& cell, const Column& column, std::size_t width, bool last, const Terminal& terminal)
{
    const std::string text = column.gives_way ? shortened(cell.text, width) : cell.text;
    const std::size_t taken = display_width(text);
    const std::string blanks(width > taken ? width - taken : 0, ' ');
    const std::string painted = terminal.paint(cell.tone, text);
    if (column.right) {
        return blanks + painted;
    }
    return last ? painted : painted + blanks;
}

}  // namespace

std::vector<std::size_t> Table::widths(const Terminal& terminal) const
{
    std::vector<std::size_t> widths(m_columns.size(), 0);
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
    const auto total = [&] {
        const auto shown = std::count_if(widths.begin(), widths.end(), [](std::size_t width) { return width > 0; });
        return std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
               k_gap * static_cast<std::size_t>(std::max<long>(shown - 1, 0));
    };
    while (total() > terminal.width) {
        std::size_t widest = m_columns.size();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (m_columns[i].gives_way && widths[i] > k_least_width &&
                (widest == m_columns.size() || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        if (widest == m_columns.size()) {
            break;
        }
        --widths[widest];
    }
    return widths;
}

std::string Table::render(const Terminal& terminal) const
{
    const std::vector<std::size_t> width = widths(terminal);
    const auto line = [&](const std::vector<Cell>& cells) {
        std::string out;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (width[i] == 0) {
                continue;
            }
            const bool last = std::all_of(width.begin() + static_cast<std::ptrdiff_t>(i) + 1, width.end(),
                                          [](std::size_t w) { return w == 0; });
            out += (out.empty() ? "" : std::string(k_gap, ' ')) +
                   aligned(cells[i], m_columns[i], width[i], last, terminal);
        }
        return out + "\n";
    };
    std::vector<Cell> titles;
    for (const Column& column : m_columns) {
        titles.push_back({column.title, Tone::faint});
    }
    std::string out = line(titles);
    for (const auto& row : m_rows) {
        out += line(row);
    }
    return out;
}

}  // namespace mandate::cli
