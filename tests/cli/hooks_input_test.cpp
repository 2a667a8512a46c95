#include "hooks_fixture.hpp"

#include <chrono>

namespace mandate::test {
namespace {

class HooksInput : public Hooks {
protected:
    Outcome feed(const std::vector<std::string>& hook, std::string input, const fs::path& directory) const
    {
        std::vector<std::string> arguments{"hook"};
        arguments.insert(arguments.end(), hook.begin(), hook.end());
        Command command = mandate.command(directory, arguments);
        command.input = std::move(input);
        command.timeout = std::chrono::seconds(30);
        return run(command);
    }
};

TEST_F(HooksInput, BadStdinIsAHookError)
{
    const std::string id(40, 'a');
    const std::string line = "refs/heads/feat " + id + " refs/heads/feat " + std::string(40, '0') + "\n";
    for (const std::string& bad :
         {std::string("nonsense\n"), line + "\n", line.substr(0, 50), std::string("\0\0\0\n", 4)}) {
        expect_refusal(feed({"pre-push", "origin", "url"}, bad, feat), "pre-push", "cannot decide: line");
        expect_refusal(feed({"reference-transaction", "prepared"}, bad, feat), "reference-transaction",
                       "cannot decide: line");
    }
    expect_refusal(feed({"pre-push", "origin", "url"}, std::string(100U << 20U, 'x'), feat), "pre-push",
                   "larger than 32 MiB");
    EXPECT_EQ(feed({"pre-push", "origin", "url"}, "", feat).exit_code, 0);
    EXPECT_EQ(feed({"reference-transaction", "committed"}, "nonsense", feat).exit_code, 0);
    write_file(repo.path() / ".git/mandate/config.toml", "[hooks]\non_error = \"pass\"\n");
    expect_silent_success(feed({"pre-push", "origin", "url"}, "nonsense\n", feat));
    EXPECT_EQ(counted(feat, "hook-error"), 1U);
}

TEST_F(HooksInput, EndlessAndSilentStdinEnd)
{
    const auto fed_by = [&](const std::string& feeder) {
        Command command;
        command.arguments = {"sh", "-c", feeder + " | " + mandate_binary() + " hook pre-push origin url"};
        command.environment = scratch.environment();
        command.directory = feat.string();
        command.timeout = std::chrono::seconds(40);
        return run(command);
    };
    expect_refusal(fed_by("yes"), "pre-push", "larger than 32 MiB");
    expect_refusal(fed_by("{ sleep 13; }"), "pre-push", "does not come to its end");
}

TEST_F(HooksInput, OutsideOfALane)
{
    const std::string line = std::string(40, '0') + " " + std::string(40, 'a') + " refs/heads/main\n";
    for (const fs::path& place : {repo.path() / ".git", remote}) {
        expect_refusal(feed({"reference-transaction", "prepared"}, line, place), "reference-transaction",
                       "cannot decide");
        expect_refusal(feed({"pre-commit"}, "", place), "pre-commit", "cannot decide");
    }
    expect_refusal(feed({"pre-commit"}, "", scratch.path()), "pre-commit", "cannot decide");
    EXPECT_EQ(feed({"nonsense"}, "", feat).exit_code, 2);
    EXPECT_EQ(feed({}, "", feat).exit_code, 2);
}

TEST_F(HooksInput, OddRefNamesStayInOneLine)
{
    const std::string ref = "refs/heads/\xff\xe2\x80\xae" + std::string(3000, 'n');
    const Outcome outcome =
        feed({"pre-push", "o", "u"}, "x " + head(feat) + " " + ref + " " + std::string(40, '0') + "\n", feat);
    expect_refusal(outcome, "pre-push", "\\xff\\u{202E}nnn");
    EXPECT_LE(outcome.err.size(), 401U);
    EXPECT_NE(outcome.err.find("mandate grant"), std::string::npos);
}

}  // namespace
}  // namespace mandate::test
