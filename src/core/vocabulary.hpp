// The words of a mandate: actions, gates, presets. Built-in ones, plus what configuration declares.
//
// Matching is whole-word and literal everywhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::core {

struct Preset {
    std::string name;
    std::vector<std::string> allow;
    std::vector<std::string> deny;
    std::string terminal_gate;
    std::optional<unsigned> review_budget;
};

class Vocabulary {
public:
    Vocabulary();  // the built-in words

    void declare_action(std::string action);  // no effect when known already
    void declare_preset(Preset preset);       // replaces one of the same name
    // Says that a configuration which may declare more could not be read. Only for verbs that decide nothing.
    void leave_open() { m_open = true; }

    [[nodiscard]] bool knows_action(std::string_view action) const;
    // Known, or, where words may be missing here, of the form of an action.
    [[nodiscard]] bool may_be_action(std::string_view word) const;
    [[nodiscard]] const std::vector<std::string>& actions() const { return m_actions; }
    [[nodiscard]] const std::vector<Preset>& presets() const { return m_presets; }
    [[nodiscard]] const Preset* find_preset(std::string_view name) const;

    [[nodiscard]] std::string suggest_action(std::string_view word) const;  // empty when nothing is close
    // What to do about a word that is no action: the closest one, or how a list is written.
    [[nodiscard]] std::string hint_for(std::string_view word) const;
    [[nodiscard]] std::string suggest_preset(std::string_view word) const;

private:
    std::vector<std::string> m_actions;
    std::vector<Preset> m_presets;
    bool m_open = false;
};

const std::vector<std::string>& gates();
bool is_gate(std::string_view word);
bool is_builtin_action(std::string_view word);

// What may name an action or a preset in configuration: letters, digits, '-', '_', at most 64 of them.
bool is_word(std::string_view word);

}  // namespace mandate::core
