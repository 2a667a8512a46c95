#include "app/exclude_lines.hpp"

#include <algorithm>
#include <array>

namespace mandate::app {

namespace {

constexpr std::array<std::string_view, 2> k_lines{"/MANDATE.md", "/.MANDATE.*"};
constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";

// git (dir.c) drops one CR before the line end and all blanks before that, but no tabs. None of our lines
// ends in a backslash, so that an escaped last blank is of no interest here.
std::string_view as_git_reads(std::string_view line)
{
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    while (line.ends_with(' ')) {
        line.remove_suffix(1);
    }
    return line;
}

bool holds(std::string_view content, std::string_view wanted)
{
    if (content.starts_with(k_byte_order_mark)) {
        content.remove_prefix(k_byte_order_mark.size());
    }
    while (!content.empty()) {
        const std::size_t end = std::min(content.find('\n'), content.size());
        if (as_git_reads(content.substr(0, end)) == wanted) {
            return true;
        }
        content.remove_prefix(std::min(end + 1, content.size()));
    }
    return false;
}

}  // namespace

std::string missing_exclude_lines(std::string_view content)
{
    std::string missing = content.empty() || content.back() == '\n' ? "" : "\n";
    const std::size_t line_end = missing.size();
    for (const std::string_view line : k_lines) {
        if (!holds(content, line)) {
            missing.append(line).append("\n");
        }
    }
    return missing.size() > line_end ? missing : std::string();
}

}  // namespace mandate::app
