#include "core/record_lint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace mandate::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Found = std::pair<std::string, std::size_t>;

const Time k_now = *parse_seconds_utc("2026-06-01T00:00:00Z");

// The lines of a record that `check` finds nothing in; line 2 is its first key.
const std::vector<std::string> k_clean{
    "mandate_version: 1", "task: demo",       "authorized_by: ann",    "allow: commit, merge",
    "deny: deploy",       "review_budget: 3", "review_rounds_used: 1", "lane_id: worktrees/demo",
    "branch: task/demo"};

std::string record(const std::vector<std::string>& lines, const std::string& body = "\nText for people.\n")
{
    std::string bytes = "---\n";
    for (const std::string& line : lines) {
        bytes += line + "\n";
    }
    return bytes + "---\n" + body;
}

std::string clean_and(const std::string& line)
{
    std::vector<std::string> lines = k_clean;
    lines.push_back(line);
    return record(lines);
}

// The clean record with the line of a key replaced (or taken out, for none).
std::string clean_but(const std::string& key, const std::string& line)
{
    std::vector<std::string> lines;
    for (const std::string& each : k_clean) {
        const bool is_it = each.starts_with(key + ":");
        if (!is_it || !line.empty()) {
            lines.push_back(is_it ? line : each);
        }
    }
    return record(lines);
}

LintReport lint(const std::string& bytes, bool on_branch = true)
{
    const Vocabulary vocabulary;
    return lint_record(bytes, {vocabulary, k_now, on_branch});
}

std::vector<Found> found(const std::string& bytes, bool on_branch = true)
{
    std::vector<Found> findings;
    for (const LintFinding& finding : lint(bytes, on_branch).shown) {
        findings.emplace_back(finding.code, finding.line);
        EXPECT_FALSE(finding.text.empty());
        EXPECT_FALSE(finding.hint.empty()) << finding.code << " says what to do";
    }
    return findings;
}

TEST(RecordLint, FindsNothingInACleanRecord)
{
    EXPECT_THAT(found(record(k_clean)), IsEmpty());
    EXPECT_THAT(found(canonical_record({{"mandate_version", "1"},
                                        {"task", "demo"},
                                        {"authorized_by", "ann"},
                                        {"scope", "allow: everything"},
                                        {"allow", "commit"},
                                        {"lane_id", "main"},
                                        {"branch", "main"}})),
                IsEmpty())
        << "what init writes, its body included";
    EXPECT_THAT(found(clean_and("# a comment: is one")), IsEmpty());
    EXPECT_THAT(found(clean_and("")), IsEmpty());
    EXPECT_THAT(found(clean_and("see also: the wiki")), IsEmpty()) << "prose is ignored, and means to be";
}

TEST(RecordLint, FindsKeysThatAreNotRead)
{
    const std::size_t line = k_clean.size() + 2;
    for (const auto& [text, code, key] : std::vector<std::tuple<std::string, std::string, std::string>>{
             {"  deny: merge", "indented-key", "deny"},
             {"\texpires_at: 2026-01-01T00:00:00Z", "indented-key", "expires_at"},
             {" Review-Budget: 3", "indented-key", "review_budget"},
             {"Allow: merge", "misspelt-key", "allow"},
             {"alow: merge", "misspelt-key", "allow"},
             {"review-budget: 3", "misspelt-key", "review_budget"},
             {"review budget: 3", "misspelt-key", "review_budget"},
             {"REVIEW_ROUNDS_USED : 3", "misspelt-key", "review_rounds_used"},
             {"Budget_spawn: 3", "misspelt-key", "budget_spawn"},
             {"\u0430llow: merge", "look-alike-key", "allow"},
             {"all\u043ew: merge", "look-alike-key", "allow"},
             {"al\u200blow: merge", "look-alike-key", "allow"},
             {"d\u00e9ny: merge", "look-alike-key", "deny"},
             {"owner: me", "unknown-key", ""},
             {"\u00dcberschrift: x", "unknown-key", ""},
             {"allow = merge", "missing-colon", "allow"},
             {"deny merge", "missing-colon", "deny"},
         }) {
        const LintReport report = lint(clean_and(text));
        ASSERT_EQ(report.shown.size(), 1U) << text;
        EXPECT_EQ(report.shown[0].code, code) << text;
        EXPECT_EQ(report.shown[0].line, line) << text;
        EXPECT_THAT(report.shown[0].text + report.shown[0].hint, HasSubstr(key)) << text;
    }
}

