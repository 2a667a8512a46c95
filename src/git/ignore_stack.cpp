#include "git/ignore_stack.hpp"

#include "git/glob.hpp"
#include "git/ignore_lines.hpp"

#include <algorithm>
#include <optional>

namespace mandate::git {

namespace {

// Past the `]` of the set that starts at `at`, so that a slash in it divides nothing; the end where it has none.
std::size_t behind_set(std::string_view pattern, std::size_t at)
{
    ++at;
    if (at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^')) {
        ++at;
    }
    for (bool first = true; at < pattern.size(); first = false, ++at) {
        if (pattern[at] == ']' && !first) {
            return at + 1;
        }
        if (pattern[at] == '\\') {
            ++at;
        } else if (pattern.substr(at).starts_with("[:")) {
            const std::size_t end = pattern.find(":]", at + 2);
            at = end == std::string_view::npos ? at : end + 1;
        }
    }
    return pattern.size();
}

std::vector<std::string_view> components_of_pattern(std::string_view pattern)
{
    std::vector<std::string_view> parts;
    std::size_t start = 0;
    for (std::size_t at = 0; at < pattern.size();) {
        if (pattern[at] == '[') {
            at = behind_set(pattern, at);
        } else if (pattern[at] == '\\') {
            at = std::min(at + 2, pattern.size());
        } else if (pattern[at++] == '/') {
            parts.push_back(pattern.substr(start, at - 1 - start));
            start = at;
        }
    }
    parts.push_back(pattern.substr(start));
    return parts;
}

std::vector<std::string_view> components_of_path(std::string_view path)
{
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t slash = path.find('/');
        parts.push_back(path.substr(0, slash));
        if (slash == std::string_view::npos) {
            return parts;
        }
        path.remove_prefix(slash + 1);
    }
}

// A `**` takes any number of directories, none included; at the end, one component at least. Where two of
// them compete, the last can always give back, so one place to return to is enough.
bool components_match(const std::vector<std::string_view>& pattern, const std::vector<std::string_view>& path,
                      bool fold_case)
{
    std::size_t p = 0;
    std::size_t t = 0;
    std::optional<std::size_t> after_stars;
    std::size_t stars_take_to = 0;
    while (true) {
        if (p < pattern.size() && pattern.size() > 1 && pattern[p] == "**") {
            if (p + 1 == pattern.size()) {
                return t < path.size();
            }
            after_stars = ++p;
            stars_take_to = t;
            continue;
        }
        if (p == pattern.size() && t == path.size()) {
            return true;
        }
        if (p < pattern.size() && t < path.size() && glob_matches(pattern[p], path[t], fold_case)) {
            ++p;
            ++t;
            continue;
        }
        if (!after_stars || stars_take_to >= path.size()) {
            return false;
        }
        p = *after_stars;
        t = ++stars_take_to;
    }
}

}  // namespace

bool path_glob_matches(std::string_view pattern, std::string_view path, bool fold_case)
{
    // git compares what stands before the first wildcard byte for byte, and begins its matching behind it.
    const std::size_t literal = std::min(pattern.find_first_of("*?[\\"), pattern.size());
    if (literal > path.size() || !equal_bytes(pattern.substr(0, literal), path.substr(0, literal), fold_case)) {
        return false;
    }
    pattern.remove_prefix(literal);
    path.remove_prefix(literal);
    if (pattern.empty() || path.empty()) {
        return pattern.empty() ? path.empty() : pattern.find_first_not_of('*') == std::string_view::npos;
    }
    return whole_path_glob_matches(pattern, path, fold_case);
}

bool whole_path_glob_matches(std::string_view pattern, std::string_view path, bool fold_case)
{
    if (pattern == "**") {
        return true;
    }
    return components_match(components_of_pattern(pattern), components_of_path(path), fold_case);
}

void IgnoreStack::push(std::string_view base, std::string_view content)
{
    File file;
    file.base_length = base.size();
    for (const IgnoreLine& each : ignore_lines(content)) {
        std::string_view line = each.pattern;
        Rule rule;
        rule.negated = each.negated;
        rule.directories_only = line.ends_with('/');
        line.remove_suffix(rule.directories_only ? 1 : 0);
        rule.anywhere = line.find('/') == std::string_view::npos;
        line.remove_prefix(line.starts_with('/') ? 1 : 0);
        rule.pattern = line;
        if (!rule.pattern.empty()) {
            file.rules.push_back(std::move(rule));
        }
    }
    m_files.push_back(std::move(file));
}

void IgnoreStack::pop() { m_files.pop_back(); }

bool IgnoreStack::matches(const Rule& rule, std::string_view path) const
{
    if (rule.anywhere) {
        return glob_matches(rule.pattern, path.substr(path.rfind('/') + 1), m_fold_case);
    }
    return path_glob_matches(rule.pattern, path, m_fold_case);
}

bool IgnoreStack::ignores(std::string_view path, bool is_directory) const
{
    // The last rule that matches decides. Iterators, since clang-tidy 14 cannot read libstdc++'s views.
    // NOLINTNEXTLINE(modernize-loop-convert)
    for (auto file = m_files.rbegin(); file != m_files.rend(); ++file) {
        const std::string_view inner = path.substr(std::min(file->base_length, path.size()));
        // NOLINTNEXTLINE(modernize-loop-convert)
        for (auto rule = file->rules.rbegin(); rule != file->rules.rend(); ++rule) {
            if ((is_directory || !rule->directories_only) && matches(*rule, inner)) {
                return !rule->negated;
            }
        }
    }
    return false;
}

}  // namespace mandate::git
