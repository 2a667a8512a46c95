// A tool call of any bytes and a command line of any bytes: never a crash, a bounded answer, and no command that
// could not be read is let through.
#include "core/agent_dialect.hpp"
#include "core/command_intent.hpp"
#include "core/shell_command.hpp"
#include "fuzz/property.hpp"

#include <algorithm>

using namespace mandate;
using namespace mandate::fuzz;

namespace {

const std::vector<std::string> k_protected{"main", "release/*"};

void classify(std::string_view command)
{
    const core::Intents intents = core::intents_of(command);
    if (!core::parse_shell(command)) {
        const auto asks = [](const core::Intent& intent) { return intent.kind == core::Intent::Kind::ask; };
        require(std::any_of(intents.all.begin(), intents.all.end(), asks), "what is not understood is asked about");
    }
    for (const core::Intent& intent : intents.all) {
        static_cast<void>(core::actions_of(intent, {"f", k_protected}));
        require(intent.kind != core::Intent::Kind::action || !intent.text.empty(), "an action has a name");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes = as_text(data, size);
    classify(bytes);
    if (const auto call = core::parse_tool_call(bytes)) {
        if (call->command) {
            classify(*call->command);
        }
        for (const std::string& file : call->files) {
            static_cast<void>(core::is_guarded_path(file));
        }
    }
    return 0;
}
