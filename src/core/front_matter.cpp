#include "core/front_matter.hpp"

#include "base/text.hpp"

namespace mandate::core {

namespace {

constexpr std::string_view k_fence = "---";
constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";

bool is_key_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::optional<KeyValue> split_key(std::string_view line)
{
    std::size_t length = 0;
    while (length < line.size() && is_key_character(line[length])) {
        ++length;
    }
    std::size_t colon = length;
    while (colon < line.size() && is_blank(line[colon])) {
        ++colon;
    }
    if (length == 0 || colon == line.size() || line[colon] != ':') {
        return std::nullopt;
    }
    return KeyValue{line.substr(0, length), text::trim(line.substr(colon + 1))};
}

bool is_block_scalar_mark(std::string_view value)
{
    return !value.empty() && (value[0] == '|' || value[0] == '>') &&
           value.find_first_not_of("+-0123456789", 1) == std::string_view::npos;
}

BlockLine FrontMatter::line_at(std::size_t begin, std::size_t number) const
{
    const std::size_t newline = m_bytes.find('\n', begin);
    const std::size_t next = newline == std::string_view::npos ? m_bytes.size() : newline + 1;
    std::size_t end = newline == std::string_view::npos ? next : newline;
    if (end > begin && m_bytes[end - 1] == '\r') {
        --end;
    }
    return {m_bytes.substr(begin, end - begin), m_bytes.substr(end, next - end), begin, number};
}

Result<FrontMatter> FrontMatter::find(std::string_view bytes)
{
    FrontMatter found(bytes);
    found.m_opening = found.line_at(bytes.starts_with(k_byte_order_mark) ? k_byte_order_mark.size() : 0, 1);
    if (found.m_opening.text != k_fence) {
        Error error{Code::record_no_frontmatter,
                    "line 1 of the record is not '---'",
                    "the record is a block of 'key: value' lines between two lines '---' at the top of the file",
                    {},
                    {}};
        return fail(error.with("line", "1"));
    }
    BlockLine line = found.m_opening;
    do {
        line = found.after(line);
        if (line.begin == bytes.size()) {
            Error error{Code::record_unclosed,
                        "the front matter that begins on line 1 has no closing '---'",
                        "put a line '---' below its last key",
                        {},
                        {}};
            return fail(error.with("line", "1"));
        }
    } while (line.text != k_fence);
    found.m_closing = line;
    return found;
}

}  // namespace mandate::core
