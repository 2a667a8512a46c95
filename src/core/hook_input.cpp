#include "core/hook_input.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace mandate::core {

namespace {

constexpr std::string_view k_symbolic = "ref:";

Unexpected malformed(std::size_t line)
{
    return fail(Error{Code::value_invalid,
                      "line " + std::to_string(line) + " of what git wrote to the hook is malformed",
                      "run git itself, and hand its input on unchanged",
                      {},
                      {}});
}

bool is_id(std::string_view text)
{
    return (text.size() == 40 || text.size() == 64) &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_ref(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [](char c) { return static_cast<unsigned char>(c) > ' ' && c != '\x7f'; });
}

// The last word of `line`, which is cut off; empty when there is none.
std::string_view take_last(std::string_view& line)
{
    const std::size_t blank = line.rfind(' ');
    const std::string_view word = blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
    line = blank == std::string_view::npos ? std::string_view() : line.substr(0, blank);
    return word;
}

template<typename TakeLine>
Result<std::vector<RefMove>> parse(std::string_view input, TakeLine take_line)
{
    std::vector<RefMove> moves;
    std::size_t number = 0;
    while (!input.empty()) {
        ++number;
        const std::size_t end = input.find('\n');
        const std::string_view line = input.substr(0, end);
        if (end == std::string_view::npos || line.find('\0') != std::string_view::npos || !take_line(line, moves)) {
            return malformed(number);
        }
        input.remove_prefix(end + 1);
    }
    return moves;
}

bool take_push_line(std::string_view line, std::vector<RefMove>& moves)
{
    const std::string_view remote_id = take_last(line);
    const std::string_view remote_ref = take_last(line);
    const std::string_view local_id = take_last(line);
    if (!is_id(remote_id) || !is_id(local_id) || !is_ref(remote_ref) || !remote_ref.starts_with("refs/") ||
        line.empty()) {
        return false;
    }
    moves.push_back({std::string(remote_ref), std::string(remote_id), std::string(local_id)});
    return true;
}

bool is_value(std::string_view text)
{
    return is_id(text) || (text.starts_with(k_symbolic) && is_ref(text.substr(k_symbolic.size())));
}

bool take_transaction_line(std::string_view line, std::vector<RefMove>& moves)
{
    const std::string_view ref = take_last(line);
    const std::string_view after = take_last(line);
    const std::string_view before = line;
    if (!is_ref(ref) || !is_value(after) || !is_value(before)) {
        return false;
    }
    if (branch_of(ref)) {
        RefMove move{std::string(ref), std::string(before), std::string(after)};
        move.symbolic = after.starts_with(k_symbolic);
        moves.push_back(std::move(move));
    }
    return true;
}

}  // namespace

Result<std::vector<RefMove>> parse_push_input(std::string_view input) { return parse(input, take_push_line); }

Result<std::vector<RefMove>> parse_transaction_input(std::string_view input)
{
    return parse(input, take_transaction_line);
}

}  // namespace mandate::core
