// Rows of cells as an aligned table that fits the terminal.
//
// A column that is empty in every row is left out. Where the whole is too wide, the columns that may give way do, the
// widest first: paths and names are shortened in the middle, sentences and lists go on in the next line; words that
// stand for a state never change. Where that would leave too little, an optional column is left out.
#pragma once

#include "cli/terminal.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace mandate::cli {

struct Cell {
    std::string text;  // escaped already
    Tone tone = Tone::plain;
};

enum class Fit { fixed, shortened, wrapped };

struct Column {
    std::string title;
    Fit fit = Fit::fixed;
    bool right = false;  // numbers
    bool optional = false;
};

class Table {
public:
    explicit Table(std::vector<Column> columns) : m_columns(std::move(columns)) {}

    // As many cells as there are columns.
    void add(std::vector<Cell> row) { m_rows.push_back(std::move(row)); }

    [[nodiscard]] std::string render(const Terminal& terminal) const;

private:
    using Widths = std::vector<std::size_t>;  // 0: left out
    [[nodiscard]] Widths natural_widths() const;
    [[nodiscard]] Widths widths(std::size_t room) const;
    // Columns that may give way do, down to `least`; true when the whole then fits.
    bool narrow(Widths& widths, std::size_t room, std::size_t least) const;
    [[nodiscard]] std::string line(const std::vector<Cell>& cells, const Widths& widths,
                                   const Terminal& terminal) const;

    std::vector<Column> m_columns;
    std::vector<std::vector<Cell>> m_rows;
};

}  // namespace mandate::cli
