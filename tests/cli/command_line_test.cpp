// The command line: what is a usage error, what is data, and how refusals look.

#include "support/mandate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mandate::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class CommandLine : public testing::Test {
protected:
    CommandLine() : repo(scratch), mandate(scratch) {}
    Answer run(const std::vector<std::string>& arguments) const { return mandate.run(repo.path(), arguments); }
    std::string error(const std::vector<std::string>& arguments) const
    {
        const Answer answer = run(arguments);
        EXPECT_EQ(answer.exit(), 2) << answer;
        EXPECT_FALSE(answer.has("verdict"));
        return answer.value("error");
    }

    ScratchDir scratch;
    Repo repo;
    Mandate mandate;
};

TEST_F(CommandLine, UsageErrors)
{
    EXPECT_EQ(error({}), "usage");
    EXPECT_EQ(error({"show", "--bogus"}), "usage");
    EXPECT_EQ(error({"show", "a", "b"}), "usage");
    EXPECT_EQ(error({"allows"}), "usage");
    EXPECT_EQ(error({"round", "--token"}), "usage");
    EXPECT_EQ(error({"round", "--token", "a", "--token", "a"}), "usage");
    EXPECT_EQ(error({"round", "--strict", "--strict"}), "usage");
    EXPECT_EQ(error({"round", "--token", "--strict"}), "usage") << "a forgotten value swallows no option";
    EXPECT_EQ(error({"round", "--token", "--lock-timeout=1"}), "usage");
    EXPECT_EQ(error({"round", "--token", "-Celsewhere"}), "usage");
    EXPECT_EQ(error({"round", "--token", "--"}), "usage");
    EXPECT_EQ(error({"round", "--strict=yes"}), "usage");
    EXPECT_EQ(error({"show", "-C", ".", "-C", "."}), "usage");
    EXPECT_EQ(error({"show", "--lock-timeout", "1"}), "usage") << "only bookings wait for the lock";
    EXPECT_EQ(error({"bogus"}), "unknown-verb");
    EXPECT_EQ(error({"bogus", "--help"}), "unknown-verb") << "also together with --help";
    EXPECT_THAT(run({"shwo"}).outcome.err, HasSubstr("did you mean 'show'"));
    EXPECT_EQ(error({"show", "--bogus", "--help"}), "usage");
}

TEST_F(CommandLine, NumbersAreTheRecordsOwn)
{
    run({"init", "--preset", "standard", "task=t", "authorized_by=me"});
    run({"round"});
    for (const std::string bad : {"", "010", "0x10", "1e3", " 5", "5 ", "+5", "-5", "1000001", "5.0", "\xEF\xBC\x95"}) {
        EXPECT_EQ(error({"reviewed", "--findings", bad}), "value-invalid") << "'" << bad << "'";
        EXPECT_EQ(error({"init", "--force", "--preset", "standard", "task=t", "authorized_by=me",
                         "review_rounds_used=" + bad}),
                  "value-invalid")
            << "'" << bad << "'";
    }
    for (const std::string bad : {"", "5x", "-1", "1.5", "ms", "5 s", "010", "25h"}) {
        EXPECT_EQ(error({"round", "--lock-timeout", bad}), "value-invalid") << "'" << bad << "'";
    }
    for (const std::string good : {"0", "1", "250ms", "5s", "2m"}) {
        EXPECT_EQ(run({"cancel", "--lock-timeout", good}).exit(), good == "0" ? 0 : 5) << good;
    }
}

