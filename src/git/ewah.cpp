#include "git/ewah.hpp"

namespace mandate::git {

namespace {

constexpr std::size_t k_header_size = 8;
constexpr std::size_t k_trailer_size = 4;

}  // namespace

std::optional<EwahBitmap> EwahBitmap::take(std::string_view& bytes)
{
    if (bytes.size() < k_header_size + k_trailer_size) {
        return std::nullopt;
    }
    const std::size_t size = std::size_t{big_endian_32(bytes.data() + 4)} * 8;
    if (bytes.size() - k_header_size - k_trailer_size < size) {
        return std::nullopt;
    }
    const EwahBitmap bitmap(bytes.substr(k_header_size, size));
    bytes.remove_prefix(k_header_size + size + k_trailer_size);
    return bitmap;
}

std::optional<bool> EwahBitmap::test(std::uint64_t position) const
{
    const std::uint64_t count = m_words.size() / 8;
    std::uint64_t left = position / 64;  // words still to skip
    for (std::uint64_t i = 0; i < count;) {
        const std::uint64_t run_word = word(i);
        const std::uint64_t run = (run_word >> 1U) & 0xFFFFFFFFU;
        const std::uint64_t literals = run_word >> 33U;
        if (literals > count - i - 1) {
            return std::nullopt;
        }
        if (left < run) {
            return (run_word & 1U) != 0;
        }
        left -= run;
        if (left < literals) {
            return ((word(i + 1 + left) >> (position % 64)) & 1U) != 0;
        }
        left -= literals;
        i += 1 + literals;
    }
    return false;
}

}  // namespace mandate::git
