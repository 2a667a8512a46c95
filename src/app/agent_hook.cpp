#include "app/agent_hook.hpp"

#include "app/inspect.hpp"
#include "app/unenforced.hpp"
#include "base/text.hpp"
#include "core/command_intent.hpp"
#include "core/verdict.hpp"
#include "os/file.hpp"
#include "os/input.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace mandate::app {

namespace {

using core::AgentDecision;
using core::Intent;

AgentAnswer ask(std::string reason) { return {AgentDecision::ask, std::move(reason), {}}; }
AgentAnswer deny(std::string reason) { return {AgentDecision::deny, std::move(reason), {}}; }

// The stricter of two: deny, ask, no opinion, allow.
AgentAnswer stricter(AgentAnswer first, AgentAnswer second)
{
    const auto rank = [](AgentDecision decision) {
        switch (decision) {
            case AgentDecision::deny:
                return 3;
            case AgentDecision::ask:
                return 2;
            case AgentDecision::no_opinion:
                return 1;
            case AgentDecision::allow:
                break;
        }
        return 0;
    };
    return rank(second.decision) > rank(first.decision) ? std::move(second) : std::move(first);
}

std::string joined(const std::string& base, const std::string& path)
{
    return base.empty() || path.empty() || path[0] == '/' ? (path.empty() ? base : path) : base + "/" + path;
}

AgentAnswer guarded(const std::string& path)
{
    return deny("'" + text::escape(path) +
                "' belongs to mandate's record or ledger; a person changes it, with mandate's own verbs");
}

// By its name, and by what a symlink of another name leads to.
bool guards(const std::string& directory, const std::string& path)
{
    const auto real = os::real_path(joined(directory, path));
    return core::is_guarded_path(path) || (real && core::is_guarded_path(*real));
}

// The same for a word of a shell, which expands it.
bool guards_pattern(const std::string& directory, const std::string& word)
{
    const std::vector<std::string> names = os::matching_paths(joined(directory, word));
    return std::any_of(names.begin(), names.end(), [](const std::string& name) { return guards("", name); });
}

AgentAnswer without_record(const Lane& lane, const std::string& action)
{
    if (lane.settings.config.without_record.value == core::OnDoubt::refuse) {
        return ask("this lane has no record, so nobody granted '" + action + "'");
    }
    Ledger ledger(lane.place);
    const core::LetThrough what{core::Unenforced::no_mandate, "agent: " + action, {{"action", action}}};
    const Counted counted = count_unenforced(ledger, {}, what);
    return {AgentDecision::no_opinion, {}, counted.note.value_or("")};
}

AgentAnswer judge_action(const Lane& lane, const std::string& action)
{
    const auto& policy = lane.settings.config.policy_deny.values;
    const auto loaded = load_record(lane);
    if (!loaded) {
        return ask("the lane's record cannot be trusted: " + loaded.error().message);
    }
    if (!*loaded) {
        for (const std::string& denied : policy) {
            if (denied == action) {
                return deny("'" + action + "' is denied by policy");
            }
        }
        return without_record(lane, action);
    }
    const Time now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const core::Verdict verdict = core::decide((*loaded)->record, action, policy, now);
    const std::string who = "a person may grant it: mandate grant " + action + " --by WHO";
    switch (verdict) {
        case core::Verdict::allowed:
            return {AgentDecision::allow, "'" + action + "' is granted to this lane", {}};
        case core::Verdict::denied:
            return deny("'" + action + "' is denied in this lane; " + who);
        case core::Verdict::unlisted:
            return ask("'" + action + "' was not granted to this lane; " + who);
        case core::Verdict::expired:
            return ask("the lane's grant has expired, so '" + action + "' needs a person");
        case core::Verdict::no_mandate:
            break;
    }
    return ask("nobody granted '" + action + "'");
}

AgentAnswer judge_intent(const Intent& intent, const std::string& directory)
{
    if (intent.kind == Intent::Kind::touches) {
        return guarded(intent.text);
    }
    if (intent.kind == Intent::Kind::writes) {
        const std::string where = joined(directory, intent.directory);
        if (intent.pattern) {
            return guards_pattern(where, intent.text) ? ask("'" + text::escape(intent.text) + "' may name the record")
                                                      : AgentAnswer{};
        }
        return guards(where, intent.text) ? guarded(intent.text) : AgentAnswer{};
    }
    if (intent.kind == Intent::Kind::checkout) {
        const auto facts = os::look_at_path(joined(joined(directory, intent.directory), intent.text));
        if (facts && facts->kind == os::Kind::absent) {
            return {};
        }
        Intent loses{Intent::Kind::action, "destructive", intent.directory, {}};
        return judge_intent(loses, directory);
    }
    if (intent.kind == Intent::Kind::ask) {
        return ask("cannot be judged for certain: " + intent.text);
    }
    const auto lane = open_lane({joined(directory, intent.directory), std::nullopt, false, true});
    if (!lane) {
        if (lane.error().code == Code::not_a_repository) {
            return {};  // nobody's lane: git itself will refuse
        }
        return ask("the lane cannot be looked up: " + lane.error().message);
    }
    const core::Branches branches{lane->place.head.branch, lane->settings.config.protected_branches.values};
    const std::vector<std::string> actions = intent.kind == Intent::Kind::action ? std::vector<std::string>{intent.text}
                                                                                 : core::actions_of(intent, branches);
    AgentAnswer answer = judge_action(*lane, actions[0]);
    for (std::size_t i = 1; i < actions.size(); ++i) {
        answer = stricter(std::move(answer), judge_action(*lane, actions[i]));
    }
    return answer;
}

AgentAnswer judge_command(const std::string& command, const std::string& directory)
{
    const core::Intents intents = core::intents_of(command);
    std::optional<AgentAnswer> answer;
    for (const Intent& intent : intents.all) {
        AgentAnswer next = judge_intent(intent, directory);
        if (intent.kind == Intent::Kind::writes && next.decision == AgentDecision::no_opinion) {
            continue;  // it says nothing of the other commands
        }
        answer = answer ? stricter(std::move(*answer), std::move(next)) : std::move(next);
    }
    if (!answer || (answer->decision == AgentDecision::allow && !intents.only_actions)) {
        return {};  // an allow must cover the whole line
    }
    return std::move(*answer);
}

}  // namespace

AgentAnswer judge_tool_call(std::string_view json)
{
    const auto call = core::parse_tool_call(json);
    if (!call) {
        return ask("the tool call is not one that mandate understands");
    }
    for (const std::string& file : call->files) {
        if (guards(call->directory, file)) {
            return guarded(file);
        }
    }
    AgentAnswer answer = call->command ? judge_command(*call->command, call->directory) : AgentAnswer{};
    const bool too_much = answer.decision == AgentDecision::allow && !call->runs_shell;
    return too_much ? AgentAnswer{} : answer;
}

AgentAnswer judge_tool_call_on_stdin()
{
    constexpr std::chrono::seconds k_patience{5};
    const auto input = os::read_stdin(core::k_tool_call_limit, k_patience);
    return input ? judge_tool_call(*input) : ask("the tool call could not be read: " + input.error().text());
}

}  // namespace mandate::app
