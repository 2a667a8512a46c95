#include "core/close_request.hpp"

#include "base/text.hpp"
#include "core/record.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace mandate::core {

namespace {

constexpr std::array<std::string_view, 2> k_marks{"mandate close-request", "work-system close-request"};

using Refused = tl::unexpected<CloseRefusal>;

Refused malformed(std::string text) { return Refused(CloseRefusal{CloseReason::malformed, std::move(text)}); }

std::string_view take_line(std::string_view& rest)
{
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    return line;
}

struct Key {
    std::string_view name;
    std::optional<std::string_view> value{};
};

}  // namespace

bool is_task_name(std::string_view text)
{
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
               c == '-';
    };
    return !text.empty() && text.size() <= k_value_limit && text.front() != '.' && text.front() != '-' &&
           std::all_of(text.begin(), text.end(), fits);
}

tl::expected<CloseRequest, CloseRefusal> parse_close_request(std::string_view message)
{
    if (message.size() > k_close_request_limit) {
        return malformed("the message is larger than 64 KiB");
    }
    if (message.find('\0') != std::string_view::npos) {
        return malformed("the message holds a NUL byte");
    }
    std::string_view mark;
    while (mark.empty() && !message.empty()) {
        mark = text::trim(take_line(message));
    }
    if (std::find(k_marks.begin(), k_marks.end(), mark) == k_marks.end()) {
        return malformed("the first line is not 'mandate close-request'");
    }
    std::array keys{Key{"task"}, Key{"worktree"}, Key{"repo"}};
    while (!message.empty()) {
        const std::string_view line = take_line(message);
        const std::size_t equals = line.find('=');
        auto* const key = std::find_if(keys.begin(), keys.end(),
                                       [&](const Key& known) { return known.name == line.substr(0, equals); });
        if (equals == std::string_view::npos || key == keys.end()) {
            continue;
        }
        if (key->value) {
            return malformed(std::string(key->name) + "= stands twice");
        }
        key->value = line.substr(equals + 1);
    }
    for (const Key& key : keys) {
        if (!key.value || key.value->empty()) {
            return malformed(std::string(key.name) + "= is missing");
        }
    }
    if (!is_task_name(*keys[0].value)) {
        return Refused(
            CloseRefusal{CloseReason::invalid_task,
                         "task= takes letters, digits, '_', '.' and '-', and starts with none of the last two"});
    }
    return CloseRequest{std::string(*keys[0].value), std::string(*keys[1].value), std::string(*keys[2].value)};
}

}  // namespace mandate::core
