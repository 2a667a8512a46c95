// The two lines that info/exclude must hold. Pure.
#pragma once

#include <string>
#include <string_view>

namespace mandate::app {

// What has to be appended so that each of the two lines stands in `content` once: empty when both are there.
// Starts with a line end where the last line has none. A CR and blanks at a line's end do not make it another
// line, as they do not for git.
std::string missing_exclude_lines(std::string_view content);

}  // namespace mandate::app