// Refusals come in the order command line, place, record, lock: each of these lines is wrong in itself.
TEST_F(CommandLine, IsRefusedBeforeThePlaceTheRecordAndTheLock)
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
        {{"extend", "--rounds", "0", "--by", "me"}, "value-invalid"},
        {{"spend", "spawn", "--amount", "0"}, "value-invalid"},
        {{"refund", "spawn", "--amount", "0"}, "value-invalid"},
        {{"fixed", "--findings", "0"}, "value-invalid"},
        {{"acknowledged", "--by", "me", "--findings", "0"}, "value-invalid"},
        {{"allows", "bogus"}, "unknown-action"},
        {{"grant", "bogus", "--by", "me"}, "unknown-action"},
        {{"revoke", "bogus"}, "unknown-action"},
        {{"init"}, "usage"},
        {{"init", "--preset", "bogus", "task=t", "authorized_by=me"}, "unknown-preset"},
        {{"init", "--preset", "standard", "task=t", "authorized_by=me", "review_budget=x"}, "value-invalid"},
    };
    const auto expect_all = [&](const fs::path& where) {
        for (const auto& [arguments, code] : wrong) {
            const Answer refused = mandate.run(where, arguments);
            EXPECT_EQ(refused.exit(), 2);
            EXPECT_EQ(refused.value("error"), code) << arguments[0] << " in " << where;
        }
    };
    expect_all(scratch.path());
    EXPECT_EQ(mandate.run(scratch.path(), {"allows", "commit"}).value("error"), "not-a-repository");
    expect_all(repo.path());
    EXPECT_EQ(error({"reviewed", "--findings", "0", "--head", "nowhere"}), "value-invalid");
    EXPECT_EQ(repo.git({"status", "--porcelain", "--ignored"}), "") << "nothing was created";

    run({"init", "--preset", "standard", "task=t", "authorized_by=me", "budget_spawn=1"});
    fs::remove(repo.path() / ".MANDATE.lock");
    fs::create_directory(repo.path() / ".MANDATE.lock");
    expect_all(repo.path());
    EXPECT_EQ(error({"reviewed", "--findings", "0", "--head", "nowhere"}), "value-invalid");
    EXPECT_EQ(error({"spend", "bogus"}), "unknown-budget");
    EXPECT_EQ(error({"acknowledged", "--by", "me", "--findings", "2"}), "value-invalid") << "none is open";
    EXPECT_EQ(run({"spend", "spawn"}).value("error"), "lock-directory");
    EXPECT_EQ(run({"fixed"}).value("error"), "lock-directory") << "the state is looked at under the lock";
}

TEST_F(CommandLine, ARefusalNamesTheLaneTheRecordAndItsTask)
{
    const Answer none = run({"round"});
    EXPECT_EQ(none.value("mandate_file"), (repo.path() / "MANDATE.md").string());
    EXPECT_FALSE(none.has("task"));
    run({"init", "--preset", "standard", "task=demo", "authorized_by=me"});
    const Answer refused = run({"fixed"});
    EXPECT_EQ(refused.exit(), 5);
    EXPECT_EQ(refused.value("lane"), repo.path().string());
    EXPECT_EQ(refused.value("lane_source"), "cwd");
    EXPECT_EQ(refused.value("mandate_file"), (repo.path() / "MANDATE.md").string());
    EXPECT_EQ(refused.value("task"), "demo");
    repo.git({"checkout", "-q", "-b", "other"});
    for (const char* verb : {"round", "show"}) {
        const Answer elsewhere = run({verb});
        EXPECT_EQ(elsewhere.value("error"), "branch-mismatch");
        EXPECT_EQ(elsewhere.value("task"), "demo") << verb;
    }
}

