// The half of the linter that looks at one line at a time, whether or not the record can be read.
#pragma once

#include "core/front_matter.hpp"
#include "core/record_lint.hpp"

namespace mandate::core {

// A line between the fences.
void lint_block_line(const BlockLine& line, LintReport& report);

// A line below the closing one.
void lint_body_line(const BlockLine& line, LintReport& report);

}  // namespace mandate::core
