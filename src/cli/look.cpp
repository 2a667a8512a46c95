#include "cli/look.hpp"

#include "cli/words.hpp"
#include "os/env.hpp"

#include <array>
#include <utility>

namespace mandate::cli {

namespace {

template<typename Choice>
using Choices = std::vector<std::pair<std::string_view, Choice>>;

Choices<Format> formats(bool markdown)
{
    Choices<Format> choices{
        {"kv", Format::lines}, {"json", Format::json}, {"shell", Format::shell}, {"table", Format::table}};
    if (markdown) {
        choices.emplace_back("markdown", Format::markdown);
    }
    return choices;
}

Choices<app::Color> colors()
{
    return {{"auto", app::Color::automatic}, {"always", app::Color::always}, {"never", app::Color::never}};
}

template<typename Choice>
std::vector<std::string_view> names(const Choices<Choice>& choices)
{
    std::vector<std::string_view> names;
    for (const auto& [name, choice] : choices) {
        names.push_back(name);
    }
    return names;
}

template<typename Choice>
Result<Choice> choose(const std::string& option, const std::string& word, const Choices<Choice>& known)
{
    for (const auto& [name, choice] : known) {
        if (name == word) {
            return choice;
        }
    }
    return fail(Code::usage, option + " knows no " + in_quotes(word), choices(word, names(known)));
}

}  // namespace

std::vector<std::string_view> format_names(bool markdown) { return names(formats(markdown)); }
std::vector<std::string_view> color_names() { return names(colors()); }

Result<Look> read_look(const Globals& globals, bool markdown)
{
    Look look;
    look.format = globals.json ? Format::json : os::is_terminal(1) ? Format::table : Format::lines;
    if (globals.format && globals.json) {
        return fail(Code::usage, "--json and --format are both given", "give one of them");
    }
    if (globals.quiet && globals.verbose) {
        return fail(Code::usage, "-q and -v are both given", "give one of them");
    }
    if (globals.format) {
        const auto format = choose("--format", *globals.format, formats(markdown));
        if (!format) {
            return fail(format.error());
        }
        look.format = *format;
    }
    const std::string color = globals.color ? *globals.color : os::variable("MANDATE_COLOR").value_or("auto");
    const auto chosen = choose(globals.color ? "--color" : "MANDATE_COLOR", color.empty() ? "auto" : color, colors());
    if (!chosen && globals.color) {
        return fail(chosen.error());
    }
    // A bad variable is refused by the verbs that use configuration.
    look.color = chosen.value_or(app::Color::automatic);
    return look;
}

}  // namespace mandate::cli
