#include "base/timestamp.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

namespace mandate {

namespace {

using std::chrono::milliseconds;

constexpr std::string_view k_shape = "0000-00-00T00:00:00";  // a 0 stands for any digit
constexpr std::size_t k_longest_fraction = 3;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool has_shape(std::string_view text)
{
    if (text.size() != k_shape.size()) {
        return false;
    }
    for (std::size_t i = 0; i < k_shape.size(); ++i) {
        if (k_shape[i] == '0' ? !is_digit(text[i]) : text[i] != k_shape[i]) {
            return false;
        }
    }
    return true;
}

// `digits` holds nothing but digits, and few enough of them to fit.
unsigned number(std::string_view digits)
{
    unsigned value = 0;
    for (const char c : digits) {
        value = value * 10 + static_cast<unsigned>(c - '0');
    }
    return value;
}

std::optional<Time> parse_date_and_time(std::string_view text)
{
    if (!has_shape(text)) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(number(text.substr(0, 4)))),
                                           std::chrono::month(number(text.substr(5, 2))),
                                           std::chrono::day(number(text.substr(8, 2))));
    const unsigned hours = number(text.substr(11, 2));
    const unsigned minutes = number(text.substr(14, 2));
    const unsigned seconds = number(text.substr(17, 2));
    if (!date.ok() || hours > 23 || minutes > 59 || seconds > 59) {
        return std::nullopt;
    }
    return std::chrono::sys_days(date) + std::chrono::hours(hours) + std::chrono::minutes(minutes) +
           std::chrono::seconds(seconds);
}

// ".5" is 500 ms, ".05" is 50 ms.
std::optional<milliseconds> parse_fraction(std::string_view text)
{
    if (text.size() < 2 || text.size() > k_longest_fraction + 1 || text[0] != '.') {
        return std::nullopt;
    }
    unsigned value = 0;
    for (std::size_t i = 1; i <= k_longest_fraction; ++i) {
        if (i < text.size() && !is_digit(text[i])) {
            return std::nullopt;
        }
        value = value * 10 + (i < text.size() ? number(text.substr(i, 1)) : 0);
    }
    return milliseconds(value);
}

std::string format_date_and_time(Time time)
{
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
    std::array<char, 48> buffer{};
    const int length = std::snprintf(
        buffer.data(), buffer.size(), "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
        static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()));
    return {buffer.data(), static_cast<std::size_t>(length)};
}

}  // namespace

std::optional<Time> parse_seconds_utc(std::string_view text)
{
    if (text.empty() || text.back() != 'Z') {
        return std::nullopt;
    }
    return parse_date_and_time(text.substr(0, text.size() - 1));
}

std::optional<Time> parse_utc(std::string_view text)
{
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) {
        return parse_seconds_utc(text);
    }
    const auto whole = parse_date_and_time(text.substr(0, dot));
    if (!whole || text.back() != 'Z') {
        return std::nullopt;
    }
    const auto fraction = parse_fraction(text.substr(dot, text.size() - dot - 1));
    return fraction ? std::optional(*whole + *fraction) : std::nullopt;
}

std::string format_seconds_utc(Time time) { return format_date_and_time(time) + "Z"; }

std::string format_millis_utc(Time time)
{
    const milliseconds rest = time - std::chrono::floor<std::chrono::seconds>(time);
    std::array<char, 8> buffer{};
    const int length =
        std::snprintf(buffer.data(), buffer.size(), ".%03uZ", static_cast<unsigned>(rest.count() % 1000));
    return format_date_and_time(time).append(buffer.data(), static_cast<std::size_t>(length));
}

}  // namespace mandate
