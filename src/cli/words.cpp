#include "cli/words.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <utility>

namespace mandate::cli {

std::string in_quotes(std::string_view word)
{
    constexpr std::size_t k_longest = 60;
    std::size_t end = std::min(word.size(), k_longest);
    while (end < word.size() && end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return "'" + text::escape(word.substr(0, end)) + (end < word.size() ? "...'" : "'");
}

std::string choices(std::string_view word, const std::vector<std::string_view>& known)
{
    const std::string near = text::did_you_mean(word, known);
    const std::vector<std::string> names(known.begin(), known.end());
    return (near.empty() ? "" : "did you mean '" + near + "'? ") + "there are: " + text::join(names, ", ");
}

Unexpected too_many(std::string_view word, std::string hint)
{
    return fail(Code::usage, "there is a word too many: " + in_quotes(word), std::move(hint));
}

}  // namespace mandate::cli
