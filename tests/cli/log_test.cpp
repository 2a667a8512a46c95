// `log` on real ledgers: which lines it takes, and that a foreign line stays data.

#include "support/mandate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mandate::test {
namespace {

using testing::ElementsAre;

class Log : public testing::Test {
protected:
    Log() : repo(scratch), lane(repo.add_worktree("lane")), mandate(scratch) { init(lane, "demo"); }
    void init(const fs::path& where, const std::string& task) const
    {
        const Answer made = mandate.run(where, {"init", "--preset", "standard", "task=" + task, "authorized_by=me"});
        ASSERT_EQ(made.exit(), 0) << made;
    }
    // "lane event" of each line that is told.
    std::vector<std::string> told(const fs::path& where, std::vector<std::string> words) const
    {
        words.insert(words.begin(), {"log", "--json"});
        const Answer answer = mandate.run(where, words);
        EXPECT_EQ(answer.exit(), 0) << answer;
        const nlohmann::json events = answer.json()["events"];
        std::vector<std::string> found;
        for (const auto& event : events) {
            found.push_back(event["lane"].get<std::string>() + " " + event["event"].get<std::string>());
        }
        return found;
    }
    fs::path ledger() const { return repo.path() / ".git/mandate/worktrees/lane.jsonl"; }

    ScratchDir scratch;
    Repo repo;
    fs::path lane;
    Mandate mandate;
};

TEST_F(Log, OfAllLanesIsInTheOrderOfTheirTimesAndHoldsThoseThatAreGone)
{
    const fs::path gone = repo.add_worktree("gone");
    init(gone, "other");
    repo.git({"worktree", "remove", "--force", gone.string()});
    ASSERT_EQ(mandate.run(lane, {"round"}).exit(), 0);

    EXPECT_THAT(told(lane, {}), ElementsAre("worktrees/lane init", "worktrees/lane done", "worktrees/lane round",
                                            "worktrees/lane done"));
    EXPECT_THAT(told(repo.path(), {}), ElementsAre()) << "the main worktree has no ledger";
    const auto all = {"worktrees/lane init", "worktrees/lane done",  "worktrees/gone init",
                      "worktrees/gone done", "worktrees/lane round", "worktrees/lane done"};
    EXPECT_THAT(told(lane, {"--all"}), testing::ElementsAreArray(all));
    EXPECT_THAT(told(repo.path(), {"--all"}), testing::ElementsAreArray(all));
}

TEST_F(Log, SinceIsFromThatSecondOn)
{
    ASSERT_EQ(mandate.run(lane, {"round"}).exit(), 0);
    std::string bytes = read_file(ledger());
    for (std::size_t at = 0, line = 0; line < 2; at = bytes.find('\n', at) + 1, ++line) {
        const std::string key = "\"at\":\"";
        bytes.replace(bytes.find(key, at) + key.size(), 24, "2020-01-01T00:00:00.000Z");
    }
    write_file(ledger(), bytes);

    const auto round = {"worktrees/lane round", "worktrees/lane done"};
    EXPECT_THAT(told(lane, {"--since", "2020-01-01T00:00:00Z"}), testing::SizeIs(4));
    EXPECT_THAT(told(lane, {"--since", "2020-01-01T00:00:01Z"}), testing::ElementsAreArray(round));
    EXPECT_THAT(told(repo.path(), {"--all", "--since", "2020-01-01T00:00:01Z"}), testing::ElementsAreArray(round));
    EXPECT_THAT(told(lane, {"--since", "2999-01-01T00:00:00Z"}), ElementsAre());
}

TEST_F(Log, AForeignLineIsDataToAShellToo)
{
    std::string line = read_file(ledger());
    line = line.substr(0, line.find('\n'));
    line.insert(line.rfind('}'), ",\"x;touch y;$(touch y)\\n\":\"'; touch y; `touch y`\"");
    write_file(ledger(), read_file(ledger()) + line + "\n");
    Command command{{"sh", "-ec",
                     "eval \"$(\"$0\" log --format shell)\"; printf '%s %s' \"$mandate_events_count\" "
                     "\"$mandate_events_2_x_touch_y___touch_y__x0a\"",
                     mandate_binary()},
                    scratch.environment(),
                    lane.string(),
                    {},
                    {},
                    {}};
    const auto done = test::run(command);
    EXPECT_EQ(done.out, "3 '; touch y; `touch y`");
    EXPECT_FALSE(fs::exists(lane / "y"));
}

}  // namespace
}  // namespace mandate::test
