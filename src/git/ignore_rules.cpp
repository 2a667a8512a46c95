#include "git/ignore_rules.hpp"

#include "git/glob.hpp"

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

bool equal(std::string_view a, std::string_view b, bool fold_case)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [fold_case](char x, char y) { return fold_case ? fold_ascii(x) == fold_ascii(y) : x == y; });
}

// A pattern with a slash is held against the whole path: what stands before the first special character must
// be there literally, and only then do wildcards begin (so that `**` behind it counts as one of its own).
bool matches_path(std::string_view pattern, std::string_view name, bool fold_case)
{
    if (pattern.starts_with('/')) {
        pattern.remove_prefix(1);
    }
    const std::size_t literal = std::min(pattern.find_first_of("*?[\\"), pattern.size());
    if (literal > name.size() || !equal(pattern.substr(0, literal), name.substr(0, literal), fold_case)) {
        return false;
    }
    pattern.remove_prefix(literal);
    name.remove_prefix(literal);
    // "**/" stands for no directory too, and there is none to stand for.
    while (pattern.starts_with("**")) {
        const std::size_t stars = std::min(pattern.find_first_not_of('*'), pattern.size());
        if (stars == pattern.size() || pattern[stars] != '/') {
            break;
        }
        pattern.remove_prefix(stars + 1);
    }
    return glob_matches(pattern, name, fold_case);
}

}  // namespace

IgnoreRule last_ignore_rule(std::string_view content, std::string_view name, bool fold_case)
{
    if (content.starts_with(k_byte_order_mark)) {
        content.remove_prefix(k_byte_order_mark.size());
    }
    IgnoreRule last = IgnoreRule::none;
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
        if (line.ends_with('/')) {
            continue;  // for directories only
        }
        const bool anywhere = line.find('/') == std::string_view::npos;
        if (anywhere ? glob_matches(line, name, fold_case) : matches_path(line, name, fold_case)) {
            last = negated ? IgnoreRule::keep : IgnoreRule::ignore;
        }
    }
    return last;
}

}  // namespace mandate::git
