// Which process started us, named so that no later process can be taken for it.
#pragma once

#include <optional>
#include <string>

namespace mandate::os {

// The nearest ancestor that runs the program `name` (or a `name-...` of its family, as git's are called), as
// text that is equal for the same process only: pid, start time and boot id, for a pid is given again. The
// parent alone, without its start time, where there is no /proc; nothing when no ancestor is that program.
std::optional<std::string> nearest_ancestor(const std::string& name);

}  // namespace mandate::os
