// A close request of any bytes: refused without an echo, or three values that cannot mean anything else.
#include "core/close_request.hpp"
#include "fuzz/property.hpp"

using namespace mandate;
using namespace mandate::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view message = as_text(data, size);
    const auto request = core::parse_close_request(message);
    if (!request) {
        require_harmless(request.error().text, "a refusal holds nothing of the message");
        return 0;
    }
    require(core::is_task_name(request->task), "a task is a name");
    require(!request->worktree.empty() && !request->repo.empty(), "a request names both places");
    for (const std::string& value : {request->task, request->worktree, request->repo}) {
        require(value.find('\n') == std::string::npos, "a value is of one line");
        require(message.find(value) != std::string_view::npos, "a value stands in the message");
    }
    return 0;
}
