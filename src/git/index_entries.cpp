#include "git/index_entries.hpp"

#include "git/ewah.hpp"

#include <cstring>

namespace mandate::git {

namespace {

constexpr std::size_t k_header_size = 12;
constexpr std::size_t k_entry_size = 62;           // ten 32-bit stat fields, the object id, the flags
constexpr std::size_t k_extended_entry_size = 64;  // and 16 more flags
constexpr std::size_t k_flags_at = 60;
constexpr std::uint32_t k_extended_flag = 0x4000;
constexpr std::uint32_t k_length_mask = 0x0FFF;  // this very value: the name is as long or longer
constexpr std::size_t k_extension_header_size = 8;

}  // namespace

std::string hex_id(std::string_view id)
{
    constexpr std::string_view k_digits = "0123456789abcdef";
    std::string text;
    for (const char c : id) {
        const auto byte = static_cast<unsigned char>(c);
        text += k_digits[byte >> 4U];
        text += k_digits[byte & 0xFU];
    }
    return text;
}

std::string index_checksum(std::string_view index)
{
    return index.size() < k_index_hash_size ? std::string() : hex_id(index.substr(index.size() - k_index_hash_size));
}

std::optional<IndexEntries> IndexEntries::open(std::string_view index)
{
    if (index.size() < k_header_size + k_index_hash_size || !index.starts_with("DIRC")) {
        return std::nullopt;
    }
    IndexEntries entries;
    entries.m_version = big_endian_32(index.data() + 4);
    if (entries.m_version < 2 || entries.m_version > 4) {
        return std::nullopt;
    }
    entries.m_count = big_endian_32(index.data() + 8);
    entries.m_left = entries.m_count;
    entries.m_bytes = index.substr(0, index.size() - k_index_hash_size);
    entries.m_at = k_header_size;
    return entries;
}

IndexEntries::Step IndexEntries::step(bool with_name)
{
    if (m_left == 0) {
        return Step::end;
    }
    const std::size_t available = m_bytes.size() - m_at;
    if (available < k_extended_entry_size) {  // holds for the short form too: a name and its NUL follow
        return Step::broken;
    }
    const std::uint32_t flags = big_endian_16(m_bytes.data() + m_at + k_flags_at);
    const bool extended = (flags & k_extended_flag) != 0;
    if (extended && m_version < 3) {
        return Step::broken;
    }
    const std::size_t name_at = m_at + (extended ? k_extended_entry_size : k_entry_size);
    m_fields = m_bytes.substr(m_at, name_at - m_at);
    const bool taken =
        m_version == 4 ? step_compressed(name_at, with_name) : step_plain(name_at, flags & k_length_mask);
    if (!taken) {
        return Step::broken;
    }
    --m_left;
    return Step::entry;
}

IndexEntries::Step IndexEntries::next() { return step(true); }

IndexEntries::Step IndexEntries::skip_rest()
{
    Step taken = Step::entry;
    while (taken == Step::entry) {
        taken = step(false);
    }
    return taken;
}

// Versions 2 and 3: the name in full, then 1 to 8 NUL bytes up to a multiple of 8 from the entry's start.
bool IndexEntries::step_plain(std::size_t name_at, std::size_t recorded_length)
{
    std::size_t length = recorded_length;
    if (length == k_length_mask) {
        length = m_bytes.find('\0', name_at);
        if (length == std::string_view::npos) {
            return false;
        }
        length -= name_at;
    }
    const std::size_t entry_size = (name_at - m_at + length + 8) & ~std::size_t{7};
    if (m_bytes.size() - m_at < entry_size || m_bytes[name_at + length] != '\0') {
        return false;
    }
    m_name = m_bytes.substr(name_at, length);
    m_at += entry_size;
    return true;
}

// Version 4: how many bytes to drop from the end of the previous name (a varint as in pack offsets), what
// to add to it, one NUL, no padding.
bool IndexEntries::step_compressed(std::size_t name_at, bool with_name)
{
    constexpr std::size_t k_longest = std::size_t{1} << 32U;
    std::size_t drop = 0;
    std::size_t at = name_at;
    while (true) {
        if (at >= m_bytes.size() || drop > k_longest) {
            return false;
        }
        const auto byte = static_cast<unsigned char>(m_bytes[at++]);
        drop = (drop << 7U) | (byte & 0x7FU);
        if ((byte & 0x80U) == 0) {
            break;
        }
        ++drop;
    }
    const void* const nul = std::memchr(m_bytes.data() + at, '\0', m_bytes.size() - at);
    if (nul == nullptr) {
        return false;
    }
    const auto length = static_cast<std::size_t>(static_cast<const char*>(nul) - (m_bytes.data() + at));
    if (with_name) {
        if (drop > m_previous.size()) {
            return false;
        }
        m_previous.resize(m_previous.size() - drop);
        m_previous.append(m_bytes.data() + at, length);
        m_name = m_previous;
    }
    m_at = at + length + 1;
    return true;
}

// A signature that starts with a capital letter marks an extension that may be ignored.
IndexExtensions read_index_extensions(std::string_view extensions)
{
    IndexExtensions result;
    while (!extensions.empty()) {
        if (extensions.size() < k_extension_header_size) {
            return {};
        }
        const std::string_view signature = extensions.substr(0, 4);
        const std::size_t size = big_endian_32(extensions.data() + 4);
        extensions.remove_prefix(k_extension_header_size);
        if (extensions.size() < size) {
            return {};
        }
        const std::string_view body = extensions.substr(0, size);
        extensions.remove_prefix(size);
        if (signature == "link") {
            if (size < k_index_hash_size) {
                return {};
            }
            result.link = IndexLink{hex_id(body.substr(0, k_index_hash_size)), body.substr(k_index_hash_size)};
        } else if (signature != "sdir" && (signature[0] < 'A' || signature[0] > 'Z')) {
            return {};
        }
    }
    result.understood = true;
    return result;
}

}  // namespace mandate::git
