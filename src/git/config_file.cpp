#include "git/config_file.hpp"

#include "git/library.hpp"
#include "git/plain_config.hpp"

#include <algorithm>
#include <filesystem>
#include <git2.h>
#include <memory>

namespace mandate::git {

namespace {

using ConfigPtr = std::unique_ptr<git_config, decltype(&git_config_free)>;
using IteratorPtr = std::unique_ptr<git_config_iterator, decltype(&git_config_iterator_free)>;

enum class Readable { yes, empty, no };

// libgit2 opens whatever stands there and would wait for ever on a FIFO. A device is what people name to
// have no configuration (GIT_CONFIG_GLOBAL=/dev/null): empty, and not read.
Readable look_first(const std::string& path)
{
    std::error_code ignored;
    switch (std::filesystem::status(path, ignored).type()) {
        case std::filesystem::file_type::regular:
            return Readable::yes;
        case std::filesystem::file_type::not_found:
        case std::filesystem::file_type::character:
            return Readable::empty;
        default:
            return Readable::no;
    }
}

// libgit2 says "failed to parse config file: WHY (in FILE:LINE)", where FILE may be an included one.
Error broken(const std::string& path)
{
    Error error = last_error(Code::repository_broken, "");
    std::string why = error.message.substr(std::min(error.message.find_first_not_of(": "), error.message.size()));
    std::string file = path;
    std::string line;
    const std::size_t in = why.rfind(" (in ");
    const std::size_t colon = why.rfind(':');
    if (in != std::string::npos && colon != std::string::npos && colon > in && why.back() == ')') {
        const std::size_t file_at = in + std::string_view(" (in ").size();
        file = why.substr(file_at, colon - file_at);
        line = why.substr(colon + 1, why.size() - colon - 2);
        why.resize(in);
    }
    if (constexpr std::string_view k_prefix = "failed to parse config file: "; why.starts_with(k_prefix)) {
        why.erase(0, k_prefix.size());
    }
    error.message = "git's configuration is broken" + (line.empty() ? "" : " at line " + line) + ": " + why;
    error.hint = "mend the file; git itself stops on it too";
    if (!line.empty()) {
        error.with("line", line);
    }
    return error.on(file);
}

}  // namespace

Result<std::vector<ConfigEntry>> read_config_file(const std::string& path, WantedName wanted, ReadSmallFile read)
{
    const auto bytes = read != nullptr ? read(path) : std::nullopt;
    if (auto plain = bytes ? parse_plain_config(*bytes, wanted) : std::nullopt) {
        return std::move(*plain);
    }
    start_library();
    std::vector<ConfigEntry> entries;
    const Readable readable = look_first(path);
    if (readable == Readable::empty) {
        return entries;
    }
    if (readable == Readable::no) {
        return fail(Error{Code::repository_broken, "git's configuration is not a regular file", {}, {}, {}}.on(path));
    }
    git_config* raw_config = nullptr;
    if (git_config_open_ondisk(&raw_config, path.c_str()) != 0) {
        return fail(broken(path));
    }
    const ConfigPtr config(raw_config, git_config_free);
    git_config_iterator* raw_iterator = nullptr;
    if (git_config_iterator_new(&raw_iterator, config.get()) != 0) {
        return fail(broken(path));
    }
    const IteratorPtr iterator(raw_iterator, git_config_iterator_free);
    git_config_entry* entry = nullptr;
    int status = 0;
    while ((status = git_config_next(&entry, iterator.get())) == 0) {
        if (wanted(entry->name)) {
            auto value = entry->value == nullptr ? std::nullopt : std::optional<std::string>(entry->value);
            entries.push_back({entry->name, std::move(value), entry->include_depth > 0});
        }
    }
    if (status != GIT_ITEROVER) {
        return fail(broken(path));
    }
    return entries;
}

std::optional<bool> parse_bool(const std::optional<std::string>& value)
{
    if (value == "true" || value == "false") {
        return value == "true";
    }
    start_library();  // its message for a wrong value needs it
    int result = 0;
    if (git_config_parse_bool(&result, value ? value->c_str() : nullptr) != 0) {
        git_error_clear();
        return std::nullopt;
    }
    return result != 0;
}

std::optional<int> parse_int(const std::optional<std::string>& value)
{
    if (value == "0" || value == "1") {
        return value == "1" ? 1 : 0;
    }
    start_library();
    int32_t result = 0;
    if (!value || git_config_parse_int32(&result, value->c_str()) != 0) {
        git_error_clear();
        return std::nullopt;
    }
    return result;
}

}  // namespace mandate::git
