#include "cli/offer.hpp"

#include "app/inspect.hpp"
#include "base/text.hpp"
#include "cli/globals.hpp"
#include "cli/look.hpp"
#include "core/hook_policy.hpp"
#include "core/init_request.hpp"

#include <algorithm>
#include <optional>

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

core::Vocabulary vocabulary_at(const std::string& directory)
{
    const auto place = app::find_place(directory);
    auto settings = app::load_settings(place ? &*place : nullptr, app::OnInvalid::note);
    return settings ? std::move(settings->vocabulary) : core::Vocabulary();
}

}  // namespace

void Offer::word(const std::string& word, std::string help)
{
    const std::string whole = m_prefix + word;
    // A name that is not shown as it is cannot be typed as it is shown.
    if (whole.starts_with(m_typed) && text::escape(whole) == whole) {
        m_completion.candidates.push_back({whole, std::move(help)});
    }
}

// The next word of a comma list: what stands before the last comma stays, and is not offered again.
void Offer::list(const Words& words)
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

void Offer::value_of(const OptionSpec& spec, const std::string& prefix)
{
    m_prefix = prefix;
    placeholder(spec.value, spec.name == "--branch" ? "BRANCH" : spec.value);
}

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
        list(vocabulary_at(m_directory).actions());
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
        words(vocabulary_at(m_directory).actions());
    } else if (name == "A") {
        list(vocabulary_at(m_directory).actions());
    } else if (name == "P") {
        const core::Vocabulary known = vocabulary_at(m_directory);
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

}  // namespace mandate::cli
