#include "os/fd.hpp"

#include "os/platform.hpp"
#include "os/system_call.hpp"

#include <unistd.h>

namespace mandate::os {

std::string Errno::text() const
{
    const std::string description = platform::error_text(value);
    return !description.empty() ? description : "error " + std::to_string(value);
}

std::string Errno::name() const
{
    const std::string symbol = platform::error_name(value);
    return !symbol.empty() ? symbol : std::to_string(value);
}

OsResult<void> Fd::close()
{
    // Never retried: on Linux the descriptor is released before close(2) can report anything, and by then
    // its number may belong to a file that another thread opened (close(2), "Dealing with error returns").
    if (::close(std::exchange(m_fd, -1)) == -1) {
        return failed();
    }
    return {};
}

void Fd::reset()
{
    if (m_fd >= 0) {
        ::close(std::exchange(m_fd, -1));
    }
}

}  // namespace mandate::os
