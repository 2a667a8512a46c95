#include "cli/complete.hpp"

#include "cli/globals.hpp"
#include "cli/offer.hpp"

#include <algorithm>
#include <string_view>

namespace mandate::cli {

namespace {

using Words = std::vector<std::string>;

// The line so far, read as the parser would: what stands in front of the word that is being typed.
struct Line {
    const OptionSpec* pending = nullptr;  // an option whose value is being typed
    Words given;                          // options
    std::size_t positionals = 0;
    bool options_ended = false;
    std::string directory;  // of -C
};

const OptionSpec* find(const Arguments& arguments, std::string_view name)
{
    const auto& specs = arguments.specs();
    const auto found = std::find_if(specs.begin(), specs.end(), [&](const auto& spec) { return spec.name == name; });
    return found == specs.end() ? nullptr : &*found;
}

Line read_line(const Words& words, const Arguments& arguments)
{
    Line line;
    for (const std::string& word : words) {
        if (line.pending != nullptr) {
            line.directory = line.pending->name == "-C" ? word : line.directory;
            line.pending = nullptr;
        } else if (line.options_ended || word.size() < 2 || word[0] != '-') {
            ++line.positionals;
        } else if (word == "--") {
            line.options_ended = true;
        } else {
            const bool attached = word.find('=') != std::string::npos;
            const OptionSpec* spec = find(arguments, word.substr(0, word.find('=')));
            line.pending = spec != nullptr && !spec->value.empty() && !attached ? spec : nullptr;
            line.given.push_back(word.substr(0, word.find('=')));
        }
    }
    return line;
}

// In front of the verb: verbs, or the options that may stand there.
Completion complete_verb(const Words& before, const std::string& typed)
{
    const auto verb = make_verb("round");  // a booking takes every global option
    Globals globals;
    Arguments arguments;
    declare_globals(globals, *verb, arguments);
    const Line line = read_line(before, arguments);
    Offer offer({}, line.directory, typed);
    if (line.pending != nullptr) {
        offer.value_of(*line.pending, {});
    } else if (typed.starts_with('-')) {
        for (const OptionSpec& spec : arguments.specs()) {
            offer.word(spec.name, spec.help);
        }
        offer.word("--version", "print the version and exit");
    } else {
        for (const VerbEntry& entry : all_verbs()) {
            offer.word(std::string(entry.name), std::string(entry.make()->manual().summary));
        }
    }
    return offer.take();
}

}  // namespace

Completion complete(const Words& typed)
{
    Words before = typed;
    const std::string last = before.empty() ? std::string() : before.back();
    if (!before.empty()) {
        before.pop_back();
    }
    const std::size_t at = find_verb(before);
    if (at >= before.size()) {
        return complete_verb(before, last);
    }
    const std::string name = before[at];
    const auto verb = make_verb(name);
    if (!verb) {
        // `help` is no verb of its own: its one word is a verb.
        return name == "help" && at + 1 == before.size() && !last.starts_with('-') ? complete_verb({}, last)
                                                                                   : Completion();
    }
    before.erase(before.begin() + static_cast<std::ptrdiff_t>(at));
    Globals globals;
    Arguments arguments;
    verb->declare(arguments);
    declare_globals(globals, *verb, arguments);
    const Line line = read_line(before, arguments);
    Offer offer(name, line.directory, last);
    const std::size_t equals = last.find('=');
    if (line.pending != nullptr) {
        offer.value_of(*line.pending, {});
    } else if (line.options_ended || !last.starts_with('-')) {
        offer.positional(verb->manual().synopsis, line.positionals);
    } else if (const OptionSpec* spec = find(arguments, last.substr(0, equals));
               equals != std::string::npos && spec != nullptr) {
        offer.value_of(*spec, last.substr(0, equals + 1));
    } else {
        for (const OptionSpec& each : arguments.specs()) {
            if (each.repeatable || std::find(line.given.begin(), line.given.end(), each.name) == line.given.end()) {
                offer.word(each.name, each.help);
            }
        }
    }
    return offer.take();
}

}  // namespace mandate::cli
