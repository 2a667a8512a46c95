// Changing a record: the lines of the keys that are set or cleared, and no other byte.

#include "base/text.hpp"
#include "core/front_matter.hpp"
#include "core/record.hpp"

namespace mandate::core {

namespace {

// Callers check values before they come here (check_value). A line end that slipped through would forge a
// line of the record, so it is escaped all the same; the read-back of the write then finds the difference.
std::string one_line(std::string_view value)
{
    return value.find_first_of("\r\n") == std::string_view::npos ? std::string(value) : text::escape_again(value);
}

std::string key_line(std::string_view key, std::string_view value)
{
    std::string line(key);
    line += ':';
    if (!value.empty()) {
        line += ' ';
        line += one_line(value);
    }
    return line;
}

// The last edit of a key counts.
const Edit* find_edit(const std::vector<Edit>& edits, std::string_view key)
{
    const Edit* found = nullptr;
    for (const Edit& edit : edits) {
        if (edit.key == key) {
            found = &edit;
        }
    }
    return found;
}

void append_line(std::string& out, const BlockLine& line, const std::vector<Edit>& edits)
{
    const auto pair = split_key(line.text);
    const Edit* edit = pair ? find_edit(edits, pair->key) : nullptr;
    if (edit == nullptr || edit->value == pair->value) {
        out += line.text;
    } else if (edit->value) {
        out += key_line(edit->key, *edit->value);
    } else {
        return;
    }
    out += line.end;
}

}  // namespace

std::string edit_record(const Record& record, const std::vector<Edit>& edits)
{
    const std::string_view bytes = record.bytes;
    const auto block = FrontMatter::find(bytes);
    if (!block) {
        return record.bytes;  // no Record without a block comes out of parse_record
    }
    std::string out;
    out.reserve(bytes.size() + 64 * edits.size());
    out = bytes.substr(0, block->opening().next());
    block->for_each_line([&](const BlockLine& line) { append_line(out, line, edits); });
    for (const Edit& edit : edits) {
        if (edit.value && !record.has(edit.key) && find_edit(edits, edit.key) == &edit) {
            out += key_line(edit.key, *edit.value);
            out += block->opening().end;
        }
    }
    out += bytes.substr(block->closing().begin);
    return out;
}

}  // namespace mandate::core
