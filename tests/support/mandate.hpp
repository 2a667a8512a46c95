// The program under test, as a caller sees it: arguments in; exit status, answer and sentences out.
#pragma once

#include "support/repo.hpp"

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace mandate::test {

// The binary: $MANDATE_BINARY, else the one of this build.
std::string mandate_binary();

// One answer. `values` holds its key=value lines; `rows` keeps their order.
struct Answer {
    Outcome outcome;
    std::vector<std::pair<std::string, std::string>> rows;

    [[nodiscard]] int exit() const { return outcome.exit_code; }
    [[nodiscard]] bool has(const std::string& key) const;
    // The value of a key that stands exactly once; throws std::runtime_error otherwise.
    [[nodiscard]] std::string value(const std::string& key) const;
    // All values of a key, in order (`reason=` lines).
    [[nodiscard]] std::vector<std::string> values(const std::string& key) const;
    // The answer of a run with --json; throws when stdout is not one JSON object.
    [[nodiscard]] nlohmann::json json() const;
};

std::ostream& operator<<(std::ostream& stream, const Answer& answer);

// Runs the program in one scratch directory's environment.
class Mandate {
public:
    explicit Mandate(const ScratchDir& scratch) : m_environment(scratch.environment()) {}

    // Variables for every run from here on.
    Mandate& set(const std::string& name, const std::string& value);

    // The command that `run` runs, for tests that change it or run it in the background.
    [[nodiscard]] Command command(const fs::path& directory, const std::vector<std::string>& arguments) const;

    Answer run(const fs::path& directory, const std::vector<std::string>& arguments) const;

private:
    Environment m_environment;
};

// Splits an answer into rows; lines that are no key=value (`path`, `lane`, JSON) are in `outcome` alone.
Answer read_answer(Outcome outcome);

}  // namespace mandate::test
