// A damaged or hostile ledger: `show` and `log` still answer and say so, and a booking is either made whole or is exit
// 4 ledger-unwritable and changes nothing.

#include "support/mandate.hpp"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mandate::test {
namespace {

using testing::HasSubstr;

class LedgerDamage : public testing::Test {
protected:
    LedgerDamage() : repo(scratch), mandate(scratch)
    {
        EXPECT_EQ(in_lane({"init", "--preset", "standard", "task=demo", "authorized_by=me", "review_budget=99"}).exit(),
                  0);
        for (int i = 0; i < 10; ++i) {
            EXPECT_EQ(in_lane({"round"}).exit(), 0);
        }
        good = read_file(ledger());
    }
    Answer in_lane(const std::vector<std::string>& arguments) const { return mandate.run(repo.path(), arguments); }
    fs::path record() const { return repo.path() / "MANDATE.md"; }
    fs::path ledger() const { return repo.path() / ".git/mandate/main.jsonl"; }

    void expect_still_answered(const std::string& said) const
    {
        const Answer show = in_lane({"show"});
        EXPECT_EQ(show.exit(), 0) << show;
        EXPECT_EQ(show.value("task"), "demo");
        EXPECT_EQ(show.value("ledger"), said) << show;
        EXPECT_THAT(show.outcome.err, HasSubstr(ledger().string()));
        const Answer log = in_lane({"log"});
        EXPECT_EQ(log.exit(), 0) << log;
        EXPECT_EQ(log.value("ledger"), said) << log;
        EXPECT_EQ(in_lane({"allows", "commit"}).value("verdict"), "allowed");
    }
    // What stands there already is never touched.
    void expect_booked_behind() const
    {
        const std::string before = read_file(ledger());
        const Answer round = in_lane({"round"});
        EXPECT_EQ(round.exit(), 0) << round;
        EXPECT_EQ(round.value("round_authorized"), "yes");
        EXPECT_EQ(read_file(ledger()).substr(0, before.size()), before);
    }
    void expect_no_booking() const
    {
        const std::string before = read_file(record());
        for (const std::vector<std::string>& verb :
             {std::vector<std::string>{"round"},
              {"cancel"},
              {"reviewed", "--findings", "1"},
              {"init", "--preset", "standard", "task=x", "authorized_by=y", "--force"}}) {
            const Answer refused = in_lane(verb);
            EXPECT_EQ(refused.exit(), 4) << refused;
            EXPECT_EQ(refused.value("error"), "ledger-unwritable") << refused;
        }
        EXPECT_EQ(read_file(record()), before);
        for (const auto& entry : fs::directory_iterator(repo.path())) {
            EXPECT_FALSE(entry.path().filename().string().starts_with(".MANDATE.tmp")) << entry.path();
        }
    }
    std::string line(std::size_t number) const
    {
        std::size_t start = 0;
        for (; number > 1; --number) {
            start = good.find('\n', start) + 1;
        }
        return good.substr(start, good.find('\n', start) + 1 - start);
    }
    std::string without(std::size_t number) const
    {
        std::string bytes = good;
        return bytes.erase(bytes.find(line(number)), line(number).size());
    }

