#include "git/glob.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

namespace mandate::git {

namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alpha(char c) { return is_upper(c) || is_lower(c); }
bool is_graph(char c) { return c > ' ' && c < '\x7F'; }

// A to Z as a to z, everything else as it is.
char fold_ascii(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_in_range(char c, char first, char last)
{
    const auto byte = [](char x) { return static_cast<unsigned char>(x); };
    return byte(first) <= byte(c) && byte(c) <= byte(last);
}

struct CharacterClass {
    std::string_view name;
    bool (*holds)(char c);
};

constexpr std::array k_classes{
    CharacterClass{"alnum", [](char c) { return is_alpha(c) || is_digit(c); }},
    CharacterClass{"alpha", is_alpha},
    CharacterClass{"blank", [](char c) { return c == ' ' || c == '\t'; }},
    CharacterClass{"cntrl", [](char c) { return is_in_range(c, '\0', '\x1F') || c == '\x7F'; }},
    CharacterClass{"digit", is_digit},
    CharacterClass{"graph", is_graph},
    CharacterClass{"lower", is_lower},
    CharacterClass{"print", [](char c) { return is_graph(c) || c == ' '; }},
    CharacterClass{"punct", [](char c) { return is_graph(c) && !is_alpha(c) && !is_digit(c); }},
    CharacterClass{"space", [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }},
    CharacterClass{"upper", is_upper},
    CharacterClass{"xdigit",
                   [](char c) { return is_digit(c) || is_in_range(c, 'a', 'f') || is_in_range(c, 'A', 'F'); }},
};

char upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

// [...] at the start of `pattern`: whether `c` (folded already) is in it, and its length. Nothing when the
// set does not end or names an unknown class: then the whole pattern matches nothing. While folding, git
// tries ranges and [:upper:] in both cases, but single characters only as they stand.
class CharacterSet {
public:
    CharacterSet(std::string_view pattern, char c, bool fold_case) : m_pattern(pattern), m_c(c), m_fold(fold_case) {}

    std::optional<std::pair<bool, std::size_t>> match()
    {
        const bool negated = at(1) == '!' || at(1) == '^';
        m_at = negated ? 2 : 1;
        // A ] right at the start is a member, so the end is looked for behind the first item.
        for (bool first = true; first || at(m_at) != ']'; first = false) {
            if (m_at >= m_pattern.size() || !take_item()) {
                return std::nullopt;
            }
        }
        return std::pair(m_matched != negated, m_at + 1);
    }

private:
    [[nodiscard]] char at(std::size_t i) const { return i < m_pattern.size() ? m_pattern[i] : '\0'; }

    bool take_item()
    {
        const char c = at(m_at);
        if (c == '-' && m_previous != '\0' && at(m_at + 1) != '\0' && at(m_at + 1) != ']') {
            return take_range();
        }
        if (c == '[' && at(m_at + 1) == ':') {
            const std::size_t end = m_pattern.find(']', m_at + 2);
            if (end == std::string_view::npos) {
                return false;
            }
            if (end > m_at + 2 && at(end - 1) == ':') {
                return take_class(m_pattern.substr(m_at + 2, end - 1 - (m_at + 2)), end);
            }
        }
        return take_single();
    }

    bool take_single()
    {
        m_at += at(m_at) == '\\' ? 1U : 0U;
        if (at(m_at) == '\0') {
            return false;
        }
        m_previous = at(m_at++);
        m_matched = m_matched || m_c == m_previous;
        return true;
    }

    bool take_range()
    {
        m_at += at(m_at + 1) == '\\' ? 2U : 1U;
        const char last = at(m_at++);
        if (last == '\0') {
            return false;
        }
        m_matched =
            m_matched || is_in_range(m_c, m_previous, last) || (m_fold && is_in_range(upper(m_c), m_previous, last));
        m_previous = '\0';
        return true;
    }

    bool take_class(std::string_view name, std::size_t end)
    {
        const auto* const found =
            std::find_if(k_classes.begin(), k_classes.end(),
                         [name](const CharacterClass& candidate) { return candidate.name == name; });
        if (found == k_classes.end()) {
            return false;
        }
        m_matched = m_matched || found->holds(m_c) || (m_fold && name == "upper" && is_lower(m_c));
        m_at = end + 1;
        m_previous = '\0';
        return true;
    }

    std::string_view m_pattern;
    char m_c;
    bool m_fold;
    std::size_t m_at = 0;
    char m_previous = '\0';
    bool m_matched = false;
};

// One character against what stands at the start of `pattern`: how much of the pattern it took, if it matched.
std::optional<std::size_t> match_one(std::string_view pattern, char c, bool fold_case)
{
    const char folded = fold_case ? fold_ascii(c) : c;
    switch (pattern.front()) {
        case '?':
            return 1;
        case '[': {
            const auto set = CharacterSet(pattern, folded, fold_case).match();
            return set && set->first ? std::optional(set->second) : std::nullopt;
        }
        case '\\':  // what follows is taken as it is, and not folded
            return pattern.size() > 1 && pattern[1] == folded ? std::optional<std::size_t>(2) : std::nullopt;
        default:
            return (fold_case ? fold_ascii(pattern.front()) : pattern.front()) == folded ? std::optional<std::size_t>(1)
                                                                                         : std::nullopt;
    }
}

}  // namespace

// Without slashes a star can give back characters only to the last star before it, so that one place to
// return to is enough and the time is at most pattern times text.
bool glob_matches(std::string_view pattern, std::string_view text, bool fold_case)
{
    std::size_t at = 0;
    std::size_t text_at = 0;
    std::optional<std::size_t> after_star;
    std::size_t star_takes_to = 0;
    while (text_at < text.size() || at < pattern.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            after_star = ++at;
            star_takes_to = text_at;
            continue;
        }
        const bool both_left = at < pattern.size() && text_at < text.size();
        if (const auto taken = both_left ? match_one(pattern.substr(at), text[text_at], fold_case) : std::nullopt) {
            at += *taken;
            ++text_at;
            continue;
        }
        if (!after_star || star_takes_to >= text.size()) {
            return false;
        }
        at = *after_star;
        text_at = ++star_takes_to;
    }
    return true;
}

bool equal_bytes(std::string_view a, std::string_view b, bool fold_case)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [fold_case](char x, char y) { return fold_case ? fold_ascii(x) == fold_ascii(y) : x == y; });
}

}  // namespace mandate::git
