#include "cli/help.hpp"

#include "cli/terminal.hpp"

#include <algorithm>

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

constexpr std::string_view k_gap = "  ";          // between an option and what it does
constexpr std::size_t k_widest_left_column = 26;  // a gap further right is part of the text

std::string folded_line(std::string_view line, std::size_t width)
{
    const std::size_t indent = line.find_first_not_of(' ');
    const std::size_t gap = line.find(k_gap, indent);
    const std::size_t column = gap < k_widest_left_column ? line.find_first_not_of(' ', gap) : indent;
    std::string out(line.substr(0, column));
    for (const std::string& part : wrapped(line.substr(column), width - column)) {
        out += (out.size() > column ? "\n" + std::string(column, ' ') : "") + part;
    }
    return out;
}

}  // namespace

std::string folded(const std::string& help, std::size_t width)
{
    if (width < 2 * k_widest_left_column) {
        return help;
    }
    const std::size_t example = std::min(help.find("\nexample\n"), help.size());
    const std::string_view manual = std::string_view(help).substr(0, example);
    std::string out;
    for (std::size_t at = 0; at < manual.size();) {
        std::size_t end = std::min(manual.find('\n', at), manual.size());
        std::string line(manual.substr(at, end - at));
        // The lines of a paragraph are one text; what is indented, or the last before a blank line, ends it.
        while (display_width(line) > width && line.front() != ' ' && end + 1 < manual.size() &&
               manual[end + 1] != '\n' && manual[end + 1] != ' ') {
            const std::size_t next = std::min(manual.find('\n', end + 1), manual.size());
            line += ' ' + std::string(manual.substr(end + 1, next - end - 1));
            end = next;
        }
        out += (display_width(line) <= width ? line : folded_line(line, width)) + "\n";
        at = end + 1;
    }
    return out + help.substr(std::min(example + 1, help.size()));
}

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
