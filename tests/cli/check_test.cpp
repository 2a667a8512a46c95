// `check` on real files: what the reader refuses is a finding here, and the exit status says whether there is one.

#include "support/mandate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace mandate::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Check : public testing::Test {
protected:
    Check() : repo(scratch), lane(repo.add_worktree("lane")), mandate(scratch) {}
    void init() const
    {
        ASSERT_EQ(in_lane({"init", "--preset", "standard", "task=demo", "authorized_by=me"}).exit(), 0);
    }
    Answer in_lane(const std::vector<std::string>& arguments) const { return mandate.run(lane, arguments); }
    fs::path record() const { return lane / "MANDATE.md"; }
    // Puts a line before the closing fence; its number is 17 in a record as `init` writes it.
    void add_line(const std::string& line) const
    {
        std::string bytes = read_file(record());
        bytes.insert(bytes.find("\n---\n") + 1, line + "\n");
        write_file(record(), bytes);
    }
    // The one finding of a record that is refused.
    void expect_refusal(const std::string& code) const
    {
        const Answer answer = in_lane({"check"});
        EXPECT_EQ(answer.exit(), 1) << answer;
        EXPECT_EQ(answer.value("findings"), "1");
        EXPECT_THAT(answer.values("code"), ElementsAre(code));
        EXPECT_FALSE(answer.has("error")) << answer;
        const Answer log = in_lane({"log"});
        EXPECT_EQ(log.exit(), 0) << log;
        EXPECT_EQ(log.value("problem"), code) << "said by the log, which answers all the same";
    }

    ScratchDir scratch;
    Repo repo;
    fs::path lane;
    Mandate mandate;
};

TEST_F(Check, IsCleanAfterInitAndAfterBookings)
{
    init();
    const Answer answer = in_lane({"check"});
    EXPECT_EQ(answer.exit(), 0) << answer;
    EXPECT_EQ(answer.value("task"), "demo");
    EXPECT_EQ(answer.value("findings"), "0");
    EXPECT_EQ(answer.value("mandate_file"), record().string());
    ASSERT_EQ(in_lane({"round", "--token", "t"}).exit(), 0);
    ASSERT_EQ(in_lane({"reviewed", "--findings", "1"}).exit(), 0);
    EXPECT_EQ(in_lane({"check"}).exit(), 0);
    EXPECT_TRUE(in_lane({"check", "--json"}).json()["reasons"].empty());
}

TEST_F(Check, NamesCodeLineTextAndHint)
{
    init();
    add_line("Allow: merge");
    const Answer answer = in_lane({"check"});
    EXPECT_EQ(answer.exit(), 1) << answer;
    EXPECT_EQ(answer.value("findings"), "1");
    EXPECT_EQ(answer.value("code"), "misspelt-key");
    const std::string line = answer.value("line");
    EXPECT_THAT(answer.value("text"), HasSubstr("'Allow'"));
    EXPECT_EQ(answer.value("hint"), "did you mean 'allow'?");
    const auto json = in_lane({"check", "--json"}).json();
    EXPECT_EQ(json["findings"], 1);
    EXPECT_EQ(json["reasons"][0]["code"], "misspelt-key");
    EXPECT_EQ(json["reasons"][0]["line"], std::stoi(line));
    std::string bytes = read_file(record());
    EXPECT_EQ(std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(bytes.find("Allow:")), '\n') + 1,
              std::stoi(line));
}

TEST_F(Check, FindsNoRecord)
{
    const Answer answer = in_lane({"check"});
    EXPECT_EQ(answer.exit(), 3);
    EXPECT_EQ(answer.value("error"), "no-mandate");
}

TEST_F(Check, ReportsWhatTheReaderRefuses)
{
    init();
    const std::string good = read_file(record());
    fs::remove(record());
    fs::create_symlink("elsewhere", record());
    expect_refusal("record-symlink");
    fs::remove(record());
    ASSERT_EQ(::mkfifo(record().c_str(), 0666), 0);
    expect_refusal("record-not-regular");
    fs::remove(record());
    fs::create_directory(record());
    expect_refusal("record-not-regular");
    fs::remove(record());
    write_file(record(), good + std::string(1U << 20U, 'x'));
    expect_refusal("record-too-large");
    write_file(record(), "no fence\n");
    expect_refusal("record-no-frontmatter");
    write_file(record(), "---\ntask: x\n");
    expect_refusal("record-unclosed");
    write_file(record(), good);
    repo.git_in(lane, {"add", "--force", "MANDATE.md"});
    expect_refusal("record-tracked");
    repo.git_in(lane, {"rm", "--quiet", "--cached", "MANDATE.md"});
    EXPECT_EQ(in_lane({"check"}).exit(), 0);
}

TEST_F(Check, ReportsARecordOfAnotherLaneOrBranch)
{
    init();
    const fs::path other = repo.add_worktree("other");
    fs::copy_file(record(), other / "MANDATE.md");
    const Answer copied = mandate.run(other, {"check"});
    EXPECT_EQ(copied.exit(), 1) << copied;
    EXPECT_THAT(copied.values("code"), ElementsAre("lane-mismatch"));
    repo.git_in(lane, {"checkout", "--quiet", "-b", "renamed"});
    expect_refusal("branch-mismatch");
    repo.git_in(lane, {"checkout", "--quiet", "--detach"});
    EXPECT_EQ(in_lane({"check"}).exit(), 0) << "on a detached HEAD the lane decides";
}

TEST_F(Check, ListsRefusalAndLintTogether)
{
    init();
    add_line("task: again");
    add_line("  deny: merge");
    const Answer answer = in_lane({"check"});
    EXPECT_EQ(answer.exit(), 1) << answer;
    EXPECT_THAT(answer.values("code"), ElementsAre("record-duplicate-key", "indented-key"));
}

TEST_F(Check, AnswersWithoutAValidConfiguration)
{
    init();
    write_file(repo.path() / ".git/mandate/config.toml", "nonsense = 1");
    const Answer answer = in_lane({"check"});
    EXPECT_EQ(answer.exit(), 0) << answer;
    EXPECT_THAT(answer.outcome.err, HasSubstr("config.toml"));
}

TEST_F(Check, ForgesNoLineWhateverTheRecordHolds)
{
    init();
    add_line("al\x1b[2J\r\u202elow\\: x");
    add_line("\xff\xfe: merge");
    const Answer answer = in_lane({"check"});
    EXPECT_EQ(answer.exit(), 1);
    for (const char c : answer.outcome.out) {
        EXPECT_TRUE(c == '\n' || (c >= ' ' && c != '\x7f')) << static_cast<int>(c);
    }
    EXPECT_NO_THROW((void)in_lane({"check", "--json"}).json());
}

}  // namespace
}  // namespace mandate::test
