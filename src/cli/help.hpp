// `--help` as a manual: of the program, and of one verb from what it declares.
#pragma once

#include "cli/arguments.hpp"
#include "cli/verb.hpp"

#include <string>

namespace mandate::cli {

std::string program_help();
std::string verb_help(const Manual& manual, const Arguments& arguments);

// For a terminal that is narrower: long lines go on under their text. The example stays as it is, to be copied.
std::string folded(const std::string& help, std::size_t width);

}  // namespace mandate::cli
