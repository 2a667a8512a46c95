// An answer as a person at a terminal reads it: aligned, coloured, times both exact and relative.
//
// Never for programs: a pipe gets key=value lines. States are told by their word as well as by colour.
#pragma once

#include "base/timestamp.hpp"
#include "cli/terminal.hpp"
#include "core/answer.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mandate::cli {

// Any answer: its keys as two aligned columns, reasons below, rows as a table.
std::string render_human(const core::Answer& answer, const Terminal& terminal, Time now);

// "2026-11-30T18:25:56Z (3 minutes ago)"; the text as it is where it is no time.
std::string with_relative_time(std::string_view timestamp, Time now);

// "3 of 5 used"; where there is no budget "3 used, no limit". The bar is "###.. 3 of 5 used".
std::string used_of(std::string_view used, std::string_view budget);
std::string budget_bar(std::uint64_t used, const std::optional<std::uint64_t>& budget);

}  // namespace mandate::cli
