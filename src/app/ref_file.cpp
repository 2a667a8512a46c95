#include "app/ref_file.hpp"

#include <algorithm>

namespace mandate::app {

namespace {

constexpr std::string_view k_white = " \t\n\r";  // git's own isspace, whatever the locale

}  // namespace

std::optional<std::string_view> ref_in_file(std::string_view content)
{
    constexpr std::string_view k_mark = "ref:";
    if (!content.starts_with(k_mark)) {
        return std::nullopt;
    }
    content.remove_prefix(k_mark.size());
    content.remove_prefix(std::min(content.find_first_not_of(k_white), content.size()));
    return trim_end(content);
}

bool starts_with_object_id(std::string_view content)
{
    constexpr std::size_t k_hex_digits = 40;
    return content.size() >= k_hex_digits &&
           content.substr(0, k_hex_digits).find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

std::string_view trim_end(std::string_view content) { return content.substr(0, content.find_last_not_of(k_white) + 1); }

}  // namespace mandate::app
