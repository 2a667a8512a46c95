#include "core/agent_settings.hpp"

#include <nlohmann/json.hpp>

namespace mandate::core {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* k_matcher = "Bash|Edit|MultiEdit|Write|NotebookEdit";
constexpr std::string_view k_mark = " hook agent --host claude";

std::optional<Json> parse_settings(std::string_view settings)
{
    if (settings.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        return Json::object();
    }
    Json json = Json::parse(settings, nullptr, false);
    return json.is_object() ? std::optional(std::move(json)) : std::nullopt;
}

bool is_ours(const Json& hook)
{
    const auto command = hook.is_object() ? hook.find("command") : hook.end();
    if (!hook.is_object() || command == hook.end() || !command->is_string()) {
        return false;
    }
    const auto& text = command->get_ref<const std::string&>();
    return text.size() >= k_mark.size() && text.compare(text.size() - k_mark.size(), k_mark.size(), k_mark) == 0;
}

// hooks.PreToolUse, where both are what they should be.
Json* groups_of(Json& settings)
{
    const auto hooks = settings.find("hooks");
    if (hooks == settings.end() || !hooks->is_object()) {
        return nullptr;
    }
    const auto groups = hooks->find("PreToolUse");
    return groups == hooks->end() || !groups->is_array() ? nullptr : &*groups;
}

// Takes our hooks out of every group, and groups that are empty by it.
bool remove_ours(Json& groups)
{
    bool found = false;
    for (auto group = groups.begin(); group != groups.end();) {
        const auto hooks = group->is_object() ? group->find("hooks") : group->end();
        bool emptied = false;
        if (group->is_object() && hooks != group->end() && hooks->is_array()) {
            for (auto hook = hooks->begin(); hook != hooks->end();) {
                const bool ours = is_ours(*hook);
                found = found || ours;
                hook = ours ? hooks->erase(hook) : hook + 1;
                emptied = hooks->empty();
            }
        }
        group = emptied ? groups.erase(group) : group + 1;
    }
    return found;
}

std::string written(const Json& settings)
{
    return settings.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::optional<std::string> with_agent_hook(std::string_view settings, const std::string& command)
{
    auto json = parse_settings(settings);
    if (!json) {
        return std::nullopt;
    }
    Json& hooks = (*json)["hooks"];
    hooks = hooks.is_null() ? Json::object() : hooks;
    if (!hooks.is_object()) {
        return std::nullopt;
    }
    Json& groups = hooks["PreToolUse"];
    groups = groups.is_null() ? Json::array() : groups;
    if (!groups.is_array()) {
        return std::nullopt;
    }
    const Json before = groups;
    remove_ours(groups);
    groups.push_back({{"matcher", k_matcher}, {"hooks", Json::array({{{"type", "command"}, {"command", command}}})}});
    return groups == before ? std::string(settings) : written(*json);
}

std::optional<std::string> without_agent_hook(std::string_view settings)
{
    auto json = parse_settings(settings);
    if (!json) {
        return std::nullopt;
    }
    Json* groups = groups_of(*json);
    if (groups == nullptr || !remove_ours(*groups)) {
        return std::string(settings);
    }
    if (groups->empty()) {
        (*json)["hooks"].erase("PreToolUse");
    }
    if ((*json)["hooks"].empty()) {
        json->erase("hooks");
    }
    return json->empty() ? std::string() : written(*json);
}

bool has_agent_hook(std::string_view settings)
{
    auto json = parse_settings(settings);
    Json* groups = json ? groups_of(*json) : nullptr;
    return groups != nullptr && remove_ours(*groups);
}

}  // namespace mandate::core
