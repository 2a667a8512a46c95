#include "git/format.hpp"
#include "git_support.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace mandate::git {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ReadFormat : public mandate::testing::WithGit {
protected:
    void config(const std::string& text) const { test::write_file(path("common/config"), text); }
    void worktree_config(const std::string& text) const { test::write_file(path("admin/config.worktree"), text); }
    [[nodiscard]] Result<Format> read(bool linked = false) const
    {
        auto format = read_format(path("common"), path("admin"), linked);
        // The way without libgit2 says the same.
        const auto quick = read_format(path("common"), path("admin"), linked, [](const std::string& file) {
            return test::fs::is_regular_file(file) ? std::optional(test::read_file(file)) : std::nullopt;
        });
        EXPECT_EQ(mandate::testing::code_of(quick), mandate::testing::code_of(format));
        EXPECT_EQ(mandate::testing::message_of(quick), mandate::testing::message_of(format));
        if (format && quick) {
            EXPECT_EQ(quick->bare, format->bare);
            EXPECT_EQ(quick->worktree, format->worktree);
            EXPECT_EQ(quick->worktree_config, format->worktree_config);
            EXPECT_EQ(quick->extensions, format->extensions);
        }
        return format;
    }
    [[nodiscard]] std::string code() const { return mandate::testing::code_of(read()); }
};

// "1: name=value" in a repository of that format version.
std::string extension(int version, const std::string& line)
{
    return "[core]\nrepositoryFormatVersion = " + std::to_string(version) + "\n[extensions]\n" + line + "\n";
}

TEST_F(ReadFormat, OfNoConfigurationIsTheDefault)
{
    const auto format = read();
    ASSERT_TRUE(format);
    EXPECT_FALSE(format->bare);
    EXPECT_FALSE(format->worktree);
}

TEST_F(ReadFormat, AcceptsWhatChangesNothingForUs)
{
    for (const char* line :
         {"worktreeConfig = true", "PARTIALCLONE = origin", "preciousObjects = true", "relativeWorktrees = true",
          "noop", "noop-v1", "objectFormat = sha1", "refStorage = files"}) {
        config(extension(1, line));
        EXPECT_EQ(code(), "ok") << line;
    }
    config(extension(1, "worktreeConfig\npartialClone = x"));
    EXPECT_THAT(read().value().extensions, ElementsAre("worktreeconfig", "partialclone"));
}

TEST_F(ReadFormat, RefusesAndNamesWhatItCannotRead)
{
    for (const auto& [line, name] : std::vector<std::pair<std::string, std::string>>{
             {"objectFormat = sha256", "objectFormat"},
             {"objectFormat = SHA1", "objectFormat"},
             {"refStorage = reftable", "refStorage"},
             {"compatObjectFormat = sha256", "compatObjectFormat"},
             {"foo = 1", "foo"},
             {"foo", "foo"},
         }) {
        config(extension(1, line));
        const auto format = read();
        ASSERT_FALSE(format) << line;
        EXPECT_EQ(format.error().code, Code::repository_unsupported);
        EXPECT_THAT(format.error().message, HasSubstr("extensions." + name));
        EXPECT_EQ(format.error().path, path("common/config"));
    }
}

TEST_F(ReadFormat, OfVersion0IgnoresUnknownExtensionsButNotThoseThatBelongToVersion1)
{
    config(extension(0, "foo = 1\nworktreeConfig = true"));
    EXPECT_EQ(code(), "ok");
    for (const char* line : {"objectFormat = sha1", "refStorage = files", "compatObjectFormat = sha256", "noop-v1"}) {
        config(extension(0, line));
        EXPECT_EQ(code(), "repository-unsupported") << line;
    }
}

TEST_F(ReadFormat, RefusesNewerVersions)
{
    config("[core]\nrepositoryFormatVersion = 2\n");
    EXPECT_EQ(code(), "repository-unsupported");
}

TEST_F(ReadFormat, WithoutAVersionLooksAtNothingElse)
{
    config("[core]\nbare = true\n[extensions]\nobjectFormat = sha256\n");
    ASSERT_EQ(code(), "ok");
    EXPECT_FALSE(read().value().bare);
}

TEST_F(ReadFormat, TakesCoreBareForTheMainWorktreeOnly)
{
    config("[core]\nrepositoryFormatVersion = 0\nbare = true\nworktree = ../x\n");
    EXPECT_TRUE(read().value().bare);
    EXPECT_EQ(read().value().worktree, "../x");
    EXPECT_FALSE(read(true).value().bare);
    EXPECT_FALSE(read(true).value().worktree);
}

TEST_F(ReadFormat, WithWorktreeConfigTakesCoreBareForLinkedWorktreesToo)
{
    config(extension(0, "worktreeConfig = true") + "[core]\nbare = true\n");
    EXPECT_TRUE(read(true).value().bare);
    worktree_config("[core]\nbare = false\nrepositoryFormatVersion = 7\n[extensions]\nfoo = 1\n");
    EXPECT_FALSE(read(true).value().bare);
    worktree_config("[core\n");
    EXPECT_EQ(code(), "repository-broken");
}

TEST_F(ReadFormat, NamesFileAndLineOfABrokenConfiguration)
{
    config("[core]\nrepositoryFormatVersion = 0\n[broken\n");
    const auto format = read();
    ASSERT_FALSE(format);
    EXPECT_EQ(format.error().code, Code::repository_broken);
    EXPECT_EQ(format.error().path, path("common/config"));
    EXPECT_THAT(format.error().message, HasSubstr("line 3"));
    EXPECT_THAT(format.error().details, ElementsAre(std::pair<std::string, std::string>("line", "3")));
}

TEST_F(ReadFormat, RefusesValuesThatGitDoesNotTake)
{
    for (const char* line : {"bare = maybe", "repositoryFormatVersion = x", "repositoryFormatVersion", "worktree"}) {
        config(std::string("[core]\nrepositoryFormatVersion = 0\n") + line + "\n");
        EXPECT_EQ(code(), "repository-broken") << line;
    }
    config(extension(1, "worktreeConfig = maybe"));
    EXPECT_EQ(code(), "repository-broken");
}

TEST_F(ReadFormat, LooksIntoIncludesOnlyForWhetherTheyCanBeRead)
{
    const std::string include = "[core]\nrepositoryFormatVersion = 0\n[include]\npath = other\n";
    config(include);
    EXPECT_EQ(code(), "ok") << "a missing include is fine";
    test::write_file(path("common/other"), "[core]\nbare = true\n");
    EXPECT_FALSE(read().value().bare);
    test::write_file(path("common/other"), "[core\n");
    ASSERT_EQ(code(), "repository-broken");
    EXPECT_EQ(read().error().path, path("common/other"));
}

TEST_F(ReadFormat, NeverWaitsForAFifo)
{
    test::write_file(path("common/x"), "");
    ASSERT_EQ(::mkfifo(path("common/config").c_str(), 0666), 0);
    EXPECT_EQ(code(), "repository-broken");
}

}  // namespace
}  // namespace mandate::git
