// The JSON that agent hosts send before a tool call, and the JSON that they want back.
//
// claude  Claude Code's PreToolUse hook: {"hook_event_name","cwd","tool_name","tool_input"} in; out
//         {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow|deny|ask",
//         "permissionDecisionReason":"..."}}
// codex   the same shape, but the host cannot ask and takes no "allow": what would be asked is a deny that
//         says why, and an allow is no opinion.
//
// No opinion is an empty output: the host goes by its own rules. Input is untrusted and bounded.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::core {

constexpr std::size_t k_tool_call_limit = 8U << 20U;  // bytes; a tool call may carry a whole file

enum class AgentHost { claude, codex };
std::optional<AgentHost> parse_agent_host(std::string_view word);

struct ToolCall {
    std::string directory;               // cwd
    std::optional<std::string> command;  // of a shell tool
    bool runs_shell = false;             // a shell that is known by name; any other may do more than its command says
    std::vector<std::string> files;      // that an editing tool writes
};

// Nothing when the input is not understood: that is asked about. A tool that neither runs commands nor writes
// files gives an empty call.
std::optional<ToolCall> parse_tool_call(std::string_view json);

enum class AgentDecision { no_opinion, allow, ask, deny };
std::string_view name(AgentDecision decision);  // "none", "allow", "ask", "deny"

// What stdout gets, newline included; empty for no opinion. `reason` is one line of escaped text.
std::string render_decision(AgentHost host, AgentDecision decision, const std::string& reason);

}  // namespace mandate::core
