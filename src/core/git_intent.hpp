// What one `git ...` or `gh ...` command is about to do. Part of core/command_intent.
#pragma once

#include "core/command_intent.hpp"

#include <string>
#include <vector>

namespace mandate::core {

// `words`: behind the program. Returns false where the command maps to no action.
bool add_git_intents(const std::vector<ShellWord>& words, const std::string& directory, std::vector<Intent>& out);
bool add_gh_intents(const std::vector<ShellWord>& words, const std::string& directory, std::vector<Intent>& out);

}  // namespace mandate::core
