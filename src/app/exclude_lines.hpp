// The lines of an exclude file, as git splits and reads them. Pure.
#pragma once

#include <string>
#include <string_view>

namespace mandate::app {

// What has to be appended so that each of the two lines stands in `content` once: empty when both are there.
// Starts with a line end where the last line has none.
std::string missing_exclude_lines(std::string_view content);

// Both lines are there and no `!` line follows the first of either: no rule of this file can undo them.
bool exclude_lines_stand(std::string_view content);

bool has_negated_line(std::string_view content);

}  // namespace mandate::app
