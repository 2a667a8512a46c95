// A whole regular file, read-only, as bytes in memory without copying. Used for files that are replaced by
// rename or only grow (git's index, the ledger): a file that shrinks under a mapping would raise SIGBUS.
#pragma once

#include "os/file.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace mandate::os {

class MappedFile {
public:
    static OsResult<MappedFile> open(const Fd& directory, const std::string& name);  // EINVAL: not a regular file
    static OsResult<MappedFile> open(const Fd& file);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&&) = delete;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    [[nodiscard]] std::string_view bytes() const { return {m_start, m_size}; }

private:
    MappedFile(char* start, std::size_t size) : m_start(start), m_size(size) {}
    char* m_start = nullptr;
    std::size_t m_size = 0;
};

}  // namespace mandate::os
