// The promise of close-check: whenever it says `auto`, removing the worktree and its branch loses no byte that is
// not in the integration branch, a lane file or disposable. Held against git for every way to merge, alone and
// together with everything that can be done to a lane; and the other way round, what loses nothing is `auto`.

#include "support/closing.hpp"

#include <functional>
#include <random>
#include <set>
#include <sstream>
#include <sys/stat.h>

namespace mandate::test {
namespace {

using Ids = std::set<std::string>;

struct Step {
    const char* name;
    bool harmless;  // nothing is lost by it
    void (*take)(const Repo& repo, const fs::path& lane);
};

void put(const fs::path& lane, const char* name, const char* content) { write_file(lane / name, content); }

const Step k_histories[] = {
    {"fast-forward", true,
     [](const Repo& repo, const fs::path&) {
         repo.git({"merge", "--quiet", "--ff-only", "lane"});
     }},
    {"merge-commit", true,
     [](const Repo& repo, const fs::path&) {
         repo.git({"merge", "--quiet", "--no-ff", "lane"});
     }},
    {"rebase-merge", true,
     [](const Repo& repo, const fs::path&) {
         repo.commit_file(repo.path(), "moved-on", "m\n");
         repo.git({"cherry-pick", "lane~1", "lane"});
     }},
    {"not-merged", false, [](const Repo&, const fs::path&) {}},
    {"squash", false,
     [](const Repo& repo, const fs::path&) {
         repo.git({"merge", "--quiet", "--squash", "lane"});
         repo.git({"commit", "--quiet", "-m", "squash"});
     }},
    {"half-merged", false,
     [](const Repo& repo, const fs::path&) {
         repo.git({"merge", "--quiet", "--no-ff", "lane~1"});
     }},
    {"merged-then-more", false,
     [](const Repo& repo, const fs::path& lane) {
         repo.git({"merge", "--quiet", "--ff-only", "lane"});
         repo.commit_file(lane, "more", "only in the lane\n");
     }},
    {"white-space-differs", false,
     [](const Repo& repo, const fs::path& lane) {
         repo.git({"merge", "--quiet", "--ff-only", "lane"});
         repo.commit_file(lane, "s.py", "if a:\n    b\n    c\n");
         repo.commit_file(repo.path(), "s.py", "if a:\n    b\nc\n");
     }},
    {"detached-unmerged", false,
     [](const Repo& repo, const fs::path& lane) {
         repo.git({"merge", "--quiet", "--ff-only", "lane"});
         repo.git_in(lane, {"checkout", "--quiet", "--detach"});
         repo.commit_file(lane, "loose", "on no branch\n");
     }},
};

const Step k_works[] = {
    {"disposable", true, [](const Repo&, const fs::path& lane) { put(lane, "sub/node_modules/x.js", "made\n"); }},
    {"lane-files", true,
     [](const Repo&, const fs::path& lane) {
         put(lane, "TASK.md", "task\n");
         put(lane, ".MANDATE.lock", "");
         put(lane, ".MANDATE.tmp.1", "t\n");
     }},
    {"empty-directories", true, [](const Repo&, const fs::path& lane) { fs::create_directories(lane / "e/e"); }},
    {"touched", true,
     [](const Repo&, const fs::path& lane) { fs::last_write_time(lane / "a.c", fs::file_time_type::clock::now()); }},
    {"modified", false, [](const Repo&, const fs::path& lane) { put(lane, "a.c", "int z;\n"); }},
    {"staged", false,
     [](const Repo& repo, const fs::path& lane) {
         put(lane, "a.c", "int staged;\n");
         repo.git_in(lane, {"add", "a.c"});
     }},
    {"untracked", false, [](const Repo&, const fs::path& lane) { put(lane, "new/u.txt", "untracked\n"); }},
    {"ignored", false, [](const Repo&, const fs::path& lane) { put(lane, "secret.o", "ignored\n"); }},
    {"not-ignored-build", false, [](const Repo&, const fs::path& lane) { put(lane, "build/notes", "not ignored\n"); }},
    {"look-alike", false, [](const Repo&, const fs::path& lane) { put(lane, "sub/MANDATE.md", "mine\n"); }},
    {"lane-directory", false, [](const Repo&, const fs::path& lane) { put(lane, ".MANDATE.d/x", "work\n"); }},
    {"assume-unchanged", false,
     [](const Repo& repo, const fs::path& lane) {
         repo.git_in(lane, {"update-index", "--assume-unchanged", "a.c"});
         put(lane, "a.c", "int hidden;\n");
     }},
    {"skip-worktree", false,
     [](const Repo& repo, const fs::path& lane) {
         repo.git_in(lane, {"update-index", "--skip-worktree", "b.c"});
         put(lane, "b.c", "int skipped;\n");
     }},
    {"untracked-hidden", false,
     [](const Repo& repo, const fs::path& lane) {
         repo.git_in(lane, {"config", "status.showUntrackedFiles", "no"});
         put(lane, "hidden.txt", "hidden\n");
     }},
    {"nested-repository", false,
     [](const Repo& repo, const fs::path& lane) {
         repo.git({"init", "--quiet", (lane / "cache/inner").string()});
         repo.commit_file(lane / "cache/inner", "inner", "inner work\n");
     }},
    {"tracked-around-a-repository", false,
     [](const Repo& repo, const fs::path& lane) {
         repo.git({"init", "--quiet", (lane / "dir").string()});
     }},
    {"same-time-and-size", false,
     [](const Repo&, const fs::path& lane) {
         const auto time = fs::last_write_time(lane / "a.c");
         put(lane, "a.c", "int q;\n");
         fs::last_write_time(lane / "a.c", time);
     }},
};

class ZeroLoss : public testing::TestWithParam<Step> {
protected:
    Ids lines(const Repo& repo, const std::vector<std::string>& arguments) const
    {
        std::istringstream out(repo.git(arguments));
        Ids found;
        for (std::string line; std::getline(out, line);) {
            found.insert(line.substr(0, line.find(' ')));
        }
        return found;
    }

