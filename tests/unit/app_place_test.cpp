#include "app/place.hpp"
#include "git_support.hpp"

#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mandate::app {
namespace {

using mandate::testing::code_of;
using ::testing::HasSubstr;

class FindPlace : public mandate::testing::WithGit {
protected:
    [[nodiscard]] Result<Place> find(const std::string& directory) const { return find_place(path(directory)); }
    [[nodiscard]] std::string code(const std::string& directory) const { return code_of(find(directory)); }
    [[nodiscard]] std::string root(const std::string& directory) const
    {
        const auto place = find(directory);
        return place ? place->root : "refused: " + place.error().message;
    }
    [[nodiscard]] bool git_works_in(const std::string& directory) const
    {
        return git(directory, {"rev-parse", "--show-toplevel"}).succeeded();
    }
    void make_directories(const std::string& name) const { test::fs::create_directories(path(name)); }
    void write(const std::string& name, const std::string& bytes) const { test::write_file(path(name), bytes); }

    test::Repo m_repo{m_scratch};
};

TEST_F(FindPlace, FromAnySubdirectoryIsTheRoot)
{
    make_directories("repo/x/\n y\xFF");
    const auto place = find("repo/x/\n y\xFF");
    ASSERT_TRUE(place);
    EXPECT_EQ(place->root, path("repo"));
    EXPECT_EQ(place->git_dir, path("repo/.git"));
    EXPECT_EQ(place->common_dir, path("repo/.git"));
    EXPECT_EQ(place->lane_id, "main");
    EXPECT_EQ(place->head.branch, "main");
    EXPECT_EQ(os::look(place->root_dir, "README")->kind, os::Kind::regular);
}

TEST_F(FindPlace, OfALinkedWorktreeIsItsOwn)
{
    static_cast<void>(m_repo.add_worktree("lane"));
    const auto place = find("lane");
    ASSERT_TRUE(place);
    EXPECT_EQ(place->root, path("lane"));
    EXPECT_EQ(place->git_dir, path("repo/.git/worktrees/lane"));
    EXPECT_EQ(place->common_dir, path("repo/.git"));
    EXPECT_EQ(place->lane_id, "worktrees/lane");
    EXPECT_EQ(place->head.branch, "lane");
}

TEST_F(FindPlace, ResolvesSymlinksInTheGivenPath)
{
    test::fs::create_symlink("repo", path("link"));
    EXPECT_EQ(root("link"), path("repo"));
}

TEST_F(FindPlace, IsMovedByNoVariableOfGit)
{
    const test::Repo other(m_scratch, "other");
    for (const char* name :
         {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY"}) {
        for (const std::string& value : {path("other/.git"), std::string(), path("nowhere")}) {
            set(name, value);
            EXPECT_EQ(root("repo"), path("repo")) << name << "=" << value;
        }
        set(name, std::nullopt);
    }
}

TEST_F(FindPlace, NeedsADirectory)
{
    EXPECT_EQ(code("nowhere"), "not-a-directory");
    EXPECT_EQ(code("repo/README"), "not-a-directory");
    EXPECT_EQ(code("repo/README/x"), "not-a-directory");
}

TEST_F(FindPlace, FromADeletedDirectoryIsRefused)
{
    const std::string before = test::fs::current_path().string();
    make_directories("repo/gone");
    test::fs::current_path(path("repo/gone"));
    EXPECT_EQ(find_place("").value().root, path("repo"));
    test::fs::remove(path("repo/gone"));
    EXPECT_EQ(code_of(find_place("")), "not-a-directory");
    EXPECT_EQ(code_of(find_place(".")), "not-a-directory");
    test::fs::current_path(before);
}

TEST_F(FindPlace, SaysNotARepositoryOnlyWhereThereIsNone)
{
    make_directories("plain/x");
    EXPECT_EQ(code("plain/x"), "not-a-repository");
}

TEST_F(FindPlace, ClimbsOverWhatIsNoRepositoryAsGitDoes)
{
    make_directories("repo/empty/.git");
    EXPECT_EQ(root("repo/empty"), path("repo"));
    make_directories("repo/fifo");
    ASSERT_EQ(::mkfifo(path("repo/fifo/.git").c_str(), 0666), 0);
    EXPECT_EQ(root("repo/fifo"), path("repo"));
    make_directories("repo/dangling");
    test::fs::create_symlink("nowhere", path("repo/dangling/.git"));
    EXPECT_EQ(root("repo/dangling"), path("repo"));
    for (const char* name : {"empty", "fifo", "dangling"}) {
        EXPECT_TRUE(git_works_in(std::string("repo/") + name));
    }
}

TEST_F(FindPlace, NeverClimbsFromAGitFile)
{
    for (const std::string& content : {std::string("junk\n"), std::string(), std::string("gitdir: \n"),
                                       std::string("gitdir: /nowhere\n"), "gitdir: " + path("home") + "\n"}) {
        write("repo/inner/.git", content);
        EXPECT_EQ(code("repo/inner"), "not-a-worktree") << content;
        EXPECT_FALSE(git_works_in("repo/inner"));
    }
}

TEST_F(FindPlace, OfAWorktreeWhoseRepositoryHasMovedIsRefused)
{
    static_cast<void>(m_repo.add_worktree("repo/inner"));
    ASSERT_EQ(root("repo/inner"), path("repo/inner"));
    test::fs::remove_all(path("repo/.git/worktrees"));
    EXPECT_EQ(code("repo/inner"), "not-a-worktree");
}

TEST_F(FindPlace, InsideOfARepositoryOrInABareOneIsNoWorktree)
{
    make_directories("repo/.git/hooks");
    EXPECT_EQ(code("repo/.git"), "not-a-worktree");
    EXPECT_EQ(code("repo/.git/hooks"), "not-a-worktree");
    ASSERT_TRUE(git("", {"clone", "--quiet", "--bare", "repo", "bare.git"}).succeeded());
    EXPECT_EQ(code("bare.git"), "not-a-worktree");
    EXPECT_EQ(code("bare.git/refs"), "not-a-worktree");
    ASSERT_TRUE(git("bare.git", {"worktree", "add", "--quiet", "../lane"}).succeeded());
    EXPECT_EQ(root("lane"), path("lane"));
    EXPECT_EQ(find("lane").value().common_dir, path("bare.git"));
}

TEST_F(FindPlace, ObeysCoreBareWhereGitDoes)
{
    static_cast<void>(m_repo.add_worktree("lane"));
    m_repo.git({"config", "core.bare", "true"});
    EXPECT_EQ(code("repo"), "not-a-worktree");
    EXPECT_EQ(code("lane"), "ok");
    ASSERT_TRUE(git("repo", {"config", "extensions.worktreeConfig", "true"}).succeeded());
    EXPECT_EQ(code("lane"), "not-a-worktree");
    EXPECT_FALSE(git_works_in("lane"));
}

TEST_F(FindPlace, TellsACopiedWorktreeFromAMovedOne)
{
    const auto copy = [&](const std::string& from, const std::string& to) {
        test::fs::copy(path(from), path(to), test::fs::copy_options::recursive);
    };
    static_cast<void>(m_repo.add_worktree("lane"));
    copy("lane", "copy");
    const auto copied = find("copy");
    ASSERT_EQ(code_of(copied), "worktree-mismatch");
    EXPECT_THAT(copied.error().message, HasSubstr(path("lane")));
    EXPECT_EQ(code("lane"), "ok");
    test::fs::rename(path("lane"), path("moved"));
    EXPECT_EQ(root("moved"), path("moved"));
    EXPECT_EQ(find("moved").value().lane_id, "worktrees/lane");
}

TEST_F(FindPlace, OfAHalfMadeWorktreeIsACleanRefusal)
{
    const std::string admin = "repo/.git/worktrees/half/";
    write("half/.git", "gitdir: " + path(admin) + "\n");
    write(admin + "commondir", "");
    EXPECT_EQ(code("half"), "not-a-worktree");
    write(admin + "HEAD", "ref: refs/heads/x\n");
    EXPECT_EQ(code("half"), "not-a-worktree");
    write(admin + "commondir", "../nowhere\n");
    EXPECT_EQ(code("half"), "not-a-worktree");
    write(admin + "commondir", "../..\n");
    write(admin + "gitdir", "");
    EXPECT_EQ(code("half"), "not-a-worktree");
    write(admin + "gitdir", path("half/.git") + "\n");
    EXPECT_EQ(code("half"), "ok");
    for (const std::string up : {"../..", "../../", "../../\n", "../.././\n", "../../../.git\n", "../../..\n",
                                 "../..x\n", "..\n", "../../../../../../../../../../../../../../..\n"}) {
        write(admin + "commondir", up);
        const auto from_git = git("half", {"rev-parse", "--path-format=absolute", "--git-common-dir"});
        const auto found = find("half");
        EXPECT_EQ(found.has_value(), from_git.exit_code == 0) << up << from_git.out << from_git.err;
        if (found) {
            EXPECT_EQ(found->common_dir + "\n", from_git.out) << up;
        }
    }
    write(admin + "commondir", "../..\n");
    EXPECT_EQ(code("repo"), "ok");
}

TEST_F(FindPlace, FollowsRelativePointers)
{
    static_cast<void>(m_repo.add_worktree("lane"));
    m_repo.git({"config", "core.repositoryFormatVersion", "1"});
    m_repo.git({"config", "extensions.relativeWorktrees", "true"});
    write("lane/.git", "gitdir: ../repo/.git/worktrees/lane\r\n");
    write("repo/.git/worktrees/lane/gitdir", "../../../../lane/.git\n");
    const auto place = find("lane");
    ASSERT_TRUE(place) << place.error().message;
    EXPECT_EQ(place->git_dir, path("repo/.git/worktrees/lane"));
    EXPECT_EQ(place->lane_id, "worktrees/lane");
}

TEST_F(FindPlace, OfASubmoduleIsItsOwnMain)
{
    const test::Repo super(m_scratch, "super");
    super.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../repo", "sub"});
    const auto place = find("super/sub");
    ASSERT_TRUE(place) << place.error().message;
    EXPECT_EQ(place->root, path("super/sub"));
    EXPECT_EQ(place->common_dir, path("super/.git/modules/sub"));
    EXPECT_EQ(place->lane_id, "main");
    test::fs::copy(path("super/sub"), path("super/copy"), test::fs::copy_options::recursive);
    EXPECT_EQ(code("super/copy"), "worktree-mismatch");
    test::fs::rename(path("super/sub"), path("super/moved"));
    EXPECT_EQ(code("super/moved"), "not-a-worktree");
    EXPECT_FALSE(git_works_in("super/moved"));
}

TEST_F(FindPlace, StaysWhereALinkedGitDirectoryStands)
{
    test::fs::rename(path("repo/.git"), path("away.git"));
    test::fs::create_symlink("../away.git", path("repo/.git"));
    const auto place = find("repo");
    ASSERT_TRUE(place) << place.error().message;
    EXPECT_EQ(place->root, path("repo"));
    EXPECT_EQ(place->git_dir, path("away.git"));
    EXPECT_EQ(place->lane_id, "main");
}

TEST_F(FindPlace, RefusesWhatCannotBeRead)
{
    ASSERT_TRUE(git("", {"init", "--quiet", "--object-format=sha256", "sha256"}).succeeded());
    const auto refused = find("sha256");
    ASSERT_EQ(code_of(refused), "repository-unsupported");
    EXPECT_THAT(refused.error().message, HasSubstr("objectFormat"));
    write("repo/.git/config", "[core]\nrepositoryFormatVersion = 0\n[broken\n");
    EXPECT_EQ(code("repo"), "repository-broken");
}

// As many outcomes as git has, from every directory between ceiling and repository.
TEST_F(FindPlace, HonoursCeilingsAsGitDoes)
{
    make_directories("repo/a/b/c");
    test::fs::create_symlink("repo/a", path("link"));
    const std::string a = path("repo/a");
    for (const std::string& ceilings :
         {a, a + "/", a + "/b", a + "/b/c", path("repo"), path("link"), ":" + path("link"), path("link") + ":", ":" + a,
          ":" + a + "/", a + "/b/..", ":" + a + "/b/..", std::string(":"), std::string("/"),
          ":" + path() + ":" + a + "/b", "/nowhere:" + a, std::string("repo/a"), a + "b"}) {
        set("GIT_CEILING_DIRECTORIES", ceilings);
        for (const char* directory : {"repo", "repo/a", "repo/a/b", "repo/a/b/c"}) {
            EXPECT_EQ(code(directory), git_works_in(directory) ? "ok" : "not-a-repository")
                << ceilings << " from " << directory;
        }
    }
}

// In a process of its own, whose mounts nobody else sees; git is asked from in there too.
TEST_F(FindPlace, StopsAtAMountPointAsGitDoes)
{
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root can mount";
    }
    make_directories("repo/mount");
    const pid_t child = ::fork();
    if (child == 0) {
        if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            ::mount("tmpfs", path("repo/mount").c_str(), "tmpfs", 0, nullptr) != 0) {
            ::_exit(0);  // not here
        }
        make_directories("repo/mount/x");
        bool same = true;
        for (const std::optional<std::string>& across : std::vector<std::optional<std::string>>{
                 std::nullopt, "", "0", "1", "true", "YES", "on", "off", "2", "00", "1k"}) {
            set("GIT_DISCOVERY_ACROSS_FILESYSTEM", across);
            for (const char* directory : {"repo/mount", "repo/mount/x"}) {
                same = same && code(directory) == (git_works_in(directory) ? "ok" : "not-a-repository");
            }
        }
        set("GIT_DISCOVERY_ACROSS_FILESYSTEM", std::nullopt);
        ::_exit(same && code("repo/mount/x") == "not-a-repository" ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

TEST_F(FindPlace, GivesTheSameVerdictAsGitOnBrokenHeads)
{
    const std::string far = "ref:" + std::string(300, ' ') + "refs/heads/x\n";
    for (const std::string& head :
         {std::string("ref: refs/heads/x"), std::string("ref:refs/heads/x\n"), std::string("ref: \t refs/x"),
          std::string("ref: x"), std::string(), std::string("abc"), std::string("ref:\vrefs/heads/x\n"), far,
          std::string("1234567890123456789012345678901234567890"),
          std::string("1234567890123456789012345678901234567890x")}) {
        write("repo/.git/HEAD", head);
        EXPECT_EQ(code("repo"), git_works_in("repo") ? "ok" : "not-a-repository") << head;
    }
}

// git takes both for a repository, so that an outer one must never answer in their place.
TEST_F(FindPlace, NeverClimbsOverWhatGitStaysIn)
{
    const test::Repo inner(m_scratch, "repo/inner");
    write("repo/inner/.git/HEAD", "ref: refs/heads/main\n" + std::string(70'000, '\n'));
    EXPECT_TRUE(git_works_in("repo/inner"));
    EXPECT_EQ(code("repo/inner"), "repository-broken");
    write("repo/inner/.git/HEAD", "ref: refs/heads/main\n");
    EXPECT_EQ(root("repo/inner"), path("repo/inner"));
    std::filesystem::create_symlink("nowhere", path("repo/inner/.git/commondir"));
    EXPECT_FALSE(git_works_in("repo/inner"));
    EXPECT_EQ(code("repo/inner"), "not-a-worktree");
}

}  // namespace
}  // namespace mandate::app
