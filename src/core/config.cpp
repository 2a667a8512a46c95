#include "core/config.hpp"

#include "base/text.hpp"
#include "core/config_bounds.hpp"
#include "core/excerpt.hpp"

#include <utility>

namespace mandate::core {

namespace {

using Entries = std::vector<ConfigEntry>;

ListSetting defaults(std::vector<std::string> values)
{
    ListSetting list;
    list.origins.resize(values.size());
    list.values = std::move(values);
    return list;
}

std::string_view word(OnDoubt value) { return value == OnDoubt::pass ? "pass" : "refuse"; }

// One entry for each run of values from the same file.
void add_list(Entries& out, const std::string& key, const ListSetting& list)
{
    if (list.values.empty()) {
        out.push_back({key, "", list.origin});
        return;
    }
    for (std::size_t i = 0; i < list.values.size(); ++i) {
        const Origin& origin = list.origins[i];
        if (i > 0 && out.back().origin.layer == origin.layer && out.back().origin.source == origin.source) {
            out.back().value += ", " + list.values[i];
        } else {
            out.push_back({key, list.values[i], origin});
        }
    }
}

void add_preset(Entries& out, const PresetSetting& preset)
{
    const std::string prefix = "presets." + preset.name + ".";
    const auto& budget = preset.review_budget;
    add_list(out, prefix + "allow", preset.allow);
    add_list(out, prefix + "deny", preset.deny);
    out.push_back({prefix + "terminal_gate", preset.terminal_gate.value, preset.terminal_gate.origin});
    out.push_back(
        {prefix + "review_budget", budget.value ? std::to_string(*budget.value) : "unlimited", budget.origin});
}

Result<void> check_words(const std::string& key, const ListSetting& list, const Vocabulary& vocabulary)
{
    for (std::size_t i = 0; i < list.values.size(); ++i) {
        const std::string& action = list.values[i];
        if (!vocabulary.knows_action(action)) {
            return fail(
                config_error(list.origins[i], excerpt(key) + " holds " + excerpt(action) + ", which is not an action",
                             suggestion_or(vocabulary.suggest_action(action),
                                           "'mandate actions' lists the words; [vocabulary] actions declares more")));
        }
    }
    return {};
}

}  // namespace

Config::Config()
    : lock_timeout{std::chrono::seconds(5)},
      fixes_need_review{false},
      without_record{OnDoubt::pass},
      on_error{OnDoubt::refuse},
      protected_branches(defaults({"main", "master", "release/*"})),
      lane_files(defaults({"TASK.md"})),
      disposable(defaults({"node_modules/", ".venv/", "build/"}))
{
}

std::string describe(const Origin& origin)
{
    if (origin.source.empty()) {
        return origin.layer;
    }
    return origin.line == 0 ? origin.source : origin.source + ":" + std::to_string(origin.line);
}

Result<Vocabulary> build_vocabulary(const Config& config)
{
    Vocabulary vocabulary;
    for (const std::string& action : config.actions.values) {
        vocabulary.declare_action(action);
    }
    if (auto checked = check_words("policy.deny", config.policy_deny, vocabulary); !checked) {
        return fail(std::move(checked.error()));
    }
    for (const PresetSetting& preset : config.presets) {
        const std::string prefix = "presets." + preset.name + ".";
        for (const auto& [key, list] : {std::pair("allow", &preset.allow), std::pair("deny", &preset.deny)}) {
            if (auto checked = check_words(prefix + key, *list, vocabulary); !checked) {
                return fail(std::move(checked.error()));
            }
        }
        vocabulary.declare_preset({preset.name, preset.allow.values, preset.deny.values, preset.terminal_gate.value,
                                   preset.review_budget.value});
    }
    return vocabulary;
}

std::vector<ConfigEntry> entries(const Config& config)
{
    Entries out;
    out.push_back({"lock.timeout", format_duration(config.lock_timeout.value), config.lock_timeout.origin});
    add_list(out, "vocabulary.actions", config.actions);
    for (const PresetSetting& preset : config.presets) {
        add_preset(out, preset);
    }
    add_list(out, "policy.deny", config.policy_deny);
    const auto& fixes = config.fixes_need_review;
    out.push_back({"gate.fixes_need_review", fixes.value ? "true" : "false", fixes.origin});
    out.push_back(
        {"hooks.without_record", std::string(word(config.without_record.value)), config.without_record.origin});
    out.push_back({"hooks.on_error", std::string(word(config.on_error.value)), config.on_error.origin});
    add_list(out, "hooks.protected_branches", config.protected_branches);
    add_list(out, "close.lane_files", config.lane_files);
    add_list(out, "close.disposable", config.disposable);
    return out;
}

}  // namespace mandate::core