    // The blobs of all files of the worktree but lane files, disposable ones and git's own.
    static void add_files(const Repo& repo, const fs::path& lane, Ids& ids)
    {
        for (const auto& entry : fs::recursive_directory_iterator(lane)) {
            const std::string name = entry.path().lexically_relative(lane).string();
            const bool lane_file = name == "TASK.md" || name == "MANDATE.md" ||
                                   (name.starts_with(".MANDATE.") && name.find('/') == std::string::npos);
            const bool disposable = name.find("node_modules/") != std::string::npos;  // ignored in every lane here
            if (entry.is_regular_file() && name != ".git" && !lane_file && !disposable) {
                ids.insert(repo.git({"hash-object", "--no-filters", entry.path().string()}));
            }
        }
    }

    // Makes a lane, works in it, asks, and removes it on `auto`.
    void try_lane(const std::vector<const Step*>& works)
    {
        const ScratchDir scratch;
        const Repo repo(scratch);
        const Mandate mandate(scratch);
        repo.commit_file(repo.path(), ".gitignore", "*.o\nnode_modules/\ncache/\n");
        repo.commit_file(repo.path(), "a.c", "int a;\n");
        const fs::path lane = repo.add_worktree("lane");
        repo.commit_file(lane, "b.c", "int b;\n");
        repo.commit_file(lane, "dir/c.c", "int c;\n");
        GetParam().take(repo, lane);
        std::string what = GetParam().name;
        bool harmless = GetParam().harmless;
        for (const Step* work : works) {
            work->take(repo, lane);
            what += std::string(" + ") + work->name;
            harmless = harmless && work->harmless;
        }
        const Answer answer = mandate.run(lane, {"close-check"});
        ASSERT_TRUE(answer.exit() == 0 || answer.exit() == 1) << what << answer;
        EXPECT_EQ(answer.exit() == 0, answer.value("decision") == "auto") << what << answer;
        if (harmless) {
            EXPECT_EQ(answer.exit(), 0) << what << answer;
        }
        if (answer.exit() != 0) {
            return;
        }
        Ids before = lines(repo, {"-C", lane.string(), "rev-list", "--objects", "--no-object-names",
                                  "--filter=object:type=blob", "--filter-provided-objects", "HEAD", "lane"});
        add_files(repo, lane, before);
        repo.git({"worktree", "remove", "--force", lane.string()});
        repo.git({"branch", "--quiet", "-D", "lane"});
        const Ids after = lines(repo, {"rev-list", "--objects", "main"});
        for (const std::string& id : before) {
            EXPECT_TRUE(after.contains(id)) << what << ": lost " << repo.git({"cat-file", "-p", id});
        }
    }
};

TEST_P(ZeroLoss, Clean) { try_lane({}); }

TEST_P(ZeroLoss, EveryKindOfWorkAlone)
{
    for (const Step& work : k_works) {
        try_lane({&work});
    }
}

TEST_P(ZeroLoss, KindsOfWorkTogether)
{
    std::mt19937 random(20260131);
    std::uniform_int_distribution<std::size_t> pick(0, std::size(k_works) - 1);
    for (int i = 0; i < 12; ++i) {
        std::vector<const Step*> works;
        for (const std::size_t at : std::set<std::size_t>{pick(random), pick(random), pick(random)}) {
            works.push_back(&k_works[at]);
        }
        try_lane(works);
    }
    try_lane({&k_works[0], &k_works[1], &k_works[2], &k_works[3]});
}

INSTANTIATE_TEST_SUITE_P(Histories, ZeroLoss, testing::ValuesIn(k_histories),
                         [](const testing::TestParamInfo<Step>& history) {
                             std::string name = history.param.name;
                             std::erase(name, '-');
                             return name;
                         });

}  // namespace
}  // namespace mandate::test
