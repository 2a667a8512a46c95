// What a shell command line is about to do, in the words of the vocabulary.
//
// Conservative in one direction: what is not known for certain is `ask`; a command that maps to no action is
// no intent at all and gets no opinion, so nothing here ever turns into permission by accident. Pure: whose
// branch is whose is looked up by the caller, once it knows in which directory the command acts.
#pragma once

#include "core/hook_policy.hpp"
#include "core/shell_command.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace mandate::core {

struct PushIntent {
    bool force = false;
    bool removes = false;               // --delete, :ref
    bool everything = false;            // --all, --mirror, --prune
    std::vector<std::string> branches;  // that the remote shall get; empty: what git takes by default, the own one
};

struct Intent {
    enum class Kind {
        action,    // `text` is an action
        push,      // the action depends on whose branch it is
        merge,     // `merge` on a protected branch, else `commit`
        ask,       // not understood, or a person's own business: `text` says why
        touches,   // would change a record, a lock or a ledger: `text` names it
        writes,    // would change the file `text`, which a symlink may lead to one of those
        checkout,  // of `text`: `destructive` where a file has that name
    };
    Kind kind = Kind::ask;
    std::string text;
    std::string directory;  // where it acts, relative to where the command line starts; "" = there
    PushIntent push{};
    bool pattern = false;  // of `writes`: the shell makes names of `text`
};

struct Intents {
    std::vector<Intent> all;
    bool only_actions = true;  // every command of the line maps to an action: an `allow` covers the whole line
};

Intents intents_of(std::string_view command_line);

// The actions of a push or a merge in a lane.
std::vector<std::string> actions_of(const Intent& intent, const Branches& branches);

// Whether a path names a record, a lock or other file of a lane's, or lies in a ledger: by its name alone.
bool is_guarded_path(std::string_view path);

}  // namespace mandate::core
