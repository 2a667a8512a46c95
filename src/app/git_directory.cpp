#include "app/git_directory.hpp"

#include "app/ref_file.hpp"
#include "os/file.hpp"

#include <cerrno>
#include <string_view>

namespace mandate::app {

namespace {

constexpr std::size_t k_largest_gitfile = 1U << 20U;  // git's own limit
constexpr std::size_t k_largest_head = std::size_t{64} * 1024;
constexpr std::string_view k_gitfile_start = "gitdir: ";

Unexpected no_worktree(std::string message, const std::string& path)
{
    Error error{Code::not_a_worktree, std::move(message), {}, {}, {}};
    error.hint = "run `git worktree repair` in the main worktree, or make the worktree anew";
    return fail(std::move(error.on(path)));
}

// What is there and cannot be read (no descriptors left, a bad disk) says nothing about what it is: never "no
// repository here", which would send the search on to an outer one.
bool tells_nothing(os::Errno error)
{
    switch (error.value) {
        case ENOENT:
        case ENOTDIR:
        case EISDIR:
        case ELOOP:
        case EINVAL:
        case EFBIG:
            return false;
        default:
            return true;
    }
}

Unexpected unreadable(const std::string& what, os::Errno error, const std::string& path)
{
    Error broken{Code::repository_broken, what + " cannot be read: " + error.text(), {}, {}, {}};
    broken.hint = "mend what stops it from being read, then try again";
    return fail(std::move(broken.on(path)));
}

// git's validate_headref: a symlink to refs/..., "ref: refs/...", or a commit id.
Result<bool> is_head(const std::string& path)
{
    const auto facts = os::look_at_path(path);
    if (!facts || facts->kind == os::Kind::absent) {
        return false;
    }
    if (facts->kind == os::Kind::symlink) {
        const auto target = os::read_link(path);
        return target && target->starts_with("refs/");
    }
    const auto text = os::read_small_file(path, k_largest_head);
    if (!text) {
        return tells_nothing(text.error()) ? Result<bool>(unreadable("the repository's HEAD", text.error(), path))
                                           : false;
    }
    const auto ref = ref_in_file(*text);
    return ref ? ref->starts_with("refs/") : starts_with_object_id(*text);
}

// access(X_OK) in git: the path with "/." behind it resolves only through a directory that may be searched.
bool is_searchable_directory(const std::string& path)
{
    const auto facts = os::follow_path(path + "/.");
    return facts && facts->kind == os::Kind::directory;
}

}  // namespace

std::string path_in_file(std::string_view content, const std::string& base)
{
    while (!content.empty() && (content.back() == '\n' || content.back() == '\r')) {
        content.remove_suffix(1);
    }
    std::string path(content);
    return path.empty() || path.front() == '/' ? path : base + "/" + path;
}

Result<std::optional<std::string>> common_dir_of(const std::string& path)
{
    const auto head = is_head(path + "/HEAD");
    if (!head) {
        return fail(head.error());
    }
    if (!*head) {
        return std::nullopt;
    }
    std::string common = path;
    const std::string pointer = path + "/commondir";
    const auto content = os::read_small_file(pointer, k_largest_gitfile);
    if (content) {
        const std::string target = path_in_file(*content, path);
        if (target.empty()) {
            return no_worktree("the worktree's administration is half-made: its commondir file is empty", pointer);
        }
        const auto resolved = os::real_path(target);
        if (!resolved) {
            return no_worktree("the worktree's commondir file leads to nothing: " + resolved.error().text(), pointer);
        }
        common = *resolved;
    } else if (tells_nothing(content.error())) {
        return unreadable("the worktree's commondir file", content.error(), pointer);
    } else if (!(content.error() == ENOENT)) {
        return no_worktree("the worktree's commondir file cannot be read: " + content.error().text(), pointer);
    }
    if (!is_searchable_directory(common + "/objects") || !is_searchable_directory(common + "/refs")) {
        return std::nullopt;
    }
    return common;
}

Result<std::string> read_gitfile(const std::string& path)
{
    const auto content = os::read_small_file(path, k_largest_gitfile);
    if (!content && tells_nothing(content.error())) {
        return unreadable("the .git file", content.error(), path);
    }
    if (!content) {
        return no_worktree("the .git file cannot be read: " + content.error().text(), path);
    }
    std::string_view rest = *content;
    if (!rest.starts_with(k_gitfile_start)) {
        return no_worktree("the .git file does not start with 'gitdir: '", path);
    }
    rest.remove_prefix(k_gitfile_start.size());
    const std::string target = path_in_file(rest, path.substr(0, path.rfind('/')));
    if (target.empty()) {
        return no_worktree("the .git file names no repository", path);
    }
    auto resolved = os::real_path(target);
    if (!resolved) {
        return no_worktree("the .git file names a repository that is not there", path);
    }
    return *resolved;
}

}  // namespace mandate::app
