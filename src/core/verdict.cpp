#include "core/verdict.hpp"

#include <algorithm>

namespace mandate::core {

namespace {

bool contains(const std::vector<std::string>& words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::string_view name(Verdict verdict)
{
    switch (verdict) {
        case Verdict::allowed:
            return "allowed";
        case Verdict::denied:
            return "denied";
        case Verdict::unlisted:
            return "unlisted";
        case Verdict::no_mandate:
            return "no-mandate";
        case Verdict::expired:
            return "expired";
    }
    return "";
}

Verdict decide(const Record& record, std::string_view action, const std::vector<std::string>& policy_deny, Time now)
{
    if (is_expired(record, now)) {
        return Verdict::expired;
    }
    if (contains(policy_deny, action) || contains(record.deny, action)) {
        return Verdict::denied;
    }
    return contains(record.allow, action) ? Verdict::allowed : Verdict::unlisted;
}

// The instant that `expires_at` names still belongs to the grant; everything past it does not.
bool is_expired(const Record& record, Time now) { return record.expires_at && now > *record.expires_at; }

}  // namespace mandate::core
