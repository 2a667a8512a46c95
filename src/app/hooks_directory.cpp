#include "app/hooks_directory.hpp"

#include "app/hooks_path.hpp"
#include "app/tracked.hpp"
#include "os/env.hpp"

#include <utility>

namespace mandate::app {

namespace {

Unexpected refuse(std::string message, std::string hint, const std::string& path)
{
    Error error{Code::value_invalid, std::move(message), std::move(hint), {}, {}};
    return fail(error.on(path));
}

Result<std::string> expanded(const Place& place, const HooksPath& given)
{
    if (given.value.empty()) {
        return refuse("core.hooksPath is empty", "set it to a folder, or unset it", given.origin);
    }
    if (given.value.starts_with("~/")) {
        const auto home = os::home_directory();
        return home
                   ? Result<std::string>(*home + given.value.substr(1))
                   : refuse("core.hooksPath is below the home directory, and HOME is not set", "set HOME", given.value);
    }
    if (given.value[0] == '~' || given.value.starts_with("%(prefix)")) {
        return refuse("only git can expand this core.hooksPath", "write it as an absolute path", given.value);
    }
    return given.value[0] == '/' ? given.value : place.root + "/" + given.value;
}

// Of a folder that is missing, as far as there is something to resolve: the one that it would be made in.
std::string resolved(const std::string& path)
{
    if (const auto whole = os::real_path(path)) {
        return *whole;
    }
    const std::size_t slash = path.rfind('/');
    const auto parent = os::real_path(path.substr(0, slash) + "/");
    return parent ? (*parent == "/" ? "" : *parent) + path.substr(slash) : path;
}

bool is_below(const std::string& path, const std::string& folder)
{
    return path == folder || path.starts_with(folder == "/" ? folder : folder + "/");
}

bool belongs_to_branch(const Place& place, const HooksDirectory& directory)
{
    if (!is_below(directory.path, place.root) || is_below(directory.path, place.common_dir) ||
        is_below(directory.path, place.git_dir)) {
        return false;
    }
    if (!directory.exists || directory.path.size() <= place.root.size() + 1) {
        return true;
    }
    const std::string inner = directory.path.substr(place.root == "/" ? 1 : place.root.size() + 1);
    return tracked_state(place, place.git_dir + "/index", inner, git::NameMatch::exact_or_below) != git::Tracked::no;
}

}  // namespace

Result<HooksDirectory> find_hooks_directory(const Place& place)
{
    const auto given = configured_hooks_path(place);
    if (!given) {
        return fail(given.error());
    }
    HooksDirectory directory{place.common_dir + "/hooks", "default", false, false, {}};
    if (*given) {
        auto path = expanded(place, **given);
        if (!path) {
            return fail(std::move(path.error()));
        }
        directory.path = std::move(*path);
        directory.origin = (*given)->origin;
    }
    while (directory.path.size() > 1 && directory.path.back() == '/') {
        directory.path.pop_back();
    }
    const auto facts = os::follow_path(directory.path);
    if (!facts) {
        return refuse("the folder of git's hooks cannot be looked at: " + facts.error().text(), "check its permissions",
                      directory.path);
    }
    if (facts->kind != os::Kind::absent && facts->kind != os::Kind::directory) {
        return refuse("git looks for hooks in something that is no folder, so it runs none (" + directory.origin + ")",
                      "unset core.hooksPath, or set it to a folder", directory.path);
    }
    directory.exists = facts->kind == os::Kind::directory;
    directory.path = resolved(directory.path);
    directory.of_branch = belongs_to_branch(place, directory);
    const std::string with_slash = directory.path + "/";
    directory.manager = with_slash.find("/.husky/") != std::string::npos ? "husky" : "";
    return directory;
}

}  // namespace mandate::app
