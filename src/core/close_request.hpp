// A close request: a message in which somebody, trusted by nobody, says that a lane is done.
//
//   mandate close-request            (or: work-system close-request)
//   task=fix-login
//   worktree=/srv/lanes/fix-login
//   repo=/srv/repo
//
// The first line that is not blank is the mark; the three keys follow, once each, at a line's start; every
// other line is ignored. Values are taken to the line's end, a CR apart.
#pragma once

#include "core/closing.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace mandate::core {

constexpr std::size_t k_close_request_limit = 64U << 10U;  // bytes

struct CloseRequest {
    std::string task;
    std::string worktree;
    std::string repo;
};

struct CloseRefusal {
    CloseReason reason;  // malformed or invalid_task
    std::string text;    // holds nothing of the message
};

tl::expected<CloseRequest, CloseRefusal> parse_close_request(std::string_view message);

// [A-Za-z0-9_][A-Za-z0-9._-]*, at most 240 of them.
bool is_task_name(std::string_view text);

}  // namespace mandate::core
