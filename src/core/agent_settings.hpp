// The host's settings file with or without the entry that makes it ask us before a tool call. Pure.
//
// Nothing else in the file is lost or reordered; only its white space is written anew. What is no JSON object
// (comments included) is refused: it is not ours to guess.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mandate::core {

// `command`: what the host runs. The same text again where the entry is there already; nothing when `settings`
// cannot be understood. An empty text is an empty file.
std::optional<std::string> with_agent_hook(std::string_view settings, const std::string& command);

// Without every entry of ours, whatever binary it names; "" when nothing but our entry was in the file.
std::optional<std::string> without_agent_hook(std::string_view settings);

bool has_agent_hook(std::string_view settings);

}  // namespace mandate::core
