#include "os/mapped_file.hpp"

#include "os/system_call.hpp"

#include <limits>
#include <sys/mman.h>
#include <utility>

namespace mandate::os {

OsResult<MappedFile> MappedFile::open(const Fd& directory, const std::string& name)
{
    const auto file = open_for_reading(directory, name);
    if (!file) {
        return tl::unexpected(file.error());
    }
    return open(*file);  // the mapping outlives the descriptor (mmap(2))
}

OsResult<MappedFile> MappedFile::open(const Fd& file)
{
    const auto found = facts(file);
    if (!found) {
        return tl::unexpected(found.error());
    }
    if (found->kind != Kind::regular) {
        return failed_with(EINVAL);
    }
    const std::uint64_t size = found->identity.size;
    if (size == 0) {
        return MappedFile(nullptr, 0);  // a mapping of no bytes is EINVAL
    }
    if (size > std::numeric_limits<std::size_t>::max()) {
        return failed_with(EFBIG);
    }
    const auto length = static_cast<std::size_t>(size);
    void* start = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (start == MAP_FAILED) {
        return failed();
    }
    return MappedFile(static_cast<char*>(start), length);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : m_start(std::exchange(other.m_start, nullptr)), m_size(std::exchange(other.m_size, 0))
{
}

MappedFile::~MappedFile()
{
    if (m_start != nullptr) {
        ::munmap(m_start, m_size);
    }
}

}  // namespace mandate::os
