// The ledger as a file: where it stands, what an append leaves, what its end amounts to, and what happens where it
// cannot be written.

#include "app/ledger.hpp"
#include "git/library.hpp"
#include "os/lock.hpp"
#include "support/repo.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace mandate::app {
namespace {

namespace fs = std::filesystem;
using test::read_file;
using test::ScratchDir;
using test::write_file;

LedgerEntry event(const std::string& name, core::LedgerFields fields = {}, const std::string& task = "demo")
{
    return {name, task, "d51510460d42831b1cc5bbc7721bcbbc45e8807b", std::move(fields),
            "cca78a3d7638808e4cb57d0ec962a4ccab80eeff"};
}

class LedgerFile : public testing::Test {
protected:
    LedgerFile() : common(scratch.path() / "common"), main_file(common / "mandate/main.jsonl")
    {
        fs::create_directories(common);
    }
    Ledger ledger(const std::string& lane = "main") const { return Ledger(common.string(), lane); }
    std::vector<std::string> lines() const
    {
        std::vector<std::string> found;
        const std::string bytes = read_file(main_file);
        for_each_line(bytes, [&](std::string_view line, std::uint64_t, bool) { found.emplace_back(line); });
        return found;
    }
    void append(int count) const
    {
        Ledger to = ledger();
        ASSERT_TRUE(to.hold());
        for (int i = 0; i < count; ++i) {
            ASSERT_TRUE(to.append(event("round", {{"round", static_cast<std::uint64_t>(i)}}), Sync::no));
        }
    }

    ScratchDir scratch;
    fs::path common, main_file;
};

TEST_F(LedgerFile, StandsInTheCommonDirectoryByItsLane)
{
    EXPECT_EQ(ledger().path(), main_file.string());
    EXPECT_EQ(ledger("worktrees/demo").path(), (common / "mandate/worktrees/demo.jsonl").string());
    const auto state = ledger().state();
    ASSERT_TRUE(state);
    EXPECT_EQ(*state, core::LedgerState());
    EXPECT_FALSE(fs::exists(common / "mandate")) << "looking makes nothing";
    ASSERT_TRUE(ledger("worktrees/demo").append(event("round"), Sync::yes));
    EXPECT_TRUE(fs::exists(common / "mandate/worktrees/demo.jsonl"));
}

TEST_F(LedgerFile, IsAChainOfBlobIds)
{
    append(3);
    const std::vector<std::string> found = lines();
    ASSERT_EQ(found.size(), 3U);
    std::string previous;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto line = core::parse_line(found[i]);
        ASSERT_TRUE(line) << found[i];
        EXPECT_EQ(line->seq, i + 1);
        EXPECT_EQ(line->prev, previous);
        EXPECT_EQ(line->lane, "main");
        EXPECT_EQ(line->pid, static_cast<std::uint64_t>(::getpid()));
        EXPECT_TRUE(line->chained);
        previous = git::blob_id(found[i]);
    }
    EXPECT_EQ(read_file(main_file).back(), '\n');
}

TEST_F(LedgerFile, GoesOnInAnotherProcessWhereItEnded)
{
    append(2);
    append(2);
    EXPECT_EQ(core::parse_line(lines().back())->seq, 4U);
    EXPECT_EQ(core::parse_line(lines()[2])->prev, git::blob_id(lines()[1]));
}

TEST_F(LedgerFile, WritesCheckpointsThatStandWhereTheySay)
{
    append(60);
    std::size_t checkpoints = 0;
    for_each_line(read_file(main_file), [&](std::string_view bytes, std::uint64_t offset, bool) {
        const auto line = core::parse_line(bytes);
        ASSERT_TRUE(line);
        if (line->checkpoint) {
            ++checkpoints;
            EXPECT_EQ(line->checkpoint->offset, offset);
            EXPECT_EQ(line->checkpoint->state.task_rounds, static_cast<std::int64_t>(line->seq));
        }
    });
    EXPECT_GE(checkpoints, 3U);
    EXPECT_EQ(ledger().state()->task_rounds, 60);
}

// Where the way back to a checkpoint is long, or the task is another one, the answer is the same.
TEST_F(LedgerFile, AmountsToTheSameHoweverItIsRead)
{
    append(40);
    ASSERT_TRUE(ledger().append(event("round", {}, "other"), Sync::no));
    append(3);
    core::LedgerState folded("other");
    for (const std::string& line : lines()) {
        folded.apply(*core::parse_line(line));
    }
    EXPECT_EQ(*ledger().state("other"), folded);
    EXPECT_EQ(ledger().state("demo")->task_rounds, 43);
    EXPECT_EQ(ledger().state()->newest->seq, 44U) << "the same without a task";
    EXPECT_EQ(ledger().state("nobody")->task_rounds, 0);
}

TEST_F(LedgerFile, ReadsALongHistoryWithoutCheckpoints)
{
    std::string bytes;
    for (std::uint64_t seq = 1; seq <= 3000; ++seq) {
        core::LedgerLine line;
        line.seq = seq;
        line.event = "round";
        line.lane = "main";
        line.task = "demo";
        bytes += core::format_line(line) + "\n";
    }
    write_file(main_file, bytes);
    EXPECT_EQ(ledger().state()->task_rounds, 3000);
    EXPECT_EQ(ledger().state("demo")->last_seq, 3000U);
    append(1);
    EXPECT_EQ(core::parse_line(lines().back())->seq, 3001U);
    EXPECT_TRUE(core::parse_line(lines().back())->checkpoint) << "so nobody reads it from the start again";
}

