// `hook agent` as a host calls it, and `hooks install --agent claude`.

#include "support/mandate.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mandate::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class AgentHook : public testing::Test {
protected:
    AgentHook() : repo(scratch), lane(repo.add_worktree("lane")), mandate(scratch)
    {
        mandate.run(lane, {"init", "--preset", "standard", "task=t", "authorized_by=me"});
    }
    // "none", or what the host is told.
    std::string decide(const json& call, const std::string& host = "claude") const
    {
        return decide_text(call.dump(), host);
    }
    std::string decide_text(const std::string& input, const std::string& host = "claude") const
    {
        Command command = mandate.command(repo.path(), {"hook", "agent", "--host", host});
        command.input = input;
        const Outcome outcome = test::run(command);
        EXPECT_EQ(outcome.exit_code, 0) << outcome;
        if (outcome.out.empty()) {
            return "none";
        }
        const json answer = json::parse(outcome.out)["hookSpecificOutput"];
        EXPECT_EQ(answer["hookEventName"], "PreToolUse");
        EXPECT_FALSE(answer["permissionDecisionReason"].get<std::string>().empty());
        return answer["permissionDecision"];
    }
    json bash(const std::string& command) const
    {
        return {{"hook_event_name", "PreToolUse"},
                {"cwd", lane.string()},
                {"tool_name", "Bash"},
                {"tool_input", {{"command", command}}}};
    }
    json tool(const std::string& name, const std::string& file) const
    {
        return {{"cwd", lane.string()}, {"tool_name", name}, {"tool_input", {{"file_path", file}, {"content", "x"}}}};
    }

    ScratchDir scratch;
    Repo repo;
    fs::path lane;
    Mandate mandate;
};

// By whatever name: through a link, by a pattern, from a tool that is not known, and where the tool says it works.
TEST_F(AgentHook, TheRecordIsGuardedByWhatAWordLeadsTo)
{
    fs::create_symlink("MANDATE.md", lane / "link");
    fs::create_directory(lane / "sub");
    for (const std::string command : {"echo x > link", "tee link", "cp a sub/../link"}) {
        EXPECT_EQ(decide(bash(command)), "deny") << command;
    }
    for (const std::string command : {"rm MANDATE*", "rm MAND?TE.md", "sed -i s/x/y/ *.md", "rm -f .M*"}) {
        EXPECT_EQ(decide(bash(command)), "ask") << command;
    }
    for (const std::string command : {"find . -name '*.md'", "touch sub/*", "cat *.md"}) {
        EXPECT_EQ(decide(bash(command)), "none") << command;
    }
    for (const std::string key : {"filePath", "target_file", "destination", "relative_path"}) {
        EXPECT_EQ(decide({{"cwd", lane}, {"tool_name", "mcp__fs__move"}, {"tool_input", {{key, "MANDATE.md"}}}}),
                  "deny")
            << key;
    }
    const std::string patch = "*** Begin Patch\n  *** Update File: MANDATE.md\r\n";
    EXPECT_EQ(decide({{"cwd", lane}, {"tool_name", "apply_patch"}, {"tool_input", {{"command", patch}}}}), "deny");
}

TEST_F(AgentHook, AnUnknownShellIsJudgedAndNeverAllowed)
{
    json call = bash("git push origin HEAD:main");
    call["tool_name"] = "mcp__shell__run";
    EXPECT_EQ(decide(call), "deny");
    call["tool_input"]["command"] = "git push";
    EXPECT_EQ(decide(call), "none");
    const json moved = {{"cwd", repo.path()},
                        {"tool_name", "shell"},
                        {"tool_input", {{"command", {"git", "reset", "--hard"}}, {"workdir", lane}}}};
    EXPECT_EQ(decide(moved), "deny");
}

TEST_F(AgentHook, CheckingOutAFileIsDestructiveAndABranchIsNot)
{
    std::ofstream(lane / "kept") << "x";
    EXPECT_EQ(decide(bash("git checkout kept")), "deny");
    EXPECT_EQ(decide(bash("git checkout other")), "none");
}

TEST_F(AgentHook, SpeaksTheHostsDialect)
{
    EXPECT_EQ(decide(bash("git commit -m x && git push")), "allow");
    EXPECT_EQ(decide(bash("git push origin main")), "deny") << "merge is denied";
    EXPECT_EQ(decide(bash("git reset --hard")), "deny");
    EXPECT_EQ(decide(bash("make test")), "none") << "no action, no opinion";
    EXPECT_EQ(decide(bash("make && git commit -m x")), "none") << "an allow covers the whole line or nothing";
    EXPECT_EQ(decide(bash("git ci")), "ask");
    EXPECT_EQ(decide(bash("git commit -m x"), "codex"), "none") << "that host takes no allow";
    EXPECT_EQ(decide(bash("git ci"), "codex"), "deny") << "and cannot ask";
    mandate.run(lane, {"revoke", "commit"});
    EXPECT_EQ(decide(bash("git commit -m x")), "ask") << "unlisted";
}

TEST_F(AgentHook, TheStrictestPartOfALineDecides)
{
    EXPECT_EQ(decide(bash("git commit -m x && git push origin main")), "deny");
    EXPECT_EQ(decide(bash("git push origin main; git commit -m x")), "deny");
    EXPECT_EQ(decide(bash("git commit -m x && git ci")), "ask");
    EXPECT_EQ(decide(bash("git ci && git reset --hard")), "deny");
    EXPECT_EQ(decide(bash("git commit -m x && cd / && git commit -m y")), "none") << "nobody's lane: no opinion";
}

