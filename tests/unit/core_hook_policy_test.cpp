#include "core/branch_pattern.hpp"
#include "core/hook_file.hpp"
#include "core/hook_input.hpp"
#include "core/hook_policy.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace mandate::core {
namespace {

const std::string k_null(40, '0');
const std::string k_a(40, 'a');
const std::string k_b(40, 'b');
const std::vector<std::string> k_guarded{"main", "master", "release/*"};

std::string asked(const std::vector<Ask>& asks)
{
    std::string all;
    for (const Ask& ask : asks) {
        all += (all.empty() ? "" : " ") + ask.action;
    }
    return all;
}

std::string pushed(const std::string& ref, const std::string& before, const std::string& after, bool forward = false)
{
    return asked(asks_of_push({{ref, before, after, forward}}, {"feat", k_guarded}));
}

std::string moved(const std::string& ref, const std::string& before, const std::string& after, bool forward = false,
                  bool symbolic = false)
{
    return asked(asks_of_transaction({{ref, before, after, forward, symbolic}}, {"feat", k_guarded}));
}

TEST(BranchPattern, ReadsGlobsAcrossSlashes)
{
    EXPECT_TRUE(branch_matches("main", "main"));
    EXPECT_FALSE(branch_matches("main", "main2"));
    EXPECT_FALSE(branch_matches("main", "feature/main"));
    EXPECT_TRUE(branch_matches("release/*", "release/1"));
    EXPECT_TRUE(branch_matches("release/*", "release/1/hotfix"));
    EXPECT_FALSE(branch_matches("release/*", "release"));
    EXPECT_TRUE(branch_matches("*", "anything/at/all"));
    EXPECT_TRUE(branch_matches("v?.[0-9]*x", "v1.2.3x"));
    EXPECT_FALSE(branch_matches("v[!0-9]", "v1"));
    EXPECT_TRUE(branch_matches("v[!0-9]", "va"));
    EXPECT_TRUE(branch_matches("\\*", "*"));
    EXPECT_FALSE(branch_matches("\\*", "x"));
    EXPECT_TRUE(branch_matches("a[b", "a[b"));
    EXPECT_TRUE(branch_matches("[]a]", "]"));
    EXPECT_FALSE(branch_matches("", "x"));
    EXPECT_FALSE(branch_matches("a", ""));
}

TEST(BranchPattern, EndsInTimeOnHostilePatterns)
{
    std::string pattern;
    for (int i = 0; i < 60; ++i) {
        pattern += "*a";
    }
    EXPECT_FALSE(branch_matches(pattern + "b", std::string(4000, 'a')));
}

TEST(HookPolicy, OwnBranchOnARemote)
{
    EXPECT_EQ(pushed("refs/heads/feat", k_null, k_a), "push-own-branch");
    EXPECT_EQ(pushed("refs/heads/feat", k_a, k_b, true), "push-own-branch");
    EXPECT_EQ(pushed("refs/heads/feat", k_a, k_b), "rebase-own-branch");
    EXPECT_EQ(pushed("refs/heads/feat", k_a, k_null), "rebase-own-branch");
    EXPECT_EQ(pushed("refs/heads/feat", k_a, k_a), "");
}

TEST(HookPolicy, ProtectedAndOthersBranchesOnARemote)
{
    EXPECT_EQ(pushed("refs/heads/main", k_null, k_a), "merge");
    EXPECT_EQ(pushed("refs/heads/main", k_a, k_b, true), "merge");
    EXPECT_EQ(pushed("refs/heads/main", k_a, k_b), "force-push-shared");
    EXPECT_EQ(pushed("refs/heads/main", k_a, k_null), "force-push-shared");
    EXPECT_EQ(pushed("refs/heads/other", k_null, k_a), "force-push-shared");
    EXPECT_EQ(pushed("refs/heads/other", k_a, k_b, true), "force-push-shared");
    EXPECT_EQ(asked(asks_of_push({{"refs/heads/main", k_a, k_b, true}}, {"main", k_guarded})), "merge");
    EXPECT_EQ(asked(asks_of_push({{"refs/heads/x", k_null, k_b}}, {"", k_guarded})), "force-push-shared");
}

TEST(HookPolicy, OtherRefsOnARemote)
{
    EXPECT_EQ(pushed("refs/tags/v1", k_null, k_a), "push-own-branch");
    EXPECT_EQ(pushed("refs/tags/v1", k_a, k_b, true), "force-push-shared");
    EXPECT_EQ(pushed("refs/tags/v1", k_a, k_null), "force-push-shared");
}

TEST(HookPolicy, ProtectedLocalBranches)
{
    EXPECT_EQ(moved("refs/heads/main", k_a, k_b, true), "merge");
    EXPECT_EQ(moved("refs/heads/main", k_a, k_b), "destructive");
    EXPECT_EQ(moved("refs/heads/main", k_a, k_null), "destructive");
    EXPECT_EQ(moved("refs/heads/main", k_a, "ref:refs/heads/x", false, true), "destructive");
    EXPECT_EQ(moved("refs/heads/main", "", k_b), "");
    EXPECT_EQ(moved("refs/heads/main", k_a, k_a), "");
    EXPECT_EQ(moved("refs/heads/feat", k_a, k_b), "");
    EXPECT_EQ(moved("refs/remotes/origin/main", k_a, k_b), "");
}

TEST(HookPolicy, MergeCommits)
{
    EXPECT_EQ(asked(asks_of_merge_commit({"release/2", k_guarded})), "merge");
    EXPECT_EQ(asked(asks_of_merge_commit({"feat", k_guarded})), "commit");
    EXPECT_EQ(asked(asks_of_merge_commit({"", k_guarded})), "commit");
}

TEST(HookPolicy, CommitsWithoutPreCommitByDesign)
{
    EXPECT_TRUE(runs_no_pre_commit("cherry-pick: x", false));
    EXPECT_TRUE(runs_no_pre_commit("revert: Revert \"x\"", false));
    EXPECT_TRUE(runs_no_pre_commit("rebase (pick): x", true));
    EXPECT_TRUE(runs_no_pre_commit("pull --rebase (pick): x", true));
    EXPECT_FALSE(runs_no_pre_commit("rebase (pick): x", false));  // a name alone makes no rebase
    EXPECT_FALSE(runs_no_pre_commit("commit (amend): x", true));
    EXPECT_FALSE(runs_no_pre_commit("commit: revert: x", false));
    EXPECT_FALSE(runs_no_pre_commit("cherry-picked: x", false));
    EXPECT_FALSE(runs_no_pre_commit("", true));
}

TEST(HookInput, ReadsWhatGitWrites)
{
    const auto moves = parse_push_input("HEAD^{/fix it} " + k_a + " refs/heads/feat " + k_null + "\n(delete) " +
                                        k_null + " refs/heads/x\xff " + k_b + "\n");
    ASSERT_TRUE(moves);
    ASSERT_EQ(moves->size(), 2U);
    EXPECT_EQ((*moves)[0].ref, "refs/heads/feat");
    EXPECT_EQ((*moves)[0].after, k_a);
    EXPECT_EQ((*moves)[0].before, k_null);
    EXPECT_EQ((*moves)[1].ref, "refs/heads/x\xff");
    const auto transaction =
        parse_transaction_input(k_a + " " + k_b + " HEAD\n" + k_null + " ref:refs/heads/x refs/heads/main\n");
    ASSERT_TRUE(transaction);
    ASSERT_EQ(transaction->size(), 1U);
    EXPECT_TRUE((*transaction)[0].symbolic);
    EXPECT_TRUE(parse_push_input("")->empty());
}

TEST(HookInput, RefusesEverythingElse)
{
    const std::string good = "refs/heads/a " + k_a + " refs/heads/a " + k_null + "\n";
    for (const std::string& bad :
         {std::string("\n"), std::string("x\n"), good.substr(0, good.size() - 1), good + "\n",
          good + good.substr(5, 20), "refs/heads/a " + k_a + "  " + k_null + "\n",
          "refs/heads/a " + k_a + " heads/a " + k_null + "\n",
          "refs/heads/a " + k_a.substr(1) + " refs/heads/a " + k_null + "\n", " " + k_a + " refs/heads/a " + k_null,
          std::string("refs/heads/a\0b ", 15) + k_a + " refs/heads/a " + k_null + "\n",
          "a " + k_a + " refs/heads/a\x7f " + k_null + "\n", good + std::string(1, '\0')}) {
        EXPECT_FALSE(parse_push_input(bad)) << bad;
    }
    for (const std::string& bad : {k_a + " " + k_b + "\n", k_a + " " + k_b + " \n", k_a + " x refs/heads/a\n",
                                   k_a + " ref: refs/heads/a\n", "x " + k_a + " " + k_b + " refs/heads/a\n"}) {
        EXPECT_FALSE(parse_transaction_input(bad)) << bad;
    }
}

std::string file_of_repository(const std::string& name)
{
    const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
    std::ifstream file(root / "hooks" / name, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

TEST(HookFile, TheFilesInHooksAreTheInstalledOnesWithoutAPath)
{
    for (const Hook hook : all_hooks()) {
        const std::string text = hook_file({hook, "mandate"});
        EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 10) << text;
        EXPECT_TRUE(is_hook_file(text));
        EXPECT_EQ(hook_manager(text), "");
        if (std::filesystem::path(__FILE__).is_absolute()) {
            EXPECT_EQ(file_of_repository(std::string(name(hook))), text);
        }
    }
}

TEST(HookFile, QuotesTheBinary)
{
    EXPECT_NE(hook_file({Hook::pre_commit, "/a b/it's"}).find("mandate='/a b/it'\\''s'\n"), std::string::npos);
    EXPECT_NE(hook_file({Hook::pre_commit, "/x"}).find("exit 1\n"), std::string::npos);
    EXPECT_NE(hook_file({Hook::pre_commit, "/x", true}).find("ledger=unwritable"), std::string::npos);
}

}  // namespace
}  // namespace mandate::core
