// A lane in a real repository for the tests of `gate` and `next`, and short ways to ask.
#pragma once

#include "support/mandate.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace mandate::test {

class Gate : public testing::Test {
protected:
    Gate() : repo(scratch), lane(repo.add_worktree("lane")), mandate(scratch) {}

    Answer ask(const std::vector<std::string>& arguments) const { return mandate.run(lane, arguments); }
    Answer done(const std::vector<std::string>& arguments) const
    {
        Answer answer = ask(arguments);
        EXPECT_EQ(answer.exit(), 0) << answer;
        return answer;
    }
    void init(const std::string& preset = "standard", const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> arguments{"init", "--preset", preset, "task=demo", "authorized_by=me"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        done(arguments);
    }
    // "yes", or the codes of the reasons; the exit status goes with it.
    std::string gate(const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> arguments{"gate"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Answer answer = ask(arguments);
        const bool met = answer.value("gate_met") == "yes";
        EXPECT_EQ(answer.exit(), met ? 0 : 1) << answer;
        EXPECT_EQ(met, !answer.has("reason")) << answer;
        std::string codes = met ? "yes" : "";
        for (const std::string& reason : answer.values("reason")) {
            codes += (codes.empty() ? "" : " ") + reason.substr(0, reason.find(' '));
        }
        return codes;
    }
    std::string reason() const { return ask({"gate"}).value("reason"); }
    // The step, the same in `next` and in `show`.
    std::string next() const
    {
        const Answer answer = done({"next"});
        EXPECT_TRUE(answer.has("reason")) << answer;
        EXPECT_EQ(done({"show"}).value("next"), answer.value("next"));
        return answer.value("next");
    }
    void commit(const std::string& name, const std::string& content) const { repo.commit_file(lane, name, content); }
    std::string git(const std::vector<std::string>& arguments) const { return repo.git_in(lane, arguments); }
    void review(const std::string& findings = "0") const
    {
        done({"round"});
        done({"reviewed", "--findings", findings});
    }
    // `origin`, a bare repository with main, and main's remote-tracking branch.
    void add_origin() const
    {
        const std::string origin = (scratch.path() / "origin.git").string();
        repo.git({"clone", "--quiet", "--bare", ".", origin});
        repo.git({"remote", "add", "origin", origin});
        repo.git({"fetch", "--quiet", "origin"});
    }
    // A reviewed change of one line, and main changed in another line of the same file since.
    void review_and_move_main() const
    {
        repo.commit_file(repo.path(), "file", "a\nb\nc\nd\ne\nf\ng\nh\n");
        git({"merge", "--quiet", "--ff-only", "main"});
        commit("file", "a\nb\nc\nd\nE\nf\ng\nh\n");
        init();
        review();
        repo.commit_file(repo.path(), "file", "A\na\nb\nc\nd\ne\nf\ng\nh\n");
    }
    // Answers for a record that somebody wrote by hand.
    void record(const std::string& keys, const fs::path& where = {}) const
    {
        write_file((where.empty() ? lane : where) / "MANDATE.md", "---\ntask: demo\n" + keys + "---\n");
    }

    ScratchDir scratch;
    Repo repo;
    fs::path lane;
    Mandate mandate;
};

}  // namespace mandate::test
