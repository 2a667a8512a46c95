#include "app/operations.hpp"

#include "os/directory.hpp"
#include "os/file.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace mandate::app {

namespace {

constexpr std::size_t k_largest_reflog = 256U << 20U;
constexpr std::size_t k_largest_ref = 64U << 10U;
constexpr std::size_t k_hex_digits = 40;

bool is_there(const std::string& path)
{
    const auto facts = os::look_at_path(path);
    return !facts || facts->kind != os::Kind::absent;
}

void collect_refs(const os::Fd& directory, const std::string& name, unsigned depth, std::vector<std::string>& refs)
{
    constexpr unsigned k_deepest = 64;
    const auto entries = os::list_entries(directory);
    if (!entries || depth > k_deepest) {
        refs.push_back(name);
        return;
    }
    for (const os::DirectoryEntry& entry : *entries) {
        const std::string path = name + "/" + entry.name;
        if (entry.kind == os::Kind::directory) {
            const auto below = os::open_directory_at(directory, entry.name);
            below ? collect_refs(*below, path, depth + 1, refs) : refs.push_back(path);
        } else {
            const auto text = os::read_small_file(directory, entry.name, k_largest_ref);
            refs.push_back(text && text->size() >= k_hex_digits ? text->substr(0, k_hex_digits) : path);
        }
    }
}

}  // namespace

std::vector<std::string> operations_in_progress(const std::string& git_dir)
{
    struct State {
        const char* file;
        const char* operation;
    };
    // git's wt-status.c and branch.c look for the same ones.
    constexpr std::array k_states{State{"MERGE_HEAD", "merge"},
                                  State{"rebase-merge", "rebase"},
                                  State{"rebase-apply/applying", "am"},
                                  State{"rebase-apply", "rebase"},
                                  State{"CHERRY_PICK_HEAD", "cherry-pick"},
                                  State{"REVERT_HEAD", "revert"},
                                  State{"BISECT_START", "bisect"},
                                  State{"BISECT_LOG", "bisect"},
                                  State{"sequencer", "sequence"},
                                  State{"index.lock", "index.lock"}};
    std::vector<std::string> found;
    const auto holds = [&](std::string_view word) {
        return std::find(found.begin(), found.end(), word) != found.end();
    };
    for (const State& state : k_states) {
        const bool is_am = std::string_view(state.file) == "rebase-apply" && holds("am");
        if (!is_am && !holds(state.operation) && is_there(git_dir + "/" + state.file)) {
            found.emplace_back(state.operation);
        }
    }
    return found;
}

std::uint64_t stashes_made_on(const std::string& common_dir, const std::string& branch)
{
    const auto log = os::read_small_file(common_dir + "/logs/refs/stash", k_largest_reflog);
    if (!log || branch.empty()) {
        return 0;
    }
    std::uint64_t count = 0;
    std::string_view rest = *log;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t tab = line.find('\t');
        const std::string_view message = tab == std::string_view::npos ? std::string_view() : line.substr(tab + 1);
        // builtin/stash.c: "WIP on <branch>: ..." or, with a message, "On <branch>: ...".
        if (message.starts_with("WIP on " + branch + ": ") || message.starts_with("On " + branch + ": ")) {
            ++count;
        }
    }
    return count;
}

std::vector<std::string> own_refs(const std::string& git_dir)
{
    std::vector<std::string> refs;
    for (const char* const name : {"refs/worktree", "refs/bisect", "refs/rewritten"}) {  // git's refs.c, per worktree
        if (const auto directory = os::open_directory(git_dir + "/" + name)) {
            collect_refs(*directory, name, 0, refs);
        }
    }
    return refs;
}

}  // namespace mandate::app
