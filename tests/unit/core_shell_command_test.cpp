// What a shell would make of a line, for the part that is understood; everything else is nothing.

#include "core/shell_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mandate::core {
namespace {

using Lines = std::vector<std::vector<std::string>>;

Lines words(std::string_view line)
{
    Lines out;
    const auto commands = parse_shell(line);
    if (!commands) {
        return {{"?"}};
    }
    for (const ShellCommand& command : *commands) {
        out.emplace_back();
        for (const ShellWord& word : command.words) {
            out.back().push_back(word.text);
        }
    }
    return out;
}

TEST(ShellCommand, SplitsAsAShellDoes)
{
    EXPECT_EQ(words("git commit -m 'a; b'"), (Lines{{"git", "commit", "-m", "a; b"}}));
    EXPECT_EQ(words("a && b || c; d | e & f"), (Lines{{"a"}, {"b"}, {"c"}, {"d"}, {"e"}, {"f"}}));
    EXPECT_EQ(words("a\nb # c\nd"), (Lines{{"a"}, {"b"}, {"d"}}));
    EXPECT_EQ(words("a \\\n b"), (Lines{{"a", "b"}}));
    EXPECT_EQ(words("(cd x && git push)"), (Lines{{"cd", "x"}, {"git", "push"}}));
    EXPECT_EQ(words("{ git push; }"), (Lines{{"git", "push"}}));
    EXPECT_EQ(words("g\"i\"t p'us'h"), (Lines{{"git", "push"}}));
    EXPECT_EQ(words("git\\ push x"), (Lines{{"git push", "x"}}));
    EXPECT_EQ(words("a \"b \\\" c\""), (Lines{{"a", "b \" c"}}));
    EXPECT_EQ(words("a 2>&1 >out <in b"), (Lines{{"a", "b"}}));
    EXPECT_EQ(words("a #b"), (Lines{{"a"}}));
    EXPECT_EQ(words("a b#c"), (Lines{{"a", "b#c"}}));
    EXPECT_EQ(words(""), Lines{});
}

TEST(ShellCommand, FindsTheCommandsInsideSubstitutions)
{
    EXPECT_EQ(words("echo $(git push)"), (Lines{{"git", "push"}, {"echo", "$(git push)"}}));
    EXPECT_EQ(words("echo \"x `git push`\""), (Lines{{"git", "push"}, {"echo", "x `git push`"}}));
    EXPECT_FALSE(parse_shell("echo $HOME")->at(0).words[1].exact);
    EXPECT_FALSE(parse_shell("ls *.c")->at(0).words[1].exact);
    EXPECT_TRUE(parse_shell("ls '*.c'")->at(0).words[1].exact);
}

TEST(ShellCommand, KeepsAssignmentsAndWrittenFiles)
{
    const auto commands = parse_shell("A=1 B='x y' git push >out 2>>log");
    ASSERT_TRUE(commands);
    EXPECT_EQ(commands->at(0).assignments.size(), 2U);
    EXPECT_EQ(commands->at(0).assignments[1].text, "B=x y");
    ASSERT_EQ(commands->at(0).written_files.size(), 2U);
    EXPECT_EQ(commands->at(0).written_files[1].text, "log");
}

TEST(ShellCommand, ASubshellOrPipeKeepsItsDirectoryToItself)
{
    EXPECT_TRUE(parse_shell("cd x; a")->at(0).changes_directory_for_rest);
    EXPECT_FALSE(parse_shell("(cd x); a")->at(0).changes_directory_for_rest);
    EXPECT_FALSE(parse_shell("cd x | a")->at(0).changes_directory_for_rest);
    EXPECT_FALSE(parse_shell("cd x & a")->at(0).changes_directory_for_rest);
}

TEST(ShellCommand, WhatIsNotUnderstoodIsNothing)
{
    for (const std::string_view line :
         {"a 'b", "a \"b", "a `b", "a $(b", "for i in 1 2; do git push; done", "if a; then b; fi", "cat <<EOF\nx\nEOF",
          "f() { git push; }", "diff <(a) <(b)", "$X push", "a $'\\x41'", "a)", "(a", "{ a",
          "case x in x) git push;; esac", "a \\", "[[ a ]]", "time git push"}) {
        EXPECT_FALSE(parse_shell(line)) << line;
    }
    EXPECT_FALSE(parse_shell(std::string(k_command_limit + 1, 'x')));
    EXPECT_FALSE(parse_shell(std::string_view("a\0b", 3)));
    std::string deep = "a";
    for (int i = 0; i < 20; ++i) {
        deep.insert(0, "$(").append(")");
    }
    EXPECT_FALSE(parse_shell("echo " + deep));
}

}  // namespace
}  // namespace mandate::core
