// The closed list of reasons for which something went ahead unchecked, and whether that is benign.
//
// A benign one is worth a number and nothing more; the others ask for a person's `unenforced --ack`.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace mandate::core {

enum class Unenforced {
    no_mandate,
    lane_fallback,
    no_budget,
    exclude_ineffective,
    unbooked_review,
    round_cancelled,
    bypass,
    no_verify,
    hook_error,
    lock_unsupported,
    history_drift,
};

struct UnenforcedInfo {
    Unenforced reason;
    std::string_view name;
    bool benign;
    std::string_view when;
};

std::span<const UnenforcedInfo> all_unenforced();
const UnenforcedInfo& info(Unenforced reason);
std::optional<Unenforced> parse_unenforced(std::string_view name);

}  // namespace mandate::core
