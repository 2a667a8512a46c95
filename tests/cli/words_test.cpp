// What a refusal says to a person: what was typed, what is missing, and the line that helps. Never more than one line.

#include "support/mandate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mandate::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Words : public testing::Test {
protected:
    Words() : repo(scratch), mandate(scratch) {}
    Answer run(const std::vector<std::string>& arguments) const { return mandate.run(repo.path(), arguments); }
    void init() const { ASSERT_EQ(run({"init", "--preset", "standard", "task=t", "authorized_by=me"}).exit(), 0); }
    std::string said(const std::vector<std::string>& arguments, int exit) const
    {
        const Answer answer = run(arguments);
        EXPECT_EQ(answer.exit(), exit) << answer;
        EXPECT_EQ(std::count(answer.outcome.err.begin(), answer.outcome.err.end(), '\n'), 1) << answer;
        return answer.outcome.err;
    }

    ScratchDir scratch;
    Repo repo;
    Mandate mandate;
};

TEST_F(Words, AMissingOptionIsShownInTheWholeLine)
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> lines{
        {{"grant", "merge"}, "--by WHO is missing; who grants it: mandate grant ACTION... --by WHO"},
        {{"rebind"}, "--by WHO is missing; who decides it: mandate rebind [DIR] --by WHO"},
        {{"extend"}, "--rounds N is missing; how many more: mandate extend [DIR] --rounds N --by WHO"},
        {{"extend", "--rounds=1"}, "--by WHO is missing; who decides it: mandate extend [DIR] --rounds N --by WHO"},
        {{"reviewed"},
         "--findings N is missing; how many findings the review left open: mandate reviewed [DIR] --findings N"},
        {{"acknowledged"}, "--by WHO is missing; who takes it: mandate acknowledged [DIR] --by WHO"},
        {{"unenforced", "--ack"}, "--by WHO is missing; who accepts it: mandate unenforced [DIR] --ack --by WHO"}};
    for (const auto& [arguments, line] : lines) {
        EXPECT_EQ(said(arguments, 2), "mandate: " + line + "\n");
    }
    EXPECT_THAT(said({"grant"}, 2), HasSubstr("there is no action on the command line"));
    EXPECT_EQ(said({"show", "--bogus"}, 2), "mandate: unknown option '--bogus'; see: mandate show --help\n");
}

TEST_F(Words, HelpIsAskedForInEveryWay)
{
    const std::string round = run({"round", "--help"}).outcome.out;
    const std::string program = run({"--help"}).outcome.out;
    for (const auto& words : std::vector<std::vector<std::string>>{{"round", "-h"},
                                                                   {"-h", "round"},
                                                                   {"help", "round"},
                                                                   {"help", "round", "-h"},
                                                                   {"help", "--help", "round"}}) {
        EXPECT_EQ(run(words).exit(), 0);
        EXPECT_EQ(run(words).outcome.out, round) << testing::PrintToString(words);
    }
    for (const auto& words :
         std::vector<std::vector<std::string>>{{"help"}, {"-h"}, {"help", "help"}, {"help", "-h"}}) {
        EXPECT_EQ(run(words).exit(), 0);
        EXPECT_EQ(run(words).outcome.out, program) << testing::PrintToString(words);
    }
    for (const auto& words :
         std::vector<std::vector<std::string>>{{"help", "nosuch"}, {"nosuch", "-h"}, {"nosuch", "--help"}}) {
        EXPECT_EQ(run(words).exit(), 2);
        EXPECT_EQ(run(words).value("error"), "unknown-verb") << testing::PrintToString(words);
    }
}

TEST_F(Words, WhatWasTypedIsRepeatedEscapedAndBounded)
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> lines{
        {{"reviewed", "--findings", "abc"}, "--findings is no plain number: 'abc'; "},
        {{"extend", "--by", "me", "--rounds", "0"}, "--rounds is out of range: '0'; "},
        {{"log", "--since", "yesterday"}, "--since is no time: 'yesterday'; "},
        {{"round", "--lock-timeout", "soon"}, "--lock-timeout is no time: 'soon'; "},
        {{"show", "--format", "jsno"}, "--format knows no 'jsno'; did you mean 'json'? there are: kv, json, "},
        {{"hooks"}, "hooks is not told what to do; there are: install, uninstall, status"},
        {{"hooks", "instal"}, "hooks does not do 'instal'; did you mean 'install'? there are: install, "},
        {{"hook", "pre-comit"}, "there is no hook 'pre-comit'; did you mean 'pre-commit'? there are: pre-commit, "},
        {{"hook", "agent", "--host", "x"}, "there is no host 'x'; "},
        {{"completion"}, "there is no shell on the command line; there are: bash, zsh, fish"},
        {{"completion", "sh"}, "there is no completion for 'sh'; "},
        {{"--hlep"}, "unknown option '--hlep'; did you mean '--help'?"},
        {{"--bogus"}, "there is no verb on the command line; see: mandate --help"},
        {{"--version", "-q"}, "there is no verb on the command line; see: mandate --help"},
        {{"init", "task=t"},
         "authorized_by= is missing; a record says what for and who granted it: mandate init --preset standard "},
        {{"init", "task=t", "authorized_by=a"}, "nothing says what is allowed; give --preset standard "},
        {{"init", "task", "x", "task=t"},
         "there is a word too many: 'x'; write keys as key=value; 'task' is taken for the directory"},
        {{"show", "a", "b"}, "there is a word too many: 'b'; see: mandate show --help"},
        {{"actions", "a"}, "there is a word too many: 'a'; see: mandate actions --help"},
        {{"spend", "a", "b"}, "there is a word too many: 'b'; "}};
    for (const auto& [arguments, start] : lines) {
        EXPECT_THAT(said(arguments, 2), StartsWith("mandate: " + start));
    }
    const std::string hostile = "\x1b[2J\n" + std::string(5000, 'x');
    for (const auto& arguments : std::vector<std::vector<std::string>>{{"reviewed", "--findings", hostile},
                                                                       {"show", "--format", hostile},
                                                                       {"hooks", hostile},
                                                                       {"hook", hostile},
                                                                       {"completion", hostile},
                                                                       {"log", "--since", hostile},
                                                                       {"init", hostile, hostile},
                                                                       {"show", "a", hostile}}) {
        const std::string sentence = said(arguments, 2);
        EXPECT_LE(sentence.size(), 400U);
        EXPECT_THAT(sentence, HasSubstr("\\x1b[2J"));
    }
}

