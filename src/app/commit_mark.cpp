#include "app/commit_mark.hpp"

#include "os/ancestor.hpp"
#include "os/file.hpp"

namespace mandate::app {

namespace {

constexpr const char* k_mark = "mandate-pre-commit";
constexpr std::size_t k_longest_mark = 256;

}  // namespace

void leave_commit_mark(const Place& place)
{
    const auto committer = os::nearest_ancestor("git");
    const auto directory = os::open_directory(place.git_dir);
    if (!committer || !directory) {
        return;
    }
    if (auto file = os::open_for_appending(*directory, k_mark, os::Create::yes)) {
        (void)os::truncate(*file, 0);
        (void)os::write_whole(*file, *committer + "\n");
    }
}

bool take_commit_mark(const Place& place)
{
    const auto committer = os::nearest_ancestor("git");
    const auto directory = os::open_directory(place.git_dir);
    if (!committer || !directory) {
        return false;
    }
    const auto mark = os::read_small_file(*directory, k_mark, k_longest_mark);
    if (!mark || *mark != *committer + "\n") {
        return false;
    }
    (void)os::unlink(*directory, k_mark);
    return true;
}

void remove_commit_mark(const std::string& git_dir)
{
    if (const auto directory = os::open_directory(git_dir)) {
        (void)os::unlink(*directory, k_mark);
    }
}

}  // namespace mandate::app
