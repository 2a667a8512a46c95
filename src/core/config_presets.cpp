#include "base/text.hpp"
#include "core/config_layer.hpp"
#include "core/record.hpp"

#include <utility>

namespace mandate::core {

namespace {

const std::vector<std::string_view>& keys()
{
    static const std::vector<std::string_view> keys{"allow", "deny", "terminal_gate", "review_budget"};
    return keys;
}

ListSetting builtin(const std::vector<std::string>& words)
{
    ListSetting list;
    list.values = words;
    list.origins.resize(words.size());
    return list;
}

// The preset as the layers before left it: a key that a layer leaves out stays as it was, in a built-in
// preset too, as git's own configuration works.
PresetSetting& find_or_add(Config& config, const std::string& name)
{
    for (PresetSetting& known : config.presets) {
        if (known.name == name) {
            return known;
        }
    }
    PresetSetting setting;
    setting.name = name;
    const Vocabulary vocabulary;
    if (const Preset* known = vocabulary.find_preset(name)) {
        setting.allow = builtin(known->allow);
        setting.deny = builtin(known->deny);
        setting.terminal_gate.value = known->terminal_gate;
        setting.review_budget.value = known->review_budget;
    }
    return config.presets.emplace_back(std::move(setting));
}

Result<void> take_list(Layer& layer, const TomlItem& item, ListSetting& setting)
{
    auto words = layer.list(item, is_word, "actions");
    if (!words) {
        return fail(std::move(words.error()));
    }
    setting = std::move(*words);
    return {};
}

Result<void> take_gate(Layer& layer, const TomlItem& item, Setting<std::string>& setting)
{
    const auto* gate = std::get_if<std::string>(&item.value);
    if (gate == nullptr || !is_gate(*gate)) {
        return layer.bad_value(item, "one of the gates " + text::join(gates(), ", "));
    }
    setting = {*gate, layer.origin(item.line)};
    return {};
}

// No limit is asked for by name, as on the command line.
Result<void> take_budget(Layer& layer, const TomlItem& item, Setting<std::optional<unsigned>>& setting)
{
    const auto* number = std::get_if<std::uint64_t>(&item.value);
    const auto* word = std::get_if<std::string>(&item.value);
    if (number != nullptr && *number <= k_number_limit) {
        setting = {static_cast<unsigned>(*number), layer.origin(item.line)};
    } else if (word != nullptr && *word == "unlimited") {
        setting = {std::nullopt, layer.origin(item.line)};
    } else {
        return layer.bad_value(item, "a number from 0 to 1000000 in plain decimals, or \"unlimited\"");
    }
    return {};
}

Result<void> take_key(Layer& layer, const TomlItem& item, PresetSetting& preset)
{
    const std::string& key = item.path[2];
    if (key == "allow") {
        return take_list(layer, item, preset.allow);
    }
    if (key == "deny") {
        return take_list(layer, item, preset.deny);
    }
    if (key == "terminal_gate") {
        return take_gate(layer, item, preset.terminal_gate);
    }
    if (key == "review_budget") {
        return take_budget(layer, item, preset.review_budget);
    }
    std::vector<std::string> known;
    for (const std::string_view name : keys()) {
        known.push_back("presets." + preset.name + "." + std::string(name));
    }
    return layer.unknown_key(item, {known.begin(), known.end()});
}

}  // namespace

Result<void> take_preset(Layer& layer, const TomlItem& item)
{
    if (!is_word(item.path[1])) {
        return layer.bad_value(item, "a preset whose name is made of letters, digits, '-' and '_'");
    }
    if (layer.trusted()) {
        return take_key(layer, item, find_or_add(layer.config(), item.path[1]));
    }
    PresetSetting discarded;
    discarded.name = item.path[1];
    if (auto taken = take_key(layer, item, discarded); !taken) {
        return taken;
    }
    layer.ignore(item, "it would declare a preset");
    return {};
}

}  // namespace mandate::core
