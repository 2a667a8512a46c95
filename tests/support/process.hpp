// Runs programs for tests: arguments, a whole environment, a directory and input go in; output, and how the
// program ended, come out.
//
// Nothing is inherited but what is named here, no shell is in between, and nothing can hang: after `timeout`
// (60 s, never more) the program and all that it started are killed and the outcome says so. A program that
// cannot be started at all throws std::runtime_error.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <sys/types.h>
#include <vector>

namespace mandate::test {

using Environment = std::map<std::string, std::string>;

struct Command {
    std::vector<std::string> arguments;  // the program first; found through PATH of this process
    Environment environment;
    std::string directory;                // empty: the test's own
    std::string input;                    // all of stdin
    std::string output_path;              // stdout goes to this file instead of Outcome::out (/dev/full)
    std::vector<int> closed_descriptors;  // of 0, 1, 2: closed in the program
    std::chrono::milliseconds timeout{60'000};
};

struct Outcome {
    std::string out;
    std::string err;
    int exit_code = -1;  // -1: ended by a signal
    int signal = 0;
    bool timed_out = false;

    [[nodiscard]] bool succeeded() const { return exit_code == 0; }
};

std::ostream& operator<<(std::ostream& stream, const Outcome& outcome);

// Starts, feeds, waits.
Outcome run(const Command& command);

// A program that runs beside the test. The destructor kills what still runs.
class Background {
public:
    explicit Background(const Command& command);
    ~Background();
    Background(Background&&) noexcept;
    Background& operator=(Background&&) noexcept;
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    [[nodiscard]] pid_t pid() const;

    // Sends a signal to the program alone.
    void kill(int signal) const;

    // Blocks until stdout or stderr holds `text`; throws when the program ends without it.
    void wait_for_output(const std::string& text);

    // Closes stdin once the input is written, and waits for the end.
    Outcome wait();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace mandate::test
