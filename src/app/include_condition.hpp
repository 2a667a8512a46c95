// The condition of an `includeIf` as git judges it in one worktree (config.c, include_condition_is_true).
//
// Knows `gitdir:`, `gitdir/i:` and `onbranch:`; every other one is false. Never fails.
#pragma once

#include "app/place.hpp"

#include <string>
#include <string_view>

namespace mandate::app {

// `file`: where it stands, "" for the environment.
bool include_condition_holds(std::string_view condition, const std::string& file, const Place& place);

}  // namespace mandate::app
