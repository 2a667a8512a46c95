#include "core/branch_pattern.hpp"

#include <cstddef>

namespace mandate::core {

namespace {

constexpr std::size_t k_none = std::string_view::npos;

// Takes one element other than `*` off the pattern at `at` and holds it against `c`.
bool take_one(std::string_view pattern, std::size_t& at, char c)
{
    const char element = pattern[at++];
    if (element == '?') {
        return true;
    }
    if (element == '\\' && at < pattern.size()) {
        return pattern[at++] == c;
    }
    // A `]` that stands first is a member; a bracket without an end is a plain character.
    const std::size_t first = at + (at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^') ? 1U : 0U);
    const std::size_t close = element == '[' && first < pattern.size() ? pattern.find(']', first + 1) : k_none;
    if (close == k_none) {
        return element == c;
    }
    const bool negated = first != at;
    bool member = false;
    for (std::size_t i = first; i < close; ++i) {
        const bool range = i + 2 < close && pattern[i + 1] == '-';
        const auto low = static_cast<unsigned char>(pattern[i]);
        const auto high = static_cast<unsigned char>(pattern[range ? i + 2 : i]);
        const auto value = static_cast<unsigned char>(c);
        member = member || (value >= low && value <= high);
        i += range ? 2U : 0U;
    }
    at = close + 1;
    return member != negated;
}

}  // namespace

// After a mismatch only the newest `*` has to give way, so the work is bounded by the product of both lengths.
bool branch_matches(std::string_view pattern, std::string_view branch)
{
    std::size_t at = 0;
    std::size_t in = 0;
    std::size_t star = k_none;
    std::size_t star_in = 0;
    while (in < branch.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            star_in = in;
            continue;
        }
        if (at < pattern.size() && take_one(pattern, at, branch[in])) {
            ++in;
            continue;
        }
        if (star == k_none) {
            return false;
        }
        at = star + 1;
        in = ++star_in;
    }
    return pattern.find_first_not_of('*', at) == k_none;
}

}  // namespace mandate::core
