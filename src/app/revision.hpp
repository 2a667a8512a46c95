// A revision that somebody names, as the commit it means in this lane.
#pragma once

#include "app/place.hpp"
#include "base/error.hpp"

#include <string>

namespace mandate::app {

// 40 hex digits; value-invalid when it does not resolve to a commit here.
Result<std::string> resolve_commit(const Place& place, const std::string& revision);

}  // namespace mandate::app
