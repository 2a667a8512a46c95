#include "app/hook_facts.hpp"

#include "app/git_directory.hpp"
#include "app/tracked.hpp"
#include "core/hook_input.hpp"
#include "git/references.hpp"
#include "git/repository.hpp"
#include "os/env.hpp"
#include "os/input.hpp"
#include "os/mapped_file.hpp"

#include <array>
#include <cerrno>
#include <utility>

namespace mandate::app {

namespace {

// git writes what it has and closes the pipe; whoever holds it open longer is not git.
constexpr std::chrono::seconds k_silence{10};
constexpr std::size_t k_longest_reflog_line = std::size_t{64} << 10U;

// In a real deletion git holds packed-refs.lock wherever the ref stands in packed-refs. It does not when
// `git pack-refs` (and gc) prunes the loose file, and the ref keeps its value (files-backend.c, prune_ref).
bool only_prunes(const std::string& common_dir, const core::RefMove& move)
{
    if (move.symbolic || !core::is_null_id(move.after) || core::is_null_id(move.before)) {
        return false;
    }
    const auto lock = os::look_at_path(common_dir + "/packed-refs.lock");
    const auto directory = os::open_directory(common_dir);
    if (!lock || lock->kind != os::Kind::absent || !directory) {
        return false;
    }
    const auto packed = os::MappedFile::open(*directory, "packed-refs");
    return packed && packed->bytes().find("\n" + move.before + " " + move.ref + "\n") != std::string_view::npos;
}

// The last entry of HEAD's reflog: "<old> <new> <who> <when>\t<message>".
struct ReflogEntry {
    std::string commit, message;
};
std::optional<ReflogEntry> last_reflog_entry(const std::string& git_dir)
{
    const auto directory = os::open_directory(git_dir + "/logs");
    const auto log = directory ? os::MappedFile::open(*directory, "HEAD") : tl::unexpected(directory.error());
    if (!log) {
        return std::nullopt;
    }
    std::string_view line = log->bytes();
    if (line.ends_with('\n')) {
        line.remove_suffix(1);
    }
    line = line.substr(line.rfind('\n') + 1);
    const std::size_t first = line.find(' ');
    const std::size_t tab = line.find('\t');
    if (line.size() > k_longest_reflog_line || first == std::string_view::npos || tab == std::string_view::npos) {
        return std::nullopt;
    }
    const std::size_t second = line.find(' ', first + 1);
    return ReflogEntry{std::string(line.substr(first + 1, second - first - 1)), std::string(line.substr(tab + 1))};
}

}  // namespace

Result<std::vector<core::RefMove>> read_ref_moves(core::Hook hook)
{
    const auto input = os::read_stdin(core::k_hook_input_limit, k_silence);
    if (!input) {
        std::string why = "what git writes to the hook cannot be read: " + input.error().text();
        if (input.error() == EFBIG) {
            why = "what git writes to the hook is larger than 32 MiB";
        } else if (input.error() == ETIMEDOUT) {
            why = "what git writes to the hook does not come to its end";
        } else if (input.error() == ENOTTY) {
            why = "the hook is fed by git, and stdin is a terminal";
        }
        return fail(
            Error{Code::value_invalid, std::move(why), "run git itself, and hand its input on unchanged", {}, {}});
    }
    return hook == core::Hook::pre_push ? core::parse_push_input(*input) : core::parse_transaction_input(*input);
}

void complete_push(std::vector<core::RefMove>& moves, const core::Branches& branches, const std::string& common_dir)
{
    std::optional<git::References> references;
    for (core::RefMove& move : moves) {
        if (common_dir.empty() || !core::push_wants_ancestry(move, branches)) {
            continue;
        }
        if (!references) {
            auto opened = git::References::open(common_dir);
            if (!opened) {
                return;
            }
            references = std::move(*opened);
        }
        move.forward = references->contains(move.after, move.before);
    }
}

Result<void> complete_transaction(std::vector<core::RefMove>& moves, const core::Branches& branches,
                                  const std::string& common_dir)
{
    std::erase_if(moves, [&](const core::RefMove& move) {
        return !branches.is_protected(core::branch_of(move.ref).value_or("")) || only_prunes(common_dir, move);
    });
    if (moves.empty()) {
        return {};
    }
    const auto references = git::References::open(common_dir);
    if (!references) {
        return fail(references.error());
    }
    for (core::RefMove& move : moves) {
        const auto held = references->value(move.ref);
        if (!held) {
            return fail(held.error());
        }
        move.before = held->value_or("");
        if (!core::is_null_id(move.before) && !move.symbolic && !core::is_null_id(move.after)) {
            move.forward = references->contains(move.after, move.before);
        }
    }
    return {};
}

std::string refs_directory(const Place* place)
{
    const auto named = os::variable("GIT_DIR");
    if (!named && place != nullptr) {
        return place->common_dir;
    }
    const auto path = os::real_path(named ? *named : ".");
    const auto found = path ? look_for_git_directory(*path) : Result<std::optional<GitDirectory>>();
    if (found && *found) {
        return (*found)->common_dir;
    }
    return place != nullptr ? place->common_dir : std::string();
}

StagedRecord find_staged_record(const Place* place)
{
    struct Watched {
        const char* probe;
        git::NameMatch match;
        const char* shown;
    };
    constexpr std::array k_watched{Watched{"MANDATE.md", git::NameMatch::exact_or_below, "MANDATE.md"},
                                   Watched{".MANDATE.", git::NameMatch::prefix, ".MANDATE.*"}};
    IndexFile index;
    index.root = place != nullptr ? place->root : ".";
    index.git_dir = place != nullptr ? place->git_dir : os::variable("GIT_DIR").value_or(".git");
    index.index_path = os::variable("GIT_INDEX_FILE").value_or("");
    if (index.index_path.empty()) {
        index.index_path = index.git_dir + "/index";
    }
    for (const Watched& watched : k_watched) {
        const git::Tracked state = tracked_state(index, watched.probe, watched.match);
        if (state != git::Tracked::no) {
            return {state, watched.shown};
        }
    }
    return {};
}

NewestCommit newest_commit(const Place& place)
{
    NewestCommit newest;
    if (const auto repository = git::Repository::open(place.root)) {
        const auto head = repository->head_commit();
        newest.id = head ? head->value_or("") : "";
    }
    // Without a reflog (core.logAllRefUpdates) only the environment tells what git is doing.
    const auto entry = last_reflog_entry(place.git_dir);
    const bool known = entry && entry->commit == newest.id;
    const std::string action = known ? entry->message : os::variable("GIT_REFLOG_ACTION").value_or("");
    newest.by_design = core::runs_no_pre_commit(action, place.head.operation == "rebase");
    return newest;
}

}  // namespace mandate::app
