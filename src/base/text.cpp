#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <utility>

namespace mandate::text {

namespace {

constexpr std::string_view k_blanks = " \t";

struct CodePoint {
    char32_t value = 0;
    std::size_t length = 0;  // bytes; 0 means that no UTF-8 sequence starts here
};

// RFC 3629: shortest form only, no surrogates, nothing above U+10FFFF.
CodePoint decode(std::string_view bytes)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) {
        return {lead, 1};
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || bytes.size() < length) {
        return {};
    }
    char32_t value = lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) {
            return {};
        }
        value = (value << 6U) | (byte(i) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> k_smallest{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < k_smallest[length] || surrogate || value > 0x10FFFF) {
        return {};
    }
    return {value, length};
}

// C0, DEL and C1: a C1 byte such as U+009B starts a terminal sequence just as ESC [ does.
bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c <= 0x9F); }

// Characters that change the order or the look of a line without being seen (Unicode UAX #9 and the
// zero-width and invisible-operator blocks), and the two line separators that some viewers honour.
bool is_invisible(char32_t c)
{
    return c == 0x00AD || c == 0x061C || c == 0x180E || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) ||
           (c >= 0xE0000 && c <= 0xE007F);
}

template<typename... Args>
void append_format(std::string& out, const char* format, Args... args)
{
    std::array<char, 24> buffer{};
    const int n = std::snprintf(buffer.data(), buffer.size(), format, args...);
    out.append(buffer.data(), static_cast<std::size_t>(n));
}

std::string escape_bytes(std::string_view value, bool double_backslashes)
{
    std::string out;
    out.reserve(value.size());
    while (!value.empty()) {
        const CodePoint point = decode(value);
        const std::size_t length = std::max<std::size_t>(point.length, 1);
        if (point.length == 0) {
            append_format(out, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(value[0])));
        } else if (is_control(point.value)) {
            for (const char c : value.substr(0, length)) {
                append_format(out, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
            }
        } else if (is_invisible(point.value)) {
            append_format(out, "\\u{%04X}", static_cast<unsigned>(point.value));
        } else if (point.value == U'\\' && double_backslashes) {
            out += "\\\\";
        } else {
            out += value.substr(0, length);
        }
        value.remove_prefix(length);
    }
    return out;
}

// Insertions, deletions, substitutions and swaps of neighbours, one each (optimal string alignment): a swap
// is the commonest slip of all.
std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> before_last;
    std::vector<std::size_t> last(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::vector<std::size_t> row(b.size() + 1, i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            row[j] = std::min({substituted, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
        before_last = std::exchange(last, std::move(row));
    }
    return last.back();
}

}  // namespace

std::string lower(std::string value)
{
    std::transform(value.begin(), value.end(), value.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return value;
}

std::string_view trim(std::string_view value)
{
    const std::size_t first = value.find_first_not_of(k_blanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return value.substr(first, value.find_last_not_of(k_blanks) - first + 1);
}

std::vector<std::string> split_list(std::string_view value)
{
    std::vector<std::string> items;
    while (true) {
        const std::size_t comma = value.find(',');
        if (const std::string_view token = trim(value.substr(0, comma)); !token.empty()) {
            items.emplace_back(token);
        }
        if (comma == std::string_view::npos) {
            return items;
        }
        value.remove_prefix(comma + 1);
    }
}

std::string join(const std::vector<std::string>& items, std::string_view separator)
{
    std::string out;
    for (const std::string& item : items) {
        if (!out.empty()) {
            out += separator;
        }
        out += item;
    }
    return out;
}

std::optional<std::uint64_t> parse_decimal(std::string_view digits, std::uint64_t maximum)
{
    if (digits.empty() || digits.size() > 19 || (digits.size() > 1 && digits[0] == '0')) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9') {
            return std::nullopt;
        }
        value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return value <= maximum ? std::optional(value) : std::nullopt;
}

Fault find_fault(std::string_view value)
{
    Fault worst = Fault::none;
    while (!value.empty()) {
        const CodePoint point = decode(value);
        if (point.length == 0) {
            return Fault::invalid_utf8;
        }
        if (is_control(point.value)) {
            worst = Fault::control;
        } else if (is_invisible(point.value) && worst == Fault::none) {
            worst = Fault::bidi_or_zero_width;
        }
        value.remove_prefix(point.length);
    }
    return worst;
}

std::size_t code_points(std::string_view value)
{
    std::size_t count = 0;
    while (!value.empty()) {
        value.remove_prefix(std::max<std::size_t>(decode(value).length, 1));
        ++count;
    }
    return count;
}

std::string escape(std::string_view value) { return escape_bytes(value, true); }

std::string escape_again(std::string_view escaped) { return escape_bytes(escaped, false); }

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates)
{
    constexpr std::size_t k_longest_word = 64;  // a longer one is no typing error, and the distance is quadratic
    std::string_view best;
    std::size_t best_distance = std::max<std::size_t>(word.size() / 3, 1) + 1;
    for (const std::string_view candidate : candidates) {
        if (word.empty() || word.size() > k_longest_word) {
            break;
        }
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return std::string(best);
}

std::string shell_quote(std::string_view value)
{
    std::string out = "'";
    for (const char c : value) {
        if (c == '\'') {
            out += "'\\''";
        } else {
            out += c;
        }
    }
    return out + "'";
}

}  // namespace mandate::text