TEST_F(Words, AVerdictThatIsNoYesIsExplained)
{
    const std::string record = (repo.path() / "MANDATE.md").string();
    const std::string none = "mandate: there is no record: '" + record +
                             "'; a person grants one with: mandate init --preset standard task=… authorized_by=…\n";
    EXPECT_EQ(said({"allows", "commit"}, 3), none);
    EXPECT_EQ(said({"show"}, 0), none);
    EXPECT_EQ(run({"allows", "commit", "-q"}).outcome.err, "");
    init();
    EXPECT_EQ(run({"allows", "commit"}).outcome.err, "");
    EXPECT_EQ(run({"show"}).outcome.err, "");
    run({"revoke", "commit"});
    EXPECT_EQ(said({"allows", "commit"}, 1), "mandate: the record does not allow 'commit': '" + record +
                                                 "'; a person can change that: mandate grant commit --by WHO\n");
    EXPECT_THAT(said({"allows", "merge"}, 1), StartsWith("mandate: the record denies 'merge': '" + record + "'; "));
    run({"init", "--force", "--preset", "standard", "task=t", "authorized_by=me", "expires_at=2020-01-01T00:00:00Z"});
    EXPECT_EQ(said({"allows", "commit"}, 3), "mandate: the grant ran out at 2020-01-01T00:00:00Z: '" + record +
                                                 "'; a person renews it: edit expires_at in the record\n");
}

TEST_F(Words, AVerdictOfThePolicySaysWhereItIsSet)
{
    init();
    write_file(repo.path() / ".git/mandate/config.toml", "[policy]\ndeny = [\"commit\"]\n");
    EXPECT_EQ(said({"allows", "commit"}, 1), "mandate: policy.deny denies 'commit' in every lane: '" +
                                                 (repo.path() / "MANDATE.md").string() +
                                                 "'; mandate config --show-origin says which file\n");
    EXPECT_EQ(run({"allows", "commit", ".", "."}).value("error"), "usage");
}

TEST_F(Words, ASecondActionIsTakenForADirectoryAndSaidSo)
{
    EXPECT_THAT(said({"allows", "commit", "merge"}, 2),
                HasSubstr(": 'merge'; allows takes one ACTION; the second word is a directory"));
    EXPECT_THAT(said({"-C", "nowhere", "allows", "commit"}, 2), Not(HasSubstr("second word")));
}

TEST_F(Words, ARevokedActionIsUnlistedAndNotDenied)
{
    init();
    const std::string note = "mandate: unlisted now, not denied; --deny denies it\n";
    run({"revoke", "merge", "--deny"});
    run({"grant", "merge", "--by", "me"});
    EXPECT_EQ(said({"revoke", "merge"}, 0), note);
    EXPECT_EQ(run({"revoke", "merge"}).outcome.err, "") << "it was not in allow any more";
    run({"grant", "merge", "--by", "me"});
    EXPECT_EQ(run({"revoke", "merge", "--deny"}).outcome.err, "");
    EXPECT_EQ(run({"revoke", "commit", "-q"}).outcome.err, "");
}

TEST_F(Words, ABudgetThatIsSpentSaysWhatToDoAndCanBeSilenced)
{
    run({"init", "--preset", "standard", "task=t", "authorized_by=me", "review_budget=0", "budget_spawn=0"});
    EXPECT_THAT(said({"round"}, 0), HasSubstr("mandate extend --rounds"));
    EXPECT_THAT(said({"spend", "spawn"}, 0), HasSubstr("'spawn' does not hold 1 more"));
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"round"}, {"spend", "spawn"}}) {
        std::vector<std::string> quiet = words;
        quiet.emplace_back("-q");
        EXPECT_EQ(run(quiet).outcome.err, "");
        quiet.emplace_back("--strict");
        EXPECT_EQ(run(quiet).exit(), 1);
    }
}

TEST_F(Words, ACleanRecordHasNoMistakes)
{
    init();
    EXPECT_THAT(run({"check", "--format", "table"}).outcome.out, testing::EndsWith("\nno mistakes found\n"));
}

TEST_F(Words, ALongPathDoesNotCutTheSentence)
{
    const std::string deep = repo.path().string() + "/" + std::string(250, 'd') + "/" + std::string(250, 'e');
    const std::string sentence = said({"show", deep}, 2);
    EXPECT_THAT(sentence, HasSubstr(": '" + deep + "'"));
    EXPECT_LE(sentence.size() - deep.size(), 400U);
}

TEST_F(Words, OptionsInFrontOfTheVerbTakeTheirValue)
{
    EXPECT_EQ(run({"--format", "json", "--color", "never", "show"}).json()["mandate_exists"], false);
}

}  // namespace
}  // namespace mandate::test
