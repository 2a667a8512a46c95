// Whether the two lines in info/exclude do what they are there for, given the other ignore rules around.
#pragma once

#include "app/place.hpp"
#include "git/repository.hpp"

#include <string>
#include <string_view>

namespace mandate::app {

// Empty when `git add` would leave the record and its companions alone, else one of the reasons listed in
// exclude.hpp. In doubt there is an obstacle: a warning too many is harmless. `content`: of info/exclude.
std::string exclude_obstacle(const Place& place, std::string_view content, const git::Repository* repository);

}  // namespace mandate::app
