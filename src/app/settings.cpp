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

std::string why_unreadable(os::Errno error)
{
    switch (error.value) {
        case EFBIG:
            return "is larger than 256 KiB";
        case ELOOP:
            return "is a symbolic link that cannot be followed here";
        case EISDIR:
        case EINVAL:
            return "is not a regular file";
        default:
            return "cannot be read: " + error.text();
    }
}

Error unreadable(const std::string& path, os::Errno error)
{
    Error refusal{
        Code::config_invalid, "the configuration file " + why_unreadable(error), "correct or remove it", {}, {}};
    refusal.with("file", path);
    return refusal.on(path);
}

enum class Unreachable { refuse, absent };

Result<Text> text_of(os::OsResult<std::string> read, const std::string& path, Unreachable unreachable)
{
    if (read) {
        return std::move(*read);
    }
    const int error = read.error().value;
    const bool missing = error == ENOENT || error == ENOTDIR;
    if (missing || (error == EACCES && unreachable == Unreachable::absent)) {
        return std::nullopt;
    }
    return fail(unreadable(path, read.error()));
}

// One run of loading: the settings so far, and what becomes of a layer that is not valid.
class Loader {
public:
    explicit Loader(OnInvalid on_invalid) : m_on_invalid(on_invalid) {}

    Result<void> file(const char* layer, const std::string& path, Unreachable unreachable)
    {
        return text(text_of(os::read_small_file(path, core::k_config_limit), path, unreachable), {layer, path, true});
    }
    Result<void> lane_file(const Place& place);
    Result<void> variables();
    Result<Settings> finish();

private:
    Result<void> text(const Result<Text>& text, const core::LayerInfo& layer);
    // The refusal, or nothing once a note says that it was left out.
    Result<void> invalid(Error error);
    Result<void> invalid_layer(Error error, const core::LayerInfo& layer);

    OnInvalid m_on_invalid;
    Settings m_settings;
    std::vector<std::string> m_left_out;
    bool m_words_missing = false;  // a layer was left out that may declare actions
};

Result<void> Loader::invalid(Error error)
{
    if (m_on_invalid == OnInvalid::refuse) {
        return fail(std::move(error));
    }
    const std::string where = error.path.empty() ? "" : " in '" + error.path + "'";
    m_left_out.push_back("configuration is left out: " + error.message + where);
    return {};
}

Result<void> Loader::invalid_layer(Error error, const core::LayerInfo& layer)
{
    m_words_missing = m_words_missing || layer.trusted;  // the lane's own file declares none
    return invalid(std::move(error));
}

Result<void> Loader::text(const Result<Text>& text, const core::LayerInfo& layer)
{
    if (!text) {
        return invalid_layer(text.error(), layer);
    }
    if (!*text) {
        return {};
    }
    auto applied = core::apply_layer(m_settings.config, **text, layer);
    if (!applied) {
        return invalid_layer(std::move(applied.error()), layer);
    }
    m_settings.files.push_back(layer.source);
    return {};
}

Result<void> Loader::lane_file(const Place& place)
{
    const std::string path = place.root + "/" + k_lane_file;
    auto read = os::read_small_file(place.root_dir, k_lane_file, core::k_config_limit);
    return text(text_of(std::move(read), path, Unreachable::refuse), {"worktree", path, false});
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

Result<void> load_files(Loader& loader, const Place* place, const std::string& system_file)
{
    if (auto applied = loader.file("system", system_file, Unreachable::refuse); !applied) {
        return applied;
    }
    if (const auto path = user_file()) {
        if (auto applied = loader.file("user", *path, Unreachable::absent); !applied) {
            return applied;
        }
    }
    if (place == nullptr) {
        return {};
    }
    const std::string shared = place->common_dir + "/mandate/config.toml";
    if (auto applied = loader.file("repository", shared, Unreachable::refuse); !applied) {
        return applied;
    }
    return loader.lane_file(*place);
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

constexpr const char* k_timeout_hint = "set it to a duration such as 5s, 250ms, 2m or 0, at most a day";

std::optional<Color> parse_color(const std::string& word)
{
    if (word == "auto") {
        return Color::automatic;
    }
    if (word == "always") {
        return Color::always;
    }
    return word == "never" ? std::optional(Color::never) : std::nullopt;
}

// An empty variable counts as one that is not set, as git's own do.
std::optional<std::string> set_variable(const char* name)
{
    auto value = os::variable(name);
    return value && !value->empty() ? value : std::nullopt;
}

Result<void> Loader::variables()
{
    constexpr const char* k_timeout = "MANDATE_LOCK_TIMEOUT";
    constexpr const char* k_color = "MANDATE_COLOR";
    if (const auto value = set_variable(k_timeout)) {
        if (const auto timeout = core::parse_duration(*value)) {
            m_settings.config.lock_timeout = {*timeout, {"environment", k_timeout, 0}};
        } else if (auto left_out = invalid(bad_variable(k_timeout, *value, k_timeout_hint)); !left_out) {
            return left_out;
        }
    }
    if (const auto value = set_variable(k_color)) {
        if (const auto color = parse_color(*value)) {
            m_settings.color = *color;
        } else {
            return invalid(bad_variable(k_color, *value, "set it to auto, always or never"));
        }
    }
    return {};
}

Result<Settings> Loader::finish()
{
    auto vocabulary = core::build_vocabulary(m_settings.config);
    if (vocabulary) {
        m_settings.vocabulary = std::move(*vocabulary);
    } else {
        if (auto left_out = invalid(std::move(vocabulary.error())); !left_out) {
            return fail(std::move(left_out.error()));
        }
        // A wrong word in a policy or preset leaves the declared actions as they are.
        for (const std::string& action : m_settings.config.actions.values) {
            m_settings.vocabulary.declare_action(action);
        }
    }
    if (m_words_missing) {
        m_settings.vocabulary.leave_open();
    }
    m_settings.notes = m_settings.config.notes;
    m_settings.notes.insert(m_settings.notes.end(), m_left_out.begin(), m_left_out.end());
    return std::move(m_settings);
}

}  // namespace

Result<Settings> load_settings(const Place* place, OnInvalid on_invalid, const std::string& system_file)
{
    Loader loader(on_invalid);
    if (auto loaded = load_files(loader, place, system_file); !loaded) {
        return fail(std::move(loaded.error()));
    }
    if (auto loaded = loader.variables(); !loaded) {
        return fail(std::move(loaded.error()));
    }
    return loader.finish();
}

}  // namespace mandate::app
