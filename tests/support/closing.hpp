// Lanes to close: one that is merged and clean, and what to do to it. Paths are relative to the lane.
#pragma once

#include "support/mandate.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace mandate::test {

class Closing : public testing::Test {
protected:
    Closing();

    // Runs git in the lane, failures included where they are expected (a conflicting merge).
    std::string git(const std::vector<std::string>& arguments) const { return repo.git_in(lane, arguments); }
    void git_may_fail(const std::vector<std::string>& arguments) const;
    void put(const std::string& name, std::string_view content) const { write_file(lane / name, content); }
    void commit(const std::string& name, std::string_view content) const { repo.commit_file(lane, name, content); }
    void merge_into_main(const std::vector<std::string>& how = {"--ff-only"}) const;
    std::string head() const { return git({"rev-parse", "HEAD"}); }

    Answer check(const std::vector<std::string>& more = {}) const;
    // The reason lines, `code text`.
    static std::vector<std::string> reasons(const Answer& answer) { return answer.values("reason"); }
    // The codes alone, in order.
    static std::vector<std::string> codes(const Answer& answer);
    void expect_auto(const std::vector<std::string>& more = {}) const;
    void expect_ask(const std::vector<std::string>& expected_reasons, const std::vector<std::string>& more = {}) const;

    // A remote that the lane's branch is pushed to, as its upstream.
    void add_remote() const;

    ScratchDir scratch;
    Repo repo;
    fs::path lane;
    Mandate mandate;
};

}  // namespace mandate::test
