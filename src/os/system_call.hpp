// For the files of os/ only: calling the kernel, retrying what a signal interrupted, and errno as a result.
#pragma once

#include "os/fd.hpp"

#include <cerrno>
#include <tl/expected.hpp>

namespace mandate::os {

// A call that is interrupted this often in a row is not interrupted, it fails: the caller gets its EINTR
// rather than a program that never ends.
inline constexpr int k_most_interruptions = 1000;

// Repeats a call that returns -1 and sets errno, as long as that is EINTR. Not for close(2), whose descriptor
// is gone after EINTR, and not for rename(2), whose second run would not find what the first one moved.
template<typename Call>
auto retried(Call call) -> decltype(call())
{
    auto result = call();
    for (int n = 0; result == -1 && errno == EINTR && n < k_most_interruptions; ++n) {
        result = call();
    }
    return result;
}

inline tl::unexpected<Errno> failed_with(int error) { return tl::unexpected<Errno>(Errno{error}); }

// errno as the last call left it.
inline tl::unexpected<Errno> failed() { return failed_with(errno); }

// What `call` returned, once it is not -1.
template<typename Call>
OsResult<void> done_or_failed(Call call)
{
    if (retried(call) == -1) {
        return failed();
    }
    return {};
}

}  // namespace mandate::os
