#include "core/duration.hpp"

#include "base/text.hpp"

#include <array>
#include <cstdint>

namespace mandate::core {

namespace {

using std::chrono::milliseconds;

struct Unit {
    std::string_view suffix;
    std::uint64_t in_milliseconds;
};

// `ms` before `s` and `m`, of which it is made.
constexpr std::array<Unit, 4> k_units{{{"ms", 1}, {"s", 1000}, {"m", 60000}, {"", 1000}}};

}  // namespace

std::optional<milliseconds> parse_duration(std::string_view text)
{
    constexpr auto k_longest = static_cast<std::uint64_t>(milliseconds(k_longest_duration).count());
    for (const Unit& unit : k_units) {
        if (text.ends_with(unit.suffix)) {
            text.remove_suffix(unit.suffix.size());
            const auto number = text::parse_decimal(text, k_longest / unit.in_milliseconds);
            return number ? std::optional(milliseconds(*number * unit.in_milliseconds)) : std::nullopt;
        }
    }
    return std::nullopt;
}

std::string format_duration(milliseconds duration)
{
    const auto count = duration.count();
    if (count == 0) {
        return "0";
    }
    if (count % 60000 == 0) {
        return std::to_string(count / 60000) + "m";
    }
    return count % 1000 == 0 ? std::to_string(count / 1000) + "s" : std::to_string(count) + "ms";
}

}  // namespace mandate::core
