#include "app/place_owner.hpp"

#include "app/git_environment.hpp"
#include "base/text.hpp"
#include "git/protected_config.hpp"
#include "os/env.hpp"
#include "os/file.hpp"

#include <algorithm>
#include <limits>

namespace mandate::app {

namespace {

// What `%(prefix)/` stands for in a git installed by a distribution.
constexpr std::string_view k_git_prefix = "/usr/";

bool is_own(const std::string& path, unsigned user)
{
    const auto facts = os::look_at_path(path);  // lstat, as git: of a symlink its own owner counts
    if (!facts || facts->kind == os::Kind::absent) {
        return false;
    }
    if (facts->uid == user) {
        return true;
    }
    if (user != 0) {
        return false;
    }
    const std::string sudo_user = os::variable("SUDO_UID").value_or("");
    return text::parse_decimal(sudo_user, std::numeric_limits<unsigned>::max()) == facts->uid;
}

// git's interpolate_path. `~name/` needs the user database, which a static program cannot ask: no match,
// so at worst a refusal.
std::string interpolated(const std::string& value)
{
    constexpr std::string_view k_prefix_mark = "%(prefix)/";
    if (value.starts_with(k_prefix_mark)) {
        return std::string(k_git_prefix) + value.substr(k_prefix_mark.size());
    }
    if (value == "~" || value.starts_with("~/")) {
        const auto home = os::variable("HOME");
        return home ? *home + value.substr(1) : std::string();
    }
    return value;
}

// The exact path, byte for byte (a trailing slash does not match, as in git 2.39), `*`, or all below a prefix.
bool is_listed(const std::string& root, const std::vector<std::string>& safe_directories)
{
    return std::any_of(safe_directories.begin(), safe_directories.end(), [&root](const std::string& value) {
        const std::string allowed = interpolated(value);
        const bool below =
            allowed.ends_with("/*") && root.starts_with(std::string_view(allowed).substr(0, allowed.size() - 1));
        return value == "*" || allowed == root || below;
    });
}

}  // namespace

Result<void> check_owner(const Discovery& place)
{
    const std::string dot_git = place.root == "/" ? "/.git" : place.root + "/.git";
    const unsigned user = os::effective_user();
    if (is_own(dot_git, user) && is_own(place.root, user) && (!place.gitfile || is_own(place.git_dir, user))) {
        return {};
    }
    const auto from_environment = git_config_from_environment();
    if (from_environment) {
        const auto listed = git::read_safe_directories({git_config_files(), *from_environment});
        if (!listed) {
            return fail(listed.error());
        }
        if (is_listed(place.root, *listed)) {
            return {};
        }
    }
    Error error{Code::repository_owner, "the repository belongs to another user", {}, {}, {}};
    error.hint = "to trust it, run: git config --global --add safe.directory " + text::shell_quote(place.root);
    return fail(error.on(place.root));
}

}  // namespace mandate::app
