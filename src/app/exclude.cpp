#include "app/exclude.hpp"

#include "app/exclude_effect.hpp"
#include "app/exclude_lines.hpp"
#include "os/file.hpp"
#include "os/lock.hpp"

#include <cerrno>
#include <chrono>
#include <optional>

namespace mandate::app {

namespace {

constexpr std::size_t k_largest_exclude = 1U << 20U;
constexpr std::chrono::milliseconds k_lock_timeout{1000};
constexpr const char* k_file_name = "exclude";

const char* reason_of(os::Errno error)
{
    switch (error.value) {
        case EROFS:
            return "read-only";
        case EACCES:
        case EPERM:
            return "denied";
        case EFBIG:
            return "too-large";
        case EISDIR:
        case EINVAL:
        case ENXIO:
        case ELOOP:
            return "not-regular";
        case ENOTDIR:
            return "not-a-directory";
        default:
            return "write-failed";
    }
}

// The file as git reads it: a symlink is followed, and where nothing stands it is empty.
os::OsResult<std::string> read_exclude(const std::string& path)
{
    auto content = os::read_small_file(path, k_largest_exclude);
    return !content && content.error() == ENOENT ? os::OsResult<std::string>("") : content;
}

// `info`, made where it is missing. A symlink to a directory is followed as git follows it.
os::OsResult<os::Fd> open_info(const std::string& common_dir)
{
    const auto facts = os::follow_path(common_dir + "/info");
    if (!facts) {
        return tl::unexpected(facts.error());
    }
    if (facts->kind == os::Kind::absent) {
        const auto parent = os::open_directory(common_dir);
        const auto made = parent ? os::make_directory(*parent, "info").and_then([&] { return os::sync(*parent); })
                                 : tl::unexpected(parent.error());
        if (!made) {
            return tl::unexpected(made.error());
        }
    }
    return os::open_directory(common_dir + "/info/.");  // the dot resolves a link that open would refuse
}

// One append under the file's own lock, so that of many lanes in the same instant each sees what the one
// before it wrote. Where the lock cannot be had the line still counts for more than tidiness: go on.
os::OsResult<void> append_missing(const os::Fd& info, const std::string& path)
{
    const auto file = os::open_for_appending(info, k_file_name, os::Create::yes, os::Links::follow);
    if (!file) {
        return tl::unexpected(file.error());
    }
    static_cast<void>(os::lock_exclusive(*file, k_lock_timeout));
    const auto content = read_exclude(path);
    if (!content) {
        return tl::unexpected(content.error());
    }
    const std::string missing = missing_exclude_lines(*content);
    if (missing.empty()) {
        return {};
    }
    const auto written = os::write_once(*file, missing).and_then([&](std::size_t taken) {
        return os::write_whole(*file, std::string_view(missing).substr(taken));
    });
    // The answer says that the record is ignored, so that must outlive a power cut; the name as well as the bytes.
    return written.and_then([&] { return os::sync(*file); }).and_then([&] { return os::sync(info); });
}

// What stands in the file now, both lines included, or why they cannot be put there.
struct Written {
    std::string content;
    bool changed = false;
    std::string problem;
};

Written ensure_lines(const std::string& common_dir)
{
    constexpr int k_attempts = 3;  // an editor may put its own copy in the file's place meanwhile
    const std::string path = common_dir + "/info/" + k_file_name;
    Written result;
    for (int attempt = 0; attempt <= k_attempts; ++attempt) {
        auto content = read_exclude(path);
        if (!content) {
            result.problem = reason_of(content.error());
            return result;
        }
        if (missing_exclude_lines(*content).empty()) {
            result.content = std::move(*content);
            return result;
        }
        const auto info = open_info(common_dir);
        const auto appended = info ? append_missing(*info, path) : tl::unexpected(info.error());
        if (!appended) {
            result.problem = reason_of(appended.error());
            return result;
        }
        result.changed = true;
    }
    result.problem = "write-failed";
    return result;
}

}  // namespace

std::string_view name(ExcludeOutcome::State state)
{
    switch (state) {
        case ExcludeOutcome::State::already:
            return "already";
        case ExcludeOutcome::State::yes:
            return "yes";
        case ExcludeOutcome::State::no:
            break;
    }
    return "no";
}

ExcludeOutcome ensure_excluded(const Place& place, const git::Repository* repository)
{
    using State = ExcludeOutcome::State;
    const Written written = ensure_lines(place.common_dir);
    if (!written.problem.empty()) {
        return {State::no, written.problem};
    }
    const std::string obstacle = exclude_obstacle(place, written.content, repository);
    if (!obstacle.empty()) {
        return {State::no, obstacle};
    }
    return {written.changed ? State::yes : State::already, {}};
}

}  // namespace mandate::app
