#include "core/ledger_check.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace mandate::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Any function of the bytes will do for an id here; the git blob id is the business of app/. Of one length, as those
// are, so that a line chained anew stands at the same byte.
std::string id_of(std::string_view bytes)
{
    const std::string digits = std::to_string(std::hash<std::string_view>()(bytes));
    return std::string(20 - digits.size(), '0') + digits;
}

// A ledger as the program writes it, with a checkpoint in every fourth line.
class Writer {
public:
    explicit Writer(std::string task = "demo") : m_state(task), m_task(std::move(task)) {}

    std::uint64_t add(const std::string& event, LedgerFields fields = {}, bool chained = true)
    {
        LedgerLine line = next(event, std::move(fields));
        line.chained = chained;
        m_state.apply(line);
        if (chained && lines.size() % 4 == 3) {
            line.checkpoint = Checkpoint{m_bytes, m_state};
        }
        push(format_line(line));
        return line.seq;
    }
    void book(const std::string& event)
    {
        const std::uint64_t seq = add(event);
        add("done", {{"of", seq}});
    }
    LedgerLine next(const std::string& event, LedgerFields fields = {}) const
    {
        LedgerLine line;
        line.seq = m_state.last_seq + 1;
        line.at = "2026-01-31T09:05:00.123Z";
        line.event = event;
        line.lane = "main";
        line.task = m_task;
        line.record = "r" + std::to_string(line.seq);
        line.fields = std::move(fields);
        line.prev = lines.empty() ? "" : id_of(lines.back());
        return line;
    }
    void push(std::string bytes)
    {
        m_bytes += bytes.size() + 1;
        lines.push_back(std::move(bytes));
    }
    void switch_to(const std::string& task)
    {
        LedgerState state(task);
        for (const std::string& line : lines) {
            state.apply(*parse_line(line));
        }
        m_state = state;
        m_task = task;
    }

    std::vector<std::string> lines;

private:
    LedgerState m_state;
    std::string m_task;
    std::uint64_t m_bytes = 0;
};

Writer history()
{
    Writer writer;
    writer.book("init");
    for (int i = 0; i < 5; ++i) {
        writer.book("round");
    }
    writer.book("reviewed");
    return writer;
}

LedgerReport check(const std::vector<std::string>& lines, bool ended = true)
{
    LedgerCheck check("main", "demo", id_of);
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        check.take({lines[i], offset, ended || i + 1 < lines.size()});
        offset += lines[i].size() + 1;
    }
    return check.finish();
}

std::set<std::string> codes(const LedgerReport& report)
{
    std::set<std::string> names;
    for (const LedgerFinding& finding : report.shown) {
        names.insert(std::string(info(finding.fault).name));
    }
    return names;
}

void replace(std::string& line, const std::string& what, const std::string& with)
{
    const std::size_t at = line.find(what);
    ASSERT_NE(at, std::string::npos) << what << " in " << line;
    line.replace(at, what.size(), with);
}

TEST(LedgerCheck, FindsNothingInWhatTheProgramWrites)
{
    const LedgerReport report = check(history().lines);
    EXPECT_THAT(codes(report), IsEmpty());
    EXPECT_EQ(report.findings, 0U);
    EXPECT_TRUE(report.consistent && report.chain_ok);
    EXPECT_EQ(report.lines, 14U);
    EXPECT_EQ(report.state.task_rounds, 5);
    EXPECT_TRUE(check({}).consistent);
}

TEST(LedgerCheck, FindsAnEditedLineByTheOneBehindIt)
{
    std::vector<std::string> lines = history().lines;
    replace(lines[4], "09:05", "09:06");
    const LedgerReport report = check(lines);
    EXPECT_THAT(codes(report), ElementsAre("chain-broken"));
    EXPECT_THAT(report.shown[0].text, HasSubstr("line 6: "));
    EXPECT_FALSE(report.consistent || report.chain_ok);
}

TEST(LedgerCheck, FindsLinesThatWereTakenOut)
{
    for (std::size_t gone = 0; gone + 1 < history().lines.size(); ++gone) {
        std::vector<std::string> lines = history().lines;
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(gone));
        const LedgerReport report = check(lines);
        EXPECT_EQ(codes(report).count("chain-broken"), 1U) << "line " << gone + 1;
        EXPECT_EQ(codes(report).count("sequence-gap"), 1U) << "line " << gone + 1;
        EXPECT_FALSE(report.consistent);
    }
}

TEST(LedgerCheck, FindsLinesThatAreThereTwiceOrInAnotherOrder)
{
    std::vector<std::string> lines = history().lines;
    lines.insert(lines.begin() + 5, lines[4]);
    EXPECT_EQ(codes(check(lines)).count("sequence-repeated"), 1U);
    EXPECT_EQ(codes(check(lines)).count("chain-broken"), 1U);

    lines = history().lines;
    std::swap(lines[5], lines[6]);
    EXPECT_EQ(codes(check(lines)).count("sequence-reordered"), 1U);
    EXPECT_EQ(codes(check(lines)).count("chain-broken"), 1U);
}

