#include "git/ignore_lines.hpp"

#include <algorithm>
#include <cstddef>

namespace mandate::git {

namespace {

constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";

// Blanks at the end are dropped unless a backslash stands before them; tabs are kept.
std::string_view trim_blanks(std::string_view line)
{
    std::size_t end = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\\') {
            if (++i >= line.size()) {
                return line;
            }
            end = i + 1;
        } else if (line[i] != ' ') {
            end = i + 1;
        }
    }
    return line.substr(0, end);
}

}  // namespace

std::vector<IgnoreLine> ignore_lines(std::string_view content)
{
    if (content.starts_with(k_byte_order_mark)) {
        content.remove_prefix(k_byte_order_mark.size());
    }
    std::vector<IgnoreLine> lines;
    while (!content.empty()) {
        const std::size_t end = std::min(content.find('\n'), content.size());
        std::string_view line = content.substr(0, end);
        content.remove_prefix(std::min(end + 1, content.size()));
        if (line.starts_with('#')) {
            continue;
        }
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        line = trim_blanks(line.substr(0, line.find('\0')));  // git holds a pattern as a C string
        const bool negated = line.starts_with('!');
        line.remove_prefix(negated ? 1 : 0);
        lines.push_back({line, negated});
    }
    return lines;
}

}  // namespace mandate::git