TEST_F(CommandLine, ValuesAreData)
{
    run({"init", "--preset", "standard", "task=t", "authorized_by=me", "review_budget=20"});
    run({"round"});
    EXPECT_EQ(run({"cancel", "--reason", "-x"}).exit(), 0);
    run({"round"});
    EXPECT_EQ(run({"cancel", "--reason=--force"}).exit(), 0);
    const auto events = run({"log", "--json"}).json()["events"];
    std::vector<std::string> reasons;
    for (const auto& event : events) {
        if (event["event"] == "cancel") {
            reasons.push_back(event["reason"]);
        }
    }
    EXPECT_THAT(reasons, testing::ElementsAre("-x", "--force"));
    // A word that equals a verb is data.
    for (const std::string word : {"round", "show", "help", "init"}) {
        EXPECT_EQ(run({"round", "--token", word}).value("round_authorized"), "yes") << word;
        EXPECT_EQ(error({"allows", word}), "unknown-action") << word;
        fs::create_directories(repo.path() / word);
        EXPECT_EQ(run({"show", word}).value("lane"), repo.path().string());
    }
    fs::create_directories(repo.path() / "--json");
    EXPECT_EQ(run({"show", "--", "--json"}).value("mandate_exists"), "yes") << "-- ends options";
}

TEST_F(CommandLine, AWordIsTheSameWordBesideAnOption)
{
    run({"init", "--preset", "standard", "task=t", "authorized_by=me"});
    const Repo other(scratch, "other");
    for (const std::string name : {"[x]", "[x,y]", "[[x]]", "x", "[]", "-x", "--json"}) {
        fs::create_directories(repo.path() / name);
        fs::copy(other.path(), repo.path() / name, fs::copy_options::recursive);
        const std::string lane = (repo.path() / name).string();
        EXPECT_EQ(run({"path", "--", name}).value("lane"), lane);
        EXPECT_EQ(run({"path", "--format", "kv", "--", name}).value("lane"), lane);
        EXPECT_EQ(run({"path", "--branch", "", "--", name}).value("lane"), lane);
        if (name.front() != '-') {
            EXPECT_EQ(run({"path", name, "--branch="}).value("lane"), lane);
        }
    }
    for (const std::string word : {"[commit]", "[commit,merge]", "[commit", "{commit}", "\"commit\""}) {
        EXPECT_EQ(error({"allows", word}), "unknown-action") << word;
        EXPECT_EQ(error({"allows", word, "--format=kv"}), "unknown-action") << word;
        EXPECT_EQ(error({"grant", word, "--by", "me"}), "unknown-action") << word;
    }
    EXPECT_EQ(error({"actions", "word", "--format=kv"}), "usage") << "a verb that takes none";
    EXPECT_EQ(error({"actions", "--format=kv", "--", "--word"}), "usage");
}

TEST_F(CommandLine, TheDirectoryIsRelativeToTheOption)
{
    fs::create_directories(repo.path() / "a/b");
    EXPECT_EQ(run({"-C", "a", "path", "b"}).value("lane"), repo.path().string());
    EXPECT_EQ(run({"path", "-C", "a", "b"}).value("lane"), repo.path().string());
    EXPECT_EQ(error({"-C", "b", "path", "b"}), "not-a-directory");
    EXPECT_EQ(run({"-Ca", "path"}).value("mandate_file"), (repo.path() / "MANDATE.md").string());
}

TEST_F(CommandLine, HelpIsAManualOnStdout)
{
    const Answer help = run({"--help"});
    EXPECT_EQ(help.exit(), 0);
    EXPECT_EQ(help.outcome.err, "");
    const auto verbs = {"path", "lane",    "show",    "allows", "init",  "round",
                        "log",  "actions", "presets", "codes",  "config"};
    for (const std::string verb : verbs) {
        EXPECT_THAT(help.outcome.out, HasSubstr("\n  " + verb + " "));
        const Answer manual = run({verb, "--help"});
        EXPECT_EQ(manual.exit(), 0) << verb;
        EXPECT_THAT(manual.outcome.out, HasSubstr("example\n"));
        EXPECT_THAT(manual.outcome.out, HasSubstr("usage: mandate " + verb));
        EXPECT_EQ(manual.outcome.err, "");
    }
    EXPECT_THAT(run({"--version"}).outcome.out, testing::MatchesRegex("mandate [0-9]+\\.[0-9]+\\.[0-9]+\n"));
    EXPECT_TRUE(run({"--version", "--json"}).json().contains("version"));
}

