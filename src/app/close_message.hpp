// The file of a close request, and what it says held against a lane.
#pragma once

#include "app/place.hpp"

#include <optional>
#include <string>

namespace mandate::app {

// The bytes of a regular file, or of stdin for "-"; nothing where there are more than a request may have. Never waits
// on a FIFO and never follows a symlink. Fails with value-invalid: what cannot be read says nothing about a lane.
Result<std::optional<std::string>> read_close_message(const std::string& file);

// Whether `path` is the lane's root, by whatever name.
bool names_root(const Place& place, const std::string& path);

}  // namespace mandate::app
