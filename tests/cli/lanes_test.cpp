// `lanes` and `doctor` on a real repository with lanes in different states.

#include "support/mandate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mandate::test {
namespace {

using testing::HasSubstr;

class Lanes : public testing::Test {
protected:
    Lanes() : repo(scratch), mandate(scratch) {}
    fs::path lane(const std::string& name, const std::string& task) const
    {
        fs::path path = repo.add_worktree(name);
        mandate.run(path, {"init", "--preset", "standard", "task=" + task, "authorized_by=me"});
        return path;
    }
    nlohmann::json row(const std::string& lane_id) const
    {
        const nlohmann::json answer = mandate.run(repo.path(), {"lanes", "--json"}).json();
        for (const auto& each : answer["lanes"]) {
            if (each["lane_id"] == lane_id) {
                return each;
            }
        }
        return {};
    }

    ScratchDir scratch;
    Repo repo;
    Mandate mandate;
};

// Nothing in the git directory says where such a main worktree is: who stands in it knows.
TEST_F(Lanes, AreFoundByBranchWhereTheGitDirectoryIsApart)
{
    for (const char* name : {"apart", "linked"}) {
        const Repo other(scratch, name);
        const fs::path git_dir = scratch.path() / (std::string(name) + ".git");
        fs::rename(other.path() / ".git", git_dir);
        if (name == std::string("apart")) {
            write_file(other.path() / ".git", "gitdir: " + git_dir.string() + "\n");
        } else {
            fs::create_symlink(git_dir, other.path() / ".git");
        }
        mandate.run(other.path(), {"init", "--preset", "standard", "task=t", "authorized_by=me"});
        EXPECT_EQ(mandate.run(other.path(), {"lane", "main"}).outcome.out, other.path().string() + "\n");
        const Answer shown = mandate.run(other.path(), {"show", "--branch", "main"});
        EXPECT_EQ(shown.value("lane_source"), "branch") << shown;
        const Answer round = mandate.run(other.path(), {"round", "--branch", "main"});
        EXPECT_EQ(round.value("round_authorized"), "yes") << round;
        EXPECT_EQ(round.value("lane"), other.path().string());
    }
}

TEST_F(Lanes, OneRowAWorktreeSortedByTask)
{
    mandate.run(lane("b", "zeta"), {"round"});
    lane("a", "alpha");
    const fs::path gone = lane("gone", "gone");
    fs::remove_all(gone);
    const fs::path bad = lane("bad", "bad");
    fs::remove(bad / "MANDATE.md");
    fs::create_symlink("/nonexistent", bad / "MANDATE.md");
    repo.git({"worktree", "lock", (scratch.path() / "a").string()});

    const Answer listed = mandate.run(repo.path(), {"lanes"});
    EXPECT_EQ(listed.exit(), 0) << "missing and broken ones are rows, never an error";
    EXPECT_THAT(listed.values("task"), testing::ElementsAre("alpha", "zeta", "", "", ""));
    EXPECT_EQ(row("worktrees/b")["round_state"], "booked");
    EXPECT_EQ(row("worktrees/b")["next"], "run-review");
    EXPECT_EQ(row("worktrees/b")["review_rounds_used"], 1);
    EXPECT_EQ(row("worktrees/b")["review_budget"], 3);
    EXPECT_EQ(row("worktrees/b")["branch"], "b");
    EXPECT_EQ(row("worktrees/a")["next"], "review");
    EXPECT_EQ(row("worktrees/a")["locked"], true);
    EXPECT_EQ(row("worktrees/gone")["missing"], true);
    EXPECT_EQ(row("worktrees/bad")["problem"], "record-symlink");
    EXPECT_EQ(row("main")["mandate_exists"], false);
}

TEST_F(Lanes, ATableFitsTheTerminalAndColoursOnlyWhereAsked)
{
    lane("a", "alpha");
    const Answer table = mandate.run(repo.path(), {"lanes", "--format", "table", "--color", "never"});
    EXPECT_THAT(table.outcome.out, testing::ContainsRegex("TASK +BRANCH +STATE +NEXT"));
    EXPECT_THAT(table.outcome.out, testing::Not(HasSubstr("\x1b")));
    EXPECT_THAT(mandate.run(repo.path(), {"lanes", "--format", "table", "--color", "always"}).outcome.out,
                HasSubstr("\x1b[1malpha"));
    EXPECT_EQ(mandate.run(repo.path(), {"lanes", "--color", "red"}).value("error"), "usage");
    EXPECT_EQ(mandate.run(repo.path(), {"lanes", "--json", "--format", "kv"}).json()["error"], "usage");
}

TEST_F(Lanes, ShellOutputIsSafeToEval)
{
    const fs::path path = lane("a", "it's $(touch x) `y`");
    Command command{
        {"sh", "-c", "eval \"$(\"$0\" show --format shell)\"; printf %s \"$mandate_task\"", mandate_binary()},
        scratch.environment(),
        path.string(),
        {},
        {},
        {}};
    EXPECT_EQ(test::run(command).out, "it's $(touch x) `y`");
    EXPECT_FALSE(fs::exists(path / "x"));
}

TEST_F(Lanes, DoctorNamesWhatIsWrongAndMendsWhatIsSafe)
{
    const fs::path path = lane("a", "alpha");
    const auto check = [&](const std::string& name, const std::vector<std::string>& more = {}) {
        std::vector<std::string> words{"doctor", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const nlohmann::json answer = mandate.run(path, words).json();
        for (const auto& each : answer["checks"]) {
            if (each["check"] == name) {
                return each["state"].get<std::string>();
            }
        }
        return std::string("no such check");
    };
    for (const std::string name :
         {"record", "lock", "exclude", "ledger", "unenforced", "leftovers", "configuration", "versions"}) {
        EXPECT_EQ(check(name), "ok") << name;
    }
    EXPECT_EQ(check("hooks"), "warning");
    mandate.run(path, {"hooks", "install"});
    EXPECT_EQ(check("hooks"), "ok");
    write_file(path / ".MANDATE.tmp.1.x", "left by a killed booking");
    EXPECT_EQ(check("leftovers"), "warning");
    EXPECT_EQ(check("leftovers", {"--fix"}), "fixed");
    EXPECT_FALSE(fs::exists(path / ".MANDATE.tmp.1.x"));
    write_file(repo.path() / ".git/info/exclude", "");
    EXPECT_EQ(check("exclude"), "warning");
    EXPECT_EQ(check("exclude", {"--fix"}), "fixed");
    const std::string record = read_file(path / "MANDATE.md");
    write_file(path / "MANDATE.md", std::string(record).insert(4, "expires_at: 2020-01-01T00:00:00Z\n"));
    EXPECT_EQ(check("record"), "warning") << "a grant that is over is no health";
    EXPECT_EQ(row("worktrees/a")["problem"], "expired");
    write_file(path / "MANDATE.md", record);
    fs::remove(path / ".MANDATE.lock");
    EXPECT_EQ(check("lock"), "ok");
    EXPECT_FALSE(fs::exists(path / ".MANDATE.lock")) << "examining makes no files";
    fs::create_directory(path / ".MANDATE.lock");
    EXPECT_EQ(check("lock"), "failed");
    EXPECT_EQ(mandate.run(path, {"doctor"}).exit(), 1);
}

}  // namespace
}  // namespace mandate::test
