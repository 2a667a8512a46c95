// One tool call of an agent, judged by the record of the lane in which it would act.
//
// Denied: what the record or policy denies, and any edit of a record, lock or ledger. Asked: what is unlisted,
// expired, not understood, or cannot be looked up. Allowed: only a command line whose every command maps to an
// allowed action. Anything else gets no opinion. Without a record [hooks] without_record decides: no opinion,
// counted, or ask. Never fails: what goes wrong is asked about.
#pragma once

#include "core/agent_dialect.hpp"

#include <string>
#include <string_view>

namespace mandate::app {

struct AgentAnswer {
    core::AgentDecision decision = core::AgentDecision::no_opinion;
    std::string reason;  // raw text
    std::string note;    // for stderr: a count that could not be written
};

AgentAnswer judge_tool_call(std::string_view json);

// The same for what a host feeds through stdin; an input without an end is asked about after some seconds.
AgentAnswer judge_tool_call_on_stdin();

}  // namespace mandate::app
