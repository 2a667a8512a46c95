// One layer being applied: where its values come from and what it may do. Shared by config_apply.cpp (the sections
// of fixed keys) and config_presets.cpp; nobody else includes it.
#pragma once

#include "core/config.hpp"
#include "core/config_toml.hpp"

#include <string>
#include <string_view>

namespace mandate::core {

class Layer {
public:
    Layer(Config& config, const LayerInfo& info) : m_config(config), m_info(info) {}

    [[nodiscard]] Config& config() { return m_config; }
    [[nodiscard]] bool trusted() const { return m_info.trusted; }
    [[nodiscard]] Origin origin(std::size_t line) const { return {m_info.name, m_info.source, line}; }

    // Notes that the untrusted layer's value does not count: "`why` would follow".
    void ignore(const TomlItem& item, std::string_view why);

    [[nodiscard]] Unexpected bad_value(const TomlItem& item, const std::string& expected) const;
    [[nodiscard]] Unexpected unknown_key(const TomlItem& item, const std::vector<std::string_view>& known) const;

    // A list of strings that all fit; `what` names them in the refusal.
    [[nodiscard]] Result<ListSetting> list(const TomlItem& item, bool (*fits)(std::string_view),
                                           const std::string& what) const;

private:
    Config& m_config;
    const LayerInfo& m_info;
};

std::string key_of(const TomlItem& item);  // "lock.timeout"

// presets.<name>.<key>
Result<void> take_preset(Layer& layer, const TomlItem& item);

}  // namespace mandate::core
