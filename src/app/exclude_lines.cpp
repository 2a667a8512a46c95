#include "app/exclude_lines.hpp"

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

template<typename Visit>
void each_line(std::string_view content, Visit visit)
{
    if (content.starts_with(k_byte_order_mark)) {
        content.remove_prefix(k_byte_order_mark.size());
    }
    while (!content.empty()) {
        const std::size_t end = content.find('\n');
        visit(as_git_reads(content.substr(0, end)));
        content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
    }
}

bool holds(std::string_view content, std::string_view wanted)
{
    bool found = false;
    each_line(content, [&](std::string_view line) { found = found || line == wanted; });
    return found;
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

bool exclude_lines_stand(std::string_view content)
{
    std::array<bool, k_lines.size()> stands{};
    each_line(content, [&](std::string_view line) {
        for (std::size_t i = 0; i < k_lines.size(); ++i) {
            stands[i] = (stands[i] && !line.starts_with('!')) || line == k_lines[i];
        }
    });
    return stands[0] && stands[1];
}

bool has_negated_line(std::string_view content)
{
    bool found = false;
    each_line(content, [&](std::string_view line) { found = found || line.starts_with('!'); });
    return found;
}

}  // namespace mandate::app
