#include "app/tracked.hpp"
#include "git_support.hpp"

#include <sys/stat.h>

namespace mandate::app {
namespace {

using git::Tracked;

class TrackedState : public mandate::testing::WithGit {
protected:
    [[nodiscard]] Tracked state(const std::string& directory = "repo") const
    {
        return tracked_state(find_place(path(directory)).value());
    }
    void add_record() const
    {
        test::write_file(path("repo/MANDATE.md"), "x");
        m_repo.git({"add", "-f", "MANDATE.md"});
    }
    [[nodiscard]] std::string index() const { return path("repo/.git/index"); }

    test::Repo m_repo{m_scratch};
};

TEST_F(TrackedState, IsThatOfTheIndexAndNotOfTheFile)
{
    test::write_file(path("repo/MANDATE.md"), "x");
    EXPECT_EQ(state(), Tracked::no);
    add_record();
    EXPECT_EQ(state(), Tracked::yes);
    test::fs::remove(path("repo/MANDATE.md"));
    EXPECT_EQ(state(), Tracked::yes);
}

TEST_F(TrackedState, IsOfTheWorktreesOwnIndex)
{
    static_cast<void>(m_repo.add_worktree("lane"));
    add_record();
    EXPECT_EQ(state("lane"), Tracked::no);
    set("GIT_INDEX_FILE", index());
    EXPECT_EQ(state("lane"), Tracked::no);
}

TEST_F(TrackedState, WithoutAnIndexIsNo)
{
    test::fs::remove(index());
    EXPECT_EQ(state(), Tracked::no);
}

TEST_F(TrackedState, IsUnknownWhereTheIndexCannotBeRead)
{
    test::fs::rename(index(), path("index"));
    test::write_file(index(), "");
    EXPECT_EQ(state(), Tracked::unknown);
    test::write_file(index(), "junk");
    EXPECT_EQ(state(), Tracked::unknown);
    test::fs::remove(index());
    ASSERT_EQ(::mkfifo(index().c_str(), 0666), 0);
    EXPECT_EQ(state(), Tracked::unknown);
    test::fs::remove(index());
    test::fs::create_directory(index());
    EXPECT_EQ(state(), Tracked::unknown);
    test::fs::remove(index());
    test::fs::create_symlink(path("index"), index());
    EXPECT_EQ(state(), Tracked::no);
}

TEST_F(TrackedState, FollowsASplitIndexInALinkedWorktreeToo)
{
    const std::string lane = m_repo.add_worktree("lane").string();
    for (const std::string& directory : {m_repo.path().string(), lane}) {
        test::write_file(directory + "/MANDATE.md", "x");
        m_repo.git_in(directory, {"add", "-f", "MANDATE.md"});
        m_repo.git_in(directory, {"update-index", "--split-index"});
        EXPECT_EQ(tracked_state(find_place(directory).value()), Tracked::yes);
        m_repo.git_in(directory, {"rm", "--quiet", "--cached", "MANDATE.md"});
        EXPECT_EQ(tracked_state(find_place(directory).value()), Tracked::no);
    }
    for (const auto& entry : test::fs::directory_iterator(path("repo/.git"))) {
        if (entry.path().filename().string().starts_with("sharedindex.")) {
            test::fs::remove(entry.path());
        }
    }
    EXPECT_EQ(state(), Tracked::unknown) << "the base is gone";
}

TEST_F(TrackedState, AnswersForAnotherIndexAndName)
{
    const auto place = find_place(path("repo"));
    ASSERT_TRUE(place);
    test::fs::copy_file(index(), path("repo/next"));
    add_record();
    EXPECT_EQ(tracked_state(*place, path("repo/next"), "MANDATE.md"), Tracked::no);
    EXPECT_EQ(tracked_state(*place, "next", "README"), Tracked::yes) << "a relative path is the root's";
    EXPECT_EQ(tracked_state(*place, "nowhere", "README"), Tracked::no);
}

}  // namespace
}  // namespace mandate::app
