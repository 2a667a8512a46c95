// What git writes to a hook, of any bytes: the lines are what was parsed, or the whole is refused.
#include "core/hook_input.hpp"
#include "fuzz/property.hpp"

using namespace mandate;
using namespace mandate::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes = as_text(data, size);
    const std::size_t lines = lines_of(bytes).size();
    for (const auto& parsed : {core::parse_push_input(bytes), core::parse_transaction_input(bytes)}) {
        if (parsed) {
            require(parsed->size() <= lines, "no line is read twice");
        } else {
            require_harmless(parsed.error().message, "a refusal is one line");
        }
    }
    return 0;
}