TEST(RecordLint, FindsValuesThatAreTakenLiterally)
{
    EXPECT_THAT(found(clean_but("task", "task: \"demo\"")), ElementsAre(Found("quoted-value", 3)));
    EXPECT_THAT(found(clean_but("task", "task: 'demo'")), ElementsAre(Found("quoted-value", 3)));
    EXPECT_THAT(found(clean_but("task", "task: demo's")), IsEmpty());
    EXPECT_THAT(found(clean_and("scope: a\u202eb")), ElementsAre(Found("hidden-character", 11)));
    EXPECT_THAT(found(clean_and("scope: a\xff")), ElementsAre(Found("hidden-character", 11)));
}

TEST(RecordLint, SaysTheRefusalFirstAndTheLineOnce)
{
    EXPECT_THAT(found(clean_but("allow", "allow: [commit, merge]")), ElementsAre(Found("record-bad-value", 5)));
    EXPECT_THAT(found(clean_but("review_budget", "review_budget: \"3\"")), ElementsAre(Found("record-bad-value", 7)));
    std::vector<std::string> lines = k_clean;
    lines[3] = "allow: [commit]";
    lines[4] = "deny: [deploy]";
    lines.push_back("Scope: all");
    EXPECT_THAT(found(record(lines)),
                ElementsAre(Found("record-bad-value", 5), Found("bracketed-list", 6), Found("misspelt-key", 11)));
    EXPECT_THAT(found(clean_and("task: again")), ElementsAre(Found("record-duplicate-key", 11)));
    EXPECT_THAT(found(clean_and("scope: |")), ElementsAre(Found("record-block-scalar", 11)));
    EXPECT_THAT(found("no front matter\n"), ElementsAre(Found("record-no-frontmatter", 1)));
    EXPECT_THAT(found("---\ntask: demo\n"), ElementsAre(Found("record-unclosed", 1)));
    EXPECT_THAT(found(""), ElementsAre(Found("record-no-frontmatter", 1)));
}

TEST(RecordLint, HoldsTheListsAgainstEachOther)
{
    EXPECT_THAT(found(clean_but("deny", "deny: merge, deploy")), ElementsAre(Found("overlapping-lists", 5)));
    EXPECT_THAT(lint(clean_but("deny", "deny: merge, commit")).shown[0].text, HasSubstr("commit, merge"));
    EXPECT_THAT(found(clean_but("allow", "allow: commit, merge, commit, commit")),
                ElementsAre(Found("duplicate-action", 5)));
    EXPECT_THAT(found(clean_but("deny", "deny: deploy, deploy")), ElementsAre(Found("duplicate-action", 6)));
    EXPECT_THAT(found(clean_but("allow", "allow:")), ElementsAre(Found("empty-allow", 5)));
    EXPECT_THAT(found(clean_but("allow", "")), ElementsAre(Found("empty-allow", 0)));
}

TEST(RecordLint, AsksForWhatARecordShouldSay)
{
    EXPECT_THAT(found(clean_but("task", "")), ElementsAre(Found("missing-key", 0)));
    EXPECT_THAT(found(clean_but("authorized_by", "authorized_by:")), ElementsAre(Found("missing-key", 4)));
    EXPECT_THAT(found(clean_but("mandate_version", "")), ElementsAre(Found("no-version", 0)));
    EXPECT_THAT(found(clean_but("mandate_version", "mandate_version:")), ElementsAre(Found("no-version", 2)));
    EXPECT_THAT(found(clean_but("lane_id", "")), ElementsAre(Found("no-lane-binding", 0)));
    EXPECT_THAT(found(clean_but("branch", "")), ElementsAre(Found("no-branch-binding", 0)));
    EXPECT_THAT(found(clean_but("branch", ""), false), IsEmpty()) << "a detached HEAD has no branch to bind";
}