TEST(LedgerCheck, FindsForeignLines)
{
    const std::vector<std::string> foreigners{
        "hello", "", std::string("\xff\x00\x01", 3), "{}", history().lines[3] + ",", R"({"v":1,"seq":6,"event":})"};
    for (const std::string& foreign : foreigners) {
        for (const std::size_t at : {0U, 6U, 14U}) {
            std::vector<std::string> lines = history().lines;
            lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), foreign);
            const LedgerReport report = check(lines);
            EXPECT_EQ(codes(report).count("foreign-line"), 1U) << foreign << " at " << at;
            EXPECT_FALSE(report.consistent || report.chain_ok) << foreign << " at " << at;
            EXPECT_EQ(report.state.task_rounds, 5) << "it counts for nothing";
        }
    }
}

TEST(LedgerCheck, FindsALineOfAnotherLane)
{
    Writer writer = history();
    LedgerLine line = writer.next("unenforced");
    line.lane = "worktrees/other";
    writer.push(format_line(line));
    EXPECT_THAT(codes(check(writer.lines)), ElementsAre("other-lane"));
}

TEST(LedgerCheck, TakesATornLastLineAsNoFault)
{
    const std::string whole = format_line(history().next("round"));
    for (std::size_t length = 1; length < whole.size(); ++length) {
        std::vector<std::string> lines = history().lines;
        lines.push_back(whole.substr(0, length));
        const LedgerReport report = check(lines, false);
        EXPECT_THAT(codes(report), ElementsAre("torn-line")) << whole.substr(0, length);
        EXPECT_TRUE(report.consistent && report.chain_ok) << length;
        EXPECT_EQ(report.torn, 1U);
        EXPECT_EQ(report.state.task_rounds, 5);
    }
    std::vector<std::string> lines = history().lines;
    lines.push_back(whole);
    EXPECT_EQ(check(lines, false).torn, 1U) << "only its newline is missing";
    EXPECT_EQ(check(lines, false).state.task_rounds, 6) << "so it is a line";
    lines.back() = whole.substr(0, 40) + std::string(60, '\0');
    EXPECT_THAT(codes(check(lines, false)), ElementsAre("torn-line")) << "zeros where nothing was written";
}

TEST(LedgerCheck, TakesATornLineThatTheNextAppendClosedAsNoFault)
{
    Writer writer = history();
    writer.push(format_line(writer.next("round")).substr(0, 50));
    writer.book("round");
    const LedgerReport report = check(writer.lines);
    EXPECT_THAT(codes(report), ElementsAre("torn-line"));
    EXPECT_TRUE(report.consistent);

    // The same bytes, put in where the line behind does not name them.
    std::vector<std::string> lines = history().lines;
    lines.insert(lines.begin() + 5, format_line(history().next("round")).substr(0, 50));
    EXPECT_EQ(codes(check(lines)).count("foreign-line"), 1U);
}

// Forged, and the lines behind it chained anew: only the fold from the start can tell.
TEST(LedgerCheck, RecomputesCheckpoints)
{
    const std::string honest = R"("rounds":3,"accepted":0,"counted":0)";
    for (const char* forged : {R"("rounds":2,"accepted":0,"counted":0)", R"("rounds":3,"accepted":3,"counted":0)",
                               R"("rounds":3,"accepted":0,"counted":9)"}) {
        std::vector<std::string> lines;
        for (const std::string& original : history().lines) {
            LedgerLine line = *parse_line(original);
            line.prev = lines.empty() ? "" : id_of(lines.back());
            line.checkpoint.reset();
            std::string bytes = format_line(line);
            if (const std::size_t checkpoint = original.find(",\"checkpoint\":"); checkpoint != std::string::npos) {
                bytes = bytes.substr(0, bytes.size() - 1) + original.substr(checkpoint);
            }
            if (const std::size_t at = bytes.find(honest); at != std::string::npos) {
                bytes.replace(at, honest.size(), forged);
            }
            lines.push_back(bytes);
        }
        ASSERT_NE(lines, history().lines);
        const LedgerReport report = check(lines);
        EXPECT_THAT(codes(report), ElementsAre("checkpoint-wrong")) << forged;
        EXPECT_FALSE(report.consistent);
        EXPECT_TRUE(report.chain_ok);
    }
}

TEST(LedgerCheck, RecomputesCheckpointsOfEveryTaskThatComesAndGoes)
{
    Writer writer = history();
    for (const char* task : {"second", "demo", "third", "second", "demo"}) {
        writer.switch_to(task);
        writer.book("init");
        writer.book("round");
        writer.book("round");
    }
    const LedgerReport report = check(writer.lines);
    EXPECT_THAT(codes(report), IsEmpty());
    EXPECT_EQ(report.state.task_rounds, 9);
}

