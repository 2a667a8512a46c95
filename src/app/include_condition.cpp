#include "app/include_condition.hpp"

#include "git/glob.hpp"
#include "git/ignore_stack.hpp"
#include "os/env.hpp"
#include "os/file.hpp"

#include <algorithm>
#include <utility>

namespace mandate::app {

namespace {

std::string with_stars(const std::string& pattern) { return pattern.ends_with('/') ? pattern + "**" : pattern; }

bool starts_equal(std::string_view text, std::string_view start, bool fold)
{
    return git::equal_bytes(text.substr(0, start.size()), start, fold);
}

bool is_git_dir(std::string pattern, const std::string& file, std::string_view git_dir, bool fold)
{
    std::size_t literal = 0;  // as much of the pattern is a path, in which no letter is a wildcard
    if (pattern.starts_with("~/")) {
        const auto home = os::home_directory();
        const auto real = home ? os::real_path(*home) : os::OsResult<std::string>("");
        pattern.replace(0, 1, real && !real->empty() ? *real : home.value_or("~"));
    } else if (pattern.starts_with("./")) {
        const auto real = os::real_path(file);
        if (!real) {
            return false;  // the environment, where git knows no "here" either
        }
        const std::string folder = real->substr(0, real->rfind('/'));
        pattern.replace(0, 1, folder);
        literal = folder.size() + 1;
    } else if (!pattern.starts_with('/')) {
        pattern.insert(0, "**/");
    }
    pattern = with_stars(pattern);
    const std::string_view whole = pattern;
    return starts_equal(git_dir, whole.substr(0, literal), fold) &&
           git::whole_path_glob_matches(whole.substr(literal), git_dir.substr(literal), fold);
}

bool is_on_branch(const std::string& pattern, const Head& head)
{
    // In the middle of a rebase HEAD is on no branch, whatever it will return to.
    const bool on_branch = !head.branch.empty() && !head.detached && head.operation.empty();
    return on_branch && git::whole_path_glob_matches(with_stars(pattern), head.branch, false);
}

}  // namespace

bool include_condition_holds(std::string_view condition, const std::string& file, const Place& place)
{
    constexpr std::string_view k_gitdir = "gitdir:";
    constexpr std::string_view k_gitdir_folded = "gitdir/i:";
    constexpr std::string_view k_onbranch = "onbranch:";
    if (condition.starts_with(k_gitdir)) {
        return is_git_dir(std::string(condition.substr(k_gitdir.size())), file, place.git_dir, false);
    }
    if (condition.starts_with(k_gitdir_folded)) {
        return is_git_dir(std::string(condition.substr(k_gitdir_folded.size())), file, place.git_dir, true);
    }
    return condition.starts_with(k_onbranch) &&
           is_on_branch(std::string(condition.substr(k_onbranch.size())), place.head);
}

}  // namespace mandate::app
