// The options of every verb: where they are declared, and how a verb is found behind those that stand in front of it.
#pragma once

#include "cli/arguments.hpp"
#include "cli/verb.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace mandate::cli {

// The place of the verb in a command line (without the program); its size where there is none.
std::size_t find_verb(const std::vector<std::string>& words);

// Nothing for a name that no verb has.
std::unique_ptr<Verb> make_verb(std::string_view name);

void declare_globals(Globals& globals, const Verb& verb, Arguments& arguments);

}  // namespace mandate::cli
