// A verb's command line: what it takes, declared once, used for parsing (CLI11), checking and --help.
//
// CLI11 matches the options; what it would get wrong is checked before it sees them: an option given
// twice, a value that is missing or is itself a known option (`--reason --force`), an empty `--x=`. A word that is
// no option reaches the verb byte for byte. No number is parsed here: every value is text. `--` ends options. Fails
// with usage; without a hint where only the verb's manual helps, which cli/app then names.
#pragma once

#include "base/error.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::cli {

struct OptionSpec {
    std::string name;   // "--token"; a short form has one letter: "-C"
    std::string value;  // "T" in the help; empty for a flag
    std::string help;
    bool repeatable = false;
    std::function<void(const std::string&)> store;
};

class Arguments {
public:
    void flag(std::string name, bool& target, std::string help);
    void option(std::string name, std::string value, std::optional<std::string>& target, std::string help);
    void options(std::string name, std::string value, std::vector<std::string>& target, std::string help);
    void words(std::vector<std::string>& target) { m_words = &target; }  // positionals, in order

    [[nodiscard]] const std::vector<OptionSpec>& specs() const { return m_specs; }

    // `words`: the command line without the program and the verb.
    [[nodiscard]] Result<void> parse(const std::vector<std::string>& command_line) const;

private:
    struct Given {
        std::string name;
        std::optional<std::string> value;
    };
    struct Sorted {
        std::vector<std::string> words;
        std::vector<std::string> options;  // with their values
    };

    [[nodiscard]] static Given split(const std::string& word);
    [[nodiscard]] Unexpected unknown_option(const std::string& name) const;
    [[nodiscard]] const OptionSpec* find(std::string_view name) const;
    [[nodiscard]] Result<std::string> value_behind(const OptionSpec& spec, const std::string* next) const;
    [[nodiscard]] bool is_option(const std::string& word) const;
    [[nodiscard]] Result<Sorted> checked(const std::vector<std::string>& command_line) const;

    std::vector<OptionSpec> m_specs;
    std::vector<std::string>* m_words = nullptr;
};

}  // namespace mandate::cli
