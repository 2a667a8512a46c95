#include "os/lock_file.hpp"

#include "os/lock_refusal.hpp"

#include <cerrno>
#include <optional>
#include <utility>

namespace mandate::os {

namespace {

constexpr unsigned k_lock_mode = 0666;  // less umask: whoever may write the lane may lock it

bool is_denial(Errno error)
{
    switch (error.value) {
        case EACCES:
        case EPERM:
            return true;
        default:
            return false;
    }
}

// Nothing: somebody else made it meanwhile.
Result<std::optional<Fd>> create(const LockRequest& request)
{
    auto file = create_new(request.directory, request.name, k_lock_mode);
    if (file) {
        return std::move(*file);
    }
    if (file.error() == EEXIST) {
        return std::nullopt;
    }
    return refuse_creation(request, file.error());
}

// Looks without following, and refuses what is no regular file before anything opens it.
Result<void> refuse_other_kinds(const LockRequest& request)
{
    const auto found = look(request.directory, request.name);
    if (!found) {
        return is_denial(found.error()) ? refuse_denied(request, "look at", found.error())
                                        : refuse_access(request, "look at", found.error());
    }
    switch (found->kind) {
        case Kind::directory:
            return refuse_directory(request);
        case Kind::symlink:
            return refuse_symlink(request);
        case Kind::other:
            return refuse_not_regular(request);
        case Kind::regular:
        case Kind::absent:
            break;
    }
    return {};
}

// What was opened is what counts, not what was looked at.
Result<Fd> checked(const LockRequest& request, Fd file)
{
    const auto opened = facts(file);
    if (!opened) {
        return refuse_access(request, "examine", opened.error());
    }
    if (opened->kind != Kind::regular) {
        return refuse_not_regular(request);
    }
    return file;
}

}  // namespace

OsResult<Fd> open_existing_lock_file(const LockRequest& request)
{
    auto file = open_existing_for_writing(request.directory, request.name);
    if (!file && (is_denial(file.error()) || file.error() == EROFS)) {
        return open_for_reading(request.directory, request.name);  // flock asks for no write permission
    }
    return file;
}

bool means_replaced(Errno error)
{
    switch (error.value) {
        case ENOENT:
        case ELOOP:
        case EISDIR:
        case ENXIO:
            return true;
        default:
            return false;
    }
}

Result<Fd> open_lock_file(const LockRequest& request)
{
    for (int attempt = 0; attempt < k_immediate_retries; ++attempt) {
        if (auto expected = refuse_other_kinds(request); !expected) {
            return fail(expected.error());
        }
        // Also when it was absent: O_CREAT on an existing file of another owner in a sticky directory is EACCES
        // even for root (fs.protected_regular, proc(5)), and it may be there by now.
        auto file = open_existing_lock_file(request);
        if (file) {
            return checked(request, std::move(*file));
        }
        if (file.error() == ENOENT) {
            auto created = create(request);
            if (!created) {
                return fail(created.error());
            }
            if (*created) {
                return std::move(**created);
            }
        } else if (is_denial(file.error())) {
            return refuse_denied(request, "open", file.error());
        } else if (!means_replaced(file.error())) {
            return refuse_access(request, "open", file.error());
        }
        // It changed its kind under our eyes, or was made in between: look again.
    }
    return refuse_replaced(request);
}

}  // namespace mandate::os
