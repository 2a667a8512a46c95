// For the tests of git/ and of what app/ decides about git: a scratch directory whose git configuration is also
// this process's, and the real git to compare with.
#pragma once

#include "base/error.hpp"
#include "support/repo.hpp"

#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mandate::testing {

// An environment variable for as long as this lives; nothing: unset.
class Variable {
public:
    Variable(std::string name, const std::optional<std::string>& value);
    ~Variable();
    Variable(Variable&& other) noexcept;
    Variable& operator=(Variable&&) = delete;
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    std::string m_name;
    std::optional<std::string> m_before;
    bool m_moved_from = false;
};

// The environment of the scratch directory is this process's, and every GIT_* variable beside it is unset.
class WithGit : public ::testing::Test {
protected:
    WithGit();

    [[nodiscard]] std::string path(const std::string& name = {}) const;

    // Runs git below the scratch directory as ScratchDir does it, with the GIT_* and other variables that the
    // test has set in this process by `set`.
    [[nodiscard]] test::Outcome git(const std::string& directory, std::vector<std::string> arguments,
                                    const std::string& input = {}) const;

    // Until the next `set` of the same name, or the test's end.
    void set(const std::string& name, const std::optional<std::string>& value);

    test::ScratchDir m_scratch;

private:
    std::vector<Variable> m_variables;
    test::Environment m_environment;
};

// The refusal's code as it is printed, or "ok".
template<typename T>
std::string code_of(const Result<T>& result)
{
    return result ? "ok" : std::string(info(result.error().code).name);
}

// What it says to a person, or "".
template<typename T>
std::string message_of(const Result<T>& result)
{
    return result ? "" : result.error().message;
}

}  // namespace mandate::testing
