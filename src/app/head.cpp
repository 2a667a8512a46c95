#include "app/head.hpp"

#include "os/file.hpp"

#include <array>
#include <cerrno>
#include <optional>
#include <string_view>

namespace mandate::app {

namespace {

constexpr std::size_t k_longest_ref_file = 64U * 1024U;
constexpr std::string_view k_branches = "refs/heads/";
constexpr std::string_view k_white = " \t\n\v\f\r";

std::string_view trim_end(std::string_view text) { return text.substr(0, text.find_last_not_of(k_white) + 1); }

std::string_view trim_start(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(k_white);
    return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

bool starts_with_object_id(std::string_view text)
{
    constexpr std::size_t k_hex_digits = 40;
    return text.size() >= k_hex_digits &&
           text.substr(0, k_hex_digits).find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

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

void find_operation(const os::Fd& git_dir, Head& head)
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
        if (!text) {
            continue;
        }
        head.operation = file.operation;
        head.branch = noted_branch(*text, file.short_names);
        head.detached = head.branch.empty();
        break;
    }
    // `git am` works in the same directory as the older rebase backend and marks itself with a file.
    if (head.operation == "rebase" && os::look(git_dir, "rebase-apply/applying").value_or(os::FileFacts{}).kind !=
                                          os::Kind::absent) {
        head.operation = "am";
    }
}

}  // namespace

Head read_head(const std::string& git_dir)
{
    const auto directory = os::open_directory(git_dir);
    if (!directory) {
        return {};
    }
    const auto text = os::read_small_file(*directory, "HEAD", k_longest_ref_file);
    if (!text) {
        // Before 2008 git made HEAD a symlink, and core.preferSymlinkRefs still does.
        const auto target = text.error() == ELOOP ? os::read_link(git_dir + "/HEAD") : os::OsResult<std::string>("");
        return target ? from_ref(*target) : Head{};
    }
    if (text->starts_with("ref:")) {
        return from_ref(trim_end(trim_start(std::string_view(*text).substr(4))));
    }
    Head head;
    head.detached = starts_with_object_id(*text);
    if (head.detached) {
        find_operation(*directory, head);
    }
    return head;
}

}  // namespace mandate::app
