#include "cli/help.hpp"

namespace mandate::cli {

namespace {

constexpr std::string_view k_intro =
    "mandate - what a git worktree may do without asking again, and how many review rounds it has left\n"
    "\n"
    "usage: mandate [-C DIR] VERB [WORDS] [OPTIONS]      (also: git mandate VERB ...)\n"
    "       mandate help [VERB]                         (also: mandate VERB --help, -h)\n"
    "\n"
    "verbs\n";

constexpr std::string_view k_rest =
    "\n"
    "options of every verb\n"
    "  -C DIR                 answer for DIR instead of the current directory\n"
    "  --branch NAME          for the worktree that has NAME checked out (verbs that answer for one lane)\n"
    "  --lock-timeout TIME    how long to wait for the lock (verbs that book)\n"
    "  --json                 one JSON object instead of key=value lines\n"
    "  --format F             kv, json, shell (safe to eval) or table\n"
    "  --color WHEN           auto, always or never\n"
    "  -q                     no notes on stderr\n"
    "  -v                     one more line on stderr: the lane and the configuration files\n"
    "  -h                     the same as --help\n"
    "  --help                 the manual of the verb\n"
    "  --version              print the version\n"
    "\n"
    "exit status\n"
    "  0  yes, or done\n"
    "  1  a decided no: denied, unlisted, gate not met, not safe to close\n"
    "  2  the question or the record is not valid: read stderr, stop, ask\n"
    "  3  nobody was asked: no record, no such lane, the grant expired\n"
    "  4  nothing could be persisted: lock, disk, ledger; nothing was granted\n"
    "  5  out of order: the record's state does not allow this booking\n"
    "\n"
    "A refusal prints error=CODE; `mandate codes` lists them all. In scripts test the answer's key, not the\n"
    "exit status of --help.\n"
    "\n"
    "example\n"
    "  mandate init --preset standard task=demo authorized_by=ann\n"
    "  mandate allows commit && git commit\n"
    "  mandate round | grep -q '^round_authorized=yes$' && ./review.sh\n";

}  // namespace

std::string program_help()
{
    std::string out(k_intro);
    for (const VerbEntry& entry : all_verbs()) {
        const std::unique_ptr<Verb> verb = entry.make();
        out += "  " + padded(std::string(entry.name), 13) + " " + std::string(verb->manual().summary) + "\n";
    }
    return out + std::string(k_rest);
}

std::string verb_help(const Manual& manual, const Arguments& arguments)
{
    std::string out = "mandate " + std::string(manual.name) + " - " + std::string(manual.summary) +
                      "\n\nusage: mandate " + std::string(manual.name);
    out += manual.synopsis.empty() ? "" : " " + std::string(manual.synopsis);
    out += " [OPTIONS]\n\n" + std::string(manual.description) + "\n\noptions\n";
    for (const OptionSpec& spec : arguments.specs()) {
        const std::string form = spec.name + (spec.value.empty() ? "" : " " + spec.value);
        out += "  " + padded(form, 21) + " " + spec.help + (spec.repeatable ? " (may be repeated)" : "") + "\n";
    }
    return out + "\nexample\n  " + std::string(manual.example) + "\n";
}

}  // namespace mandate::cli