TEST(LedgerCheck, SaysOnceThatCheckpointsWereMoved)
{
    std::vector<std::string> lines = history().lines;
    replace(lines[0], "09:05:00.123Z", "09:05:00.123456Z");
    const LedgerReport report = check(lines);
    EXPECT_THAT(codes(report), ElementsAre("chain-broken", "checkpoint-wrong"));
    EXPECT_EQ(report.findings, 2U) << "three checkpoints stand at another byte, for one reason";
}

TEST(LedgerCheck, FindsDoneAndAbandonedThatNameNoOpenBooking)
{
    for (const char* event : {"done", "abandoned"}) {
        for (const std::uint64_t of : {0U, 1U, 2U, 99U}) {  // nothing, done already, no booking, not there
            Writer writer = history();
            writer.add(event, {{"of", of}});
            EXPECT_THAT(codes(check(writer.lines)), ElementsAre("names-no-booking")) << event << " of " << of;
        }
        Writer writer = history();
        const std::uint64_t seq = writer.add("round");
        writer.add(event, {{"of", seq}});
        EXPECT_THAT(codes(check(writer.lines)), IsEmpty()) << event;
    }
}

TEST(LedgerCheck, CountsRoundsThatWereBookedWithoutALock)
{
    Writer writer = history();
    writer.add("unenforced", {{"reason", std::string("lock-unsupported")}});
    writer.book("round");
    const LedgerReport report = check(writer.lines);
    EXPECT_EQ(report.unlocked, 1U);
    EXPECT_THAT(codes(report), ElementsAre("booked-unlocked"));
    EXPECT_TRUE(report.consistent);
}

// An unchained line stands for what its writer saw; the line behind it may have been decided before it came.
TEST(LedgerCheck, LetsUnchainedLinesNameWhatTheirWriterSaw)
{
    Writer writer = history();
    const LedgerLine early = writer.next("unenforced");
    LedgerLine slipped = early;
    slipped.chained = false;
    const LedgerLine held = early;  // decided at the same moment, under the lock
    writer.push(format_line(slipped));
    writer.push(format_line(held));
    LedgerReport report = check(writer.lines);
    EXPECT_THAT(codes(report), IsEmpty());
    EXPECT_EQ(report.unchained, 1U);

    // One that came late: others went by between its look and its write.
    writer = history();
    LedgerLine late = writer.next("unenforced");
    late.chained = false;
    writer.book("round");
    writer.push(format_line(late));
    EXPECT_THAT(codes(check(writer.lines)), IsEmpty());

    // A chained line may not do so.
    writer = history();
    const LedgerLine chained = writer.next("unenforced");
    writer.book("round");
    writer.push(format_line(chained));
    EXPECT_EQ(codes(check(writer.lines)).count("chain-broken"), 1U);

    // And an unchained one may not name what never stood there, nor a number of its own.
    writer = history();
    late = writer.next("unenforced");
    late.chained = false;
    late.prev = "0";
    writer.push(format_line(late));
    EXPECT_EQ(codes(check(writer.lines)).count("chain-broken"), 1U);
    writer = history();
    late = writer.next("unenforced");
    late.chained = false;
    late.seq += 3;
    writer.push(format_line(late));
    EXPECT_THAT(codes(check(writer.lines)), ElementsAre("sequence-gap"));
}

TEST(LedgerCheck, ListsTwentyFindingsAndCountsTheRest)
{
    std::vector<std::string> lines(100, "junk");
    const LedgerReport report = check(lines);
    EXPECT_EQ(report.findings, 100U);
    EXPECT_EQ(report.shown.size(), 20U);
}

TEST(LedgerCheck, ResumesInTheMiddle)
{
    const std::vector<std::string> lines = history().lines;
    for (std::size_t from = 1; from < lines.size(); ++from) {
        LedgerCheck tail("main", "", id_of);
        tail.resume_after({lines[from - 1], 0, true});
        for (std::size_t i = from; i < lines.size(); ++i) {
            tail.take({lines[i], 0, true});
        }
        EXPECT_THAT(codes(tail.finish()), IsEmpty()) << from;
    }
    LedgerCheck tail("main", "", id_of);
    tail.resume_after({"edited", 0, true});
    tail.take({lines[6], 0, true});
    EXPECT_FALSE(tail.finish().chain_ok);
}

TEST(LedgerFaults, HaveNamesOfTheirOwn)
{
    std::set<std::string> names;
    for (const LedgerFaultInfo& fault : all_ledger_faults()) {
        EXPECT_TRUE(names.insert(std::string(fault.name)).second) << fault.name;
        EXPECT_TRUE(fault.wrong || !fault.breaks_chain) << fault.name << " breaks the chain, so it is wrong";
    }
}

}  // namespace
}  // namespace mandate::core