TEST_F(CommandLine, RefusalsAreOneBoundedSentence)
{
    const std::string longest(5000, 'x');
    for (const auto& arguments :
         std::vector<std::vector<std::string>>{{longest},
                                               {"allows", longest},
                                               {"show", "--" + longest},
                                               {"init", "task=" + longest},
                                               {"show", "\x1b]0;x\x07"},
                                               {"init", "--preset", longest, "task=t", "authorized_by=a"},
                                               {"init", "--preset", "standard", longest + "=1"}}) {
        const Answer refused = run(arguments);
        EXPECT_NE(refused.exit(), 0);
        const std::string& err = refused.outcome.err;
        EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
        EXPECT_LE(err.size(), 400U + (arguments[0] == "show" ? 64U : 0U)) << err;
        EXPECT_THAT(err, testing::StartsWith("mandate: "));
        EXPECT_THAT(err + refused.outcome.out, Not(HasSubstr("\x1b")));
    }
}

TEST_F(CommandLine, JsonIsOneObjectForAnswersAndRefusals)
{
    EXPECT_EQ(run({"show", "--json"}).json()["schema"], 1);
    EXPECT_EQ(run({"show", "--json"}).json()["mandate_exists"], false);
    const auto refused = run({"allows", "zzz", "--json"}).json();
    EXPECT_EQ(refused["schema"], 1);
    EXPECT_EQ(refused["error"], "unknown-action");
    EXPECT_EQ(run({"--json", "bogus"}).json()["error"], "unknown-verb");
    EXPECT_EQ(run({"show", "--json", "--bogus"}).json()["error"], "usage");
    EXPECT_GE(run({"codes", "--json"}).json()["codes"].size(), 50U);
    EXPECT_EQ(run({"actions", "--json"}).json()["actions"].size(), 10U);
    EXPECT_EQ(run({"presets", "--json"}).json()["presets"][0]["review_budget"], 3);
}

TEST_F(CommandLine, LosingStdoutIsSaid)
{
    run({"init", "--preset", "standard", "task=t", "authorized_by=me"});
    Command full = mandate.command(repo.path(), {"round"});
    full.output_path = "/dev/full";
    const Outcome lost = test::run(full);
    EXPECT_EQ(lost.exit_code, 4);
    EXPECT_THAT(lost.err, HasSubstr("the booking stands"));
    EXPECT_EQ(run({"show"}).value("review_rounds_used"), "1");

    Command closed = mandate.command(repo.path(), {"round"});
    closed.closed_descriptors = {1};
    const Outcome gone = test::run(closed);
    EXPECT_EQ(gone.exit_code, 4);
    EXPECT_THAT(gone.err, HasSubstr("the booking stands"));

    run({"init", "--force", "--preset", "standard", "task=t", "authorized_by=me", "review_budget=0"});
    const Outcome spent = test::run(full);
    EXPECT_EQ(spent.exit_code, 4);
    EXPECT_THAT(spent.err, HasSubstr("nothing was booked")) << "a round that was not authorized is no booking";

    Command silent = mandate.command(repo.path(), {"show"});
    silent.closed_descriptors = {0, 2};
    EXPECT_EQ(test::run(silent).exit_code, 0);
    Command nothing = mandate.command(repo.path(), {"show"});
    nothing.closed_descriptors = {0, 1, 2};
    EXPECT_EQ(test::run(nothing).exit_code, 4);
    EXPECT_EQ(repo.git({"status", "--porcelain"}), "");
}

TEST_F(CommandLine, NoVerbReadsStdin)
{
    Command endless = mandate.command(repo.path(), {"init", "--preset", "standard", "task=t", "authorized_by=me"});
    endless.input = std::string(1 << 16, 'y');
    EXPECT_EQ(test::run(endless).exit_code, 0);
}

}  // namespace
}  // namespace mandate::test
