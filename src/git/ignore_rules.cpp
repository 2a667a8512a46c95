#include "git/ignore_rules.hpp"

#include "git/glob.hpp"
#include "git/ignore_lines.hpp"

#include <algorithm>
#include <cstddef>

namespace mandate::git {

namespace {

// A pattern with a slash is held against the whole path: what stands before the first special character must
// be there literally, and only then do wildcards begin (so that `**` behind it counts as one of its own).
bool matches_path(std::string_view pattern, std::string_view name, bool fold_case)
{
    if (pattern.starts_with('/')) {
        pattern.remove_prefix(1);
    }
    const std::size_t literal = std::min(pattern.find_first_of("*?[\\"), pattern.size());
    if (literal > name.size() || !equal_bytes(pattern.substr(0, literal), name.substr(0, literal), fold_case)) {
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
    IgnoreRule last = IgnoreRule::none;
    for (const IgnoreLine& line : ignore_lines(content)) {
        if (line.pattern.ends_with('/')) {
            continue;  // for directories only
        }
        const bool anywhere = line.pattern.find('/') == std::string_view::npos;
        if (anywhere ? glob_matches(line.pattern, name, fold_case) : matches_path(line.pattern, name, fold_case)) {
            last = line.negated ? IgnoreRule::keep : IgnoreRule::ignore;
        }
    }
    return last;
}

}  // namespace mandate::git
