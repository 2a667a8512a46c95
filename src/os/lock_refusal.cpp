#include "os/lock_refusal.hpp"

#include "base/text.hpp"
#include "os/env.hpp"
#include "os/fs_type.hpp"
#include "os/lock_holder.hpp"

#include <cerrno>
#include <optional>
#include <utility>

namespace mandate::os {

namespace {

using namespace std::chrono_literals;

std::string path_of(const LockRequest& request) { return request.directory_path + "/" + request.name; }

Unexpected refuse(const LockRequest& request, Code code, std::string message, std::string hint)
{
    return fail(Error{code, std::move(message), std::move(hint), {}, path_of(request)});
}

Unexpected refuse_unsupported(const LockRequest& request, const std::string& what, Errno cause)
{
    Error error{Code::lock_unsupported,
                "the file system (" + file_system_name(request.directory) + ") " + what,
                "keep the worktree on a local file system; nothing was booked",
                {},
                path_of(request)};
    error.system_error = cause.value;
    return fail(std::move(error));
}

std::string duration_text(std::chrono::nanoseconds time)
{
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
    if (ms < 1000) {
        return std::to_string(ms) + " ms";
    }
    const auto tenths = ms / 100;
    return std::to_string(tenths / 10) + (tenths % 10 != 0 ? "." + std::to_string(tenths % 10) : "") + " s";
}

std::optional<LockHolder> holder_of(const Fd& file)
{
    const auto found = facts(file);
    return found ? find_lock_holder(found->identity) : std::nullopt;
}

}  // namespace

bool has_no_locks(const Error& refusal)
{
    return refusal.code == Code::lock_unsupported && has_no_locks(Errno{refusal.system_error});
}

bool has_no_locks(Errno error)
{
    switch (error.value) {
        case ENOSYS:
        case EOPNOTSUPP:
        case ENOLCK:  // NFS without a lock daemon
        case EINVAL:  // flock(2): the operation is invalid; ours is valid, so it is so for this file only
            return true;
        default:
            return false;
    }
}

Unexpected refuse_directory(const LockRequest& request)
{
    return refuse(request, Code::lock_directory, "the lock is a directory, left by an older scheme",
                  "when no old script uses it any more, run: rm -rf " + text::shell_quote(path_of(request)));
}

Unexpected refuse_symlink(const LockRequest& request)
{
    return refuse(request, Code::lock_symlink, "the lock is a symbolic link", "remove the link");
}

Unexpected refuse_not_regular(const LockRequest& request)
{
    return refuse(request, Code::lock_not_regular, "the lock is not a regular file", "remove what stands there");
}

Unexpected refuse_denied(const LockRequest& request, const char* what, Errno error)
{
    return refuse(request, Code::lock_denied,
                  std::string("no permission to ") + what + " the lock (" + error.name() + ")",
                  "ask its owner for access, or run as the user who owns the lane");
}

Unexpected refuse_pretended(const LockRequest& request)
{
    // The errno of a file system that owns up to it.
    return refuse_unsupported(request, "only pretends to lock: a second lock was granted beside the first",
                              Errno{ENOLCK});
}

Unexpected refuse_flock(const LockRequest& request, Errno error)
{
    return refuse_unsupported(request, "cannot take the lock: " + error.text() + " (" + error.name() + ")", error);
}

Unexpected refuse_access(const LockRequest& request, const char* what, Errno error)
{
    const bool too_many = error == EMFILE || error == ENFILE;
    return refuse(request, Code::write_failed,
                  std::string("cannot ") + what + " the lock: " + error.text() + " (" + error.name() + ")",
                  too_many ? "nothing was booked; close files or raise the limit (ulimit -n), then try again"
                           : "nothing was booked; try again when that is mended");
}

Unexpected refuse_creation(const LockRequest& request, Errno error)
{
    switch (error.value) {
        case EACCES:
        case EPERM:
            return refuse_denied(request, "create", error);
        case EROFS:
            return refuse(request, Code::read_only, "the file system is read-only, so the lock cannot be created",
                          "book where the worktree can be written");
        case ENOENT:
            return fail(Error{Code::not_a_directory, "the lane's directory is gone", "", {}, request.directory_path});
        case ENOSPC:
        case EDQUOT:
            return refuse(request, Code::write_failed, "the lock cannot be created: " + error.text(),
                          "free some space");
        default:
            return refuse_access(request, "create", error);
    }
}

Unexpected refuse_replaced(const LockRequest& request)
{
    return refuse(request, Code::lock_replaced, "the lock was deleted or replaced every time it was taken",
                  "stop what deletes it (git clean -x?) and try again");
}

std::string waiting_sentence(const LockRequest& request, const Fd& file)
{
    std::string sentence = "waiting for '" + path_of(request) + "', held by ";
    const auto holder = holder_of(file);
    // Our own name stands there where the kernel has just given us the lock; the wait is over then.
    if (!holder || holder->pid == process_id()) {
        return sentence + "an unknown holder";
    }
    sentence += holder->command + " (pid " + std::to_string(holder->pid) + ")";
    return holder->ancestor ? sentence + " (an ancestor of this process)" : sentence;
}

Unexpected refuse_held(const LockRequest& request, const Fd& file, std::chrono::nanoseconds waited)
{
    const bool tried_once = request.timeout <= 0ms;
    const std::string how_long = tried_once ? "; did not wait" : "; waited " + duration_text(waited);
    const auto holder = holder_of(file);
    if (!holder) {
        return refuse(request, Code::lock_held, "the lock is held by an unknown holder" + how_long,
                      "try again, or raise --lock-timeout; deleting the file would free nothing");
    }
    const std::string name = holder->command + " (pid " + std::to_string(holder->pid) + ")";
    Error error{Code::lock_held, {}, {}, {}, path_of(request)};
    if (holder->pid == process_id()) {
        error.message = "the lock is held by this process itself, through a descriptor that it inherited" + how_long;
        error.hint = "let the caller close that descriptor before it runs mandate";
    } else if (holder->ancestor) {
        error.message = "the lock is held by an ancestor of this process, " + name + how_long;
        error.hint = "no wait can end this: let the caller release the lock before it runs mandate";
    } else {
        error.message = "the lock is held by " + name + how_long;
        error.hint = "try again when it has ended, or raise --lock-timeout";
    }
    error.with("holder_pid", std::to_string(holder->pid));
    return fail(std::move(error));
}

}  // namespace mandate::os
