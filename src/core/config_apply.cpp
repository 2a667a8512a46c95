// One layer over the configuration: every key's form is checked in every layer; whether its value counts
// depends on whether the layer is trusted.

#include "base/text.hpp"
#include "core/config.hpp"
#include "core/config_layer.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace mandate::core {

namespace {

constexpr std::size_t k_longest_name = 255;  // bytes, as a file's name may have

bool is_pattern(std::string_view text)
{
    return !text.empty() && text.size() <= k_longest_name && text::find_fault(text) == text::Fault::none;
}

bool is_root_name(std::string_view text)
{
    return is_pattern(text) && text.find('/') == std::string_view::npos && text != "." && text != ".." &&
           text != ".git";
}

// Relative and below the lane's root, but not git's own directory.
bool is_inner_path(std::string_view text)
{
    const std::string path = "/" + std::string(text) + "/";
    const auto holds = [&](const char* part) { return path.find(part) != std::string::npos; };
    return is_pattern(text) && !holds("/../") && !holds("/./") && !holds("/.git/") && text.front() != '/';
}

// The lists. What the untrusted layer gives is added where that tightens, else ignored because of `loosens`.
struct ListRule {
    std::string_view key;
    ListSetting Config::*setting;
    bool (*fits)(std::string_view);
    const char* what;
    const char* loosens;  // nullptr: more words are tighter
};

constexpr std::array<ListRule, 5> k_lists{{
    {"vocabulary.actions", &Config::actions, is_word, "words of letters, digits, '-' and '_'",
     "it would declare actions"},
    {"policy.deny", &Config::policy_deny, is_word, "actions", nullptr},
    {"hooks.protected_branches", &Config::protected_branches, is_pattern, "branch names or patterns", nullptr},
    {"close.lane_files", &Config::lane_files, is_root_name, "names of files at the lane's root",
     "a lane would close over more files"},
    {"close.disposable", &Config::disposable, is_inner_path, "relative paths inside the lane",
     "a lane would close over more files"},
}};

bool contains(const std::vector<std::string>& words, const std::string& word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

void add_missing(ListSetting& list, const ListSetting& more)
{
    for (std::size_t i = 0; i < more.values.size(); ++i) {
        if (!contains(list.values, more.values[i])) {
            list.values.push_back(more.values[i]);
            list.origins.push_back(more.origins[i]);
        }
    }
}

Result<void> take_list(Layer& layer, const TomlItem& item, const ListRule& rule)
{
    auto words = layer.list(item, rule.fits, rule.what);
    if (!words) {
        return fail(std::move(words.error()));
    }
    ListSetting& setting = layer.config().*rule.setting;
    if (layer.trusted()) {
        setting = std::move(*words);
    } else if (rule.loosens == nullptr) {
        add_missing(setting, *words);
    } else {
        layer.ignore(item, rule.loosens);
    }
    return {};
}

Result<void> take_timeout(Layer& layer, const TomlItem& item)
{
    std::optional<std::chrono::milliseconds> timeout;
    if (const auto* text = std::get_if<std::string>(&item.value)) {
        timeout = parse_duration(*text);
    } else if (const auto* seconds = std::get_if<std::uint64_t>(&item.value)) {
        timeout = parse_duration(std::to_string(*seconds));
    }
    if (!timeout) {
        return layer.bad_value(item, R"(a duration such as "5s", "250ms" or "2m", at most a day)");
    }
    auto& setting = layer.config().lock_timeout;
    if (layer.trusted() || *timeout < setting.value) {
        setting = {*timeout, layer.origin(item.line)};
    } else if (*timeout > setting.value) {
        layer.ignore(item, "the timeout would be longer");
    }
    return {};
}

// A choice of two: `tight` says whether this value is the tighter one.
template<typename T>
void choose(Layer& layer, const TomlItem& item, Setting<T>& setting, T value, bool tight, std::string_view loosens)
{
    if (layer.trusted() || (tight && value != setting.value)) {
        setting = {value, layer.origin(item.line)};
    } else if (value != setting.value) {
        layer.ignore(item, loosens);
    }
}

Result<void> take_fixes(Layer& layer, const TomlItem& item)
{
    const auto* value = std::get_if<bool>(&item.value);
    if (value == nullptr) {
        return layer.bad_value(item, "true or false");
    }
    choose(layer, item, layer.config().fixes_need_review, *value, *value, "fixes would need no review");
    return {};
}

Result<void> take_on_doubt(Layer& layer, const TomlItem& item, Setting<OnDoubt>& setting)
{
    const auto* word = std::get_if<std::string>(&item.value);
    if (word == nullptr || (*word != "pass" && *word != "refuse")) {
        return layer.bad_value(item, R"("pass" or "refuse")");
    }
    const OnDoubt value = *word == "pass" ? OnDoubt::pass : OnDoubt::refuse;
    choose(layer, item, setting, value, value == OnDoubt::refuse, "hooks would pass more");
    return {};
}

Result<void> take_without_record(Layer& layer, const TomlItem& item)
{
    return take_on_doubt(layer, item, layer.config().without_record);
}

Result<void> take_on_error(Layer& layer, const TomlItem& item)
{
    return take_on_doubt(layer, item, layer.config().on_error);
}

struct Rule {
    std::string_view key;
    Result<void> (*take)(Layer&, const TomlItem&);
};

constexpr std::array<Rule, 4> k_rules{{
    {"lock.timeout", take_timeout},
    {"gate.fixes_need_review", take_fixes},
    {"hooks.without_record", take_without_record},
    {"hooks.on_error", take_on_error},
}};

std::vector<std::string_view> known_keys()
{
    std::vector<std::string_view> keys;
    keys.reserve(k_rules.size() + k_lists.size());
    for (const Rule& rule : k_rules) {
        keys.push_back(rule.key);
    }
    for (const ListRule& rule : k_lists) {
        keys.push_back(rule.key);
    }
    return keys;
}

// A section all of whose keys are commented out says nothing, and is not wrong.
bool is_empty_section(const TomlItem& item)
{
    static constexpr std::array<std::string_view, 7> k_sections{"lock", "vocabulary", "presets", "policy",
                                                                "gate", "hooks",      "close"};
    const bool preset = item.path.size() == 2 && item.path[0] == "presets" && is_word(item.path[1]);
    const bool known =
        item.path.size() == 1 && std::find(k_sections.begin(), k_sections.end(), item.path[0]) != k_sections.end();
    return std::holds_alternative<TomlEmptyTable>(item.value) && (preset || known);
}

Result<void> take(Layer& layer, const TomlItem& item)
{
    if (is_empty_section(item)) {
        return {};
    }
    if (item.path.size() == 3 && item.path[0] == "presets") {
        return take_preset(layer, item);
    }
    // Two parts, since a quoted key may itself hold a dot: "lock.timeout" at the top is no key of ours.
    const std::string key = item.path.size() == 2 ? key_of(item) : std::string();
    for (const Rule& rule : k_rules) {
        if (rule.key == key) {
            return rule.take(layer, item);
        }
    }
    for (const ListRule& rule : k_lists) {
        if (rule.key == key) {
            return take_list(layer, item, rule);
        }
    }
    return layer.unknown_key(item, known_keys());
}

}  // namespace

Result<void> apply_layer(Config& config, std::string_view toml_text, const LayerInfo& layer)
{
    const auto items = read_toml(toml_text, layer);
    if (!items) {
        return fail(items.error());
    }
    Config changed = config;
    Layer target(changed, layer);
    for (const TomlItem& item : *items) {
        if (auto taken = take(target, item); !taken) {
            return taken;
        }
    }
    config = std::move(changed);
    return {};
}

}  // namespace mandate::core