TEST_F(LedgerFile, DisownsACheckpointThatDoesNotStandWhereItSays)
{
    append(40);
    std::string bytes = read_file(main_file);
    const std::string first = bytes.substr(0, bytes.find('\n') + 1);
    write_file(main_file, bytes.substr(first.size()));
    EXPECT_EQ(ledger().state()->task_rounds, 39) << "the first line is gone, and with it what the checkpoints say";
}

TEST_F(LedgerFile, ClosesATornLineAndCountsItForNothing)
{
    append(2);
    const std::string whole = read_file(main_file);
    const std::string fragment = R"({"v":1,"seq":3,"at":"2026-)";
    write_file(main_file, whole + fragment);
    EXPECT_TRUE(ledger().torn());
    EXPECT_EQ(ledger().state()->task_rounds, 2);
    append(1);
    EXPECT_FALSE(ledger().torn());
    ASSERT_EQ(lines().size(), 4U);
    EXPECT_EQ(lines()[2], fragment);
    const auto line = core::parse_line(lines()[3]);
    EXPECT_EQ(line->seq, 3U);
    EXPECT_EQ(line->prev, git::blob_id(fragment));
}

// Only the newline is missing: the line counts before the next append ends it as it does after.
TEST_F(LedgerFile, CountsALineThatLacksOnlyItsNewline)
{
    append(2);
    std::string bytes = read_file(main_file);
    bytes.pop_back();
    write_file(main_file, bytes);
    EXPECT_TRUE(ledger().torn());
    EXPECT_EQ(ledger().state()->task_rounds, 2);
    append(1);
    EXPECT_EQ(core::parse_line(lines().back())->seq, 3U);
    EXPECT_EQ(core::parse_line(lines().back())->prev, git::blob_id(lines()[1]));
}

TEST_F(LedgerFile, GoesOnBehindAnyBytes)
{
    for (const std::string& tail :
         {std::string("hello\n"), std::string("\n\n\n"), std::string(5000, '\0'), std::string("\xff\xfe\n\x01")}) {
        fs::remove_all(common / "mandate");
        append(2);
        const std::string before = read_file(main_file) + tail;
        write_file(main_file, before);
        append(1);
        EXPECT_EQ(read_file(main_file).substr(0, before.size()), before) << "nothing that was there is changed";
        const auto line = core::parse_line(lines().back());
        ASSERT_TRUE(line);
        EXPECT_EQ(line->seq, 3U);
        EXPECT_EQ(ledger().state()->task_rounds, 3);
    }
}

TEST_F(LedgerFile, IsAppendedToWithoutTheLockWhereAnotherHoldsIt)
{
    append(1);
    const auto folder = os::open_directory((common / "mandate").string());
    const auto holder = os::open_for_appending(*folder, "main.jsonl", os::Create::no);
    ASSERT_TRUE(os::lock_exclusive(*holder, std::chrono::milliseconds(0)));
    // Waits 5 s for the lock first: that is what keeps the chain whole in practice.
    ASSERT_TRUE(ledger().append(event("unenforced", {{"reason", std::string("bypass")}}), Sync::yes));
    EXPECT_FALSE(core::parse_line(lines().back())->chained);
    EXPECT_EQ(ledger().state()->unenforced.at("bypass"), 1U);
}

TEST_F(LedgerFile, IsUnwritableWhereNoRegularFileStands)
{
    const auto refused = [&] {
        Ledger to = ledger();
        const auto appended = to.append(event("round"), Sync::yes);
        ASSERT_FALSE(appended);
        EXPECT_EQ(appended.error().code, Code::ledger_unwritable);
        EXPECT_EQ(appended.error().path, main_file.string());
        const auto state = to.state();
        ASSERT_FALSE(state);
        EXPECT_EQ(state.error().code, Code::ledger_unwritable);
        fs::remove_all(common / "mandate");
    };
    fs::create_directories(main_file);
    refused();
    fs::create_directories(common / "mandate");
    ASSERT_EQ(::mkfifo(main_file.c_str(), 0666), 0);
    refused();
    fs::create_directories(common / "mandate");
    fs::create_symlink("/dev/null", main_file);
    refused();
    write_file(common / "mandate", "a file where the folder should be");
    refused();
}

TEST_F(LedgerFile, RefusesMoreThanItsLimitAtOnce)
{
    append(1);
    fs::resize_file(main_file, k_ledger_limit + 1);
    EXPECT_FALSE(ledger().state());
    const auto appended = ledger().append(event("round"), Sync::yes);
    ASSERT_FALSE(appended);
    EXPECT_EQ(appended.error().code, Code::ledger_unwritable);
    EXPECT_EQ(fs::file_size(main_file), k_ledger_limit + 1);
}

TEST(ForEachLine, VisitsEveryLineOnceWithItsPlace)
{
    std::vector<std::tuple<std::string, std::uint64_t, bool>> seen;
    for_each_line("a\n\nbc\nd", [&](std::string_view line, std::uint64_t offset, bool torn) {
        seen.emplace_back(line, offset, torn);
    });
    EXPECT_THAT(seen, testing::ElementsAre(std::tuple("a", 0U, false), std::tuple("", 2U, false),
                                           std::tuple("bc", 3U, false), std::tuple("d", 6U, true)));
    for_each_line("", [](std::string_view, std::uint64_t, bool) { FAIL(); });
    EXPECT_EQ(last_line("a\nbc\n"), "bc");
    EXPECT_EQ(last_line("a\nbc"), "bc");
    EXPECT_EQ(last_line("a\n\n"), "");
    EXPECT_EQ(last_line(""), "");
    EXPECT_EQ(begin_of_last_lines("a\n\nbc\nd", 2), 3U);
    EXPECT_EQ(begin_of_last_lines("a\n\nbc\n", 2), 2U);
    EXPECT_EQ(begin_of_last_lines("a\n\nbc\n", 9), 0U);
}

}  // namespace
}  // namespace mandate::app
