// `report`, and -v, on a real lane.

#include "support/mandate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mandate::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Report : public testing::Test {
protected:
    Report() : repo(scratch), lane(repo.add_worktree("f")), mandate(scratch)
    {
        run({"init", "--preset", "standard", "task=demo", "authorized_by=me", "review_budget=4"});
    }
    Answer run(const std::vector<std::string>& arguments) const { return mandate.run(lane, arguments); }

    ScratchDir scratch;
    Repo repo;
    fs::path lane;
    Mandate mandate;
};

TEST_F(Report, SaysWhatBecameOfEachRound)
{
    run({"reviewed", "--findings", "0", "--by", "early"});
    run({"round"});
    run({"reviewed", "--findings", "3", "--by", "ann"});
    run({"fixed", "--findings", "2"});
    run({"acknowledged", "--by", "bob", "--reason", "a matter of taste"});
    run({"round"});
    run({"cancel", "--reason", "away"});
    run({"round"});
    const Answer report = run({"report"});
    EXPECT_EQ(report.exit(), 0);
    EXPECT_THAT(report.values("state"), ElementsAre("reviewed", "acknowledged", "cancelled", "booked"));
    EXPECT_THAT(report.values("round"), ElementsAre("", "1", "2", "2"));
    EXPECT_THAT(report.values("booked"), ElementsAre("no", "yes", "yes", "yes"));
    EXPECT_THAT(report.values("findings"), ElementsAre("0", "3", "", ""));
    EXPECT_THAT(report.values("findings_open"), ElementsAre("0", "0", "", ""));
    EXPECT_THAT(report.values("by"), ElementsAre("early", "bob", "", ""));
    EXPECT_THAT(report.values("reason"), ElementsAre("", "a matter of taste", "away", ""));
    EXPECT_EQ(report.value("task"), "demo");
    EXPECT_EQ(report.value("next"), "run-review");
    EXPECT_EQ(report.value("review_rounds_used"), "2");
    EXPECT_EQ(report.value("unenforced"), run({"show"}).value("unenforced"));
    EXPECT_EQ(run({"report", "--json"}).json()["rounds"].size(), 4U);
    EXPECT_TRUE(run({"report", "--json"}).json()["rounds"][3]["findings"].is_null());
}

TEST_F(Report, IsAboutTheTaskOfTheRecord)
{
    run({"round"});
    run({"init", "--force", "--preset", "standard", "task=other", "authorized_by=me"});
    EXPECT_TRUE(run({"report"}).values("round").empty());
    EXPECT_THAT(run({"report", "--format", "markdown"}).outcome.out, HasSubstr("No round was booked.\n"));
    fs::remove(lane / "MANDATE.md");
    const Answer none = run({"report"});
    EXPECT_EQ(none.exit(), 3);
    EXPECT_EQ(none.value("error"), "no-mandate");
}

TEST_F(Report, ForAShellRowsAreNumberedAndQuoted)
{
    run({"round"});
    run({"reviewed", "--findings", "1", "--by", "it's me"});
    run({"round"});
    const std::string out = run({"report", "--format", "shell"}).outcome.out;
    EXPECT_THAT(out, HasSubstr("mandate_rounds_count='2'\n"));
    EXPECT_THAT(out, HasSubstr("mandate_rounds_0_by='it'\\''s me'\n"));
    EXPECT_THAT(out, HasSubstr("mandate_rounds_1_round='2'\n"));
    EXPECT_THAT(run({"gate", "--format", "shell"}).outcome.out, HasSubstr("mandate_reason_0="));
}

TEST_F(Report, IsTheOnlyVerbThatPrintsMarkdown)
{
    EXPECT_EQ(run({"report", "--format", "markdown"}).exit(), 0);
    const Answer refused = run({"show", "--format", "markdown"});
    EXPECT_EQ(refused.exit(), 2);
    EXPECT_EQ(refused.value("error"), "usage");
    EXPECT_EQ(run({"report", "--format", "html"}).exit(), 2);
}

TEST_F(Report, VerboseIsOneMoreLineWithTheLaneAndTheFiles)
{
    EXPECT_EQ(run({"round", "-v"}).outcome.err, "mandate: lane '" + lane.string() + "', configuration files: none\n");
    write_file(repo.path() / ".git/mandate/config.toml", "[lock]\ntimeout = \"1s\"\n");
    write_file(lane / ".mandate.toml", "[policy]\ndeny = [\"merge\"]\n");
    const std::string files =
        (repo.path() / ".git/mandate/config.toml").string() + ", " + (lane / ".mandate.toml").string() + "\n";
    for (const auto& words : std::vector<std::vector<std::string>>{
             {"show", "-v"}, {"allows", "commit", "-v"}, {"revoke", "merge", "-v"}, {"report", "-v"}, {"-v", "gate"}}) {
        const Answer answer = run(words);
        EXPECT_EQ(answer.outcome.err, "mandate: lane '" + lane.string() + "', configuration files: " + files) << answer;
    }
    EXPECT_EQ(run({"config", "-v"}).outcome.err, "mandate: configuration files: " + files);
    const Answer refused = mandate.run(repo.path(), {"next", "-v"});
    EXPECT_EQ(refused.exit(), 3);
    EXPECT_THAT(refused.outcome.err, testing::StartsWith("mandate: lane '" + repo.path().string() + "', "));
    EXPECT_EQ(std::count(refused.outcome.err.begin(), refused.outcome.err.end(), '\n'), 2);
    EXPECT_EQ(run({"show", "-q", "-v"}).value("error"), "usage");
    EXPECT_EQ(run({"show"}).outcome.err, "");
}

}  // namespace
}  // namespace mandate::test
