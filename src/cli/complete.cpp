#include "cli/complete.hpp"

#include "app/inspect.hpp"
#include "base/text.hpp"
#include "cli/globals.hpp"
#include "cli/look.hpp"
#include "core/hook_policy.hpp"
#include "core/init_request.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace mandate::cli {

namespace {

using Words = std::vector<std::string>;

Words split(std::string_view text, char separator)
{
    Words parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

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

// Collects what fits the word being typed. `prefix`: the part of it that stays as it is ("--format=", "allow=").
class Offer {
public:
    Offer(std::string verb, std::string directory, std::string typed)
        : m_verb(std::move(verb)), m_directory(std::move(directory)), m_typed(std::move(typed))
    {
    }

    void word(const std::string& word, std::string help = {})
    {
        const std::string whole = m_prefix + word;
        // A name that is not shown as it is cannot be typed as it is shown.
        if (whole.starts_with(m_typed) && text::escape(whole) == whole) {
            m_completion.candidates.push_back({whole, std::move(help)});
        }
    }
    template<typename List>
    void words(const List& list)
    {
        for (const auto& each : list) {
            word(std::string(each));
        }
    }
    // The next word of a comma list: what stands before the last comma stays, and is not offered again.
    void list(const Words& words)
    {
        const std::string value = m_typed.substr(std::min(m_prefix.size(), m_typed.size()));
        const std::size_t comma = value.rfind(',');
        const std::string head = comma == std::string::npos ? "" : value.substr(0, comma + 1);
        const Words taken = split(head, ',');
        for (const std::string& each : words) {
            if (std::find(taken.begin(), taken.end(), each) == taken.end()) {
                word(head + each);
            }
        }
    }
    void value_of(const OptionSpec& spec, const std::string& prefix)
    {
        m_prefix = prefix;
        placeholder(spec.value, spec.name == "--branch" ? "BRANCH" : spec.value);
    }
    void positional(std::string_view synopsis, std::size_t index);
    Completion take() { return std::move(m_completion); }

private:
    void placeholder(const std::string& shown, const std::string& name);
    void assignments();
    void branches();
    void budgets();

    [[nodiscard]] core::Vocabulary vocabulary() const
    {
        const auto place = app::find_place(m_directory);
        auto settings = app::load_settings(place ? &*place : nullptr, app::OnInvalid::note);
        return settings ? std::move(settings->vocabulary) : core::Vocabulary();
    }

    std::string m_verb, m_directory, m_typed, m_prefix;
    Completion m_completion;
};

void Offer::branches()
{
    const auto place = app::find_place(m_directory);
    if (!place) {
        return;
    }
    for (const app::WorktreeEntry& entry : app::list_worktrees(*place)) {
        if (!entry.missing && !entry.head.branch.empty()) {
            word(entry.head.branch, entry.lane_id);
        }
    }
}

void Offer::budgets()
{
    const auto lane = app::open_lane({m_directory, std::nullopt, false, false});
    const auto loaded = lane ? app::load_record(*lane) : fail(lane.error());
    if (loaded && *loaded) {
        for (const auto& [name, budget] : (*loaded)->record.budgets) {
            word(name);
        }
    }
}

// key=value words of `init`: the key, then what is known of its value.
void Offer::assignments()
{
    const std::size_t equals = m_typed.find('=');
    if (equals == std::string::npos) {
        for (const std::string_view key : core::settable_keys()) {
            word(std::string(key) + "=");
        }
        return;
    }
    const std::string key = m_typed.substr(0, equals);
    m_prefix = key + "=";
    if (key == "allow" || key == "deny") {
        list(vocabulary().actions());
    } else if (key == "terminal_gate") {
        words(core::gates());
    } else if (key == "review_budget") {
        word("unlimited");
    }
}

// The names that manuals and options use for what they take.
void Offer::placeholder(const std::string& shown, const std::string& name)
{
    if (name == "DIR") {
        // `init` takes key=value words too, and one of those is no directory.
        m_completion.directories = m_verb != "init" || m_typed.find('=') == std::string::npos;
    } else if (name == "FILE") {
        m_completion.files = true;
    } else if (name == "ACTION") {
        words(vocabulary().actions());
    } else if (name == "A") {
        list(vocabulary().actions());
    } else if (name == "P") {
        const core::Vocabulary known = vocabulary();
        for (const core::Preset& preset : known.presets()) {
            word(preset.name, text::join(preset.allow, ", "));
        }
    } else if (name == "BRANCH" || name == "REF") {
        branches();
    } else if (name == "REV") {
        word("HEAD");
        branches();
    } else if (name == "F") {
        const auto verb = make_verb(m_verb);
        words(format_names(verb && verb->has_markdown()));
    } else if (name == "WHEN") {
        words(color_names());
    } else if (name == "HOST") {
        words(m_verb == "hooks" ? Words{"claude"} : Words{"claude", "codex"});
    } else if (name == "NAME" && m_verb == "hook") {
        word("agent");
        for (const core::Hook hook : core::all_hooks()) {
            word(std::string(core::name(hook)));
        }
    } else if (name == "NAME") {
        budgets();
    } else if (name == "key=value") {
        assignments();
    } else if (shown.find('|') != std::string::npos) {
        words(split(shown, '|'));
    }
}

void Offer::positional(std::string_view synopsis, std::size_t index)
{
    std::size_t at = 0;
    for (std::string slot : split(synopsis, ' ')) {
        const bool optional = slot.starts_with('[');
        slot = optional ? slot.substr(1, slot.size() - 2) : slot;
        const bool repeated = slot.ends_with("...");
        slot = repeated ? slot.substr(0, slot.size() - 3) : slot;
        if (index == at || (repeated && index >= at)) {
            placeholder(slot, slot);
            if (!optional) {
                return;
            }
        }
        // What is optional may be left out, so the next one may stand in its place.
        at += optional && index == at ? 0 : 1;
    }
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
