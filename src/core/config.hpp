// The configuration: what each value is and where it came from.
//
// A Config starts as the defaults; each layer is applied over it. Between trusted layers a later value, a
// list included, replaces the earlier one. The untrusted layer is a file that came with the branch, so it
// may only tighten: what would loosen is ignored with a note. Unknown keys and values that a key does not
// take are config-invalid, with `file=` and `line=`, in every layer. Pure; the files are read by app/settings.
#pragma once

#include "base/error.hpp"
#include "core/duration.hpp"
#include "core/vocabulary.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::core {

constexpr std::size_t k_config_limit = 256U << 10U;  // bytes

struct LayerInfo {
    std::string name;    // "system", "user", "repository", "worktree"
    std::string source;  // the file's path as messages show it
    bool trusted = true;
};

struct Origin {
    std::string layer = "default";  // a layer's name, "environment" or "option"
    std::string source;             // file, variable or option; empty for a default
    std::size_t line = 0;           // 0: unknown or none
    bool operator==(const Origin&) const = default;
};
std::string describe(const Origin& origin);  // "default", "/etc/mandate/config.toml:3", "MANDATE_LOCK_TIMEOUT"

template<typename T>
struct Setting {
    T value;
    Origin origin{};
};

struct ListSetting {
    std::vector<std::string> values;
    std::vector<Origin> origins;  // of each value
    Origin origin;                // of the list itself, which may be empty
};

struct PresetSetting {
    std::string name;
    ListSetting allow, deny;
    Setting<std::string> terminal_gate;
    Setting<std::optional<unsigned>> review_budget;  // none: no limit
};

// What a hook does where it cannot ask the record.
enum class OnDoubt { pass, refuse };

struct Config {
    Config();  // the defaults

    Setting<std::chrono::milliseconds> lock_timeout;
    ListSetting actions;                 // declared beside the built-in ones
    std::vector<PresetSetting> presets;  // declared or changed ones only
    ListSetting policy_deny;
    Setting<bool> fixes_need_review;
    Setting<OnDoubt> without_record, on_error;
    ListSetting protected_branches;  // glob patterns
    ListSetting lane_files;          // exact names at the root
    ListSetting disposable;
    std::vector<std::string> notes;  // what the untrusted layer asked for and did not get, a sentence each
};

// After an error `config` is as it was before.
Result<void> apply_layer(Config& config, std::string_view toml_text, const LayerInfo& layer);

// The words that records and arguments are held against. Checks the words of presets and of policy.deny,
// which may name an action that another layer declares.
Result<Vocabulary> build_vocabulary(const Config& config);

// For `config --show-origin`: every value; a list stands once for each place that added to it.
struct ConfigEntry {
    std::string key;
    std::string value;
    Origin origin;
};
std::vector<ConfigEntry> entries(const Config& config);

}  // namespace mandate::core
