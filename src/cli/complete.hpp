// What may stand next on a command line that is being typed.
//
// Everything comes from where the program itself takes it: the verbs from their table, options from what a
// verb declares, positionals from its synopsis, actions and presets from the configuration in force, branches
// from the worktrees. Never fails and writes nothing: where something cannot be read, less is offered.
#pragma once

#include <string>
#include <vector>

namespace mandate::cli {

struct Candidate {
    std::string word;  // the whole word, as it would stand on the command line
    std::string help;  // one line; may be empty
};

struct Completion {
    std::vector<Candidate> candidates;
    bool directories = false;  // the shell completes these itself
    bool files = false;
};

// `typed`: the words behind the program; the last one is being typed and may be empty.
Completion complete(const std::vector<std::string>& typed);

}  // namespace mandate::cli
