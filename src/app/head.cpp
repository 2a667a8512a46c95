#include "app/head.hpp"

#include "app/ref_file.hpp"
#include "os/file.hpp"

#include <array>
#include <cerrno>
#include <optional>
#include <string_view>

namespace mandate::app {

namespace {

constexpr std::size_t k_longest_ref_file = std::size_t{64} * 1024;
constexpr std::string_view k_branches = "refs/heads/";

Head from_ref(std::string_view ref)
{
    Head head;
    if (ref.starts_with(k_branches)) {
        head.branch = ref.substr(k_branches.size());
    }
    return head;
}

// The branch that an operation will return to, as it noted it: a full ref, for bisect the short name.
// "detached HEAD" and a bare commit id mean that there is none.
std::string noted_branch(std::string_view text, bool short_names)
{
    text = trim_end(text);
    if (text.starts_with(k_branches)) {
        return std::string(text.substr(k_branches.size()));
    }
    return short_names && !starts_with_object_id(text) ? std::string(text) : std::string();
}

// A state file that is not there, or that is no file.
bool is_absent(const os::Errno& error)
{
    return error == ENOENT || error == ENOTDIR || error == EISDIR || error == EINVAL || error == ELOOP;
}

// An `am` is not among them: it leaves HEAD on the branch that it works on.
os::OsResult<void> find_operation(const os::Fd& git_dir, Head& head)
{
    struct StateFile {
        const char* name;
        const char* operation;
        bool short_names;
    };
    constexpr std::array k_files{StateFile{"rebase-merge/head-name", "rebase", false},
                                 StateFile{"rebase-apply/head-name", "rebase", false},
                                 StateFile{"BISECT_START", "bisect", true}};
    for (const StateFile& file : k_files) {
        const auto text = os::read_small_file(git_dir, file.name, k_longest_ref_file);
        if (!text && !is_absent(text.error())) {
            return tl::unexpected(text.error());
        }
        if (!text) {
            continue;
        }
        head.operation = file.operation;
        head.branch = noted_branch(*text, file.short_names);
        head.detached = head.branch.empty();
        break;
    }
    return {};
}

}  // namespace

os::OsResult<Head> read_head(const std::string& git_dir)
{
    const auto directory = os::open_directory(git_dir);
    if (!directory) {
        return tl::unexpected(directory.error());
    }
    const auto text = os::read_small_file(*directory, "HEAD", k_longest_ref_file);
    if (!text) {
        // Before 2008 git made HEAD a symlink, and core.preferSymlinkRefs still does.
        const auto target = text.error() == ELOOP ? os::read_link(git_dir + "/HEAD") : tl::unexpected(text.error());
        return target.map([](const std::string& ref) { return from_ref(ref); });
    }
    return head_from(*text, git_dir);
}

os::OsResult<Head> head_from(std::string_view text, const std::string& git_dir)
{
    if (const auto ref = ref_in_file(text)) {
        return from_ref(*ref);
    }
    Head head;
    head.detached = starts_with_object_id(text);
    if (head.detached) {
        const auto directory = os::open_directory(git_dir);
        if (const auto looked = directory ? find_operation(*directory, head) : tl::unexpected(directory.error());
            !looked) {
            return tl::unexpected(looked.error());
        }
    }
    return head;
}

}  // namespace mandate::app
