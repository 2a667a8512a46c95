// What a configuration's text may have before a TOML parser sees it: its size, UTF-8 alone (on other bytes in a string
// toml11 3.7.1 reads outside of its buffer), and how often it holds what makes a parser nest or slow down.
//
// The counts pay no regard to strings and comments. A scanner that took one quote otherwise than the library
// does would be no bound at all, and they are far above what any configuration needs.
#pragma once

#include "base/error.hpp"
#include "core/config.hpp"

#include <string_view>

namespace mandate::core {

// config-invalid for `layer`'s file.
Result<void> check_bounds(std::string_view text, const LayerInfo& layer);

// config-invalid about a file; `line` 0 where it is not known.
Error config_error(const Origin& origin, std::string message, std::string hint);

}  // namespace mandate::core