TEST_F(AgentHook, PolicyAndTimeBindItToo)
{
    const fs::path config = repo.path() / ".git/mandate/config.toml";
    write_file(config, "[policy]\ndeny = [\"commit\"]\n");
    EXPECT_EQ(decide(bash("git commit -m x")), "deny");
    fs::remove(lane / "MANDATE.md");
    EXPECT_EQ(decide(bash("git commit -m x")), "deny") << "also where there is no record";
    fs::remove(config);
    mandate.run(lane,
                {"init", "--preset", "standard", "task=t", "authorized_by=me", "expires_at=2020-01-01T00:00:00Z"});
    EXPECT_EQ(decide(bash("git commit -m x")), "ask") << "expired";
}

TEST_F(AgentHook, ALaneThatCannotBeLookedUpIsAskedAbout)
{
    json call = bash("git commit -m x");
    call["cwd"] = "/";
    EXPECT_EQ(decide(call), "none") << "no repository: git itself refuses";
    repo.git({"config", "core.repositoryformatversion", "1"});
    repo.git({"config", "extensions.nosuch", "true"});
    EXPECT_EQ(decide(bash("git commit -m x")), "ask");
}

TEST_F(AgentHook, GuardsTheRecordAndTheLedger)
{
    for (const std::string name : {"Write", "Edit", "MultiEdit"}) {
        EXPECT_EQ(decide(tool(name, (lane / "MANDATE.md").string())), "deny");
        EXPECT_EQ(decide(tool(name, ".MANDATE.lock")), "deny");
        EXPECT_EQ(decide(tool(name, (repo.path() / ".git/mandate/main.jsonl").string())), "deny");
        EXPECT_EQ(decide(tool(name, "src/a.c")), "none");
    }
    fs::create_symlink("MANDATE.md", lane / "notes.md");
    EXPECT_EQ(decide(tool("Write", "notes.md")), "deny") << "a link of another name";
    EXPECT_EQ(decide(tool("Read", "MANDATE.md")), "none");
    EXPECT_EQ(decide(bash("echo x > MANDATE.md")), "deny");
    const json patch = {
        {"cwd", lane.string()},
        {"tool_name", "apply_patch"},
        {"tool_input", {{"command", "*** Begin Patch\n*** Update File: MANDATE.md\n@@\n-a\n+b\n*** End Patch"}}}};
    EXPECT_EQ(decide(patch, "codex"), "deny");
}

TEST_F(AgentHook, WhatCannotBeParsedIsAsked)
{
    for (const std::string& input :
         {std::string(), std::string("{"), std::string("[]"), std::string("{\"tool_name\":1}"),
          std::string("{}\0{}", 5), std::string(9U << 20U, 'x'),
          std::string("{\"tool_name\":\"Bash\",\"tool_input\":{}}")}) {
        EXPECT_EQ(decide_text(input), "ask") << input.substr(0, 50);
        EXPECT_EQ(decide_text(input, "codex"), "deny");
    }
    EXPECT_EQ(mandate.run(lane, {"hook", "agent"}).value("error"), "usage");
    EXPECT_EQ(mandate.run(lane, {"hook", "agent", "--host", "other"}).value("error"), "usage");
}

TEST_F(AgentHook, WithoutARecordItIsCountedAndLeftToTheHost)
{
    fs::remove(lane / "MANDATE.md");
    EXPECT_EQ(decide(bash("git push")), "none");
    EXPECT_THAT(mandate.run(lane, {"unenforced"}).outcome.out, HasSubstr("reason=no-mandate count=1"));
    write_file(lane / ".mandate.toml", "[hooks]\nwithout_record = \"refuse\"\n");
    EXPECT_EQ(decide(bash("git push")), "ask");
    fs::remove(lane / ".mandate.toml");
    fs::create_symlink("/nonexistent", lane / "MANDATE.md");
    EXPECT_EQ(decide(bash("git push")), "ask") << "a record that cannot be trusted";
}

TEST_F(AgentHook, InstallWritesTheHostsSettingsAndTakesThemBack)
{
    const fs::path file = lane / ".claude/settings.local.json";
    const std::string before = "{ \"permissions\":   {\"allow\": [\"Bash(ls)\"]} }\n";
    write_file(file, before);
    const Answer installed = mandate.run(lane, {"hooks", "install", "--agent", "claude"});
    EXPECT_EQ(installed.exit(), 0) << installed;
    EXPECT_EQ(installed.value("agent_settings"), file.string());
    EXPECT_EQ(installed.value("changed"), "yes");
    const json settings = json::parse(read_file(file));
    EXPECT_EQ(settings["permissions"]["allow"][0], "Bash(ls)");
    const std::string command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"];
    EXPECT_THAT(command, testing::EndsWith(" hook agent --host claude"));
    EXPECT_EQ(mandate.run(lane, {"hooks", "install", "--agent", "claude"}).value("changed"), "no");
    EXPECT_EQ(mandate.run(lane, {"hooks", "status", "--agent", "claude"}).value("agent_installed"), "yes");
    EXPECT_EQ(mandate.run(lane, {"hooks", "uninstall", "--agent", "claude"}).exit(), 0);
    EXPECT_EQ(read_file(file), before) << "byte for byte";
    EXPECT_FALSE(fs::exists(lane / ".claude/settings.local.json.before-mandate"));
    write_file(file, "// not JSON");
    EXPECT_EQ(mandate.run(lane, {"hooks", "install", "--agent", "claude"}).value("error"), "value-invalid");
    EXPECT_EQ(read_file(file), "// not JSON");
}

}  // namespace
}  // namespace mandate::test
