// What fits one word that is being typed: the values of an option or of a positional, by the names that manuals
// use for them (ACTION, BRANCH, DIR, key=value...).
//
// Where something cannot be read, or has a name that cannot be typed as it is shown, less is offered. Writes nothing.
#pragma once

#include "cli/arguments.hpp"
#include "cli/complete.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mandate::cli {

class Offer {
public:
    // `directory`: of -C, "" where there is none. `typed`: the word so far.
    Offer(std::string verb, std::string directory, std::string typed)
        : m_verb(std::move(verb)), m_directory(std::move(directory)), m_typed(std::move(typed))
    {
    }

    void word(const std::string& word, std::string help = {});
    // `prefix`: the part of the word that stays as it is ("--format=").
    void value_of(const OptionSpec& spec, const std::string& prefix);
    // The positional number `index`, from 0, of a verb with this synopsis.
    void positional(std::string_view synopsis, std::size_t index);

    Completion take() { return std::move(m_completion); }

private:
    template<typename List>
    void words(const List& list)
    {
        for (const auto& each : list) {
            word(std::string(each));
        }
    }
    void list(const std::vector<std::string>& words);
    void placeholder(const std::string& shown, const std::string& name);
    void assignments();
    void branches();
    void budgets();

    std::string m_verb, m_directory, m_typed, m_prefix;
    Completion m_completion;
};

}  // namespace mandate::cli
