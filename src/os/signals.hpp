// SIGINT, SIGTERM and SIGHUP are held back for the milliseconds between lock and rename, so that a booking
// is whole or not at all; they act as soon as the hold ends. What the kernel kills a writer for is ignored for
// good, so that the write fails instead: a closed pipe is EPIPE (output-failed), a file beyond the limit of its
// size EFBIG (write-failed, ledger-unwritable).
#pragma once

#include <memory>

namespace mandate::os {

class SignalHold {
public:
    SignalHold();
    ~SignalHold();  // restores the mask; a signal that came meanwhile ends the process here
    SignalHold(const SignalHold&) = delete;
    SignalHold& operator=(const SignalHold&) = delete;
    SignalHold(SignalHold&&) = delete;
    SignalHold& operator=(SignalHold&&) = delete;

private:
    struct Mask;
    std::unique_ptr<Mask> m_before;
};

// SIGPIPE and SIGXFSZ.
void ignore_write_signals();

// Descriptors 0, 1 and 2 that came closed are opened on /dev/null, 1 so that writing to it fails as before: no
// file of ours lands on a standard descriptor. Call it first. Returns false when stdout came closed.
bool guard_standard_descriptors();

}  // namespace mandate::os