    ScratchDir scratch;
    Repo repo;
    Mandate mandate;
    std::string good;
};

TEST_F(LedgerDamage, OfEveryKindInTheLines)
{
    std::string edited = good;
    edited.replace(edited.find("\"round\":8"), 9, "\"round\":1");
    std::string swapped = without(20);
    swapped.insert(swapped.find(line(18)), line(20));
    const std::vector<std::pair<std::string, std::string>> kinds{
        {"edited", edited},
        {"a line gone", without(15)},
        {"reordered", swapped},
        {"a line twice", good + line(21)},
        {"foreign at the end", good + "hello\n"},
        {"blank lines", good + "\n\n"},
        {"binary", good + std::string("\x00\xff\x1b[2J\n\x01", 8)},
        {"binary and torn", good + std::string(100, '\xfe')},
        {"another's line", good + R"({"v":1,"seq":23,"event":"round","lane":"worktrees/x","prev":""})" + "\n"},
    };
    for (const auto& [kind, bytes] : kinds) {
        SCOPED_TRACE(kind);
        write_file(ledger(), bytes);
        expect_still_answered("damaged");
        EXPECT_EQ(in_lane({"verify"}).exit(), 1);
        expect_booked_behind();
        EXPECT_EQ(in_lane({"verify"}).exit(), 1) << "and it still shows";
    }
}

TEST_F(LedgerDamage, OfATornLine)
{
    for (const std::string& bytes : {good + R"({"v":1,"seq":23,"at")", good + "{", good.substr(0, good.size() - 1)}) {
        write_file(ledger(), bytes);
        expect_still_answered("torn");
        EXPECT_EQ(in_lane({"verify"}).exit(), 0);
        expect_booked_behind();
        const Answer after = in_lane({"verify"});
        EXPECT_EQ(after.value("chain"), "ok") << after;
        EXPECT_FALSE(in_lane({"show"}).has("ledger")) << "closed by the booking";
    }
}

TEST_F(LedgerDamage, OfSomethingElseInItsPlace)
{
    const std::vector<std::pair<std::string, std::function<void()>>> kinds{
        {"a directory", [&] { fs::create_directory(ledger()); }},
        {"a FIFO", [&] { ASSERT_EQ(::mkfifo(ledger().c_str(), 0666), 0); }},
        {"a symlink", [&] { fs::create_symlink(scratch.path() / "elsewhere", ledger()); }},
        {"a symlink to a file",
         [&] {
             write_file(scratch.path() / "elsewhere", good);
             fs::create_symlink(scratch.path() / "elsewhere", ledger());
         }},
    };
    for (const auto& [kind, make] : kinds) {
        SCOPED_TRACE(kind);
        fs::remove_all(ledger());
        make();
        expect_still_answered("unreadable");
        expect_no_booking();
        EXPECT_EQ(in_lane({"verify"}).exit(), 1);
    }
    EXPECT_EQ(read_file(scratch.path() / "elsewhere"), good) << "nor is a link's target";
    fs::remove_all(repo.path() / ".git/mandate");
    write_file(repo.path() / ".git/mandate", "a file where its folder should be");
    expect_no_booking();
    EXPECT_EQ(in_lane({"show"}).exit(), 0);
}

// Sparse files: nothing of them is ever read.
TEST_F(LedgerDamage, OfThreeHundredMegabytes)
{
    for (const std::string& start : {good, std::string()}) {
        write_file(ledger(), start);
        fs::resize_file(ledger(), 300'000'000);
        Command show = mandate.command(repo.path(), {"show"});
        show.timeout = std::chrono::seconds(5);
        EXPECT_FALSE(run(show).timed_out);
        expect_still_answered("unreadable");
        expect_no_booking();
        EXPECT_EQ(fs::file_size(ledger()), 300'000'000U);
    }
}

TEST_F(LedgerDamage, OfItsPermissions)
{
    if (::geteuid() != 0) {
        fs::permissions(ledger(), fs::perms::none);
        expect_still_answered("unreadable");
        expect_no_booking();
        return;
    }
    // Root may do anything, so an ordinary user asks; the repository is safe by configuration.
    Command prepare;
    prepare.environment = scratch.environment();
    prepare.arguments = {"sh",
                         "-c",
                         "git config --global --add safe.directory '*' && chown -R 65534:65534 \"$1\" && chown 0 "
                         "\"$1\"/repo/.git/mandate "
                         "\"$1\"/repo/.git/mandate/main.jsonl && chmod 755 \"$1\"/repo/.git/mandate && chmod \"$2\" "
                         "\"$1\"/repo/.git/mandate/main.jsonl",
                         "sh",
                         scratch.path().string(),
                         "600"};
    ASSERT_TRUE(run(prepare).succeeded());
    const std::string before = read_file(record());
    const auto as_nobody = [&](const std::vector<std::string>& arguments) {
        Command command = mandate.command(repo.path(), arguments);
        command.arguments.insert(command.arguments.begin(),
                                 {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"});
        return read_answer(run(command));
    };
    for (const auto& [mode, said] :
         std::vector<std::pair<std::string, std::string>>{{"600", "unreadable"}, {"644", ""}}) {
        prepare.arguments.back() = mode;
        ASSERT_TRUE(run(prepare).succeeded());
        const Answer show = as_nobody({"show"});
        if (show.exit() == 127 || show.exit() == 126) {
            GTEST_SKIP() << "an ordinary user cannot reach the binary here: " << show;
        }
        EXPECT_EQ(show.exit(), 0) << show;
        EXPECT_EQ(show.has("ledger"), !said.empty()) << show;
        const Answer round = as_nobody({"round"});
        EXPECT_EQ(round.exit(), 4) << round;
        EXPECT_EQ(round.value("error"), "ledger-unwritable");
        EXPECT_EQ(as_nobody({"unenforced", "--ack", "--by", "ann"}).value("error"), "ledger-unwritable");
    }
    EXPECT_EQ(read_file(record()), before);
}

// A full disk: what of the line was written is taken back, and the record stays.
TEST_F(LedgerDamage, OfAFullDisk)
{
    // The limit is a number of blocks of 512 bytes: one that lies within the next line, so that a part of it is
    // written.
    constexpr std::size_t k_block = 512;
    while (k_block - read_file(ledger()).size() % k_block > 200) {
        ASSERT_EQ(in_lane({"round"}).exit(), 0);
    }
    const std::string full_ledger = read_file(ledger());
    const std::string before = read_file(record());
    ASSERT_LT(before.size(), full_ledger.size()) << "the record has room";
    Command full = mandate.command(repo.path(), {"round"});
    full.arguments.insert(full.arguments.begin(), {"dash", "-c", "ulimit -f \"$0\"; exec \"$@\"",
                                                   std::to_string(full_ledger.size() / k_block + 1)});
    const Answer round = read_answer(run(full));
    EXPECT_EQ(round.exit(), 4) << round;
    EXPECT_EQ(round.value("error"), "ledger-unwritable");
    EXPECT_EQ(read_file(record()), before);
    EXPECT_EQ(read_file(ledger()), full_ledger) << "not half a line";
    // No room for the record either: a refusal, and no death by SIGXFSZ.
    full.arguments[3] = "0";
    const Answer nothing = read_answer(run(full));
    EXPECT_EQ(nothing.exit(), 4) << nothing;
    EXPECT_EQ(nothing.value("error"), "write-failed");
    EXPECT_EQ(read_file(record()), before);
    EXPECT_EQ(read_file(ledger()), full_ledger);
    EXPECT_EQ(repo.git({"status", "--porcelain"}), "") << "no temporary file";
    EXPECT_EQ(in_lane({"verify"}).exit(), 0);
}

// A record that was edited by hand may hold a value of a mebibyte: its rounds are counted all the same.
TEST_F(LedgerDamage, IsNotDoneByARecordOfGreatSize)
{
    std::string bytes = read_file(record());
    bytes.replace(bytes.find("task: demo"), 10, "task: " + std::string(900'000, '\x01'));
    write_file(record(), bytes);
    for (int i = 0; i < 2; ++i) {
        const Answer round = in_lane({"round"});
        EXPECT_EQ(round.value("round"), std::to_string(11 + i));
    }
    const Answer verify = in_lane({"verify"});
    EXPECT_EQ(verify.exit(), 0) << verify.outcome.out.substr(verify.outcome.out.find("ledger_file="));
    EXPECT_LT(fs::file_size(ledger()), 200'000U);
}

// The next number must not run out because somebody wrote a great one.
TEST_F(LedgerDamage, IsNotMadeWorseByAForgedNumber)
{
    write_file(
        ledger(),
        good + R"({"v":1,"seq":18446744073709551615,"event":"round","lane":"main","task":"demo","prev":""})" + "\n");
    expect_booked_behind();
    EXPECT_THAT(read_file(ledger()), HasSubstr("\"seq\":23,"));
    EXPECT_EQ(in_lane({"show"}).value("history_drift"), "0");
}

}  // namespace
}  // namespace mandate::test
