// git's run-length compressed bitmaps (EWAH), as they stand in a split index.
//
// Layout (Documentation/technical/bitmap-format, appendix): bit count, word count, that many 64-bit words,
// position of the last run; all big-endian. A run word holds the repeated bit, how many words of it, and how
// many literal words follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace mandate::git {

// Unaligned big-endian numbers; the caller has checked the bounds.
inline std::uint32_t big_endian_16(const char* at)
{
    const auto byte = [at](int i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(at[i])); };
    return (byte(0) << 8U) | byte(1);
}
inline std::uint32_t big_endian_32(const char* at) { return (big_endian_16(at) << 16U) | big_endian_16(at + 2); }
inline std::uint64_t big_endian_64(const char* at)
{
    return (std::uint64_t{big_endian_32(at)} << 32U) | big_endian_32(at + 4);
}

class EwahBitmap {
public:
    // Takes one bitmap off the front of `bytes`; nothing when they are too short.
    static std::optional<EwahBitmap> take(std::string_view& bytes);

    // Nothing when the words contradict themselves; bits beyond the end are 0.
    [[nodiscard]] std::optional<bool> test(std::uint64_t position) const;

private:
    explicit EwahBitmap(std::string_view words) : m_words(words) {}
    [[nodiscard]] std::uint64_t word(std::uint64_t i) const { return big_endian_64(m_words.data() + i * 8); }
    std::string_view m_words;
};

}  // namespace mandate::git
