#include "app/close_message.hpp"

#include "core/close_request.hpp"
#include "os/file.hpp"
#include "os/input.hpp"

#include <cerrno>
#include <chrono>

namespace mandate::app {

namespace {

constexpr std::chrono::milliseconds k_patience{10'000};

tl::unexpected<std::string> refuse(const os::Errno& cause)
{
    switch (cause.value) {
        case EFBIG:
            return tl::unexpected<std::string>("the message is larger than 64 KiB");
        case ELOOP:
            return tl::unexpected<std::string>("the message is a symbolic link");
        case ENOTTY:
            return tl::unexpected<std::string>("stdin is a terminal");
        case ETIMEDOUT:
            return tl::unexpected<std::string>("the message did not end within ten seconds");
        case EISDIR:
        case ENXIO:
        case EINVAL:
            return tl::unexpected<std::string>("the message is not a regular file");
        default:
            return tl::unexpected<std::string>("the message cannot be read: " + cause.text());
    }
}

}  // namespace

tl::expected<std::string, std::string> read_close_message(const std::string& file)
{
    if (file == "-") {
        auto input = os::read_stdin(core::k_close_request_limit, k_patience);
        return input ? tl::expected<std::string, std::string>(std::move(*input)) : refuse(input.error());
    }
    const std::size_t slash = file.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : file.substr(0, slash + 1);
    const auto directory = os::open_directory(folder);
    if (!directory) {
        return refuse(directory.error());
    }
    auto bytes = os::read_small_file(*directory, file.substr(slash == std::string::npos ? 0 : slash + 1),
                                     core::k_close_request_limit);
    return bytes ? tl::expected<std::string, std::string>(std::move(*bytes)) : refuse(bytes.error());
}

bool names_root(const Place& place, const std::string& path)
{
    const auto real = os::real_path(path);
    return real && *real == place.root;
}

}  // namespace mandate::app
