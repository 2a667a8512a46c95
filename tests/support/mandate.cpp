#include "support/mandate.hpp"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace mandate::test {

std::string mandate_binary()
{
    const char* chosen = std::getenv("MANDATE_BINARY");
    return chosen != nullptr ? chosen : MANDATE_BUILT_BINARY;
}

std::vector<std::string> Answer::values(const std::string& key) const
{
    std::vector<std::string> found;
    for (const auto& [name, value] : rows) {
        if (name == key) {
            found.push_back(value);
        }
    }
    return found;
}

bool Answer::has(const std::string& key) const { return !values(key).empty(); }

std::string Answer::value(const std::string& key) const
{
    const std::vector<std::string> found = values(key);
    if (found.size() != 1) {
        throw std::runtime_error("'" + key + "' stands " + std::to_string(found.size()) + " times in:\n" + outcome.out +
                                 outcome.err);
    }
    return found[0];
}

nlohmann::json Answer::json() const
{
    nlohmann::json parsed = nlohmann::json::parse(outcome.out);
    if (!parsed.is_object()) {
        throw std::runtime_error("not a JSON object: " + outcome.out);
    }
    return parsed;
}

std::ostream& operator<<(std::ostream& stream, const Answer& answer) { return stream << answer.outcome; }

Mandate& Mandate::set(const std::string& name, const std::string& value)
{
    m_environment[name] = value;
    return *this;
}

Command Mandate::command(const fs::path& directory, const std::vector<std::string>& arguments) const
{
    Command command;
    command.arguments = {mandate_binary()};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.environment = m_environment;
    command.directory = directory.string();
    return command;
}

Answer Mandate::run(const fs::path& directory, const std::vector<std::string>& arguments) const
{
    return read_answer(test::run(command(directory, arguments)));
}

Answer read_answer(Outcome outcome)
{
    Answer answer;
    const bool json = outcome.out.starts_with('{');
    for (std::size_t start = 0; !json && start < outcome.out.size();) {
        const std::size_t end = std::min(outcome.out.find('\n', start), outcome.out.size());
        const std::string line = outcome.out.substr(start, end - start);
        const std::size_t equals = line.find('=');
        if (equals != std::string::npos) {
            answer.rows.emplace_back(line.substr(0, equals), line.substr(equals + 1));
        }
        start = end + 1;
    }
    answer.outcome = std::move(outcome);
    return answer;
}

}  // namespace mandate::test
