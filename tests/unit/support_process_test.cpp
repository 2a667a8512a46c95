// The harness itself: a test that cannot see a hang, a signal or lost output proves nothing.
#include "support/process.hpp"
#include "support/repo.hpp"

#include <csignal>
#include <gmock/gmock.h>
#include <stdexcept>

namespace mandate::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Command shell(const std::string& script)
{
    Command command;
    command.arguments = {"sh", "-c", script};
    return command;
}

TEST(Process, CapturesOutputAndExitStatus)
{
    const Outcome outcome = run(shell("printf out; printf err >&2; exit 7"));
    EXPECT_EQ(outcome.out, "out");
    EXPECT_EQ(outcome.err, "err");
    EXPECT_EQ(outcome.exit_code, 7);
    EXPECT_FALSE(outcome.succeeded());
}

TEST(Process, PassesInputArgumentsDirectoryAndEnvironment)
{
    Command command = shell("cat; pwd; echo \"$MINE-$HOME\"; echo \"$0\"");
    command.arguments.emplace_back("an argument\nwith a line");
    command.input = "in\n";
    command.directory = "/usr";
    command.environment = {{"MINE", "a b"}};
    EXPECT_EQ(run(command).out, "in\n/usr\na b-\nan argument\nwith a line\n");
}

TEST(Process, MovesMoreThanAPipeHolds)
{
    Command command = shell("cat");
    command.input = std::string(1'000'000, 'x');
    EXPECT_EQ(run(command).out.size(), 1'000'000U);
}

TEST(Process, OutlivesAProgramThatDoesNotReadItsInput)
{
    Command command = shell("exit 0");
    command.input = std::string(1'000'000, 'x');
    EXPECT_TRUE(run(command).succeeded());
}

TEST(Process, TellsASignalFromAnExit)
{
    const Outcome outcome = run(shell("kill -TERM $$"));
    EXPECT_EQ(outcome.signal, SIGTERM);
    EXPECT_EQ(outcome.exit_code, -1);
}

TEST(Process, KillsWhatOutstaysItsTimeWithItsChildren)
{
    Command command = shell("sleep 1000 & sleep 1000");
    command.timeout = 50ms;
    const Outcome outcome = run(command);
    EXPECT_TRUE(outcome.timed_out);
    EXPECT_FALSE(outcome.succeeded());
}

TEST(Process, SendsOutputToAFileThatIsFull)
{
    Command command = shell("echo x");
    command.output_path = "/dev/full";
    EXPECT_FALSE(run(command).succeeded());
}

TEST(Process, ClosesDescriptors)
{
    Command command = shell("echo x");
    command.closed_descriptors = {1};
    EXPECT_FALSE(run(command).succeeded());
}

TEST(Process, ThrowsWhenThereIsNoSuchProgram)
{
    Command command;
    command.arguments = {"/nonexistent/program"};
    EXPECT_THROW(run(command), std::runtime_error);
}

TEST(Background, RunsBesideTheTest)
{
    Background background(shell("echo ready; exec sleep 1000"));
    background.wait_for_output("ready\n");
    background.kill(SIGKILL);
    EXPECT_EQ(background.wait().signal, SIGKILL);
}

TEST(Background, SaysWhenTheOutputNeverComes)
{
    Background background(shell("echo something else"));
    EXPECT_THROW(background.wait_for_output("ready"), std::runtime_error);
}

TEST(Repo, HasACommitALinkedWorktreeAndNothingOfTheUsers)
{
    const ScratchDir scratch;
    const Repo repo(scratch);
    const fs::path lane = repo.add_worktree("lane");
    EXPECT_EQ(repo.git_in(lane, {"rev-parse", "--show-toplevel"}), lane.string());
    EXPECT_EQ(repo.git_in(lane, {"branch", "--show-current"}), "lane");
    EXPECT_EQ(repo.git({"log", "--format=%an"}), "Test");
    EXPECT_THAT(repo.git({"config", "--list", "--show-origin"}), testing::Not(HasSubstr("/etc/")));
}

TEST(Repo, ThrowsWhatGitSaid)
{
    const ScratchDir scratch;
    const Repo repo(scratch);
    EXPECT_THROW(repo.git({"checkout", "nowhere"}), std::runtime_error);
}

TEST(ScratchDir, GoesWithReadOnlyDirectoriesInIt)
{
    fs::path path;
    {
        const ScratchDir scratch;
        path = scratch.path();
        write_file(path / "a/b/c", "x");
        fs::permissions(path / "a/b", fs::perms::none);
        fs::permissions(path / "a", fs::perms::owner_read);
    }
    EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace mandate::test
