#include "core/closing.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mandate::core {
namespace {

CloseFacts merged()
{
    CloseFacts facts;
    facts.merge = MergeState::merged;
    return facts;
}

std::vector<std::string> codes(const Closing& closing)
{
    std::vector<std::string> found;
    for (const Answer::Reason& reason : closing.reasons) {
        found.push_back(reason.code);
    }
    return found;
}

TEST(CoreClosing, NothingKnownIsNotAuto)
{
    EXPECT_EQ(decide_closing({}).decision, Decision::ask);
    EXPECT_EQ(decide_closing(merged()).decision, Decision::automatic);
}

TEST(CoreClosing, EveryFactAloneSpoilsIt)
{
    const std::pair<const char*, void (*)(CloseFacts&)> spoilers[] = {
        {"not-merged", [](CloseFacts& facts) { facts.merge = MergeState::no; }},
        {"post-merge-commits", [](CloseFacts& facts) { facts.merge = MergeState::partly; }},
        {"unpushed",
         [](CloseFacts& facts) {
             facts.unpushed = Distance{2, "origin/x"};
         }},
        {"remote-ahead", [](CloseFacts& facts) { facts.remote_ahead = ""; }},
        {"dirty", [](CloseFacts& facts) { facts.dirty.add("modified", "a"); }},
        {"ignored-files", [](CloseFacts& facts) { facts.ignored.add("", "a"); }},
        {"operation-in-progress", [](CloseFacts& facts) { facts.operations = {"merge"}; }},
        {"stash", [](CloseFacts& facts) { facts.stashes = 1; }},
        {"submodule-dirty", [](CloseFacts& facts) { facts.submodules.add("", "a"); }},
        {"lock-held", [](CloseFacts& facts) { facts.lock_held = true; }},
        {"worktree-locked", [](CloseFacts& facts) { facts.worktree_locked = ""; }},
        {"gate-not-met",
         [](CloseFacts& facts) {
             facts.gate = {{"not-reviewed", ""}};
         }},
        {"round-open", [](CloseFacts& facts) { facts.open_round = 2; }},
        {"unenforced",
         [](CloseFacts& facts) {
             facts.unenforced = {{"bypass", 1}};
         }},
        {"unenforced", [](CloseFacts& facts) { facts.ledger_problem = "unreadable"; }},
        {"record-problem",
         [](CloseFacts& facts) {
             facts.record_problem = {"record-symlink", ""};
         }},
    };
    CloseFacts all;
    std::vector<std::string> in_order;
    for (const auto& [code, spoil] : spoilers) {
        CloseFacts facts = merged();
        spoil(facts);
        EXPECT_EQ(decide_closing(facts).decision, Decision::ask) << code;
        EXPECT_THAT(codes(decide_closing(facts)), testing::ElementsAre(code));
        spoil(all);
    }
    EXPECT_EQ(codes(decide_closing(all)).size(), 14U);  // one of the first two, `unenforced` once
}

TEST(CoreClosing, ReasonsComeInTheOrderOfTheList)
{
    CloseFacts facts;
    facts.record_problem = {"x", ""};
    facts.ignored.add("", "b");
    facts.dirty.add("untracked", "a");
    EXPECT_THAT(codes(decide_closing(facts)),
                testing::ElementsAre("not-merged", "dirty", "ignored-files", "record-problem"));
    const auto& list = all_close_reasons();
    EXPECT_TRUE(
        std::is_sorted(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.reason < b.reason; }));
}

TEST(CoreClosing, RejectsSayOneThing)
{
    CloseFacts facts;
    facts.main_worktree = true;
    EXPECT_EQ(decide_closing(facts).decision, Decision::reject);
    EXPECT_THAT(codes(decide_closing(facts)), testing::ElementsAre("main-worktree"));
}

TEST(CoreClosing, TenPathsThenACount)
{
    PathList paths;
    for (int i = 0; i < 10; ++i) {
        paths.add("", std::to_string(i));
    }
    EXPECT_EQ(paths.text(), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9");
    for (int i = 0; i < 7; ++i) {
        paths.add("modified", "x");
    }
    EXPECT_EQ(paths.text(), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 (and 7 more)");
}

}  // namespace
}  // namespace mandate::core
