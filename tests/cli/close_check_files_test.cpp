// close-check and the files of a lane: whatever removing the worktree would delete is named.

#include "support/closing.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace mandate::test {
namespace {

class CloseCheckFiles : public Closing {};

TEST_F(CloseCheckFiles, MergedAndCleanIsAutoAlsoFromBelow)
{
    expect_auto();
    const Answer from_below = mandate.run(lane / "src", {"close-check"});
    EXPECT_EQ(from_below.value("decision"), "auto") << from_below;
    EXPECT_EQ(from_below.value("lane"), lane.string());
    EXPECT_EQ(from_below.value("into"), "refs/heads/main");
    EXPECT_EQ(from_below.value("head"), head());
}

TEST_F(CloseCheckFiles, ModifiedIsDirty)
{
    put("src/a.c", "int b;\n");  // the same size
    expect_ask({"dirty modified src/a.c"});
}

TEST_F(CloseCheckFiles, ModifiedBehindEqualTimesIsDirty)
{
    const auto before = fs::last_write_time(lane / "src/a.c");
    put("src/a.c", "int b;\n");
    fs::last_write_time(lane / "src/a.c", before);
    expect_ask({"dirty modified src/a.c"});
}

// "Racy git": a file written in the same instant as the index may have the stat data that the index holds.
TEST_F(CloseCheckFiles, EqualStatDataNoOlderThanTheIndexProvesNothing)
{
    put("src/a.c", "int b;\n");
    struct stat now {};
    ASSERT_EQ(::lstat((lane / "src/a.c").c_str(), &now), 0);
    const fs::path index = repo.path() / ".git/worktrees/lane/index";
    std::string bytes = read_file(index);
    const std::size_t entry = bytes.find(std::string("src/a.c\0", 8)) - 62;  // ctime, mtime, device, inode
    const auto set = [&](std::size_t field, std::uint64_t value) {
        for (std::size_t i = 0; i < 4; ++i) {
            bytes[entry + 4 * field + i] = static_cast<char>(value >> (24 - 8 * i));
        }
    };
    set(0, static_cast<std::uint64_t>(now.st_ctim.tv_sec));
    set(1, static_cast<std::uint64_t>(now.st_ctim.tv_nsec));
    set(2, static_cast<std::uint64_t>(now.st_mtim.tv_sec));
    set(3, static_cast<std::uint64_t>(now.st_mtim.tv_nsec));
    set(5, now.st_ino);
    write_file(index, bytes);
    fs::last_write_time(index, fs::last_write_time(lane / "src/a.c"));
    expect_ask({"dirty modified src/a.c"});
    fs::last_write_time(index, fs::last_write_time(lane / "src/a.c") + std::chrono::seconds(1));
    expect_auto();  // as git has it: an index that is newer vouches for what it holds
}

TEST_F(CloseCheckFiles, TouchedIsNotDirty)
{
    fs::last_write_time(lane / "src/a.c", fs::file_time_type::clock::now() - std::chrono::hours(1));
    expect_auto();
}

TEST_F(CloseCheckFiles, StagedUntrackedAndDeletedAreNamed)
{
    put("src/a.c", "int staged;\n");
    git({"add", "src/a.c"});
    put("new/b.txt", "b\n");
    put("new/c.txt", "c\n");
    fs::remove(lane / "README");
    expect_ask({"dirty staged src/a.c, untracked new/, deleted README"});
}

TEST_F(CloseCheckFiles, StagedAloneIsDirtyThoughTheFileIsAsInHead)
{
    put("src/a.c", "int staged;\n");
    git({"add", "src/a.c"});
    put("src/a.c", "int a;\n");
    expect_ask({"dirty staged src/a.c, modified src/a.c"});
}

TEST_F(CloseCheckFiles, StagedAddAndRemovalAreDirty)
{
    git({"rm", "--quiet", "--cached", "src/a.c"});
    expect_ask({"dirty staged src/, untracked src/"});
}

TEST_F(CloseCheckFiles, IntentToAddIsDirty)
{
    put("later.txt", "later\n");
    git({"add", "--intent-to-add", "later.txt"});
    expect_ask({"dirty added later.txt, modified later.txt"});
}

TEST_F(CloseCheckFiles, ModeChangeIsDirtyUnlessTheFileSystemHasNone)
{
    ASSERT_EQ(::chmod((lane / "src/a.c").c_str(), 0755), 0);
    expect_ask({"dirty mode changed src/a.c"});
    git({"config", "core.fileMode", "false"});
    expect_auto();
}

TEST_F(CloseCheckFiles, ATypeChangeIsDirty)
{
    fs::remove(lane / "src/a.c");
    fs::create_symlink("/nowhere", lane / "src/a.c");
    expect_ask({"dirty modified src/a.c"});
    fs::remove(lane / "src/a.c");
    ASSERT_EQ(::mkfifo((lane / "src/a.c").c_str(), 0600), 0);
    expect_ask({"dirty modified src/a.c"});
    fs::remove(lane / "src/a.c");
    put("src/a.c/inner", "x\n");
    expect_ask({"dirty modified src/a.c, untracked src/a.c/"});
}

TEST_F(CloseCheckFiles, CaseRenameIsDirty)
{
    fs::rename(lane / "src/a.c", lane / "src/A.c");
    expect_ask({"dirty untracked src/A.c, deleted src/a.c"});
    git({"config", "core.ignoreCase", "true"});
    expect_ask({"dirty untracked src/A.c, deleted src/a.c"});
}

TEST_F(CloseCheckFiles, MarksInTheIndexHideNothing)
{
    git({"update-index", "--assume-unchanged", "src/a.c"});
    git({"update-index", "--skip-worktree", "README"});
    expect_auto();
    put("src/a.c", "int hidden;\n");
    put("README", "hidden\n");
    EXPECT_EQ(git({"status", "--porcelain"}), "");
    expect_ask({"dirty modified README, modified src/a.c"});
    git({"checkout", "HEAD", "--", "."});
}

TEST_F(CloseCheckFiles, SettingsHideNothing)
{
    for (const char* setting : {"status.showUntrackedFiles=no", "core.trustctime=false", "core.checkStat=minimal",
                                "core.ignoreStat=true", "core.untrackedCache=true", "core.fsmonitor=/bin/true",
                                "diff.ignoreSubmodules=all", "core.excludesFile=/dev/zero"}) {
        const std::string text = setting;
        git({"config", text.substr(0, text.find('=')), text.substr(text.find('=') + 1)});
    }
    git({"update-index", "--refresh"});
    expect_auto();
    put("src/a.c", "int b;\n");
    put("b.txt", "b\n");
    expect_ask({"dirty untracked b.txt, modified src/a.c"});
}

TEST_F(CloseCheckFiles, IgnoredFilesAreNamedBesideDirtyOnes)
{
    put("x.o", "o\n");
    put("cache/deep/y", "y\n");
    put("b.txt", "b\n");
    expect_ask({"dirty untracked b.txt", "ignored-files cache/, x.o"});
}

TEST_F(CloseCheckFiles, DisposableCountsWhereItIsIgnored)
{
    put("build/out.bin", "b\n");
    put("packages/one/node_modules/x/y.js", "y\n");
    expect_auto();
    put(".venv/x", "not ignored\n");
    expect_ask({"dirty untracked .venv/"});
    put(".venv/.gitignore", "*\n");  // as python -m venv makes it
    expect_auto();
    fs::remove_all(lane / ".venv");
    git({"rm", "--quiet", ".gitignore"});
    expect_ask({"dirty staged .gitignore, untracked build/, untracked packages/"});
}

TEST_F(CloseCheckFiles, AKeptFileInADisposableDirectoryIsDirty)
{
    commit(".gitignore", "build/*\n!build/keep.txt\n!build/.gitignore\n*.log\n");
    merge_into_main();
    put("build/out", "o\n");
    put("build/keep.txt", "k\n");
    expect_ask({"dirty untracked build/"});
    fs::remove(lane / "build/keep.txt");
    expect_auto();
    commit("build/.gitignore", "!*.log\n");  // outranks the rules above it; libgit2 drops such a rule
    merge_into_main();
    put("build/a.log", "l\n");
    EXPECT_EQ(git({"ls-files", "--others", "--exclude-standard"}), "build/a.log");
    expect_ask({"dirty untracked build/a.log"});
}

TEST_F(CloseCheckFiles, EmptyDirectoriesAndFifosHoldNothing)
{
    fs::create_directories(lane / "empty/in/empty");
    fs::create_directories(lane / "cache/empty");
    ASSERT_EQ(::mkfifo((lane / "pipe").c_str(), 0600), 0);
    expect_auto();
}

TEST_F(CloseCheckFiles, LaneFilesNeverSpoilIt)
{
    put(".MANDATE.lock", "");
    put(".MANDATE.tmp.17", "half a record\n");
    put("TASK.md", "what to do\n");
    expect_auto();
}

TEST_F(CloseCheckFiles, LookAlikesAlwaysDo)
{
    for (const char* name : {"MANDATE_md", "mandate.md", "MANDATE.md.bak", ".MANDATE", "sub/MANDATE.md",
                             "sub/.MANDATE.lock", "task.md", "sub/TASK.md"}) {
        put(name, "work\n");
        const Answer answer = check();
        EXPECT_EQ(answer.value("decision"), "ask") << name << answer;
        EXPECT_THAT(codes(answer), testing::AnyOf(testing::ElementsAre("dirty"), testing::ElementsAre("ignored-files")))
            << name;
        fs::remove(lane / name);
    }
    expect_auto();
}

TEST_F(CloseCheckFiles, ALaneFileThatIsADirectoryOrALinkIsNone)
{
    put(".MANDATE.d/work", "w\n");
    expect_ask({"dirty untracked .MANDATE.d/"});
    fs::remove_all(lane / ".MANDATE.d");
    fs::create_symlink("elsewhere", lane / "TASK.md");
    expect_ask({"dirty untracked TASK.md"});
}

TEST_F(CloseCheckFiles, ALaneFileThatIsTrackedIsAFileLikeAnyOther)
{
    commit("TASK.md", "one\n");
    merge_into_main();
    expect_auto();
    put("TASK.md", "two\n");
    expect_ask({"dirty modified TASK.md"});
}

TEST_F(CloseCheckFiles, NestedRepositoriesAreNamed)
{
    repo.git({"init", "--quiet", (lane / "vendor/inner").string()});
    expect_ask({"dirty untracked vendor/"});
    fs::remove_all(lane / "vendor");
    repo.git({"init", "--quiet", (lane / "cache/inner").string()});
    expect_ask({"ignored-files cache/"});
    fs::remove_all(lane / "cache");
    repo.git({"init", "--quiet", (lane / "build").string()});  // the disposable directory is a repository itself
    expect_ask({"ignored-files build/"});
    fs::remove_all(lane / "build");
    repo.git({"init", "--quiet", (lane / "src").string()});  // around tracked files: git status says nothing
    EXPECT_EQ(git({"status", "--porcelain"}), "");
    expect_ask({"dirty untracked src/"});
}

TEST_F(CloseCheckFiles, ALaneInsideOfTheLaneIsNamed)
{
    repo.git({"worktree", "add", "--quiet", "--detach", (lane / "build/inner").string()});
    const Answer answer = check();
    EXPECT_THAT(reasons(answer), testing::ElementsAre("dirty worktree build/inner/")) << answer;
}

TEST_F(CloseCheckFiles, TenPathsThenACountAndEscaped)
{
    for (int i = 10; i < 27; ++i) {
        put("u" + std::to_string(i), "x\n");
    }
    put("a\nreason=merged", "x\n");
    expect_ask(
        {"dirty untracked a\\x0areason=merged, untracked u10, untracked u11, untracked u12, untracked u13, "
         "untracked u14, untracked u15, untracked u16, untracked u17, untracked u18 (and 8 more)"});
}

TEST_F(CloseCheckFiles, SplitSparseAndVersionFourIndexesAreRead)
{
    git({"update-index", "--index-version", "4"});
    expect_auto();
    git({"update-index", "--split-index"});
    commit("later.c", "x\n");
    merge_into_main();
    expect_auto();
    put("later.c", "y\n");
    put("src/a.c", "int b;\n");
    expect_ask({"dirty modified later.c, modified src/a.c"});
    git({"checkout", "--quiet", "."});
    git({"rm", "--quiet", "README"});  // of the base
    git({"commit", "--quiet", "-m", "no README"});
    merge_into_main();
    expect_auto();
    git({"update-index", "--no-split-index"});
    git({"sparse-checkout", "set", "--cone", "--sparse-index", "none"});
    ASSERT_FALSE(fs::exists(lane / "src"));
    expect_auto();
    put("src/a.c", "put back\n");
    const Answer answer = check();
    EXPECT_EQ(codes(answer), std::vector<std::string>{"dirty"}) << answer;
}

TEST_F(CloseCheckFiles, ADamagedIndexIsAnErrorAndNoDecision)
{
    write_file(repo.path() / ".git/worktrees/lane/index", "DIRC damaged");
    const Answer answer = check();
    EXPECT_EQ(answer.exit(), 2);
    EXPECT_FALSE(answer.has("decision"));
}

}  // namespace
}  // namespace mandate::test
