#include "base/error_codes.hpp"

#include <gmock/gmock.h>
#include <set>
#include <string>
#include <vector>

namespace mandate {
namespace {

using testing::ElementsAreArray;

std::vector<std::string> names_with(Exit exit)
{
    std::vector<std::string> names;
    for (const CodeInfo& code : all_codes()) {
        if (code.exit == exit) {
            names.emplace_back(code.name);
        }
    }
    return names;
}

// The closed list of the manual, in the order in which refusals are decided.
TEST(ErrorCodes, InvalidOnes)
{
    EXPECT_THAT(names_with(Exit::invalid), ElementsAreArray({"usage",
                                                             "unknown-verb",
                                                             "unknown-action",
                                                             "unknown-preset",
                                                             "unknown-key",
                                                             "unknown-budget",
                                                             "value-invalid",
                                                             "value-control-character",
                                                             "value-block-scalar",
                                                             "value-too-long",
                                                             "config-invalid",
                                                             "not-a-directory",
                                                             "not-a-repository",
                                                             "not-a-worktree",
                                                             "worktree-mismatch",
                                                             "repository-owner",
                                                             "repository-unsupported",
                                                             "repository-broken",
                                                             "branch-ambiguous",
                                                             "record-symlink",
                                                             "record-not-regular",
                                                             "record-too-large",
                                                             "record-unreadable",
                                                             "record-tracked",
                                                             "record-tracked-unknown",
                                                             "record-no-frontmatter",
                                                             "record-unclosed",
                                                             "record-duplicate-key",
                                                             "record-block-scalar",
                                                             "record-bad-value",
                                                             "record-exists",
                                                             "lane-mismatch",
                                                             "branch-mismatch"}));
}

TEST(ErrorCodes, NobodyAsked)
{
    EXPECT_THAT(names_with(Exit::nobody_asked), ElementsAreArray({"no-mandate", "no-lane", "expired"}));
}

TEST(ErrorCodes, NotPersisted)
{
    EXPECT_THAT(names_with(Exit::not_persisted),
                ElementsAreArray({"lock-directory", "lock-symlink", "lock-not-regular", "lock-held", "lock-unsupported",
                                  "lock-denied", "lock-replaced", "record-changed", "read-only", "write-failed",
                                  "ledger-unwritable", "booked-not-durable", "output-failed"}));
}

TEST(ErrorCodes, OutOfOrder) { EXPECT_THAT(names_with(Exit::out_of_order), ElementsAreArray({"out-of-order"})); }

// 0 and 1 are answers; a refusal never looks like one.
TEST(ErrorCodes, NoRefusalIsAnAnswer)
{
    EXPECT_TRUE(names_with(Exit::yes).empty());
    EXPECT_TRUE(names_with(Exit::no).empty());
}

TEST(ErrorCodes, ExitStatusesAreTheManualsNumbers)
{
    EXPECT_EQ(static_cast<int>(Exit::yes), 0);
    EXPECT_EQ(static_cast<int>(Exit::no), 1);
    EXPECT_EQ(static_cast<int>(Exit::invalid), 2);
    EXPECT_EQ(static_cast<int>(Exit::nobody_asked), 3);
    EXPECT_EQ(static_cast<int>(Exit::not_persisted), 4);
    EXPECT_EQ(static_cast<int>(Exit::out_of_order), 5);
}

TEST(ErrorCodes, EachNameOnceWithAMeaningOfOneLine)
{
    std::set<std::string_view> names;
    for (const CodeInfo& code : all_codes()) {
        EXPECT_TRUE(names.insert(code.name).second) << code.name;
        EXPECT_FALSE(code.meaning.empty()) << code.name;
        EXPECT_EQ(code.meaning.find('\n'), std::string_view::npos) << code.name;
        EXPECT_EQ(code.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos) << code.name;
    }
}

TEST(ErrorCodes, InfoFindsTheCodesOwnLine)
{
    for (const CodeInfo& code : all_codes()) {
        EXPECT_EQ(info(code.code).name, code.name);
    }
    EXPECT_EQ(info(Code::lock_held).name, "lock-held");
    EXPECT_EQ(info(Code::out_of_order).exit, Exit::out_of_order);
}

}  // namespace
}  // namespace mandate
