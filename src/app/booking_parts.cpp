#include "app/booking_parts.hpp"

#include <cerrno>
#include <string_view>
#include <utility>

namespace mandate::app {

Error write_failure(const Lane& lane, const std::string& what, const os::Errno& cause)
{
    const Code code = cause == EROFS ? Code::read_only : Code::write_failed;
    return Error{code,
                 what + ": " + cause.text(),
                 "nothing was booked; make room or mend the place, then try again",
                 {},
                 lane.record_path()};
}

Error not_durable(const Lane& lane, const os::Errno& cause)
{
    return Error{Code::booked_not_durable,
                 "the booking stands, but its directory could not be synced: " + cause.text(),
                 "do not book again; a power cut now could lose it",
                 {},
                 lane.place.root};
}

core::LedgerFields grant_fields(const core::Record& record)
{
    core::LedgerFields fields;
    for (const std::string_view key : {"authorized_by", "terminal_gate", "allow", "deny", "review_budget",
                                       "review_rounds_used", "expires_at", "round_state", "findings_open"}) {
        const auto value = record.values.find(std::string(key));
        if (value != record.values.end()) {
            fields.emplace_back(std::string(key), value->second);
        }
    }
    for (const auto& [name, budget] : record.budgets) {
        fields.emplace_back("budget_" + name, budget.limit ? std::to_string(*budget.limit) : std::string());
        fields.emplace_back("budget_" + name + "_used", budget.used);
    }
    return fields;
}

}  // namespace mandate::app
