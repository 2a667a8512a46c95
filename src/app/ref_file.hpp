// The content of HEAD and of files like it: a ref's name or a commit id. Pure.
#pragma once

#include <optional>
#include <string_view>

namespace mandate::app {

// What follows `ref:`, without the blanks and line ends around it; nothing in a file that does not start so.
std::optional<std::string_view> ref_in_file(std::string_view content);

// 40 hex digits at the start, whatever follows (so git reads a detached HEAD).
bool starts_with_object_id(std::string_view content);

// Without the blanks and line ends at its end.
std::string_view trim_end(std::string_view content);

}  // namespace mandate::app
