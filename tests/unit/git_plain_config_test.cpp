#include "git/plain_config.hpp"
#include "git_support.hpp"

#include <gmock/gmock.h>

namespace mandate::git {
namespace {

bool every_name(std::string_view /*name*/) { return true; }

class PlainConfig : public mandate::testing::WithGit {
protected:
    // "name\nvalue\0..." as git lists the same file.
    [[nodiscard]] std::string from_git(const std::string& text) const
    {
        test::write_file(path("config"), text);
        const auto listed = git("", {"config", "--file", path("config"), "--null", "--list"});
        EXPECT_EQ(listed.exit_code, 0) << text << listed.err;
        return listed.out;
    }

    static std::string from_us(const std::string& text)
    {
        const auto entries = parse_plain_config(text, every_name);
        EXPECT_TRUE(entries) << text;
        std::string listed;
        for (const ConfigEntry& entry : entries.value_or(std::vector<ConfigEntry>())) {
            EXPECT_FALSE(entry.included);
            listed += entry.name + "\n" + entry.value.value_or("(none)") + std::string(1, '\0');
        }
        return listed;
    }
};

TEST_F(PlainConfig, IsWhatGitWrites)
{
    static_cast<void>(git("", {"init", "-q", "made"}));
    static_cast<void>(git("made", {"remote", "add", "origin", "https://example.org/x.git"}));
    static_cast<void>(git("made", {"config", "branch.Main/x.remote", "origin"}));
    static_cast<void>(git("made", {"config", "core.worktree", "/some where/else"}));
    const std::string text = test::read_file(path("made/.git/config"));
    EXPECT_THAT(text, ::testing::HasSubstr("[branch \"Main/x\"]"));
    EXPECT_EQ(from_us(text), from_git(text));
}

TEST_F(PlainConfig, ReadsAsGitDoes)
{
    for (const std::string text :
         {"", "\n", "# nothing\n  ; at all", "[core]", "[CORE]\nBare=TRUE",
          "[core]\n\tbare = false\n\n[core]\nbare = true\n", "[a]\nx =\n", "[a]\n x =   y  \t\n", "[a]\nx = a = b\n",
          "[a \"B.c D\"]\n x1-y = z", "[a]\nx = one two\n", "[a]\nx = \xC3\xA9\n", "  [a]  \n  x=1"}) {
        EXPECT_EQ(from_us(text), from_git(text)) << text;
    }
}

TEST_F(PlainConfig, LeavesAllElseToTheLibrary)
{
    for (const std::string text : {"x = 1\n",
                                   "[a]\nx\n",
                                   "[a]\nx = \"1\"\n",
                                   "[a]\nx = 1 # no\n",
                                   "[a]\nx = 1 ; no\n",
                                   "[a]\nx = one \\\n two\n",
                                   "[a] x = 1\n",
                                   "[a.b]\nx = 1\n",
                                   "[a \"b\\\"c\"]\nx = 1\n",
                                   "[a b]\nx = 1\n",
                                   "[core \"\"]\nbare = true\n",
                                   "[a\nx = 1\n",
                                   "[]\nx = 1\n",
                                   "[a]\n1x = 1\n",
                                   "[a]\nx y = 1\n",
                                   "[a]\n= 1\n",
                                   "[a]\nx_y = 1\n",
                                   "[a]\r\nx = 1\r\n",
                                   "[a]\nx = \x01\n",
                                   "\xEF\xBB\xBF[a]\nx = 1\n",
                                   "[include]\npath = y\n",
                                   "[includeIf \"gitdir:/\"]\npath = y\n",
                                   "[INCLUDE]\npath = y\n"}) {
        EXPECT_FALSE(parse_plain_config(text, every_name)) << text;
    }
    EXPECT_FALSE(parse_plain_config(std::string_view("[a]\nx = \0\n", 10), every_name));
}

TEST_F(PlainConfig, HandsOutWhatIsWanted)
{
    const auto entries = parse_plain_config("[a]\nx = 1\ny = 2\n", [](std::string_view name) { return name == "a.y"; });
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), 1U);
    EXPECT_EQ(entries->front().name, "a.y");
}

}  // namespace
}  // namespace mandate::git
