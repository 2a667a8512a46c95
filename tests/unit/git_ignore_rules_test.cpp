#include "git/ignore_rules.hpp"
#include "git_support.hpp"

#include <array>
#include <random>

namespace mandate::git {
namespace {

constexpr std::array k_names{"MANDATE.md", ".MANDATE.lock", "a", "Mm", "m-x]"};

// Every verdict is held against `git check-ignore` with the same file as .gitignore.
class IgnoreRules : public mandate::testing::WithGit {
protected:
    IgnoreRules()
    {
        for (const char* name : k_names) {
            test::write_file(m_repo.path() / name, "");
            m_input.append(name).push_back('\0');
        }
    }

    // One digit a name: 0 no rule matches, 1 ignored, 2 kept.
    [[nodiscard]] std::string git_says(const std::string& rules, bool fold_case) const
    {
        test::write_file(m_repo.path() / ".gitignore", rules);
        const std::string fold = std::string("core.ignoreCase=") + (fold_case ? "true" : "false");
        const auto outcome =
            git("repo", {"-c", fold, "check-ignore", "-v", "-n", "-z", "--no-index", "--stdin"}, m_input);
        std::vector<std::string> fields(1);
        for (const char c : outcome.out) {
            if (c == '\0') {
                fields.emplace_back();
            } else {
                fields.back() += c;
            }
        }
        std::string verdicts;
        for (std::size_t i = 0; i + 3 < fields.size(); i += 4) {
            verdicts += fields[i].empty() ? '0' : fields[i + 2].starts_with('!') ? '2' : '1';
        }
        return verdicts;
    }

    [[nodiscard]] static std::string we_say(const std::string& rules, bool fold_case)
    {
        std::string verdicts;
        for (const char* name : k_names) {
            verdicts += static_cast<char>('0' + static_cast<int>(last_ignore_rule(rules, name, fold_case)));
        }
        return verdicts;
    }

    void compare(const std::string& rules) const
    {
        for (const bool fold_case : {false, true}) {
            EXPECT_EQ(we_say(rules, fold_case), git_says(rules, fold_case)) << rules << " folding " << fold_case;
        }
    }

    test::Repo m_repo{m_scratch};
    std::string m_input;
};

TEST_F(IgnoreRules, AreThoseOfGitForWholeFiles)
{
    for (const char* rules : {
             "/MANDATE.md\n/.MANDATE.*\n",
             "!MANDATE.md\n",  // libgit2 drops this one
             "*.md\n!/MANDATE.md\n",
             "!*.md\n*.md",
             "tags\n!tags/\n.buildpath\n",
             "foo**/bar\n",
             "# /MANDATE.md\n\\#x\n",
             "\xEF\xBB\xBF*.md\r\n!a\r\n",
             "MANDATE.md  \nMANDATE.md\\ \nMANDATE.md\t\n",
             "MANDATE.md/\n*/\n/\n!\n\n   \n",
             "!!MANDATE.md\n\\!a\n",
         }) {
        compare(rules);
    }
}

TEST_F(IgnoreRules, AreThoseOfGitForSinglePatterns)
{
    for (const char* pattern : {
             "*",
             "**",
             "/*",
             "/**",
             "**/",
             "**/MANDATE.md",
             "/**/**/a",
             "MANDATE**",
             "M**/d",
             "MANDATE**/.md",
             "[M]*",
             "[!M]*",
             "[^.]*",
             "[]M]m",
             "[M-]m",
             "[]-a]",
             "[a-\\z]",
             "[[:upper:]]*",
             "[[:upper:]m]m",
             "[[:x:]]",
             "[[:]M]m",
             "[",
             "[a",
             "M[",
             "*[",
             "\\MANDATE.md",
             "MANDATE.md\\",
             "M\\m",
             "?",
             "??",
             "?ANDATE.md",
             "m-x]",
             "m-x\\]",
             "mandate.MD",
             "[A-Z][a-z]",
             "./a",
             "//a",
             "a/**",
             "x/../a",
             "*.m[d]",
             "*.m[!d]",
             "[[:punct:]]MANDATE.*",
             " a",
             "[[:space:]]a",
             "M[/A]NDATE.md",
             "**a",
             "*\\*",
             "[\\]m]-x]",
             "{a,Mm}",
         }) {
        compare(pattern + std::string("\n"));
    }
}

TEST_F(IgnoreRules, AreThoseOfGitForPatternsThatNobodyWrote)
{
    constexpr std::array k_pieces{
        "M",     "A", "MANDATE", ".md", "*",   "**", "?", "[",           "]",
        "[!",    "-", "\\",      "/",   "**/", "a",  "m", "[[:alpha:]]", "[a-z]",
        "[A-Z]", " ", "!",       "[:",  "x",   ".",  "^", "[]",          "[[:digit:][:lower:]]"};
    std::mt19937 random(20260101);
    std::uniform_int_distribution<std::size_t> piece(0, k_pieces.size() - 1);
    std::uniform_int_distribution<int> length(1, 6);
    for (int i = 0; i < 150; ++i) {
        std::string pattern;
        for (int left = length(random); left > 0; --left) {
            pattern += k_pieces[piece(random)];
        }
        compare(pattern + "\n");
    }
}

TEST(IgnoreRule, EndsAPatternAtANulByteAsGitDoes)
{
    using std::string_view_literals::operator""sv;
    EXPECT_EQ(last_ignore_rule("a\0b\n"sv, "a", false), IgnoreRule::ignore);
}

TEST(IgnoreRule, TakesLinearTimeForManyStars)
{
    std::string pattern;
    for (int i = 0; i < 20000; ++i) {
        pattern += "*a";
    }
    EXPECT_EQ(last_ignore_rule(pattern + "b\n", std::string(20000, 'a'), false), IgnoreRule::none);
}

}  // namespace
}  // namespace mandate::git
