// `completion words`: what is offered, asked as the shells' scripts ask. tests/docs/completion.py types into the
// shells.

#include "support/mandate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mandate::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

class CompletionWords : public testing::Test {
protected:
    CompletionWords() : repo(scratch), mandate(scratch) {}

    std::vector<std::string> offered(std::vector<std::string> typed, const fs::path& directory) const
    {
        typed.insert(typed.begin(), {"completion", "words", "--json", "--"});
        const nlohmann::json answer = mandate.run(directory, typed).json();
        std::vector<std::string> words;
        for (const auto& each : answer["words"]) {
            words.push_back(each["word"]);
        }
        return words;
    }
    std::vector<std::string> offered(const std::vector<std::string>& typed) const
    {
        return offered(typed, repo.path());
    }

    ScratchDir scratch;
    Repo repo;
    Mandate mandate;
};

TEST_F(CompletionWords, EveryVerbOfHelpAndEveryOptionOfItsManual)
{
    const auto verbs = offered({""});
    EXPECT_THAT(verbs, Contains("round"));
    for (const std::string& verb : verbs) {
        const std::string help = mandate.run(repo.path(), {verb, "--help"}).outcome.out;
        for (const std::string& option : offered({verb, "-"})) {
            EXPECT_THAT(help, testing::HasSubstr("\n  " + option + " ")) << verb;
        }
        EXPECT_THAT(offered({verb, "--hel"}), ElementsAre("--help")) << verb;
    }
}

TEST_F(CompletionWords, FollowsTheCommandLineAsTheParserWould)
{
    EXPECT_THAT(offered({"-C", "."}), IsEmpty()) << "a value, not a verb";
    EXPECT_THAT(offered({"-C", ".", "roun"}), ElementsAre("round"));
    EXPECT_THAT(offered({"--branch", "main", "roun"}), ElementsAre("round"));
    EXPECT_THAT(offered({"round", "--token", "--str"}), IsEmpty()) << "the value of --token";
    EXPECT_THAT(offered({"round", "--token=x", "--str"}), ElementsAre("--strict"));
    EXPECT_THAT(offered({"round", "--strict", "--str"}), IsEmpty()) << "given already";
    EXPECT_THAT(offered({"init", "--without", "merge", "--witho"}), ElementsAre("--without")) << "may be repeated";
    EXPECT_THAT(offered({"grant", "--", "--js"}), IsEmpty()) << "options have ended";
    EXPECT_THAT(offered({"allows", "commit", "co"}), IsEmpty()) << "one action only";
    EXPECT_THAT(offered({"init", "deny=merge,merge,dep"}), ElementsAre("deny=merge,merge,deploy"));
    EXPECT_THAT(offered({"nosuchverb", ""}), IsEmpty());
    EXPECT_EQ(offered({"help", ""}), offered({""})) << "help takes a verb";
    EXPECT_THAT(offered({"-C", ".", "help", "roun"}), ElementsAre("round"));
    EXPECT_THAT(offered({"help", "round", ""}), IsEmpty()) << "and one only";
}

TEST_F(CompletionWords, OffersNoNameThatCannotBeTypedAsItIsShown)
{
    repo.git({"worktree", "add", "-q", "-b", "plain", (scratch.path() / "plain").string()});
    repo.git({"worktree", "add", "-q", "-b", "bidi\xE2\x80\xAE", (scratch.path() / "bidi").string()});
    EXPECT_THAT(offered({"lane", ""}), testing::UnorderedElementsAre("main", "plain"));
}

TEST_F(CompletionWords, NeverFailsAndWritesNothing)
{
    EXPECT_THAT(offered({"allows", "dep"}, scratch.path()), ElementsAre("deploy")) << "outside of any repository";
    EXPECT_THAT(offered({"lane", ""}, scratch.path()), IsEmpty());
    EXPECT_THAT(offered({"spend", ""}), IsEmpty()) << "there is no record";
    write_file(repo.path() / ".git/mandate/config.toml", "broken");
    EXPECT_THAT(offered({"allows", "dep"}), ElementsAre("deploy"));
    write_file(repo.path() / "MANDATE.md", "broken");
    EXPECT_THAT(offered({"spend", ""}), IsEmpty());
    EXPECT_THAT(offered({"show", "--branch", "no"}), IsEmpty());
    EXPECT_FALSE(fs::exists(repo.path() / ".git/mandate/main.jsonl"));
    EXPECT_THAT(offered({}), Contains("round"));
}

TEST_F(CompletionWords, AShellThatThereIsNotIsRefused)
{
    for (const auto& words : std::vector<std::vector<std::string>>{{}, {"tcsh"}, {"bash", "zsh"}}) {
        std::vector<std::string> command{"completion"};
        command.insert(command.end(), words.begin(), words.end());
        const Answer refused = mandate.run(repo.path(), command);
        EXPECT_EQ(refused.exit(), 2);
        EXPECT_EQ(refused.value("error"), "usage");
    }
    EXPECT_THAT(mandate.run(repo.path(), {"completion", "bash"}).outcome.out, Not(testing::HasSubstr("\x1b")));
}

}  // namespace
}  // namespace mandate::test
