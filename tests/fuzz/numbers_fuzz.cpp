// Numbers, durations and times as a command line gives them, against the rule written down a second time: plainly.
#include "base/text.hpp"
#include "base/timestamp.hpp"
#include "core/duration.hpp"
#include "fuzz/property.hpp"

#include <regex>

using namespace mandate;
using namespace mandate::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size > 64) {
        return 0;  // std::regex recurses; nothing longer is a number
    }
    static const std::regex decimal("0|[1-9][0-9]{0,6}");
    static const std::regex duration("(0|[1-9][0-9]*)(ms|s|m)?");
    static const std::regex seconds("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z");
    const std::string text(as_text(data, size));

    const auto number = text::parse_decimal(text, 1000000);
    require(number.has_value() == (std::regex_match(text, decimal) && std::stoul(text) <= 1000000),
            "a decimal is plain");
    require(!number || std::to_string(*number) == text, "a number has one spelling");

    const auto waited = core::parse_duration(text);
    require(!waited || std::regex_match(text, duration), "a duration is plain");
    require(!waited || core::parse_duration(core::format_duration(*waited)) == waited, "a duration reads back");

    const auto time = parse_seconds_utc(text);
    require(!time || std::regex_match(text, seconds), "a time is plain");
    require(!time || format_seconds_utc(*time) == text, "a time has one spelling");

    const std::string escaped = text::escape(text);
    require_harmless(escaped, "escaped text is one line");
    require(text::escape_again(escaped) == escaped, "escaped text stays as it is");
    require(text::find_fault(escaped) == text::Fault::none, "escaped text is clean");
    return 0;
}
