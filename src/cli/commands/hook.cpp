// `hook`: what git's hook files run. No answer on stdout, at most one sentence on stderr, exit 0 or 1.

#include "app/agent_hook.hpp"
#include "app/hooks.hpp"
#include "base/text.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "cli/words.hpp"

#include <utility>

namespace mandate::cli {

namespace {

constexpr Manual k_hook{
    "hook", "NAME [ARGUMENT...]", "what a git hook runs: may git go on?",
    "NAME is pre-commit, post-commit, pre-push, pre-rebase, pre-merge-commit or reference-transaction, the\n"
    "arguments and stdin are those that git gives to it. Prints one line on stderr where it refuses, and\n"
    "nothing otherwise; exit 0 or 1. MANDATE_BYPASS=WHY lets the action through, counted.\n"
    "NAME agent reads an agent host's tool call (JSON) from stdin and answers in the host's dialect on stdout,\n"
    "always with exit 0: deny, ask or allow, and nothing at all for a call that maps to no action.",
    "exec mandate hook pre-push \"$@\""};

std::vector<std::string_view> hook_names()
{
    std::vector<std::string_view> names;
    for (const core::Hook hook : core::all_hooks()) {
        names.push_back(core::name(hook));
    }
    names.emplace_back("agent");
    return names;
}

class HookVerb final : public Verb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_hook; }
    [[nodiscard]] Uses uses() const override { return Uses::nothing; }
    void declare(Arguments& arguments) override
    {
        arguments.words(m_words);
        arguments.option("--host", "HOST", m_host, "of `hook agent`: claude or codex");
    }
    Result<Outcome> run(const Globals& globals) override
    {
        if (!m_words.empty() && m_words[0] == "agent") {
            return run_agent();
        }
        if (m_host) {
            return fail(Code::usage, "--host belongs to: mandate hook agent");
        }
        if (m_words.empty()) {
            return fail(Code::usage, "there is no hook on the command line", choices({}, hook_names()));
        }
        const auto hook = core::parse_hook(m_words[0]);
        if (!hook) {
            return fail(Code::usage, "there is no hook " + in_quotes(m_words[0]), choices(m_words[0], hook_names()));
        }
        app::HookOutcome decided =
            app::run_hook({*hook, {m_words.begin() + 1, m_words.end()}, globals.directory.value_or("")});
        Outcome outcome;
        outcome.answer.add("hook", core::name(*hook)).add("passes", decided.passes).append(decided.answer);
        // git shows a hook's stdout to the user, so it stays empty but for what must never be missed.
        outcome.plain = decided.uncounted ? "ledger=unwritable\n" : "";
        outcome.exit = decided.passes ? Exit::yes : Exit::no;
        if (!decided.said.empty()) {
            outcome.notes.push_back(std::move(decided.said));
        }
        return outcome;
    }

private:
    // Those hosts read exit 2 as "block" and every other failure as "go on", so once the host is known the
    // decision is always in the JSON and the exit 0.
    Result<Outcome> run_agent()
    {
        if (auto checked = at_most(m_words, 1); !checked) {
            return fail(std::move(checked.error()));
        }
        const auto host = m_host ? core::parse_agent_host(*m_host) : std::nullopt;
        if (!host) {
            return fail(Code::usage, m_host ? "there is no host " + in_quotes(*m_host) : "--host HOST is missing",
                        "give --host claude or --host codex");
        }
        const app::AgentAnswer judged = app::judge_tool_call_on_stdin();
        Outcome outcome;
        outcome.answer.add("decision", core::name(judged.decision)).add("reason", core::text_or_absent(judged.reason));
        outcome.plain = core::render_decision(*host, judged.decision, text::escape_again(judged.reason));
        if (!judged.note.empty()) {
            outcome.notes.push_back(judged.note);
        }
        return outcome;
    }

    std::vector<std::string> m_words;
    std::optional<std::string> m_host;
};

}  // namespace

std::unique_ptr<Verb> make_hook() { return std::make_unique<HookVerb>(); }

}  // namespace mandate::cli
