// Rows of cells as an aligned table that fits the terminal.
//
// A column that is empty in every row is left out. Where the whole is too wide, the columns that may give
// way (paths, free text) are shortened in the middle, the widest first; the others never are.
#pragma once

#include "cli/terminal.hpp"

#include <string>
#include <vector>

namespace mandate::cli {

struct Cell {
    std::string text;  // escaped already
    Tone tone = Tone::plain;
};

struct Column {
    std::string title;
    bool gives_way = false;
    bool right = false;  // numbers
};

class Table {
public:
    explicit Table(std::vector<Column> columns) : m_columns(std::move(columns)) {}

    // As many cells as there are columns.
    void add(std::vector<Cell> row) { m_rows.push_back(std::move(row)); }

    [[nodiscard]] std::string render(const Terminal& terminal) const;

private:
    [[nodiscard]] std::vector<std::size_t> widths(const Terminal& terminal) const;

    std::vector<Column> m_columns;
    std::vector<std::vector<Cell>> m_rows;
};

}  // namespace mandate::cli
