// `doctor` where something is wrong: each check is brought about, named with what to do, and mended where that is safe.

#include "support/mandate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mandate::test {
namespace {

using testing::HasSubstr;

class Doctor : public testing::Test {
protected:
    Doctor() : repo(scratch), lane(repo.add_worktree("lane")), mandate(scratch)
    {
        EXPECT_EQ(run({"init", "--preset", "standard", "task=t", "authorized_by=me"}).exit(), 0);
    }
    Answer run(const std::vector<std::string>& arguments) const { return mandate.run(lane, arguments); }
    // "state: text" of one check, as the JSON says it.
    std::string check(const std::string& name, const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> words{"doctor", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const Answer answer = run(words);
        bool failed = false;
        std::string found = "no such check";
        const nlohmann::json json = answer.json();
        for (const auto& each : json["checks"]) {
            failed = failed || each["state"] == "failed";
            if (each["check"] == name) {
                found = each["state"].get<std::string>() + ": " + each["text"].get<std::string>();
            }
        }
        EXPECT_EQ(answer.exit(), failed ? 1 : 0) << answer;
        return found;
    }

    ScratchDir scratch;
    Repo repo;
    fs::path lane;
    Mandate mandate;
};

TEST_F(Doctor, HooksOfAnotherBinaryAreMended)
{
    ASSERT_EQ(run({"hooks", "install"}).exit(), 0);
    EXPECT_THAT(check("hooks"), HasSubstr("ok: all installed"));
    const fs::path hook = repo.path() / ".git/hooks/pre-push";
    const std::string ours = read_file(hook);
    std::string theirs = ours;
    const std::size_t at = theirs.find(mandate_binary());
    ASSERT_NE(at, std::string::npos) << ours;
    write_file(hook, theirs.replace(at, mandate_binary().size(), "/gone/mandate"));
    EXPECT_THAT(check("hooks"), HasSubstr("failed: some are for another binary"));
    EXPECT_THAT(check("hooks", {"--fix"}), HasSubstr("fixed: "));
    EXPECT_EQ(read_file(hook), ours);
    fs::permissions(hook, fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_THAT(check("hooks"), HasSubstr("failed: "));
    fs::permissions(hook, fs::perms::owner_all);
    fs::remove(hook);
    EXPECT_THAT(check("hooks"), HasSubstr("warning: "));
    repo.git({"config", "core.hooksPath", (repo.path() / ".git/config").string()});
    EXPECT_THAT(check("hooks"), HasSubstr("failed: git looks for hooks in something that is no folder"));
}

TEST_F(Doctor, ARecordThatCanStillBeStaged)
{
    EXPECT_THAT(check("exclude"), HasSubstr("ok: "));
    write_file(lane / ".gitignore", "!MANDATE.md\n");
    EXPECT_THAT(check("exclude"), HasSubstr("failed: the record can still be staged: "));
    fs::remove(lane / ".gitignore");
    fs::remove(repo.path() / ".git/info/exclude");
    EXPECT_THAT(check("exclude"), HasSubstr("warning: "));
    EXPECT_THAT(check("exclude", {"--fix"}), HasSubstr("fixed: "));
    EXPECT_EQ(repo.git_in(lane, {"status", "--porcelain"}), "");
}

TEST_F(Doctor, ALedgerThatContradictsTheRecordOrCannotBeRead)
{
    ASSERT_EQ(run({"round"}).exit(), 0);
    ASSERT_EQ(run({"cancel"}).exit(), 0);
    EXPECT_THAT(check("unenforced"), HasSubstr("warning: round-cancelled 1; read mandate unenforced"));
    const fs::path ledger = repo.path() / ".git/mandate/worktrees/lane.jsonl";
    const std::string before = read_file(ledger);
    std::string forged = before;
    const std::size_t at = forged.find("\"task\":\"t\"");
    ASSERT_NE(at, std::string::npos) << forged;
    forged.replace(at + 8, 1, "u");  // in the first line, which the others follow
    write_file(ledger, forged);
    EXPECT_THAT(check("ledger"), HasSubstr("failed: it contradicts itself or the record; mandate verify"));
    fs::remove(ledger);
    fs::create_symlink("elsewhere", ledger);
    EXPECT_THAT(check("ledger"), HasSubstr("failed: "));
    EXPECT_THAT(check("unenforced"), HasSubstr("failed: "));
}

TEST_F(Doctor, ARecordAndAConfigurationThatAreNotValid)
{
    write_file(lane / ".mandate.toml", "[lock]\ntimeout = \"9m\"\n");
    EXPECT_THAT(check("configuration"), HasSubstr("warning: "));
    fs::remove(lane / "MANDATE.md");
    EXPECT_THAT(check("record"), HasSubstr("warning: there is none"));
    write_file(lane / "MANDATE.md", "no front matter\n");
    EXPECT_THAT(check("record"), HasSubstr("failed: "));
}

}  // namespace
}  // namespace mandate::test
