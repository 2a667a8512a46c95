#include "core/unenforced.hpp"

#include <array>
#include <cstddef>

namespace mandate::core {

namespace {

constexpr std::array k_reasons{
    UnenforcedInfo{Unenforced::no_mandate, "no-mandate", true, "a hook let an action pass because no record exists"},
    UnenforcedInfo{Unenforced::lane_fallback, "lane-fallback", true, "--branch found no lane, the directory answered"},
    UnenforcedInfo{Unenforced::no_budget, "no-budget", true, "a round was booked without a limit"},
    UnenforcedInfo{Unenforced::exclude_ineffective, "exclude-ineffective", false, "the record can still be staged"},
    UnenforcedInfo{Unenforced::unbooked_review, "unbooked-review", false, "a review ran that nobody booked"},
    UnenforcedInfo{Unenforced::round_cancelled, "round-cancelled", false, "a booked round was given back"},
    UnenforcedInfo{Unenforced::bypass, "bypass", false, "MANDATE_BYPASS made a hook let something through"},
    UnenforcedInfo{Unenforced::no_verify, "no-verify", false, "a commit exists whose pre-commit hook did not run"},
    UnenforcedInfo{Unenforced::hook_error, "hook-error", false, "a hook could not decide and configuration says pass"},
    UnenforcedInfo{Unenforced::lock_unsupported, "lock-unsupported", false,
                   "round --unenforced was asked for on a file system without locks"},
    UnenforcedInfo{Unenforced::history_drift, "history-drift", false,
                   "the record admits fewer rounds of its task than the ledger holds"},
};

constexpr bool in_enum_order()
{
    for (std::size_t i = 0; i < k_reasons.size(); ++i) {
        if (static_cast<std::size_t>(k_reasons[i].reason) != i) {
            return false;
        }
    }
    return k_reasons.size() == static_cast<std::size_t>(Unenforced::history_drift) + 1;
}
static_assert(in_enum_order());

}  // namespace

std::span<const UnenforcedInfo> all_unenforced() { return k_reasons; }

const UnenforcedInfo& info(Unenforced reason) { return k_reasons[static_cast<std::size_t>(reason)]; }

std::optional<Unenforced> parse_unenforced(std::string_view name)
{
    for (const UnenforcedInfo& each : k_reasons) {
        if (each.name == name) {
            return each.reason;
        }
    }
    return std::nullopt;
}

}  // namespace mandate::core
