#include "support/closing.hpp"

namespace mandate::test {

// On `task/done`, two commits merged by fast-forward; .gitignore hides *.o, build/ and node_modules/.
Closing::Closing() : repo(scratch), lane(scratch.path() / "lane"), mandate(scratch)
{
    repo.git({"worktree", "add", "--quiet", "-b", "task/done", lane.string()});
    commit(".gitignore", "*.o\nbuild/\nnode_modules/\ncache/\n");
    commit("src/a.c", "int a;\n");
    merge_into_main();
}

void Closing::git_may_fail(const std::vector<std::string>& arguments) const
{
    try {
        git(arguments);
    } catch (const std::runtime_error&) {
    }
}

void Closing::merge_into_main(const std::vector<std::string>& how) const
{
    std::vector<std::string> arguments{"merge", "--quiet"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    arguments.emplace_back("task/done");
    repo.git(arguments);
}

Answer Closing::check(const std::vector<std::string>& more) const
{
    std::vector<std::string> arguments{"close-check"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mandate.run(lane, arguments);
}

std::vector<std::string> Closing::codes(const Answer& answer)
{
    std::vector<std::string> found;
    for (const std::string& reason : reasons(answer)) {
        found.push_back(reason.substr(0, reason.find(' ')));
    }
    return found;
}

void Closing::expect_auto(const std::vector<std::string>& more) const
{
    const Answer answer = check(more);
    EXPECT_EQ(answer.exit(), 0) << answer;
    EXPECT_EQ(answer.value("decision"), "auto") << answer;
    EXPECT_TRUE(reasons(answer).empty()) << answer;
}

void Closing::expect_ask(const std::vector<std::string>& expected_reasons, const std::vector<std::string>& more) const
{
    const Answer answer = check(more);
    EXPECT_EQ(answer.exit(), 1) << answer;
    EXPECT_EQ(answer.value("decision"), "ask") << answer;
    EXPECT_EQ(reasons(answer), expected_reasons) << answer;
}

void Closing::add_remote() const
{
    repo.git({"init", "--quiet", "--bare", (scratch.path() / "remote.git").string()});
    repo.git({"remote", "add", "origin", (scratch.path() / "remote.git").string()});
    repo.git({"push", "--quiet", "origin", "main"});
    git({"push", "--quiet", "--set-upstream", "origin", "task/done"});
}

}  // namespace mandate::test
