#include "base/text.hpp"
#include "core/front_matter.hpp"
#include "core/record.hpp"

namespace mandate::core {

namespace {

std::string_view describe(text::Fault fault)
{
    switch (fault) {
        case text::Fault::invalid_utf8:
            return "bytes that are not UTF-8";
        case text::Fault::control:
            return "a control character, such as a line end or a tab";
        case text::Fault::bidi_or_zero_width:
            return "a bidirectional or zero-width character, which cannot be seen";
        case text::Fault::none:
            break;
    }
    return "";
}

}  // namespace

Result<void> check_value(std::string_view what, std::string_view value)
{
    const std::string subject(what);
    if (const text::Fault fault = text::find_fault(value); fault != text::Fault::none) {
        return fail(Code::value_control_character, subject + " holds " + std::string(describe(fault)),
                    "give it as one line of visible characters");
    }
    if (is_block_scalar_mark(text::trim(value))) {
        return fail(Code::value_block_scalar,
                    subject + " is a block-scalar mark ('|' or '>'), which a record cannot hold",
                    "give the whole value in one line");
    }
    if (text::code_points(value) > k_value_limit) {
        return fail(Code::value_too_long, subject + " is longer than 240 characters", "shorten it");
    }
    return {};
}

}  // namespace mandate::core
