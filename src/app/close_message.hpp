// The file of a close request, and what it says held against a lane.
#pragma once

#include "app/place.hpp"

#include <string>
#include <tl/expected.hpp>

namespace mandate::app {

// The bytes of a regular file, or of stdin for "-"; else a sentence that says why not. Never waits on a FIFO,
// never follows a symlink, and reads no more than a request may have.
tl::expected<std::string, std::string> read_close_message(const std::string& file);

// Whether `path` is the lane's root, by whatever name.
bool names_root(const Place& place, const std::string& path);

}  // namespace mandate::app
