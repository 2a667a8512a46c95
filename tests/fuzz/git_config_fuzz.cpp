// git's configuration of any bytes: what the plain reader understands, libgit2 understands the same way.
#include "fuzz/property.hpp"
#include "git/plain_config.hpp"

#include <sys/mman.h>
#include <unistd.h>

using namespace mandate;
using namespace mandate::fuzz;

namespace {

bool every_name(std::string_view /*name*/) { return true; }

// libgit2 reads files only.
std::string in_a_file(std::string_view bytes)
{
    static const int k_file = ::memfd_create("config", MFD_CLOEXEC);
    require(k_file >= 0 && ::ftruncate(k_file, 0) == 0, "a file in memory");
    require(::pwrite(k_file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
            "it takes the bytes");
    return "/proc/self/fd/" + std::to_string(k_file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes = as_text(data, size);
    const auto plain = git::parse_plain_config(bytes, every_name);
    if (!plain) {
        return 0;
    }
    const auto library = git::read_config_file(in_a_file(bytes), every_name);
    require(library.has_value(), "libgit2 reads it too");
    require(library->size() == plain->size(), "the same number of entries");
    for (std::size_t i = 0; i < plain->size(); ++i) {
        const git::ConfigEntry& ours = (*plain)[i];
        const git::ConfigEntry& theirs = (*library)[i];
        require(ours.name == theirs.name && ours.value == theirs.value && !theirs.included, "the same entry");
    }
    return 0;
}
