#include "cli/globals.hpp"

namespace mandate::cli {

namespace {

// The globals that may stand in front of the verb with their value in the next word.
bool takes_next_word(std::string_view word)
{
    return word == "-C" || word == "--branch" || word == "--lock-timeout" || word == "--format" || word == "--color";
}

}  // namespace

std::size_t find_verb(const std::vector<std::string>& words)
{
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].empty() || words[i][0] != '-') {
            return i;
        }
        i += takes_next_word(words[i]) ? 1U : 0U;
    }
    return words.size();
}

std::unique_ptr<Verb> make_verb(std::string_view name)
{
    for (const VerbEntry& entry : all_verbs()) {
        if (entry.name == name) {
            return entry.make();
        }
    }
    return nullptr;
}

void declare_globals(Globals& globals, const Verb& verb, Arguments& arguments)
{
    const Uses uses = verb.uses();
    arguments.option("-C", "DIR", globals.directory, "answer for DIR instead of the current directory");
    if (uses != Uses::nothing) {
        arguments.option("--branch", "NAME", globals.branch, "answer for the worktree that has NAME checked out");
    }
    if (uses == Uses::booking) {
        arguments.option("--lock-timeout", "TIME", globals.lock_timeout,
                         "how long to wait for the lock: 250ms, 5s, 2m, 0");
    }
    arguments.flag("--json", globals.json, "one JSON object instead of key=value lines");
    arguments.option("--format", "F", globals.format,
                     std::string("kv, json, shell (safe to eval)") +
                         (verb.has_markdown() ? ", table or markdown" : " or table") +
                         "; default kv, at a terminal table");
    arguments.option("--color", "WHEN", globals.color, "auto, always or never; default MANDATE_COLOR, else auto");
    arguments.flag("-q", globals.quiet, "no notes on stderr; refusals still say why");
    arguments.flag("-v", globals.verbose, "one more line on stderr: the lane and the configuration files");
    arguments.flag("-h", globals.help, "the same as --help");
    arguments.flag("--help", globals.help, "print this and exit");
}

}  // namespace mandate::cli
