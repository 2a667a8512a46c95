// A repository with hooks installed, a bare remote and two lanes: `feat` (standard) and `draft` (draft-only).
// Everything goes through real git; nothing of what git hands to a hook is made up.
#pragma once

#include "support/mandate.hpp"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace mandate::test {

class Hooks : public ::testing::Test {
protected:
    Hooks()
    {
        repo.git({"init", "--quiet", "--bare", remote.string()});
        repo.git({"remote", "add", "origin", remote.string()});
        repo.git({"push", "--quiet", "origin", "main"});
        feat = repo.add_worktree("feat");
        draft = repo.add_worktree("draft");
        grant(feat, "standard");
        grant(draft, "draft-only");
        EXPECT_EQ(mandate.run(repo.path(), {"hooks", "install"}).exit(), 0);
    }

    void grant(const fs::path& lane, const std::string& preset) const
    {
        const Answer made =
            mandate.run(lane, {"init", "task=" + preset, "authorized_by=ann", "--preset", preset, "--force"});
        EXPECT_EQ(made.exit(), 0) << made;
    }

    // git as a user runs it; the outcome is the test's to judge.
    Outcome git(const fs::path& directory, std::vector<std::string> arguments, const Environment& more = {}) const
    {
        Command command;
        command.arguments = {"git"};
        command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
        command.environment = scratch.environment();
        command.environment["GIT_EDITOR"] = "true";
        command.environment["GIT_SEQUENCE_EDITOR"] = "true";
        for (const auto& [name, value] : more) {
            command.environment[name] = value;
        }
        command.directory = directory.string();
        return run(command);
    }

    void change(const fs::path& lane, const std::string& name, const std::string& content = "x\n") const
    {
        write_file(lane / name, content);
        repo.git_in(lane, {"add", "--", name});
    }

    Outcome commit(const fs::path& lane, const std::string& name) const
    {
        change(lane, name);
        return git(lane, {"commit", "--quiet", "--message", name});
    }

    std::string head(const fs::path& lane) const { return repo.git_in(lane, {"rev-parse", "HEAD"}); }
    std::string remote_ref(const std::string& ref) const
    {
        return git(remote, {"rev-parse", "--quiet", "--verify", ref}).out;
    }

    // How often the lane's ledger holds `text`.
    std::size_t in_ledger(const fs::path& lane, const std::string& text) const
    {
        const std::string name = lane == repo.path() ? "main" : "worktrees/" + lane.filename().string();
        const fs::path path = repo.path() / ".git/mandate" / (name + ".jsonl");
        const std::string bytes = fs::exists(path) ? read_file(path) : std::string();
        std::size_t count = 0;
        for (std::size_t at = bytes.find(text); at != std::string::npos; at = bytes.find(text, at + 1)) {
            ++count;
        }
        return count;
    }
    std::size_t counted(const fs::path& lane, const std::string& reason) const
    {
        return in_ledger(lane, "\"event\":\"unenforced\"") == 0 ? 0 : in_ledger(lane, "\"reason\":\"" + reason + "\"");
    }

    // Exactly one line of ours, naming hook and action.
    static void expect_refusal(const Outcome& outcome, const std::string& hook, const std::string& what)
    {
        EXPECT_NE(outcome.exit_code, 0) << outcome;
        const std::size_t at = outcome.err.find("mandate: " + hook + ": ");
        ASSERT_NE(at, std::string::npos) << outcome;
        EXPECT_EQ(outcome.err.find("mandate: ", at + 1), std::string::npos) << outcome;
        EXPECT_NE(outcome.err.substr(at, outcome.err.find('\n', at) - at).find(what), std::string::npos) << outcome;
    }
    static void expect_silent_success(const Outcome& outcome)
    {
        EXPECT_EQ(outcome.exit_code, 0) << outcome;
        EXPECT_EQ(outcome.err, "") << outcome;
        EXPECT_EQ(outcome.out, "") << outcome;
    }

    ScratchDir scratch;
    Repo repo{scratch};
    Mandate mandate{scratch};
    fs::path remote = scratch.path() / "remote.git";
    fs::path feat, draft;
};

}  // namespace mandate::test
