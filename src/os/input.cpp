#include "os/input.hpp"

#include "os/env.hpp"
#include "os/system_call.hpp"

#include <algorithm>
#include <poll.h>
#include <unistd.h>

namespace mandate::os {

OsResult<std::string> read_stdin(std::size_t maximum, std::chrono::milliseconds silence)
{
    using Clock = std::chrono::steady_clock;
    constexpr int k_silences = 6;
    constexpr std::size_t k_chunk = std::size_t{64} << 10U;  // a pipe's whole buffer
    if (is_terminal(STDIN_FILENO)) {
        return failed_with(ENOTTY);
    }
    const auto deadline = Clock::now() + k_silences * silence;
    std::string bytes;
    std::size_t length = 0;
    while (true) {
        const auto left =
            std::min(std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()), silence).count();
        pollfd wanted{STDIN_FILENO, POLLIN, 0};
        const int ready = left > 0 ? retried([&] { return ::poll(&wanted, 1, static_cast<int>(left)); }) : 0;
        if (ready == -1) {
            return failed();
        }
        if (ready == 0) {
            return failed_with(ETIMEDOUT);
        }
        if (bytes.size() - length < k_chunk) {
            bytes.resize(std::max(bytes.size() * 2, length + k_chunk));
        }
        const ssize_t got = retried([&] { return ::read(STDIN_FILENO, bytes.data() + length, k_chunk); });
        if (got == -1 && errno == EAGAIN) {
            continue;  // another reader of the same pipe was faster
        }
        if (got == -1) {
            return failed();
        }
        length += static_cast<std::size_t>(got);
        if (length > maximum) {
            return failed_with(EFBIG);
        }
        if (got == 0) {
            bytes.resize(length);
            return bytes;
        }
    }
}

}  // namespace mandate::os
