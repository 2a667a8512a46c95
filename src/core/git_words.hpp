// Questions about the words of a git command: which options are among them, and what they may mean to git. Pure.
#pragma once

#include "core/shell_command.hpp"

#include <initializer_list>
#include <string_view>
#include <vector>

namespace mandate::core {

using Words = std::vector<ShellWord>;
using Options = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, Options list);

// Whether an option that makes a command mean less (`--dry-run`, or its letter) really stands there: written out,
// before
// `--`, not as the value of the option before it, and not taken back by a `--no-`.
bool is_excused(const Words& words, std::string_view option, char letter, std::string_view letters_with_value,
                Options options_with_value);

// A word whose beginning is not known, so that it may turn out to be an option; text behind -m is none.
bool may_be_an_option(const Words& words);

// An option, or any beginning of one. git takes every unambiguous beginning of a long option for it: `--forc` forces.
// For options that make a command mean more. Also behind `--`, which may be the value of the option before it.
bool may_have(const Words& words, Options options);

// A letter among bundled short options: the f of -fdx.
bool has_letter(const Words& words, char letter);

bool has_word(const Words& words, std::string_view text);

bool all_exact(const Words& words);

// A refspec of fetch, behind the remote, that writes to a branch of this repository.
bool moves_a_branch(const Words& words);

}  // namespace mandate::core
