// Whatever lets something through without having checked it appends `event=unenforced` first and says so.
//
// The reasons are driven one by one below (tests/style/let_through.py sees to it that none is missing, and that the
// sources have no other way through). The verbs are taken from --help, so a new one that answers for another lane
// without counting it fails here.

#include "support/mandate.hpp"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace mandate::test {
namespace {

using nlohmann::json;

class LetThrough : public testing::Test {
protected:
    LetThrough() : repo(scratch), lane(repo.add_worktree("lane")), mandate(scratch) {}
    Answer in_lane(std::vector<std::string> arguments) const { return mandate.run(lane, arguments); }
    void init(const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> arguments{"init",      "--preset",         "draft-only",
                                           "task=demo", "authorized_by=me", "--force"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Answer made = in_lane(arguments);
        ASSERT_EQ(made.exit(), 0) << made;
    }
    // Lines of the lane's ledger that say `event=unenforced`, by reason.
    std::map<std::string, int> counted() const
    {
        std::map<std::string, int> counts;
        const fs::path file = repo.path() / ".git/mandate/worktrees/lane.jsonl";
        std::istringstream lines(fs::exists(file) ? read_file(file) : "");
        for (std::string line; std::getline(lines, line);) {
            const json parsed = json::parse(line);
            if (parsed["event"] == "unenforced") {
                ++counts[parsed["reason"].get<std::string>()];
            }
        }
        return counts;
    }
    Answer with_input(const std::vector<std::string>& arguments, const std::string& input) const
    {
        Command command = mandate.command(lane, arguments);
        command.input = input;
        return read_answer(run(command));
    }
    // One in which flock(2) is refused, as some file systems do.
    Answer without_locks(const std::vector<std::string>& arguments) const
    {
        Command command = mandate.command(lane, arguments);
        command.arguments.insert(command.arguments.begin(),
                                 {"strace", "-f", "-o", "/dev/null", "-e", "inject=flock:error=ENOLCK"});
        command.environment["ASAN_OPTIONS"] = "detect_leaks=0";  // the leak checker cannot work under ptrace
        return read_answer(run(command));
    }
    void configure(const std::string& toml) const { write_file(repo.path() / ".git/mandate/config.toml", toml); }

    ScratchDir scratch;
    Repo repo;
    fs::path lane;
    Mandate mandate;
};

struct Path {
    std::string reason;
    std::string what;
    std::function<Answer()> go;  // passes, with --json; what it needs was set up before
    std::function<void()> prepare = [] {};
};

TEST_F(LetThrough, AppendsOnEveryPathOfEveryReason)
{
    const json tool_call{{"hook_event_name", "PreToolUse"},
                         {"cwd", lane.string()},
                         {"tool_name", "Bash"},
                         {"tool_input", {{"command", "git commit -m x"}}}};
    Mandate bypassing = mandate;
    bypassing.set("MANDATE_BYPASS", "the house is on fire");
    const std::vector<Path> paths{
        {"no-mandate", "a hook without a record",
         [&] {
             return in_lane({"hook", "pre-commit", "--json"});
         }},
        {"no-mandate", "an agent's call without a record",
         [&] {
             return with_input({"hook", "agent", "--host", "claude", "--json"}, tool_call.dump());
         }},
        {"no-verify", "a commit without its hook",
         [&] {
             return in_lane({"hook", "post-commit", "--json"});
         },
         [&] { repo.commit_file(lane, "file", "x"); }},
        {"lane-fallback", "--branch that nobody holds",
         [&] {
             return in_lane({"show", "--branch", "nowhere", "--json"});
         }},
        {"no-budget", "a round without a limit",
         [&] {
             return in_lane({"round", "--json"});
         },
         [&] {
             init({"review_budget=unlimited", "budget_spawn=unlimited"});
         }},
        {"no-budget", "a budget without a limit",
         [&] {
             return in_lane({"spend", "spawn", "--json"});
         }},
        {"round-cancelled", "a round given back",
         [&] {
             return in_lane({"cancel", "--json"});
         }},
        {"unbooked-review", "a review that nobody booked",
         [&] {
             return in_lane({"reviewed", "--findings", "1", "--json"});
         }},
        {"history-drift", "a record that starts over",
         [&] {
             return in_lane({"round", "--json"});
         },
         [&] {
             ASSERT_EQ(in_lane({"round"}).exit(), 0);
             init({"review_budget=9"});
         }},
        {"lock-unsupported", "a round without a lock",
         [&] {
             return without_locks({"round", "--unenforced", "--json"});
         }},
        {"bypass", "a hook that is told to let go",
         [&] {
             return bypassing.run(lane, {"hook", "pre-rebase", "main", "--json"});
         }},
        {"hook-error", "a hook that cannot decide",
         [&] {
             return in_lane({"hook", "pre-commit", "--json"});
         },
         [&] {
             configure("[hooks]\non_error = \"pass\"\n");
             fs::rename(lane / "MANDATE.md", lane / "kept");
             fs::create_symlink("kept", lane / "MANDATE.md");
         }},
        {"exclude-ineffective", "a record that can be staged",
         [&] {
             return in_lane({"round", "--json"});
         },
         [&] {
             fs::rename(lane / "kept", lane / "MANDATE.md");
             write_file(lane / ".gitignore", "!*.md\n");
         }},
    };
    for (const Path& path : paths) {
        SCOPED_TRACE(path.what);
        path.prepare();
        const int before = counted()[path.reason];
        const Answer answer = path.go();
        EXPECT_EQ(answer.exit(), 0) << answer;
        EXPECT_EQ(counted()[path.reason], before + 1) << answer;
        if (path.what.starts_with("an agent")) {
            continue;  // its answer is in the host's dialect, and a call without an opinion has none
        }
        const json said = answer.json();
        EXPECT_EQ(said.value("enforced", true), false) << answer;
        bool named = false;
        for (const json& reason : said.value("reasons", json::array())) {
            named = named || reason.value("code", "") == path.reason;
        }
        EXPECT_TRUE(named) << answer;
    }
    EXPECT_EQ(in_lane({"unenforced"}).exit(), 1);
}

TEST_F(LetThrough, SaysSoWhereItCannotBeCounted)
{
    init({"review_budget=unlimited"});
    fs::remove_all(repo.path() / ".git/mandate/worktrees");
    write_file(repo.path() / ".git/mandate/worktrees", "in the way");
    const Answer show = in_lane({"show", "--branch", "nowhere"});
    EXPECT_EQ(show.exit(), 0) << show;
    EXPECT_EQ(show.value("enforced"), "no");
    EXPECT_EQ(show.value("ledger"), "unwritable");
    EXPECT_THAT(show.outcome.err, testing::HasSubstr("could not be counted"));
    fs::remove(lane / "MANDATE.md");
    const Answer hook = in_lane({"hook", "pre-commit"});
    EXPECT_EQ(hook.value("ledger"), "unwritable") << hook;
}

// Words that a verb cannot do without.
std::vector<std::string> words_of(const std::string& verb)
{
    static const std::map<std::string, std::vector<std::string>> k_words{
        {"allows", {"commit"}},
        {"init", {"--preset", "standard", "task=x", "authorized_by=y"}},
        {"grant", {"merge", "--by", "ann"}},
        {"revoke", {"merge"}},
        {"extend", {"--rounds", "1", "--by", "ann"}},
        {"rebind", {"--by", "ann"}},
        {"reviewed", {"--findings", "0"}},
        {"acknowledged", {"--by", "ann"}},
        {"spend", {"spawn"}},
        {"refund", {"spawn"}},
    };
    const auto words = k_words.find(verb);
    return words == k_words.end() ? std::vector<std::string>() : words->second;
}

TEST_F(LetThrough, CountsEveryAnswerForAnotherLaneThanTheBranchs)
{
    init({"review_budget=9", "budget_spawn=9"});
    std::istringstream help(in_lane({"--help"}).outcome.out);
    int answered = 0;
    int refused = 0;
    bool among_verbs = false;
    for (std::string line; std::getline(help, line);) {
        among_verbs = line == "verbs" || (among_verbs && !line.empty());
        if (!among_verbs || !line.starts_with("  ")) {
            continue;
        }
        const std::string verb = line.substr(2, line.find(' ', 2) - 2);
        if (in_lane({verb, "--help"}).outcome.out.find("--branch NAME") == std::string::npos) {
            continue;
        }
        SCOPED_TRACE(verb);
        std::vector<std::string> arguments{verb, "--branch", "nowhere"};
        const std::vector<std::string> words = words_of(verb);
        arguments.insert(arguments.end(), words.begin(), words.end());
        const int before = counted()["lane-fallback"];
        const Answer answer = in_lane(arguments);
        if (answer.exit() == 3) {
            ++refused;
            EXPECT_EQ(answer.value("error"), "no-lane") << answer;
            EXPECT_EQ(counted()["lane-fallback"], before);
        } else {
            ++answered;
            EXPECT_EQ(answer.value("enforced"), "no") << answer;
            EXPECT_EQ(answer.value("lane_source"), "cwd");
            EXPECT_THAT(answer.values("reason"), testing::Contains(testing::StartsWith("lane-fallback"))) << answer;
            EXPECT_EQ(counted()["lane-fallback"], before + 1) << answer;
        }
    }
    EXPECT_GE(answered, 9) << "the list of verbs in --help was not understood";
    EXPECT_GE(refused, 12);
}

}  // namespace
}  // namespace mandate::test