TEST(RecordLint, SeesWhatIsSpentOrPast)
{
    EXPECT_THAT(found(clean_but("review_rounds_used", "review_rounds_used: 3")), IsEmpty())
        << "spent to the last, not over";
    EXPECT_THAT(found(clean_but("review_rounds_used", "review_rounds_used: 4")),
                ElementsAre(Found("budget-overspent", 8)));
    EXPECT_THAT(found(clean_but("review_budget", "review_budget:")), IsEmpty()) << "no limit";
    std::vector<std::string> lines = k_clean;
    lines.insert(lines.end(), {"budget_spawn: 2", "budget_spawn_used: 3"});
    EXPECT_THAT(found(record(lines)), ElementsAre(Found("budget-overspent", 12)));
    EXPECT_THAT(found(clean_and("budget_spawn_used: 3")), ElementsAre(Found("orphaned-budget", 11)));
    EXPECT_THAT(found(clean_and("expires_at: 2026-05-31T23:59:59Z")), ElementsAre(Found("expired", 11)));
    EXPECT_THAT(found(clean_and("expires_at: 2026-06-01T00:00:01Z")), IsEmpty());
}

TEST(RecordLint, SeesKeysBelowTheFence)
{
    EXPECT_THAT(found(record(k_clean, "deny: merge\n")), ElementsAre(Found("key-in-body", 12)));
    EXPECT_THAT(found(record(k_clean, "\ntext\nallow: merge")), ElementsAre(Found("key-in-body", 14)));
    EXPECT_THAT(found(record(k_clean, "> deny: merge\nnote: this\n  allow: x\n")), IsEmpty());
}

TEST(RecordLint, KeepsTheOrderOfTheLines)
{
    std::vector<std::string> lines = k_clean;
    lines.erase(lines.begin());
    lines.push_back("alow: x");
    lines.insert(lines.begin() + 1, "Deny: x");
    EXPECT_THAT(found(record(lines, "task: x\n")), ElementsAre(Found("no-version", 0), Found("misspelt-key", 3),
                                                               Found("misspelt-key", 11), Found("key-in-body", 13)));
}

TEST(RecordLint, CountsLinesOfEveryLineEnd)
{
    std::string bytes = "\xEF\xBB\xBF" + clean_and("alow: x");
    for (std::size_t at = bytes.find('\n'); at != std::string::npos; at = bytes.find('\n', at + 2)) {
        bytes.insert(at, 1, '\r');
    }
    EXPECT_THAT(found(bytes), ElementsAre(Found("misspelt-key", 11)));
}

TEST(RecordLint, IsTotalAndBounded)
{
    std::string many = "---\n";
    for (int i = 0; i < 20000; ++i) {
        many += "k" + std::to_string(i) + ": x\n";
    }
    const LintReport report = lint(many + "---\n");
    EXPECT_GE(report.findings, 20000U);
    EXPECT_LE(report.shown.size(), 101U);
    for (unsigned seed = 0; seed < 256; ++seed) {
        std::string noise = "---\n";
        for (unsigned i = 0; i < 300; ++i) {
            noise += static_cast<char>((seed * 31 + i * i * 7 + i) % 256);
        }
        lint(noise);
        lint(noise + "\n---\n" + noise);
    }
}

TEST(RecordLints, HaveNamesOfTheirOwn)
{
    std::set<std::string> names;
    for (const LintInfo& each : all_lints()) {
        EXPECT_TRUE(names.insert(std::string(each.name)).second) << each.name;
        EXPECT_FALSE(each.name.starts_with("record-") || each.name.ends_with("-mismatch")) << each.name;
    }
}

}  // namespace
}  // namespace mandate::core
