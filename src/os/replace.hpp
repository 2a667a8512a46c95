// Replaces a file's bytes so that a reader, a crash or a power cut sees the old file or the new, whole.
//
// The order, and why: a fresh file beside the target (O_EXCL: nobody else's), readable by us alone until
// owner and then mode are set, both on the descriptor; the bytes, fsync, checked close: from here the new
// bytes are durable, and `read_back` shows them. Then the caller books its ledger line. Then rename (atomic) and fsync
// of the directory, without which the name itself may be lost at a power cut (fsync(2), NOTES).
//
// Until `commit`, the destructor removes the fresh file again. A process killed in between leaves it; the
// next holder of the lock sweeps it with `sweep`.
#pragma once

#include "os/file.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace mandate::os {

class Replacement {
public:
    // `like`: whose mode and owner are taken (owner where permitted, and then nobody gains a right by it;
    // set-id bits never); none: 0666 less umask. `source`: the old file itself, whose ACL and user.* extended
    // attributes are carried over, as far as the file system lets them; without it the new file has no ACL.
    // On failure nothing is left behind.
    static OsResult<Replacement> prepare(const Fd& directory, const std::string& temporary_prefix,
                                         std::string_view bytes, const std::optional<FileFacts>& like,
                                         const Fd* source = nullptr);

    Replacement(Replacement&&) noexcept;
    Replacement& operator=(Replacement&&) = delete;
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;
    ~Replacement();

    // The bytes as they are on disk now, read through a descriptor of its own.
    [[nodiscard]] OsResult<std::string> read_back(std::size_t maximum) const;

    // renameat over `name`. ENOENT: the fresh file was swept by another holder of the lock.
    OsResult<void> commit(const std::string& name);

private:
    Replacement(const Fd& directory, std::string name) : m_directory(&directory), m_temporary(std::move(name)) {}
    const Fd* m_directory;
    std::string m_temporary;  // empty once committed
};

// Removes regular files of that prefix; what cannot be removed stays (it harms nobody).
void sweep(const Fd& directory, std::string_view temporary_prefix);

}  // namespace mandate::os
