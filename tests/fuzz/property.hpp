// What the fuzz targets share: a property that does not hold ends the process, so libFuzzer keeps the input.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::fuzz {

inline void require(bool holds, const char* what)
{
    if (!holds) {
        static_cast<void>(std::fprintf(stderr, "property broken: %s\n", what));
        std::abort();
    }
}

inline std::string_view as_text(const std::uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size};
}

// The first line of the input steers the target; the rest is what is parsed.
struct Steered {
    std::string_view choice;
    std::string_view rest;
};

inline Steered steer(std::string_view input)
{
    const std::size_t end = input.find('\n');
    return end == std::string_view::npos ? Steered{input, {}} : Steered{input.substr(0, end), input.substr(end + 1)};
}

// With the line ends, so that joined they are the text again.
inline std::vector<std::string_view> lines_of(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
        lines.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return lines;
}

// One line, no control characters, nothing that a terminal would act on.
inline void require_harmless(std::string_view shown, const char* what)
{
    for (const char c : shown) {
        require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, what);
    }
}

}  // namespace mandate::fuzz
