#include "app/git_directory.hpp"

#include "app/ref_file.hpp"
#include "os/file.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

namespace mandate::app {

namespace {

constexpr std::size_t k_largest_gitfile = 1U << 20U;  // git's own limit
constexpr std::size_t k_largest_head = std::size_t{64} * 1024;
constexpr std::size_t k_looked_at_of_head = 255;  // of validate_headref
constexpr std::size_t k_largest_plain_config = std::size_t{64} * 1024;
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

struct HeadFile {
    bool valid = false;
    std::optional<std::string> text;
};

// git's validate_headref: a symlink to refs/..., "ref: refs/...", or a commit id.
Result<HeadFile> look_at_head(const std::string& path)
{
    const auto facts = os::look_at_path(path);
    if (!facts || facts->kind == os::Kind::absent) {
        return HeadFile{};
    }
    if (facts->kind == os::Kind::symlink) {
        const auto target = os::read_link(path);
        return HeadFile{target && target->starts_with("refs/"), std::nullopt};
    }
    if (facts->kind != os::Kind::regular) {
        return HeadFile{};
    }
    auto text = os::read_looked_at(path, k_largest_head);
    // git looks at the first bytes alone: one that is too large for us may well be a HEAD.
    if (!text && (tells_nothing(text.error()) || text.error() == EFBIG)) {
        return unreadable("the repository's HEAD", text.error(), path);
    }
    if (!text) {
        return HeadFile{};
    }
    const auto ref = ref_in_file(std::string_view(*text).substr(0, k_looked_at_of_head));
    const bool valid = ref ? ref->starts_with("refs/") : starts_with_object_id(*text);
    return HeadFile{valid, std::move(*text)};
}

// ENOENT where no name stands there; a link that leads nowhere is EINVAL, since git stops on it.
os::OsResult<std::string> read_commondir(const std::string& pointer)
{
    const auto facts = os::look_at_path(pointer);
    if (!facts) {
        return tl::unexpected(facts.error());
    }
    switch (facts->kind) {
        case os::Kind::absent:
            return tl::unexpected(os::Errno{ENOENT});
        case os::Kind::regular:
            return os::read_looked_at(pointer, k_largest_gitfile);
        default:
            break;
    }
    auto content = os::read_small_file(pointer, k_largest_gitfile);
    return content || !(content.error() == ENOENT) ? std::move(content) : tl::unexpected(os::Errno{EINVAL});
}

// A `commondir` as git writes it, "../..": on a path without symlinks these are its own first parts, and there is
// nothing to resolve. Nothing for any other content.
std::optional<std::string> ancestor_by_dots(std::string path, std::string_view dots)
{
    constexpr std::string_view k_up = "..";
    while (dots.starts_with(k_up)) {
        path.resize(std::min(path.rfind('/'), path.size()));
        dots.remove_prefix(k_up.size());
        if (dots == "\n") {
            return path.empty() ? std::nullopt : std::optional(path);
        }
        if (!dots.starts_with('/')) {
            break;
        }
        dots.remove_prefix(1);
    }
    return std::nullopt;
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

Result<std::optional<GitDirectory>> look_for_git_directory(const std::string& path)
{
    auto head = look_at_head(path + "/HEAD");
    if (!head) {
        return fail(head.error());
    }
    if (!head->valid) {
        return std::nullopt;
    }
    std::string common = path;
    const std::string pointer = path + "/commondir";
    const auto content = read_commondir(pointer);
    if (content) {
        const std::string target = path_in_file(*content, path);
        if (target.empty()) {
            return no_worktree("the worktree's administration is half-made: its commondir file is empty", pointer);
        }
        const auto above = ancestor_by_dots(path, *content);
        const auto resolved = above ? os::OsResult<std::string>(*above) : os::real_path(target);
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
    return GitDirectory{std::move(common), std::move(head->text)};
}

Result<git::Format> read_format(const std::string& common_dir, const std::string& git_dir)
{
    const auto read = [](const std::string& path) -> std::optional<std::string> {
        auto bytes = os::read_small_file(path, k_largest_plain_config);
        return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
    };
    return git::read_format(common_dir, git_dir, git_dir != common_dir, read);
}

Result<std::string> read_gitfile(const std::string& path)
{
    const auto content = os::read_looked_at(path, k_largest_gitfile);
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
