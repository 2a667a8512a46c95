// close-request: an untrusted message, the lane that it names, and the line that stays when the lane goes.

#include "support/closing.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace mandate::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CloseRequest : public Closing {
protected:
    [[nodiscard]] std::string message(const std::string& task = "done") const
    {
        return "mandate close-request\ntask=" + task + "\nworktree=" + lane.string() +
               "\nrepo=" + repo.path().string() + "\n";
    }
    Answer ask(std::string_view bytes) const
    {
        write_file(scratch.path() / "message", bytes);
        return mandate.run(scratch.path(), {"close-request", "message"});
    }
    void expect_reject(std::string_view bytes, const std::string& code) const
    {
        const Answer answer = ask(bytes);
        EXPECT_EQ(answer.exit(), 1) << answer;
        EXPECT_EQ(answer.value("decision"), "reject") << answer;
        EXPECT_THAT(codes(answer), ElementsAre(code)) << answer;
    }
    std::string log() const { return mandate.run(repo.path(), {"log", "--all"}).outcome.out; }
};

TEST_F(CloseRequest, AutoLeavesALineThatOutlivesTheLane)
{
    ASSERT_EQ(mandate
                  .run(lane, {"init", "--preset", "merge-delegated", "terminal_gate=merged", "task=done",
                              "authorized_by=ann"})
                  .exit(),
              0);
    const std::string digest = git({"hash-object", "MANDATE.md"});
    const Answer answer =
        ask("\n\n  \nmandate close-request\nDear automation,\ntask=done\r\nworktree=" + lane.string() +
            "\nrepo=" + repo.path().string() + "\nnote=please\n");
    EXPECT_EQ(answer.exit(), 0) << answer;
    EXPECT_EQ(answer.value("decision"), "auto");
    EXPECT_EQ(answer.value("lane"), lane.string());
    EXPECT_EQ(answer.value("task"), "done");
    repo.git({"worktree", "remove", "--force", lane.string()});
    repo.git({"branch", "--quiet", "-D", "task/done"});
    EXPECT_THAT(log(), HasSubstr("event=closed"));
    EXPECT_THAT(log(), HasSubstr("record=" + digest));
}

TEST_F(CloseRequest, WithoutARecordTheBranchNamesTheTask)
{
    EXPECT_EQ(ask(message()).exit(), 0);
    expect_reject(message("other"), "lane-mismatch");
    git({"checkout", "--quiet", "-b", "done"});
    expect_reject(message(), "lane-mismatch");
}

TEST_F(CloseRequest, TheOlderMarkIsTakenToo)
{
    EXPECT_EQ(ask("work-system" + message().substr(message().find(' '))).exit(), 0);
}

TEST_F(CloseRequest, CloseCheckDecidesAndNothingIsWrittenForAnAsk)
{
    put("b.txt", "b\n");
    const Answer answer = ask(message());
    EXPECT_EQ(answer.exit(), 1);
    EXPECT_EQ(answer.value("decision"), "ask");
    EXPECT_THAT(reasons(answer), ElementsAre("dirty untracked b.txt"));
    EXPECT_THAT(log(), testing::Not(HasSubstr("event=closed")));
}

TEST_F(CloseRequest, MalformedMessages)
{
    expect_reject("", "malformed");
    expect_reject("hello\n" + message(), "malformed");
    expect_reject("mandate close-requests\n" + message(), "malformed");
    expect_reject(message() + "task=done\n", "malformed");
    expect_reject(message() + "repo=/x\n", "malformed");
    expect_reject("mandate close-request\ntask=done\nworktree=" + lane.string() + "\n", "malformed");
    expect_reject("mandate close-request\ntask=done\nworktree=\nrepo=/\n", "malformed");
    expect_reject(message() + std::string("\0", 1), "malformed");
    expect_reject(message() + std::string(70000, 'x'), "malformed");
}

TEST_F(CloseRequest, AnInvalidTaskIsNotEchoed)
{
    for (const char* task : {"../done", "-rf", ".hidden", "do ne", "done;rm", "d\xC3\xB6ne", "\x1b[31m", "a/b"}) {
        const Answer answer = ask(message(task));
        EXPECT_THAT(codes(answer), ElementsAre("invalid-task")) << answer;
        EXPECT_THAT(answer.outcome.out + answer.outcome.err, testing::Not(HasSubstr(task)));
    }
}

TEST_F(CloseRequest, AnotherRepositoryOrNoLane)
{
    const Repo other(scratch, "other");
    std::string text = message();
    text.replace(text.find("repo="), std::string::npos, "repo=" + other.path().string() + "\n");
    expect_reject(text, "repo-mismatch");
    text.replace(text.find("repo="), std::string::npos, "repo=" + (repo.path() / ".git").string() + "\n");
    EXPECT_EQ(ask(text).exit(), 0) << "the common dir names the repository as well";
    for (const fs::path& place : {scratch.path() / "gone", scratch.path(), lane / "src"}) {
        expect_reject(
            "mandate close-request\ntask=done\nworktree=" + place.string() + "\nrepo=" + repo.path().string() + "\n",
            "not-a-lane");
    }
    text = message();
    text.replace(text.find("worktree="), std::string::npos,
                 "worktree=" + repo.path().string() + "\nrepo=" + repo.path().string() + "\n");
    const Answer main = ask(text);
    EXPECT_EQ(main.value("decision"), "reject") << main;
}

TEST_F(CloseRequest, FilesThatAreNoneNeverBlock)
{
    ASSERT_EQ(::mkfifo((scratch.path() / "fifo").c_str(), 0600), 0);
    write_file(scratch.path() / "message", message());
    fs::create_symlink("message", scratch.path() / "link");
    for (const char* name : {"fifo", "link", "home", "missing", "/dev/zero"}) {
        const Answer answer = mandate.run(scratch.path(), {"close-request", name});
        EXPECT_FALSE(answer.outcome.timed_out);
        EXPECT_EQ(answer.exit(), 2) << name << answer;
        EXPECT_EQ(answer.value("error"), "value-invalid") << name;
        EXPECT_FALSE(answer.has("decision")) << name << ": only what a message says is decided";
        EXPECT_THAT(answer.outcome.err, HasSubstr(std::string(name) + "'; ")) << "it is named";
    }
    Command piped = mandate.command(scratch.path(), {"close-request", "-"});
    piped.input = message();
    EXPECT_EQ(run(piped).exit_code, 0);
    EXPECT_EQ(mandate.run(scratch.path(), {"close-request"}).exit(), 2);
}

TEST_F(CloseRequest, WhereTheLedgerCannotBeWrittenThereIsNoAuto)
{
    write_file(scratch.path() / "message", message());
    Command limited = mandate.command(scratch.path(), {});
    limited.arguments = {"sh", "-c", "ulimit -f 0; exec \"$0\" close-request message", mandate_binary()};
    const Answer answer = read_answer(run(limited));
    EXPECT_EQ(answer.exit(), 4) << answer;
    EXPECT_EQ(answer.value("error"), "ledger-unwritable");
    EXPECT_FALSE(answer.has("decision"));
}

}  // namespace
}  // namespace mandate::test
