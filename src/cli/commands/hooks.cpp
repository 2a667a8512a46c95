// `hooks install | uninstall | status`: the hook files of this worktree.

#include "app/agent_settings.hpp"
#include "app/hook_files.hpp"
#include "base/text.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "cli/words.hpp"

#include <utility>

namespace mandate::cli {

namespace {

constexpr Manual k_hooks{
    "hooks", "install|uninstall|status [DIR]", "puts mandate's hooks where git runs them",
    "Honours core.hooksPath. Hooks that are there are kept and run first (chained=); those of a hook manager\n"
    "are left alone (left_alone=), and complete=no and exit 1 then say that git does not ask everything.\n"
    "`uninstall` puts everything back as it was. `status`: a row a hook; exit 1 unless all are installed.\n"
    "With --agent claude: the same for the host's own settings in this worktree, so that it asks\n"
    "`mandate hook agent` before its tool calls (agent_settings=, agent_installed=).",
    "mandate hooks install"};

using Names = std::vector<std::string>;

template<typename Condition>
core::Value names(const app::HookReport& report, Condition condition)
{
    Names found;
    for (const app::HookRow& row : report.rows) {
        if (condition(row)) {
            found.emplace_back(core::name(row.hook));
        }
    }
    return found;
}

bool is_ours(const app::HookRow& row) { return row.state == "installed"; }
bool is_left_alone(const app::HookRow& row) { return row.state == "managed" || row.state == "blocked"; }

void add_rows(const app::HookReport& report, core::Answer& answer)
{
    std::vector<core::Answer> rows;
    for (const app::HookRow& row : report.rows) {
        core::Answer each;
        each.add("hook", core::name(row.hook)).add("state", row.state).add("chained", core::Value(row.chained));
        each.add("manager", core::text_or_absent(row.manager));
        rows.push_back(std::move(each));
    }
    answer.rows("hooks", std::move(rows));
}

void explain_left_alone(const app::HookReport& report, Outcome& outcome)
{
    for (const app::HookRow& row : report.rows) {
        const std::string hook(core::name(row.hook));
        if (row.state == "managed") {
            outcome.notes.push_back(
                text::join({"the hook ", hook, " is ", row.manager, "'s and is left alone; let ", row.manager,
                            " run: mandate hook ", hook, " \"$@\" (docs/hooks.md says how)"},
                           ""));
        } else if (row.state == "blocked") {
            outcome.notes.push_back(
                text::join({"the hook ", hook, " is left alone: it is no file, or an earlier one is kept as ", hook,
                            ".mandate-chained already; move one of them away"},
                           ""));
        }
    }
}

class HooksVerb final : public Verb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_hooks; }
    [[nodiscard]] Uses uses() const override { return Uses::nothing; }
    void declare(Arguments& arguments) override
    {
        arguments.words(m_words);
        arguments.option("--agent", "HOST", m_agent, "the settings of an agent host instead of git's hooks: claude");
    }
    Result<Outcome> run(const Globals& globals) override
    {
        const std::string what = word_at(m_words, 0);
        if (m_agent && *m_agent != "claude") {
            return fail(Code::usage, "there is no settings file to write for the host " + in_quotes(*m_agent),
                        "give --agent claude");
        }
        if (auto checked = at_most(m_words, 2); !checked) {
            return fail(std::move(checked.error()));
        }
        if (what != "install" && what != "uninstall" && what != "status") {
            return fail(Code::usage,
                        m_words.empty() ? "hooks is not told what to do" : "hooks does not do " + in_quotes(what),
                        choices(what, {"install", "uninstall", "status"}));
        }
        const auto lane =
            reading_lane(globals, word_at(m_words, 1), what == "install" ? Settings::required : Settings::optional);
        if (!lane) {
            return fail(lane.error());
        }
        if (m_agent) {
            return run_agent(what, *lane);
        }
        const auto report = what == "install"     ? app::install_hooks(*lane)
                            : what == "uninstall" ? app::uninstall_hooks(*lane)
                                                  : app::inspect_hooks(*lane);
        if (!report) {
            return fail(app::in_lane(report.error(), *lane));
        }
        Outcome outcome = start_outcome(*lane);
        outcome.answer.add("hooks_dir", report->directory).add("hooks_path_from", report->origin);
        if (what == "uninstall") {
            outcome.answer
                .add("removed", names(*report, [](const app::HookRow& row) { return row.changed && !row.chained; }))
                .add("restored", names(*report, [](const app::HookRow& row) { return row.changed && row.chained; }));
            return outcome;
        }
        outcome.answer.add("installed", names(*report, is_ours))
            .add("chained", names(*report, [](const app::HookRow& row) { return is_ours(row) && row.chained; }))
            .add("left_alone", names(*report, is_left_alone));
        if (what == "install") {
            outcome.answer.add("changed", names(*report, [](const app::HookRow& row) { return row.changed; }));
        }
        outcome.answer.add("complete", core::Value(report->complete()));
        outcome.exit = report->complete() ? Exit::yes : Exit::no;
        if (what == "status") {
            add_rows(*report, outcome.answer);
        }
        explain_left_alone(*report, outcome);
        return outcome;
    }

private:
    static Result<Outcome> run_agent(const std::string& what, const app::Lane& lane)
    {
        const auto report = what == "install"     ? app::install_agent_hook(lane)
                            : what == "uninstall" ? app::uninstall_agent_hook(lane)
                                                  : app::inspect_agent_hook(lane);
        if (!report) {
            return fail(app::in_lane(report.error(), lane));
        }
        Outcome outcome = start_outcome(lane);
        outcome.answer.add("agent_settings", report->file)
            .add("agent_installed", core::Value(report->installed))
            .add("changed", core::Value(report->changed));
        outcome.exit = report->installed || what == "uninstall" ? Exit::yes : Exit::no;
        return outcome;
    }

    Names m_words;
    std::optional<std::string> m_agent;
};

}  // namespace

std::unique_ptr<Verb> make_hooks() { return std::make_unique<HooksVerb>(); }

}  // namespace mandate::cli
