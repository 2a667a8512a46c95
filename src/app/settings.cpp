#include "app/settings.hpp"

#include "core/duration.hpp"
#include "core/excerpt.hpp"
#include "os/env.hpp"
#include "os/file.hpp"

#include <cerrno>
#include <optional>
#include <utility>

namespace mandate::app {

namespace {

constexpr const char* k_lane_file = ".mandate.toml";

using Text = std::optional<std::string>;  // none: the file is absent

Error unreadable(const std::string& path, os::Errno error)
{
    std::string why = "cannot be read: " + error.text();
    if (error == EFBIG) {
        why = "is larger than 256 KiB";
    } else if (error == ELOOP) {
        why = "is a symbolic link that cannot be followed here";
    } else if (error == EISDIR || error == EINVAL) {
        why = "is not a regular file";
    }
    Error refusal{Code::config_invalid, "the configuration file " + why, "correct or remove it", {}, {}};
    refusal.with("file", path);
    return refusal.on(path);
}

enum class Unreachable { refuse, absent };

Result<Text> text_of(os::OsResult<std::string> read, const std::string& path, Unreachable unreachable)
{
    if (read) {
        return std::move(*read);
    }
    const os::Errno error = read.error();
    if (error == ENOENT || error == ENOTDIR || (error == EACCES && unreachable == Unreachable::absent)) {
        return std::nullopt;
    }
    return fail(unreadable(path, error));
}

Result<void> apply(core::Config& config, const Result<Text>& text, const core::LayerInfo& layer)
{
    if (!text) {
        return fail(text.error());
    }
    return *text ? core::apply_layer(config, **text, layer) : Result<void>{};
}

Result<void> apply_file(core::Config& config, const char* layer, const std::string& path, Unreachable unreachable)
{
    return apply(config, text_of(os::read_small_file(path, core::k_config_limit), path, unreachable),
                 {layer, path, true});
}

// XDG Base Directory Specification: a relative $XDG_CONFIG_HOME is invalid and ignored.
std::optional<std::string> user_file()
{
    if (const auto xdg = os::variable("XDG_CONFIG_HOME"); xdg && xdg->starts_with('/')) {
        return *xdg + "/mandate/config.toml";
    }
    const auto home = os::home_directory();
    return home ? std::optional(*home + "/.config/mandate/config.toml") : std::nullopt;
}

Result<void> apply_files(core::Config& config, const Place* place, const std::string& system_file)
{
    if (auto applied = apply_file(config, "system", system_file, Unreachable::refuse); !applied) {
        return applied;
    }
    if (const auto path = user_file()) {
        if (auto applied = apply_file(config, "user", *path, Unreachable::absent); !applied) {
            return applied;
        }
    }
    if (place == nullptr) {
        return {};
    }
    const std::string shared = place->common_dir + "/mandate/config.toml";
    if (auto applied = apply_file(config, "repository", shared, Unreachable::refuse); !applied) {
        return applied;
    }
    const std::string path = place->root + "/" + k_lane_file;
    auto read = os::read_small_file(place->root_dir, k_lane_file, core::k_config_limit);
    return apply(config, text_of(std::move(read), path, Unreachable::refuse), {"worktree", path, false});
}

Error bad_variable(const char* name, const std::string& value, std::string hint)
{
    Error error{Code::config_invalid,
                std::string("the variable ") + name + " holds " + core::excerpt(value),
                std::move(hint),
                {},
                {}};
    return error.with("variable", name);
}

// An empty variable counts as one that is not set, as git's own do.
std::optional<std::string> set_variable(const char* name)
{
    auto value = os::variable(name);
    return value && !value->empty() ? value : std::nullopt;
}

Result<void> apply_variables(Settings& settings)
{
    constexpr const char* k_timeout = "MANDATE_LOCK_TIMEOUT";
    constexpr const char* k_color = "MANDATE_COLOR";
    if (const auto value = set_variable(k_timeout)) {
        const auto timeout = core::parse_duration(*value);
        if (!timeout) {
            return fail(
                bad_variable(k_timeout, *value, "set it to a duration such as 5s, 250ms, 2m or 0, at most a day"));
        }
        settings.config.lock_timeout = {*timeout, {"environment", k_timeout, 0}};
    }
    if (const auto value = set_variable(k_color)) {
        if (*value != "auto" && *value != "always" && *value != "never") {
            return fail(bad_variable(k_color, *value, "set it to auto, always or never"));
        }
        settings.color = *value == "auto" ? Color::automatic : *value == "always" ? Color::always : Color::never;
    }
    return {};
}

}  // namespace

Result<Settings> load_settings(const Place* place, const std::string& system_file)
{
    Settings settings;
    if (auto applied = apply_files(settings.config, place, system_file); !applied) {
        return fail(std::move(applied.error()));
    }
    if (auto applied = apply_variables(settings); !applied) {
        return fail(std::move(applied.error()));
    }
    auto vocabulary = core::build_vocabulary(settings.config);
    if (!vocabulary) {
        return fail(std::move(vocabulary.error()));
    }
    settings.vocabulary = std::move(*vocabulary);
    settings.notes = settings.config.notes;
    return settings;
}

}  // namespace mandate::app
