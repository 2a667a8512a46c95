#include "app/close_message.hpp"

#include "core/close_request.hpp"
#include "os/file.hpp"
#include "os/input.hpp"

#include <cerrno>
#include <chrono>
#include <utility>

namespace mandate::app {

namespace {

constexpr std::chrono::milliseconds k_patience{10'000};

std::string why(const os::Errno& cause)
{
    switch (cause.value) {
        case ELOOP:
            return "the message is a symbolic link";
        case ENOTTY:
            return "stdin is a terminal";
        case ETIMEDOUT:
            return "the message did not end within ten seconds";
        case EISDIR:
        case ENXIO:
        case EINVAL:
            return "the message is not a regular file";
        default:
            return "the message cannot be read: " + cause.text();
    }
}

Result<std::optional<std::string>> contents(tl::expected<std::string, os::Errno> read, const std::string& file)
{
    if (read) {
        return std::move(*read);
    }
    if (read.error().value == EFBIG) {
        return std::nullopt;
    }
    return fail(
        Error{Code::value_invalid, why(read.error()), "name a file with the message, or - for stdin", {}, file});
}

}  // namespace

Result<std::optional<std::string>> read_close_message(const std::string& file)
{
    if (file == "-") {
        return contents(os::read_stdin(core::k_close_request_limit, k_patience), file);
    }
    const std::size_t slash = file.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : file.substr(0, slash + 1);
    const auto directory = os::open_directory(folder);
    if (!directory) {
        return contents(tl::unexpected(directory.error()), file);
    }
    return contents(os::read_small_file(*directory, file.substr(slash == std::string::npos ? 0 : slash + 1),
                                        core::k_close_request_limit),
                    file);
}

bool names_root(const Place& place, const std::string& path)
{
    const auto real = os::real_path(path);
    return real && *real == place.root;
}

}  // namespace mandate::app
