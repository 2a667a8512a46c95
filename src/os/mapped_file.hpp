// A whole regular file, read-only, as bytes in memory without copying. Used for files that are replaced by
// rename or only grow (git's index, the ledger): a file that shrinks under a mapping would raise SIGBUS.
#pragma once

#include "os/file.hpp"

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

    [[nodiscard]] std::string_view bytes() const { return m_bytes; }

private:
    explicit MappedFile(std::string_view bytes) : m_bytes(bytes) {}
    std::string_view m_bytes;
};

}  // namespace mandate::os
