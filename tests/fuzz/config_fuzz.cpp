// A configuration of any bytes, as a trusted layer and as the one that comes with a branch: that one only tightens.
#include "base/text.hpp"
#include "core/config.hpp"
#include "fuzz/property.hpp"

#include <algorithm>

using namespace mandate;
using namespace mandate::fuzz;

namespace {

bool holds_all(const core::ListSetting& now, const core::ListSetting& before)
{
    return std::all_of(before.values.begin(), before.values.end(), [&](const std::string& each) {
        return std::find(now.values.begin(), now.values.end(), each) != now.values.end();
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes = as_text(data, size);
    core::Config trusted;
    if (const auto applied = core::apply_layer(trusted, bytes, {"user", "config.toml", true}); !applied) {
        require(applied.error().message.size() < 2000, "a refusal is bounded");
        require_harmless(text::escape_again(applied.error().message), "a refusal is printed as one line");
    } else {
        static_cast<void>(core::build_vocabulary(trusted));
        require(!core::entries(trusted).empty(), "a configuration can be shown");
    }

    const core::Config before;
    core::Config tightened;
    if (core::apply_layer(tightened, bytes, {"worktree", ".mandate.toml", false})) {
        require(tightened.lock_timeout.value <= before.lock_timeout.value, "a branch waits no longer");
        require(holds_all(tightened.policy_deny, before.policy_deny), "a branch denies no less");
        require(holds_all(tightened.protected_branches, before.protected_branches), "a branch protects no less");
        require(tightened.lane_files.values == before.lane_files.values, "a branch names no lane files");
        require(tightened.disposable.values == before.disposable.values, "a branch makes nothing disposable");
        require(tightened.actions.values == before.actions.values, "a branch declares no actions");
        require(tightened.on_error.value == core::OnDoubt::refuse, "a branch lets no error pass");
        require(tightened.presets.empty(), "a branch changes no preset");
    }
    return 0;
}
