#include "base/text.hpp"
#include "core/vocabulary.hpp"

#include <gmock/gmock.h>
#include <string>

namespace mandate::core {
namespace {

using testing::ElementsAre;

TEST(Vocabulary, HoldsTheBuiltInActionsInTheirOrder)
{
    EXPECT_THAT(Vocabulary().actions(),
                ElementsAre("commit", "push-own-branch", "open-pr", "local-review", "agreed-fixes", "rebase-own-branch",
                            "merge", "deploy", "force-push-shared", "destructive"));
}

TEST(Vocabulary, MatchesWholeWordsLiterally)
{
    const Vocabulary vocabulary;
    EXPECT_TRUE(vocabulary.knows_action("merge"));
    for (const char* word :
         {"", "merg", "merges", "Merge", "MERGE", " merge", "merge ", "commit,merge", "push", "*", "m.rge"}) {
        EXPECT_FALSE(vocabulary.knows_action(word)) << word;
        EXPECT_FALSE(is_builtin_action(word)) << word;
    }
}

TEST(Vocabulary, TakesADeclaredActionOnce)
{
    Vocabulary vocabulary;
    vocabulary.declare_action("deploy-staging");
    vocabulary.declare_action("deploy-staging");
    vocabulary.declare_action("merge");
    EXPECT_TRUE(vocabulary.knows_action("deploy-staging"));
    EXPECT_FALSE(is_builtin_action("deploy-staging"));
    EXPECT_EQ(vocabulary.actions().size(), 11U);
    EXPECT_EQ(vocabulary.actions().back(), "deploy-staging");
    EXPECT_FALSE(Vocabulary().knows_action("deploy-staging")) << "a declaration stays in its own vocabulary";
}

TEST(Vocabulary, ThatMayLackWordsTakesWhatHasTheFormOfOne)
{
    Vocabulary vocabulary;
    EXPECT_FALSE(vocabulary.may_be_action("deploy-staging"));
    vocabulary.leave_open();
    EXPECT_TRUE(vocabulary.may_be_action("deploy-staging"));
    EXPECT_FALSE(vocabulary.may_be_action("[commit"));
    EXPECT_FALSE(vocabulary.knows_action("deploy-staging")) << "nothing is decided by it";
}

struct PresetRow {
    const char* name;
    const char* allow;
    const char* deny;
    const char* gate;
    unsigned budget;
};

TEST(Vocabulary, HoldsThePresetsOfTheContract)
{
    constexpr PresetRow k_rows[] = {
        {"standard", "commit, push-own-branch, open-pr, local-review, agreed-fixes, rebase-own-branch",
         "merge, deploy, force-push-shared, destructive", "reviewed-pr", 3},
        {"draft-only", "commit, push-own-branch", "open-pr, merge, deploy, force-push-shared, destructive",
         "pushed-branch", 0},
        {"merge-delegated", "commit, push-own-branch, open-pr, local-review, agreed-fixes, rebase-own-branch, merge",
         "deploy, force-push-shared, destructive", "merged", 3},
    };
    const Vocabulary vocabulary;
    EXPECT_EQ(vocabulary.presets().size(), std::size(k_rows));
    for (const PresetRow& row : k_rows) {
        const Preset* preset = vocabulary.find_preset(row.name);
        ASSERT_NE(preset, nullptr) << row.name;
        EXPECT_EQ(text::join(preset->allow, ", "), row.allow);
        EXPECT_EQ(text::join(preset->deny, ", "), row.deny);
        EXPECT_EQ(preset->terminal_gate, row.gate);
        EXPECT_EQ(preset->review_budget, row.budget);
    }
    EXPECT_EQ(vocabulary.find_preset("Standard"), nullptr);
    EXPECT_EQ(vocabulary.find_preset(""), nullptr);
}

TEST(Vocabulary, ReplacesAPresetOfTheSameName)
{
    Vocabulary vocabulary;
    vocabulary.declare_preset({"standard", {"commit"}, {}, "merged", 1});
    vocabulary.declare_preset({"reviewer", {"local-review"}, {}, "reviewed-pr", 2});
    EXPECT_THAT(vocabulary.find_preset("standard")->allow, ElementsAre("commit"));
    EXPECT_EQ(vocabulary.presets().size(), 4U);
    EXPECT_EQ(vocabulary.presets()[0].name, "standard");
    EXPECT_EQ(vocabulary.presets()[3].name, "reviewer");
}

TEST(Vocabulary, SuggestsTheClosestWord)
{
    Vocabulary vocabulary;
    vocabulary.declare_action("deploy-staging");
    EXPECT_EQ(vocabulary.suggest_action("merg"), "merge");
    EXPECT_EQ(vocabulary.suggest_action("deploy-stagin"), "deploy-staging");
    EXPECT_EQ(vocabulary.suggest_action("lunch"), "");
    EXPECT_EQ(vocabulary.suggest_preset("standart"), "standard");
}

TEST(Gates, AreThreeWords)
{
    EXPECT_THAT(gates(), ElementsAre("reviewed-pr", "merged", "pushed-branch"));
    EXPECT_TRUE(is_gate("merged"));
    EXPECT_FALSE(is_gate("merge"));
    EXPECT_FALSE(is_gate(""));
}

TEST(Word, IsLettersDigitsDashAndUnderscore)
{
    EXPECT_TRUE(is_word("deploy-staging_2"));
    EXPECT_TRUE(is_word("A"));
    EXPECT_TRUE(is_word(std::string(64, 'a')));
    for (const char* text : {"", "a b", "a,b", "a.b", "\xC3\xA9", "a\n", "a=b", "a/b"}) {
        EXPECT_FALSE(is_word(text)) << text;
    }
    EXPECT_FALSE(is_word(std::string(65, 'a')));
}

}  // namespace
}  // namespace mandate::core
