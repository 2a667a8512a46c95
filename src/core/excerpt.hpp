// A value as a message may quote it: bounded, so that a sentence stays a sentence whatever the file holds.
#pragma once

#include <string>
#include <string_view>

namespace mandate::core {

// In single quotes, raw bytes (escaping is the printer's), at most 40 of them and "..." after.
std::string excerpt(std::string_view value);

// "did you mean 'merge'?" for a suggestion, else `otherwise`.
std::string suggestion_or(std::string_view suggestion, std::string_view otherwise);

}  // namespace mandate::core
