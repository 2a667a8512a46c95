#include "cli/arguments.hpp"

#include "base/text.hpp"
#include "cli/words.hpp"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <utility>

namespace mandate::cli {

namespace {

Unexpected usage(std::string message, std::string hint = {})
{
    return fail(Code::usage, std::move(message), std::move(hint));
}

bool is_long_option(std::string_view word) { return word.size() > 2 && word.substr(0, 2) == "--"; }
bool is_short_option(std::string_view word) { return word.size() > 1 && word[0] == '-' && word[1] != '-'; }

}  // namespace

void Arguments::flag(std::string name, bool& target, std::string help)
{
    m_specs.push_back({std::move(name), {}, std::move(help), false, [&target](const std::string&) { target = true; }});
}

void Arguments::option(std::string name, std::string value, std::optional<std::string>& target, std::string help)
{
    m_specs.push_back({std::move(name), std::move(value), std::move(help), false,
                       [&target](const std::string& given) { target = given; }});
}

void Arguments::options(std::string name, std::string value, std::vector<std::string>& target, std::string help)
{
    m_specs.push_back({std::move(name), std::move(value), std::move(help), true,
                       [&target](const std::string& given) { target.push_back(given); }});
}

const OptionSpec* Arguments::find(std::string_view name) const
{
    const auto it =
        std::find_if(m_specs.begin(), m_specs.end(), [&](const OptionSpec& spec) { return spec.name == name; });
    return it == m_specs.end() ? nullptr : &*it;
}

// "--x=v" and "-xv" in two; a lone "--x" has no value yet.
Arguments::Given Arguments::split(const std::string& word)
{
    if (is_short_option(word)) {
        return {word.substr(0, 2), word.size() > 2 ? std::optional(word.substr(2)) : std::nullopt};
    }
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
        return {word, std::nullopt};
    }
    return {word.substr(0, equals), word.substr(equals + 1)};
}

Unexpected Arguments::unknown_option(const std::string& name) const
{
    std::vector<std::string_view> names;
    for (const OptionSpec& each : m_specs) {
        names.push_back(each.name);
    }
    const std::string near = text::did_you_mean(name, names);
    return usage("unknown option '" + name + "'", near.empty() ? "" : "did you mean '" + near + "'?");
}

// Whether a word would be one of our options, with or without its value: `--x`, `--x=v`, `-x`, `-xv`.
bool Arguments::is_option(const std::string& word) const
{
    if (find(word.substr(0, word.find('='))) != nullptr) {
        return true;
    }
    const OptionSpec* spec = is_short_option(word) ? find(word.substr(0, 2)) : nullptr;
    return spec != nullptr && !spec->value.empty();
}

// The word behind an option is its value unless it is a known option itself: a forgotten value must not swallow one.
Result<std::string> Arguments::value_behind(const OptionSpec& spec, const std::string* next) const
{
    if (next == nullptr) {
        return usage("option '" + spec.name + "' needs a value", "give one: " + spec.name + "=" + spec.value);
    }
    if (*next == "--" || is_option(*next)) {
        return usage("option '" + spec.name + "' needs a value",
                     "a value that looks like an option is given as " + spec.name + "=" + *next);
    }
    return *next;
}

// Words apart from options, and these as CLI11 may see them: `--x=v` split in two, so that an empty or dashed v stays a
// value.
Result<Arguments::Sorted> Arguments::checked(const std::vector<std::string>& command_line) const
{
    Sorted sorted;
    std::vector<std::string>& out = sorted.options;
    std::vector<std::string> seen;
    for (std::size_t i = 0; i < command_line.size(); ++i) {
        const std::string& word = command_line[i];
        if (word == "--") {
            const auto behind = command_line.begin() + static_cast<std::ptrdiff_t>(i + 1);
            sorted.words.insert(sorted.words.end(), behind, command_line.end());
            break;
        }
        if (!is_long_option(word) && !is_short_option(word)) {
            sorted.words.push_back(word);
            continue;
        }
        Given given = split(word);
        const OptionSpec* spec = find(given.name);
        if (spec == nullptr) {
            return unknown_option(given.name);
        }
        if (!spec->repeatable && std::find(seen.begin(), seen.end(), given.name) != seen.end()) {
            return usage("option '" + given.name + "' is given twice");
        }
        seen.push_back(given.name);
        out.push_back(given.name);
        const bool is_flag = spec->value.empty();
        if (is_flag && given.value) {
            return usage("option '" + given.name + "' takes no value");
        }
        if (!is_flag && !given.value) {
            auto value = value_behind(*spec, i + 1 < command_line.size() ? &command_line[i + 1] : nullptr);
            if (!value) {
                return fail(value.error());
            }
            given.value = std::move(*value);
            ++i;
        }
        if (given.value) {
            out.push_back(std::move(*given.value));
        }
    }
    return sorted;
}

Result<void> Arguments::parse(const std::vector<std::string>& command_line) const
{
    auto sorted = checked(command_line);
    if (!sorted) {
        return fail(std::move(sorted.error()));
    }
    // CLI11 sees no words: it takes brackets around one for a list, and `show [x] --json` answered for the lane x.
    if (m_words != nullptr) {
        *m_words = std::move(sorted->words);
    } else if (!sorted->words.empty()) {
        return too_many(sorted->words.front());
    }
    // Words alone, as hooks and scripts ask, are understood by now. CLI11 would first set up a std::locale, which
    // takes more instructions than finding the lane (36,000 and 27,000, counted by callgrind).
    std::vector<std::string>& options = sorted->options;
    if (options.empty()) {
        return {};
    }
    CLI::App app;
    try {
        app.set_help_flag();
        for (const OptionSpec& spec : m_specs) {
            // All words are known to be ours here, and an option costs CLI11 some ten thousand instructions.
            if (std::find(options.begin(), options.end(), spec.name) == options.end()) {
                continue;
            }
            if (spec.value.empty()) {
                app.add_flag_callback(spec.name, [&spec] { spec.store({}); });
            } else {
                auto* option = app.add_option(spec.name, [&spec](const CLI::results_t& results) {
                    std::for_each(results.begin(), results.end(), spec.store);
                    return true;
                });
                option->expected(1)->type_size(1)->allow_extra_args(false);
                if (spec.repeatable) {
                    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
                }
            }
        }
        std::reverse(options.begin(), options.end());  // CLI11 takes them from the back
        app.parse(std::move(options));
    } catch (const CLI::Error& error) {
        return usage(error.what());
    }
    return {};
}

}  // namespace mandate::cli
