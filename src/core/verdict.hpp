// May this lane do it? The pure decision behind `allows`, the hooks and the agent hook.
#pragma once

#include "base/timestamp.hpp"
#include "core/record.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace mandate::core {

enum class Verdict { allowed, denied, unlisted, no_mandate, expired };
std::string_view name(Verdict verdict);

// `policy_deny` is denied whatever the record allows; deny wins over allow; in neither list is unlisted.
// Past `expires_at` nothing else is asked.
Verdict decide(const Record& record, std::string_view action, const std::vector<std::string>& policy_deny, Time now);

bool is_expired(const Record& record, Time now);

}  // namespace mandate::core
