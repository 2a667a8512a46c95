#include "os/signals.hpp"

#include "os/fd.hpp"
#include "os/platform.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace mandate::os {

namespace {

// No descriptor of ours may take a standard number: an answer printed to 1 would go into the record.
bool open_if_closed(int descriptor, int flags)
{
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) {
        return false;
    }
    // The lowest free number is taken (open(2)), and those below are in use: it is `descriptor`. Without a
    // /dev (a bare chroot) the root directory fills the place; it can be neither read nor written.
    if (::open("/dev/null", flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) == -1) {
        (void)::open("/", platform::k_open_nothing | O_CLOEXEC);
    }
    return true;
}

}  // namespace

struct SignalHold::Mask {
    sigset_t signals;
};

SignalHold::SignalHold() : m_before(std::make_unique<Mask>())
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    ::pthread_sigmask(SIG_BLOCK, &held, &m_before->signals);
}

SignalHold::~SignalHold() { ::pthread_sigmask(SIG_SETMASK, &m_before->signals, nullptr); }

void ignore_write_signals()
{
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, nullptr);
    ::sigaction(SIGXFSZ, &ignore, nullptr);  // the default action is a core dump, in the midst of a booking
}

bool guard_standard_descriptors()
{
    open_if_closed(STDIN_FILENO, O_RDONLY);
    // Read-only: writing to it is EBADF, as it is on a closed descriptor, so a lost answer is still noticed.
    const bool stdout_closed = open_if_closed(STDOUT_FILENO, O_RDONLY);
    open_if_closed(STDERR_FILENO, O_WRONLY);
    return !stdout_closed;
}

}  // namespace mandate::os
