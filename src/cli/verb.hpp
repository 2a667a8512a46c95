// What a verb is to the rest of the program: a name, a manual, a command line, and one function.
//
// A verb joins arguments to one use case of app/ and puts its result into an Answer; it never prints.
// Adding one: a file in commands/, a line in verbs.cpp.
#pragma once

#include "app/lane.hpp"
#include "base/error.hpp"
#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "core/answer.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::cli {

// Options that every verb takes, in front of it or behind it.
struct Globals {
    std::optional<std::string> directory;     // -C
    std::optional<std::string> branch;        // --branch, verbs that answer for a lane
    std::optional<std::string> lock_timeout;  // --lock-timeout, verbs that book
    std::optional<std::string> format;        // --format; --json is --format json
    std::optional<std::string> color;         // --color
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    bool help = false;
};

struct Manual {
    std::string_view name;
    std::string_view synopsis;     // behind the name: "ACTION [DIR]"
    std::string_view summary;      // one line, for the list of verbs
    std::string_view description;  // what it prints and its exit statuses
    std::string_view example;
    std::string_view required{};  // options that it cannot do without: "--by WHO"
};

enum class Uses { nothing, lane, booking };  // decides which of the globals it takes

struct Outcome {
    core::Answer answer;
    Exit exit = Exit::yes;
    std::optional<std::string> plain;                     // instead of the answer, where a verb prints bare text
    std::function<std::string(const Terminal&)> human{};  // at a terminal, where a verb knows better than human.hpp
    std::function<std::string()> markdown{};              // set where the verb has_markdown()
    std::vector<std::string> notes;                       // sentences for stderr
    std::vector<Remark> remarks;                          // the same with a path and a hint
    bool booked = false;                                  // something stands even if the answer cannot be printed
};

class Verb {
public:
    Verb() = default;
    Verb(const Verb&) = delete;
    Verb& operator=(const Verb&) = delete;
    Verb(Verb&&) = delete;
    Verb& operator=(Verb&&) = delete;
    virtual ~Verb() = default;

    [[nodiscard]] virtual const Manual& manual() const = 0;
    [[nodiscard]] virtual Uses uses() const = 0;
    [[nodiscard]] virtual bool has_markdown() const { return false; }  // takes --format markdown
    virtual void declare(Arguments& arguments) = 0;
    virtual Result<Outcome> run(const Globals& globals) = 0;
};

struct VerbEntry {
    std::string_view name;
    std::unique_ptr<Verb> (*make)();
};

const std::vector<VerbEntry>& all_verbs();

}  // namespace mandate::cli
