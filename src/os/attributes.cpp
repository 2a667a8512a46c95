#include "os/attributes.hpp"

#include "os/platform.hpp"
#include "os/system_call.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace mandate::os {

namespace {

constexpr const char* k_access_acl = "system.posix_acl_access";

// Asks for the size and then for the bytes; both may change in between, and then there is nothing to carry.
template<typename Call>
std::optional<std::string> sized(Call call)
{
    const ssize_t size = call(nullptr, std::size_t{0});
    if (size <= 0) {
        return size == 0 ? std::optional<std::string>("") : std::nullopt;
    }
    std::string bytes(static_cast<std::size_t>(size), '\0');
    const ssize_t got = call(bytes.data(), bytes.size());
    if (got < 0) {
        return std::nullopt;
    }
    bytes.resize(static_cast<std::size_t>(got));
    return bytes;
}

void carry(const Fd& source, const Fd& target, const char* name)
{
    const auto value =
        sized([&](char* to, std::size_t size) { return platform::get_attribute(source.get(), name, to, size); });
    if (value) {
        (void)platform::set_attribute(target.get(), name, value->data(), value->size());
    }
}

}  // namespace

OsResult<void> drop_acl(const Fd& file)
{
    if (platform::remove_attribute(file.get(), k_access_acl) == 0 || errno == platform::k_no_attribute ||
        errno == EOPNOTSUPP || errno == ENOSYS) {
        return {};
    }
    return failed();
}

void carry_acl(const Fd& source, const Fd& target) { carry(source, target, k_access_acl); }

void carry_user_attributes(const Fd& source, const Fd& target)
{
    const auto names =
        sized([&](char* to, std::size_t size) { return platform::list_attributes(source.get(), to, size); });
    if (!names) {
        return;
    }
    std::string_view rest = *names;  // each ends with a NUL
    while (!rest.empty()) {
        const std::string name(rest.substr(0, rest.find('\0')));
        rest.remove_prefix(std::min(rest.size(), name.size() + 1));
        if (name.starts_with("user.")) {
            carry(source, target, name.c_str());
        }
    }
}

}  // namespace mandate::os
