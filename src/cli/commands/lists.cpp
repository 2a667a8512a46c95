// The verbs that list what there is: actions, presets, codes, config.

#include "app/settings.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"

#include <utility>

namespace mandate::cli {

namespace {

// Words that configuration adds count where there is a repository; elsewhere the built-in ones do.
Result<app::Settings> settings_here(const Globals& globals)
{
    const auto place = app::find_place(globals.directory.value_or(""));
    auto settings = app::load_settings(place ? &*place : nullptr);
    if (settings) {
        say_files(globals, *settings);
    }
    return settings;
}

// A listing without words of its own: one function makes the answer.
class ListVerb : public Verb {
public:
    [[nodiscard]] Uses uses() const final { return Uses::nothing; }
    void declare(Arguments& /*arguments*/) override {}
};

constexpr Manual k_actions{"actions", "", "the actions that a mandate may name",
                           "One action a row: built-in ones and those that configuration declares. Exit 0.",
                           "mandate actions --json"};

class ActionsVerb final : public ListVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_actions; }
    Result<Outcome> run(const Globals& globals) override
    {
        auto settings = settings_here(globals);
        if (!settings) {
            return fail(std::move(settings.error()));
        }
        std::vector<core::Answer> rows;
        for (const std::string& action : settings->vocabulary.actions()) {
            rows.push_back(core::Answer().add("action", action).add("builtin", core::is_builtin_action(action)));
        }
        Outcome outcome;
        outcome.notes = settings->notes;
        outcome.answer.rows("actions", std::move(rows));
        return outcome;
    }
};

constexpr Manual k_presets{"presets", "", "what `init --preset` writes",
                           "One preset a row: allow, deny, terminal_gate and review_budget (empty: no limit). Exit 0.",
                           "mandate presets"};

class PresetsVerb final : public ListVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_presets; }
    Result<Outcome> run(const Globals& globals) override
    {
        auto settings = settings_here(globals);
        if (!settings) {
            return fail(std::move(settings.error()));
        }
        std::vector<core::Answer> rows;
        for (const core::Preset& preset : settings->vocabulary.presets()) {
            rows.push_back(core::Answer()
                               .add("preset", preset.name)
                               .add("allow", core::Value(preset.allow))
                               .add("deny", core::Value(preset.deny))
                               .add("terminal_gate", core::text_or_absent(preset.terminal_gate))
                               .add("review_budget", preset.review_budget
                                                         ? core::Value(std::uint64_t{*preset.review_budget})
                                                         : core::Value(core::Absent{})));
        }
        Outcome outcome;
        outcome.notes = settings->notes;
        outcome.answer.rows("presets", std::move(rows));
        return outcome;
    }
};

constexpr Manual k_codes{"codes", "", "every error code with its exit status and meaning",
                         "One code a row: what a refusal prints as error=CODE. Exit 0.", "mandate codes --json"};

class CodesVerb final : public ListVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_codes; }
    Result<Outcome> run(const Globals& /*globals*/) override
    {
        std::vector<core::Answer> rows;
        for (const CodeInfo& code : all_codes()) {
            rows.push_back(core::Answer()
                               .add("code", code.name)
                               .add("exit", core::Value(static_cast<std::uint64_t>(code.exit)))
                               .add("meaning", code.meaning));
        }
        Outcome outcome;
        outcome.answer.rows("codes", std::move(rows));
        return outcome;
    }
};

constexpr Manual k_config{
    "config", "", "every configured value",
    "Prints key=value for each value in force; with --show-origin the place that it came from. A\n"
    "committed .mandate.toml may only tighten; what it would loosen is noted on stderr. Exit 0, or 2\n"
    "with error=config-invalid, file and line.",
    "mandate config --show-origin"};

class ConfigVerb final : public Verb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_config; }
    [[nodiscard]] Uses uses() const override { return Uses::nothing; }
    void declare(Arguments& arguments) override
    {
        arguments.flag("--show-origin", m_show_origin, "say where each value came from");
    }
    Result<Outcome> run(const Globals& globals) override
    {
        auto settings = settings_here(globals);
        if (!settings) {
            return fail(std::move(settings.error()));
        }
        Outcome outcome;
        outcome.notes = settings->notes;
        std::vector<core::Answer> rows;
        for (const core::ConfigEntry& entry : core::entries(settings->config)) {
            core::Answer row;
            row.add("key", entry.key).add("value", entry.value);
            if (m_show_origin) {
                row.add("origin", core::describe(entry.origin));
            }
            rows.push_back(std::move(row));
        }
        outcome.answer.rows("values", std::move(rows));
        return outcome;
    }

private:
    bool m_show_origin = false;
};

}  // namespace

std::unique_ptr<Verb> make_actions() { return std::make_unique<ActionsVerb>(); }
std::unique_ptr<Verb> make_presets() { return std::make_unique<PresetsVerb>(); }
std::unique_ptr<Verb> make_codes() { return std::make_unique<CodesVerb>(); }
std::unique_ptr<Verb> make_config() { return std::make_unique<ConfigVerb>(); }

}  // namespace mandate::cli
