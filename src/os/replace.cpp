#include "os/replace.hpp"

#include "os/attributes.hpp"
#include "os/platform.hpp"
#include "os/system_call.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace mandate::os {

namespace {

constexpr unsigned k_new_file_mode = 0666;  // less umask
constexpr unsigned k_private_mode = 0600;   // until the owner is right

std::string fresh_name(const std::string& prefix)
{
    std::uint64_t random = 0;
    // Only to avoid a collision, which O_EXCL would find: where the kernel has no entropy yet, the clock does.
    if (!platform::random_number(random)) {
        random = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    }
    std::array<char, 20> hex{};
    static_cast<void>(std::snprintf(hex.data(), hex.size(), "%016llx", static_cast<unsigned long long>(random)));
    return prefix + std::to_string(::getpid()) + "." + hex.data();
}

// True when the file now has the group of `like`. The owner may fail alone: one may give a file to a group of
// one's own but to no other user (chown(2)). EINVAL: an id that the user namespace does not map.
OsResult<bool> take_owner(const Fd& file, const FileFacts& like)
{
    const auto refused = [] { return errno == EPERM || errno == EINVAL; };
    const auto now = facts(file);
    if (!now) {
        return tl::unexpected(now.error());
    }
    if (now->uid == like.uid && now->gid == like.gid) {
        return true;
    }
    if (retried([&] { return ::fchown(file.get(), like.uid, like.gid); }) == 0) {
        return true;
    }
    if (!refused()) {
        return failed();
    }
    constexpr auto k_keep_owner = static_cast<uid_t>(-1);
    if (now->gid == like.gid || retried([&] { return ::fchown(file.get(), k_keep_owner, like.gid); }) == 0) {
        return true;
    }
    if (!refused()) {
        return failed();
    }
    return false;
}

// What `like` gives, on the descriptor only: a name could be swapped for a link meanwhile. Owner before mode,
// so that the wider mode never meets the wrong owner.
OsResult<void> take_after(const Fd& file, const FileFacts& like, const Fd* source)
{
    if (auto dropped = drop_acl(file); !dropped) {
        return dropped;
    }
    const auto same_group = take_owner(file, like);
    if (!same_group) {
        return tl::unexpected(same_group.error());
    }
    unsigned mode = like.mode & 0777U;
    if (!*same_group) {
        // The group bits would now speak of our group, whose members were among the others before.
        const unsigned others_as_group = (mode & 07U) << 3U;
        mode = (mode & ~070U) | (mode & others_as_group);
    }
    const auto now = facts(file);
    if (!now) {
        return tl::unexpected(now.error());
    }
    // Only where it differs: file systems without modes of their own refuse fchmod, and show one mode for all.
    if (now->mode != mode && retried([&] { return ::fchmod(file.get(), mode); }) == -1) {
        return failed();
    }
    if (source != nullptr) {
        if (*same_group) {
            carry_acl(*source, file);
        }
        carry_user_attributes(*source, file);
    }
    return {};
}

OsResult<void> fill(Fd file, std::string_view bytes, const std::optional<FileFacts>& like, const Fd* source)
{
    if (like) {
        if (auto taken = take_after(file, *like, source); !taken) {
            return taken;
        }
    }
    if (auto written = write_whole(file, bytes); !written) {
        return written;
    }
    if (auto synced = sync(file); !synced) {
        return synced;
    }
    // The bytes are on disk and the descriptor is gone: an interrupted close has lost nothing any more.
    if (auto closed = file.close(); !closed && !(closed.error() == EINTR)) {
        return closed;
    }
    return {};
}

}  // namespace

OsResult<Replacement> Replacement::prepare(const Fd& directory, const std::string& temporary_prefix,
                                           std::string_view bytes, const std::optional<FileFacts>& like,
                                           const Fd* source)
{
    constexpr int k_most_attempts = 16;
    for (int attempt = 1;; ++attempt) {
        std::string name = fresh_name(temporary_prefix);
        auto file = create_new(directory, name, like ? k_private_mode : k_new_file_mode);
        if (!file) {
            if (file.error() == EEXIST && attempt < k_most_attempts) {
                continue;
            }
            return tl::unexpected(file.error());
        }
        Replacement fresh(directory, std::move(name));  // from here on the destructor removes it
        if (auto filled = fill(std::move(*file), bytes, like, source); !filled) {
            return tl::unexpected(filled.error());
        }
        return fresh;
    }
}

Replacement::Replacement(Replacement&& other) noexcept
    : m_directory(other.m_directory), m_temporary(std::exchange(other.m_temporary, {}))
{
}

Replacement::~Replacement()
{
    if (!m_temporary.empty()) {
        (void)unlink(*m_directory, m_temporary);
    }
}

OsResult<std::string> Replacement::read_back(std::size_t maximum) const
{
    const auto file = open_for_reading(*m_directory, m_temporary);
    if (!file) {
        return tl::unexpected(file.error());
    }
    return read_whole(*file, maximum);
}

OsResult<void> Replacement::commit(const std::string& name)
{
    // Not retried: local file systems never interrupt it, and where a network one does, the rename may have
    // happened, so that a second run would report ENOENT for a success.
    if (::renameat(m_directory->get(), m_temporary.c_str(), m_directory->get(), name.c_str()) == -1) {
        return failed();
    }
    m_temporary.clear();
    return {};
}

void sweep(const Fd& directory, std::string_view temporary_prefix)
{
    const auto names = list_names(directory);
    if (!names || temporary_prefix.empty()) {
        return;
    }
    for (const std::string& name : *names) {
        if (!name.starts_with(temporary_prefix)) {
            continue;
        }
        if (const auto found = look(directory, name); found && found->kind == Kind::regular) {
            (void)unlink(directory, name);
        }
    }
}

}  // namespace mandate::os
