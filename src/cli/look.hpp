// How an answer shall look: the options first, then MANDATE_COLOR, then what stdout is.
#pragma once

#include "base/error.hpp"
#include "cli/verb.hpp"

#include <string_view>
#include <vector>

namespace mandate::cli {

enum class Format { lines, json, shell, table, markdown };

struct Look {
    Format format = Format::lines;
    app::Color color = app::Color::automatic;
};

// `markdown`: the verb can print it. Fails with usage.
Result<Look> read_look(const Globals& globals, bool markdown);

// The words that --format and --color take.
std::vector<std::string_view> format_names(bool markdown);
std::vector<std::string_view> color_names();

}  // namespace mandate::cli
