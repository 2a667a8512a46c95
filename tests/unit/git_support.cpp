// GCC 12 at -O2 sees a null pointer inside std::string where a literal and a path are joined (GCC bug 105651).
#pragma GCC diagnostic ignored "-Wnull-dereference"

#include "git_support.hpp"

#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace mandate::testing {

namespace {

void put(const std::string& name, const std::optional<std::string>& value)
{
    if (value) {
        ::setenv(name.c_str(), value->c_str(), 1);
    } else {
        ::unsetenv(name.c_str());
    }
}

std::vector<std::string> git_variables()
{
    std::vector<std::string> names;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        if (const std::string_view text = *entry; text.starts_with("GIT_") || text.starts_with("SUDO_UID")) {
            names.emplace_back(text.substr(0, text.find('=')));
        }
    }
    return names;
}

}  // namespace

Variable::Variable(std::string name, const std::optional<std::string>& value) : m_name(std::move(name))
{
    if (const char* before = std::getenv(m_name.c_str())) {
        m_before = before;
    }
    put(m_name, value);
}

Variable::~Variable()
{
    if (!m_moved_from) {
        put(m_name, m_before);
    }
}

Variable::Variable(Variable&& other) noexcept
    : m_name(std::move(other.m_name)),
      m_before(std::move(other.m_before)),
      m_moved_from(std::exchange(other.m_moved_from, true))
{
}

WithGit::WithGit() : m_environment(m_scratch.environment())
{
    for (const std::string& name : git_variables()) {
        m_variables.emplace_back(name, std::nullopt);
    }
    for (const auto& [name, value] : m_environment) {
        m_variables.emplace_back(name, value);
    }
}

std::string WithGit::path(const std::string& name) const
{
    return name.empty() ? m_scratch.path().string() : (m_scratch.path() / name).string();
}

test::Outcome WithGit::git(const std::string& directory, std::vector<std::string> arguments,
                           const std::string& input) const
{
    test::Command command;
    command.arguments = std::move(arguments);
    command.arguments.insert(command.arguments.begin(), "git");
    command.directory = path(directory);
    command.environment = m_environment;
    command.input = input;
    return test::run(command);
}

void WithGit::set(const std::string& name, const std::optional<std::string>& value)
{
    m_variables.emplace_back(name, value);
    m_environment.erase(name);
    if (value) {
        m_environment.emplace(name, *value);
    }
}

}  // namespace mandate::testing
