#include "git/ignore_stack.hpp"
#include "support/repo.hpp"

#include <gtest/gtest.h>
#include <random>
#include <sstream>

namespace mandate::git {
namespace {

using test::Repo;
using test::ScratchDir;

struct RuleFile {
    std::string base;  // "" or ending in a slash
    std::string content;
};

// As the walk asks: an ignored directory settles what is below it.
bool ignored(const std::vector<RuleFile>& files, const std::string& path)
{
    for (std::size_t slash = path.find('/');; slash = path.find('/', slash + 1)) {
        const std::string part = path.substr(0, slash);
        IgnoreStack stack(false);
        for (const RuleFile& file : files) {
            if (part.starts_with(file.base)) {
                stack.push(file.base, file.content);
            }
        }
        if (stack.ignores(part, slash != std::string::npos)) {
            return true;
        }
        if (slash == std::string::npos) {
            return false;
        }
    }
}

const std::vector<std::string> k_paths{"a",         "b.o",       "a.b/c",        "dir/a",   "dir/b.o",   "dir/sub/a",
                                       "dir/sub/x", "x/dir/a",   "x/y/z/b.o",    "foo/bar", "foo/x/bar", "fooz/y/bar",
                                       "x/foo/bar", "build/out", "x/build/keep", "#hash",   "!bang",     " lead",
                                       "trail ",    "[set]",     "a-b",          "x/a-b/c"};

// What git says of every path, with the rule files written into a repository.
std::vector<bool> as_git_says(const ScratchDir& scratch, const Repo& repo, const std::vector<RuleFile>& files)
{
    for (const RuleFile& file : files) {
        test::write_file(repo.path() / (file.base + ".gitignore"), file.content);
    }
    test::Command command;
    command.arguments = {"git", "check-ignore", "--no-index", "--stdin", "-z"};
    command.environment = scratch.environment();
    command.directory = repo.path().string();
    for (const std::string& path : k_paths) {
        command.input += path + '\0';
    }
    const std::string out = '\0' + test::run(command).out;
    std::vector<bool> answers;
    for (const std::string& path : k_paths) {
        answers.push_back(out.find('\0' + path + '\0') != std::string::npos);
    }
    return answers;
}

TEST(GitIgnoreStack, SaysWhatGitSays)
{
    const ScratchDir scratch;
    const Repo repo(scratch);
    for (const std::string& path : k_paths) {
        test::write_file(repo.path() / path, "");
    }
    const std::vector<std::string> patterns{
        "a",       "*.o",         "/a",         "dir/",      "dir",     "/dir/",     "dir/*",    "!dir/a",
        "**/a",    "foo/**",      "foo/**/bar", "foo**/bar", "**",      "/**",       "*",        "!*.o",
        "!*/",     "x/*/z",       "x/**/b.o",   "\\#hash",   "\\!bang", "#hash",     "trail\\ ", "trail ",
        " lead",   "\\[set]",     "[[]set]",    "[!a]",      "a[-]b",   "a?b",       "x/",       "!x/",
        "build/*", "!build/keep", "/x/build",   "sub/a",     "dir/sub", "!dir/sub/", "*/*/a",    "[a-b].o",
        "***",     "a/**",        "**/sub/**",  "x/*",       "!/a",     "/*",        "!/x"};
    std::mt19937 random(17);
    const auto pick = [&](std::size_t below) {
        return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
    };
    for (int round = 0; round < 150; ++round) {
        std::vector<RuleFile> files{{"", ""}, {"dir/", ""}, {"x/", ""}};
        for (RuleFile& file : files) {
            for (std::size_t lines = pick(5); lines > 0; --lines) {
                file.content += patterns[pick(patterns.size())] + (pick(8) == 0 ? "\r\n" : "\n");
            }
        }
        const std::vector<bool> expected = as_git_says(scratch, repo, files);
        for (std::size_t i = 0; i < k_paths.size(); ++i) {
            EXPECT_EQ(ignored(files, k_paths[i]), expected[i]) << "'" << k_paths[i] << "' with\n"
                                                               << files[0].content << "-- dir/\n"
                                                               << files[1].content << "-- x/\n"
                                                               << files[2].content;
        }
    }
}

TEST(GitIgnoreStack, EveryPatternAloneSaysWhatGitSays)
{
    const ScratchDir scratch;
    const Repo repo(scratch);
    for (const std::string& path : k_paths) {
        test::write_file(repo.path() / path, "");
    }
    for (const char* pattern :
         {"**/",     "/",         "",        "!",         "\\",      "[",       "[]",         "[a",
          "*\\",     "x/[!/]/z",  "x/[^a]",  "foo/*/bar", "foo/***", "**/**/a", "**/x/**/a",  "x/**",
          "/**/dir", "**foo/bar", "dir/**/", "a.b/",      "*.b/",    "a*/c",    "[[:alpha:]]"}) {
        const std::vector<RuleFile> files{{"", std::string(pattern) + "\n"}};
        const std::vector<bool> expected = as_git_says(scratch, repo, files);
        for (std::size_t i = 0; i < k_paths.size(); ++i) {
            EXPECT_EQ(ignored(files, k_paths[i]), expected[i]) << "'" << k_paths[i] << "' with " << pattern;
        }
    }
}

}  // namespace
}  // namespace mandate::git
