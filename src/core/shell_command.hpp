// A shell command line taken apart, as far as it can be understood for certain.
//
// For judging what an agent is about to run, so it errs on one side only: what is not plain words, quotes,
// `&&`, `||`, `;`, `|`, `&`, newlines, redirections, prefixed assignments, `( )`, `{ }` and command
// substitution is not understood, and the caller asks a person. Nothing is expanded or run. Total over any
// bytes; nesting and length are bounded.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::core {

struct ShellWord {
    std::string text;   // quotes removed; expansions stand as they were written
    bool exact = true;  // false: holds an expansion or a pattern, so the real word is not known
};

struct ShellCommand {
    std::vector<ShellWord> assignments;    // NAME=value in front
    std::vector<ShellWord> words;          // the program first
    std::vector<ShellWord> written_files;  // targets of >, >>, >|, <>, &>
    // False: a `cd` ends with its subshell, pipe or background, or nobody knows whether it is run at all.
    bool changes_directory_for_rest = true;
};

constexpr std::size_t k_command_limit = 64U << 10U;  // bytes

// The simple commands in the order in which they stand, those of $(...) and `...` included; nothing when the
// line is not understood.
std::optional<std::vector<ShellCommand>> parse_shell(std::string_view line);

}  // namespace mandate::core
