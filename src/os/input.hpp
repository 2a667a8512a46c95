// Reading stdin with an end: for programs that are fed by others and must never hang on them.
#pragma once

#include "os/fd.hpp"

#include <chrono>
#include <cstddef>
#include <string>

namespace mandate::os {

// Everything up to the end of stdin. EFBIG beyond `maximum` bytes, ETIMEDOUT after `silence` without a byte or six
// times that in all, ENOTTY at once where stdin is a terminal: nobody types this.
OsResult<std::string> read_stdin(std::size_t maximum, std::chrono::milliseconds silence);

}  // namespace mandate::os
