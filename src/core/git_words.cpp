#include "core/git_words.hpp"

#include <algorithm>
#include <utility>

namespace mandate::core {

bool is_one_of(std::string_view word, Options list) { return std::find(list.begin(), list.end(), word) != list.end(); }

bool is_excused(const Words& words, std::string_view option, char letter, std::string_view letters_with_value,
                Options options_with_value)
{
    bool found = false;
    bool is_value = false;
    for (const ShellWord& word : words) {
        const std::string_view text = word.text;
        if (text.starts_with("--no-") || !word.exact) {
            return false;  // --no-dry-run takes it back, in whatever shortened form
        }
        if (std::exchange(is_value, false)) {
            continue;
        }
        if (text == "--") {
            break;
        }
        if (text.starts_with("--")) {
            found = found || text == option;
            is_value = text.find('=') == std::string_view::npos &&
                       std::any_of(options_with_value.begin(), options_with_value.end(),
                                   [&](std::string_view known) { return known.starts_with(text); });
        } else if (text.starts_with('-')) {
            const std::size_t value = text.find_first_of(letters_with_value, 1);
            found = found || (letter != '\0' && text.substr(0, value).find(letter) != std::string_view::npos);
            is_value = value + 1 == text.size();
        }
    }
    return found;
}

bool may_be_an_option(const Words& words)
{
    bool is_text = false;
    for (const ShellWord& word : words) {
        const bool unknown_start = !word.exact && !word.text.empty() && !word.text.starts_with('-') &&
                                   std::string_view("$`*?[{").find(word.text[0]) != std::string_view::npos;
        if (unknown_start && !is_text) {
            return true;
        }
        is_text = word.text == "--message" ||
                  (word.text.size() > 1 && word.text[0] == '-' && word.text[1] != '-' && word.text.ends_with('m'));
    }
    return false;
}

bool may_have(const Words& words, Options options)
{
    for (const ShellWord& word : words) {
        const std::string_view option = std::string_view(word.text).substr(0, word.text.find('='));
        constexpr std::size_t k_shortest = 3;  // two dashes and a letter
        if (option.size() >= k_shortest && std::any_of(options.begin(), options.end(), [&](std::string_view known) {
                return known.starts_with(option);
            })) {
            return true;
        }
    }
    return false;
}

bool has_letter(const Words& words, char letter)
{
    return std::any_of(words.begin(), words.end(), [&](const ShellWord& word) {
        return word.text.size() > 1 && word.text[0] == '-' && word.text[1] != '-' &&
               word.text.find(letter) != std::string::npos;
    });
}

bool all_exact(const Words& words)
{
    return std::all_of(words.begin(), words.end(), [](const ShellWord& word) { return word.exact; });
}

bool has_word(const Words& words, std::string_view text)
{
    return std::any_of(words.begin(), words.end(), [&](const ShellWord& word) { return word.text == text; });
}

bool moves_a_branch(const Words& words)
{
    bool remote_seen = false;
    for (const ShellWord& word : words) {
        if (word.text.starts_with('-') || !std::exchange(remote_seen, true)) {
            continue;
        }
        const std::size_t colon = word.text.find(':');
        const std::string_view to = colon == std::string::npos ? "" : std::string_view(word.text).substr(colon + 1);
        if (!to.empty() && !to.starts_with("refs/remotes/") && !to.starts_with("refs/tags/")) {
            return true;
        }
    }
    return false;
}

}  // namespace mandate::core
