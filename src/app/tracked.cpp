#include "app/tracked.hpp"

#include "os/file.hpp"
#include "os/mapped_file.hpp"

#include <algorithm>
#include <cerrno>

namespace mandate::app {

namespace {

constexpr const char* k_record_name = "MANDATE.md";
constexpr std::string_view k_shared_index_prefix = "sharedindex.";

os::OsResult<os::MappedFile> map_in_its_directory(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    const auto directory = os::open_directory(slash == 0 ? "/" : path.substr(0, slash));
    if (!directory) {
        return tl::unexpected(directory.error());
    }
    return os::MappedFile::open(*directory, path.substr(slash + 1));
}

// git follows a symlink in the index's place.
os::OsResult<os::MappedFile> map(const std::string& path)
{
    auto mapped = map_in_its_directory(path);
    if (mapped || !(mapped.error() == ELOOP)) {
        return mapped;
    }
    const auto target = os::real_path(path);
    return target ? map_in_its_directory(*target) : tl::unexpected(target.error());
}

// When in doubt, yes: the index is then walked to its end.
bool has_shared_index(const std::string& git_dir)
{
    const auto directory = os::open_directory(git_dir);
    const auto names = directory ? os::list_names(*directory) : tl::unexpected(directory.error());
    return !names || std::any_of(names->begin(), names->end(),
                                 [](const std::string& name) { return name.starts_with(k_shared_index_prefix); });
}

}  // namespace

git::Tracked tracked_state(const Place& place) { return tracked_state(place, place.git_dir + "/index", k_record_name); }

git::Tracked tracked_state(const Place& place, const std::string& index_path, const std::string& name,
                           git::NameMatch match)
{
    return tracked_state(IndexFile{place.root, place.git_dir, index_path}, name, match);
}

git::Tracked tracked_state(const IndexFile& file, const std::string& name, git::NameMatch match)
{
    const auto index = map(file.index_path.starts_with('/') ? file.index_path : file.root + "/" + file.index_path);
    if (!index) {
        return index.error() == ENOENT ? git::Tracked::no : git::Tracked::unknown;
    }
    const auto answer = git::probe_index(
        index->bytes(), name, [&] { return has_shared_index(file.git_dir); }, match);
    if (!answer.shared_index_id) {
        return answer.tracked;
    }
    const auto base = map(file.git_dir + "/" + std::string(k_shared_index_prefix) + *answer.shared_index_id);
    return base ? git::probe_split_index(index->bytes(), base->bytes(), name, match) : git::Tracked::unknown;
}

}  // namespace mandate::app
