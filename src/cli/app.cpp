#include "cli/app.hpp"

#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/globals.hpp"
#include "cli/help.hpp"
#include "cli/human.hpp"
#include "cli/look.hpp"
#include "cli/output.hpp"
#include "cli/verb.hpp"
#include "cli/words.hpp"
#include "os/env.hpp"
#include "os/signals.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace mandate::cli {

namespace {

int status(Exit exit) { return static_cast<int>(exit); }

int output_failed(const os::Errno& cause, bool booked)
{
    const Error error{Code::output_failed,
                      "the answer could not be written to stdout: " + cause.text(),
                      booked ? "the booking stands; ask again with: mandate show" : "nothing was booked",
                      {},
                      {}};
    os::write_stderr(sentence(error));
    return status(info(Code::output_failed).exit);
}

int print(const std::string& bytes, Exit exit, bool booked)
{
    if (const auto written = os::write_stdout(bytes); !written) {
        return output_failed(written.error(), booked);
    }
    return status(exit);
}

int print_help(const std::string& help)
{
    const bool at_terminal = os::is_terminal(1);
    return print(at_terminal ? folded(help, static_cast<std::size_t>(os::terminal_width(1))) : help, Exit::yes, false);
}

int refuse(const Error& error, bool json)
{
    os::write_stderr(sentence(error));
    const core::Answer answer = refusal(error);
    const bool stands = error.code == Code::booked_not_durable;
    return print(json ? render_json(answer) : render_lines(answer), info(error.code).exit, stands);
}

std::string render(const Outcome& outcome, const Look& look)
{
    if (look.format == Format::json) {
        return render_json(outcome.answer);
    }
    if (outcome.plain) {
        return *outcome.plain;
    }
    if (look.format == Format::markdown) {
        return outcome.markdown();
    }
    if (look.format != Format::table) {
        return look.format == Format::shell ? render_shell(outcome.answer) : render_lines(outcome.answer);
    }
    const Terminal terminal = find_terminal(look.color);
    const Time now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    return outcome.human ? outcome.human(terminal) : render_human(outcome.answer, terminal, now);
}

bool is_help(std::string_view word) { return word == "--help" || word == "-h"; }

int run_without_verb(const std::vector<std::string>& words)
{
    const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
    const bool only_help = std::all_of(words.begin(), words.end(), is_help);
    if (!words.empty() && only_help) {
        return print_help(program_help());
    }
    if (words == std::vector<std::string>{"--version"}) {
        return print("mandate " + std::string(k_version) + "\n", Exit::yes, false);
    }
    if (json && words.size() == 2 && std::find(words.begin(), words.end(), "--version") != words.end()) {
        return print(render_json(core::Answer().add("version", k_version)), Exit::yes, false);
    }
    const std::string first = words.empty() ? "" : words.front();
    const std::string near = text::did_you_mean(first, {"--help", "--version"});
    if (!near.empty() && near != first) {
        return refuse(Error{Code::usage, "unknown option " + in_quotes(first), "did you mean '" + near + "'?", {}, {}},
                      json);
    }
    return refuse(Error{Code::usage, "there is no verb on the command line", "see: mandate --help", {}, {}}, json);
}

void say(const Outcome& outcome)
{
    for (const std::string& note : outcome.notes) {
        os::write_stderr(sentence(note));
    }
    for (const Remark& remark : outcome.remarks) {
        os::write_stderr(sentence(remark));
    }
}

// A usage error that has nothing better to offer sends to the verb's manual.
Error with_manual(Error error, const Manual& manual)
{
    if (error.code == Code::usage && error.hint.empty()) {
        error.hint = "see: mandate " + std::string(manual.name) + " --help";
    }
    return error;
}

int run_verb(Verb& verb, const std::vector<std::string>& command_line)
{
    // Until the command line is understood, --json counts when it stands anywhere before `--`.
    const auto options_end = std::find(command_line.begin(), command_line.end(), "--");
    Globals globals;
    Arguments arguments;
    verb.declare(arguments);
    declare_globals(globals, verb, arguments);
    if (const auto parsed = arguments.parse(command_line); !parsed) {
        return refuse(with_manual(parsed.error(), verb.manual()),
                      std::find(command_line.begin(), options_end, "--json") != options_end);
    }
    if (globals.help) {
        return print_help(verb_help(verb.manual(), arguments));
    }
    const auto look = read_look(globals, verb.has_markdown());
    if (!look) {
        return refuse(look.error(), globals.json);
    }
    globals.json = look->format == Format::json;
    const auto outcome = verb.run(globals);
    if (!outcome) {
        return refuse(with_manual(outcome.error(), verb.manual()), globals.json);
    }
    if (!globals.quiet) {
        say(*outcome);
    }
    return print(render(*outcome, *look), outcome->exit, outcome->booked);
}

int run_words(std::vector<std::string> words);

// `help VERB` is `-h VERB`, and `help` alone is `-h`: a verb that does not exist is refused as ever.
int run_help(std::vector<std::string> words, std::size_t at)
{
    if (std::find(words.begin(), words.end(), "-h") == words.end()) {
        words[at] = "-h";
    } else {
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return run_words(std::move(words));
}

int run_words(std::vector<std::string> words)
{
    const std::size_t at = find_verb(words);
    if (at == words.size()) {
        return run_without_verb(words);
    }
    const std::string name = words[at];
    if (const std::unique_ptr<Verb> verb = make_verb(name)) {
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
        return run_verb(*verb, words);
    }
    if (name == "help") {
        return run_help(std::move(words), at);
    }
    std::vector<std::string_view> names;
    for (const VerbEntry& entry : all_verbs()) {
        names.push_back(entry.name);
    }
    const std::string near = text::did_you_mean(name, names);
    const std::string hint = near.empty() ? "see: mandate --help" : "did you mean '" + near + "'?";
    return refuse(Error{Code::unknown_verb, "there is no verb " + in_quotes(name), hint, {}, {}},
                  std::find(words.begin(), words.end(), "--json") != words.end());
}

}  // namespace

int run(int argc, char** argv)
{
    os::ignore_write_signals();
    os::guard_standard_descriptors();
    try {
        return run_words(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
    } catch (const std::exception& error) {
        // Only memory can run out here; every library is caught at its own layer.
        os::write_stderr(sentence(std::string("out of resources: ") + error.what()));
        return status(Exit::not_persisted);
    }
}

}  // namespace mandate::cli
