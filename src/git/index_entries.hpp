// A cursor over the entries of an index file, and what stands behind them. No copy of the bytes, no
// allocation but the one name of a version 4 index; never reads outside of the bytes, whatever they hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mandate::git {

class IndexEntries {
public:
    // Nothing when these bytes are no index of version 2, 3 or 4.
    static std::optional<IndexEntries> open(std::string_view index);

    enum class Step { entry, end, broken };
    Step next();       // name() is then the entry's
    Step skip_rest();  // to the end, without names: `end` or `broken`

    // Valid until the next step.
    [[nodiscard]] std::string_view name() const { return m_name; }

    // The entry's fixed part: ten stat fields, the object id, the flags (twice where they are extended).
    [[nodiscard]] std::string_view fields() const { return m_fields; }
    [[nodiscard]] std::uint32_t count() const { return m_count; }

    // The bytes between the last entry and the checksum; only after `end`.
    [[nodiscard]] std::string_view extensions() const { return m_bytes.substr(m_at); }

private:
    IndexEntries() = default;
    Step step(bool with_name);
    bool step_plain(std::size_t name_at, std::size_t recorded_length);
    bool step_compressed(std::size_t name_at, bool with_name);

    std::string_view m_bytes;  // without the checksum
    std::size_t m_at = 0;
    std::uint32_t m_version = 0;
    std::uint32_t m_count = 0;
    std::uint32_t m_left = 0;
    std::string_view m_name;
    std::string_view m_fields;
    std::string m_previous;  // version 4: the name that the next one shortens
};

// The `link` extension of a split index: id of the base as 40 hex digits, and the bytes of the bitmaps.
struct IndexLink {
    std::string base_id;
    std::string_view bitmaps;
};

std::string hex_id(std::string_view id);  // 20 bytes as 40 digits

// The checksum at the end of an index, as 40 hex digits: by it a split index names its base.
std::string index_checksum(std::string_view index);

struct IndexExtensions {
    bool understood = false;  // false: damaged, or a mandatory extension that is not known
    std::optional<IndexLink> link;
};

IndexExtensions read_index_extensions(std::string_view extensions);

constexpr std::size_t k_index_hash_size = 20;  // repositories with sha256 are refused before

}  // namespace mandate::git
