#include "core/vocabulary.hpp"

#include "base/text.hpp"
#include "core/excerpt.hpp"

#include <algorithm>
#include <utility>

namespace mandate::core {

namespace {

constexpr std::size_t k_longest_word = 64;  // bytes; a longer name is no name, and messages stay short

// The built-in words, in the order in which `actions` and `presets` list them.
const std::vector<std::string>& builtin_actions()
{
    static const std::vector<std::string> actions{
        "commit", "push-own-branch", "open-pr",           "local-review", "agreed-fixes", "rebase-own-branch",
        "merge",  "deploy",          "force-push-shared", "destructive"};
    return actions;
}

const std::vector<Preset>& builtin_presets()
{
    static const std::vector<Preset> presets{
        {"standard",
         {"commit", "push-own-branch", "open-pr", "local-review", "agreed-fixes", "rebase-own-branch"},
         {"merge", "deploy", "force-push-shared", "destructive"},
         "reviewed-pr",
         3},
        {"draft-only",
         {"commit", "push-own-branch"},
         {"open-pr", "merge", "deploy", "force-push-shared", "destructive"},
         "pushed-branch",
         0},
        {"merge-delegated",
         {"commit", "push-own-branch", "open-pr", "local-review", "agreed-fixes", "rebase-own-branch", "merge"},
         {"deploy", "force-push-shared", "destructive"},
         "merged",
         3},
    };
    return presets;
}

bool contains(const std::vector<std::string>& words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Vocabulary::Vocabulary() : m_actions(builtin_actions()), m_presets(builtin_presets()) {}

void Vocabulary::declare_action(std::string action)
{
    if (!knows_action(action)) {
        m_actions.push_back(std::move(action));
    }
}

void Vocabulary::declare_preset(Preset preset)
{
    for (Preset& known : m_presets) {
        if (known.name == preset.name) {
            known = std::move(preset);
            return;
        }
    }
    m_presets.push_back(std::move(preset));
}

bool Vocabulary::knows_action(std::string_view action) const { return contains(m_actions, action); }

bool Vocabulary::may_be_action(std::string_view word) const { return knows_action(word) || (m_open && is_word(word)); }

const Preset* Vocabulary::find_preset(std::string_view name) const
{
    for (const Preset& preset : m_presets) {
        if (preset.name == name) {
            return &preset;
        }
    }
    return nullptr;
}

std::string Vocabulary::suggest_action(std::string_view word) const
{
    return text::did_you_mean(word, {m_actions.begin(), m_actions.end()});
}

std::string Vocabulary::hint_for(std::string_view word) const
{
    if (word.find_first_of("[]{}\"'`") != std::string_view::npos) {
        return "a list is 'merge, deploy': brackets and quotes are part of a word here";
    }
    return suggestion_or(suggest_action(word), "'mandate actions' lists the words");
}

std::string Vocabulary::suggest_preset(std::string_view word) const
{
    std::vector<std::string_view> names;
    for (const Preset& preset : m_presets) {
        names.emplace_back(preset.name);
    }
    return text::did_you_mean(word, names);
}

const std::vector<std::string>& gates()
{
    static const std::vector<std::string> gates{"reviewed-pr", "merged", "pushed-branch"};
    return gates;
}

bool is_gate(std::string_view word) { return contains(gates(), word); }

bool is_builtin_action(std::string_view word) { return contains(builtin_actions(), word); }

bool is_word(std::string_view word)
{
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    };
    return !word.empty() && word.size() <= k_longest_word && std::all_of(word.begin(), word.end(), fits);
}

}  // namespace mandate::core
