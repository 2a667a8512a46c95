// The patterns of an ignore file, line by line as git's dir.c takes them: no byte order mark, no comments, no line
// ends, no blanks at the end that no backslash keeps.
#pragma once

#include <string_view>
#include <vector>

namespace mandate::git {

struct IgnoreLine {
    std::string_view pattern;  // into the content; may be empty
    bool negated = false;      // stood behind a `!`
};

std::vector<IgnoreLine> ignore_lines(std::string_view content);

}  // namespace mandate::git
