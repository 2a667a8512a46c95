// The block between the two `---` lines, found and walked line by line. The one place that knows where a
// line, a key and a value begin and end; parsing, editing and linting a record all walk through it.
//
// Linear in the size of the block, allocates nothing, views into the given bytes.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace mandate::core {

struct BlockLine {
    std::string_view text;   // without its line end
    std::string_view end;    // "\n" or "\r\n"; what follows the text of the last line of a file may be "\r" or ""
    std::size_t begin = 0;   // offset in the file
    std::size_t number = 0;  // 1-based

    [[nodiscard]] std::size_t next() const { return begin + text.size() + end.size(); }
};

struct KeyValue {
    std::string_view key;
    std::string_view value;  // trimmed
};

// `key: value` at column 0: letters, digits, underscore, optional blanks, a colon; else nothing.
std::optional<KeyValue> split_key(std::string_view line);

// `|` or `>` with any of `+`, `-` and digits after it: what YAML would continue on the next lines.
bool is_block_scalar_mark(std::string_view value);

class FrontMatter {
public:
    // record-no-frontmatter, record-unclosed. `bytes` must outlive the result.
    static Result<FrontMatter> find(std::string_view bytes);

    [[nodiscard]] const BlockLine& opening() const { return m_opening; }
    [[nodiscard]] const BlockLine& closing() const { return m_closing; }

    // The lines between the fences, in order.
    template<typename Visit>
    void for_each_line(Visit visit) const
    {
        for (BlockLine line = after(m_opening); line.begin < m_closing.begin; line = after(line)) {
            visit(line);
        }
    }

private:
    explicit FrontMatter(std::string_view bytes) : m_bytes(bytes) {}
    [[nodiscard]] BlockLine line_at(std::size_t begin, std::size_t number) const;
    [[nodiscard]] BlockLine after(const BlockLine& line) const { return line_at(line.next(), line.number + 1); }

    std::string_view m_bytes;
    BlockLine m_opening, m_closing;
};

}  // namespace mandate::core
