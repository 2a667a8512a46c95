#include "core/shell_command.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace mandate::core {

namespace {

constexpr int k_deepest_nesting = 8;

// Words that start or join compound commands. What they mean cannot be told without a whole shell.
constexpr std::array<std::string_view, 18> k_reserved{"if",    "then",   "else",     "elif",   "fi",   "for",
                                                      "while", "until",  "do",       "done",   "case", "esac",
                                                      "in",    "select", "function", "coproc", "[[",   "time"};

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool ends_word(char c)
{
    return is_blank(c) || c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')' || c == '<' || c == '>';
}

bool is_assignment(const std::string& word)
{
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || (word[0] >= '0' && word[0] <= '9')) {
        return false;
    }
    return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

class Parser {
public:
    Parser(std::string_view text, int depth, std::vector<ShellCommand>& out) : m_text(text), m_depth(depth), m_out(out)
    {
    }

    bool parse();

private:
    [[nodiscard]] bool at_end() const { return m_at >= m_text.size(); }
    [[nodiscard]] char peek(std::size_t ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }

    bool read_word(ShellWord& word);
    bool read_double_quotes(ShellWord& word);
    bool read_dollar(ShellWord& word);
    bool read_backquotes(ShellWord& word);
    bool read_redirection();
    bool nested(std::string_view inner);
    bool finish_command(bool in_subshell, std::string_view then = {});

    std::string_view m_text;
    int m_depth;
    std::vector<ShellCommand>& m_out;
    std::size_t m_at = 0;
    int m_groups = 0;               // open ( and {
    int m_subshells = 0;            // open (
    bool m_piped = false;           // the command before ended in |
    bool m_may_be_skipped = false;  // && or || stands before the command
    bool m_after_or = false;        // || stands somewhere before it
    ShellCommand m_command;
};

bool Parser::nested(std::string_view inner)
{
    std::vector<ShellCommand> commands;
    if (m_depth >= k_deepest_nesting || !Parser(inner, m_depth + 1, commands).parse()) {
        return false;
    }
    for (ShellCommand& command : commands) {
        command.changes_directory_for_rest = false;
        m_out.push_back(std::move(command));
    }
    return true;
}

// $name, ${...}, $(...), $((...)): kept as written; the commands inside $(...) are commands too.
// NOLINTNEXTLINE(readability-function-cognitive-complexity)
bool Parser::read_dollar(ShellWord& word)
{
    const std::size_t start = m_at++;
    if (peek() == '(') {
        int open = 0;
        std::size_t end = m_at;
        for (; end < m_text.size(); ++end) {
            const char c = m_text[end];
            if (c == '\'' || c == '"' || c == '\\' || c == '`') {
                return false;  // quotes inside a substitution may hold a parenthesis: not for certain
            }
            open += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (open == 0) {
                break;
            }
        }
        if (end >= m_text.size() || !nested(m_text.substr(m_at + 1, end - m_at - 1))) {
            return false;
        }
        m_at = end + 1;
    } else if (peek() == '{') {
        const std::size_t end = m_text.find('}', m_at);
        if (end == std::string_view::npos ||
            m_text.substr(m_at, end - m_at).find_first_of("$`'\"\\") != std::string_view::npos) {
            return false;
        }
        m_at = end + 1;
    } else if (peek() == '\'') {
        return false;  // $'...' has escapes of its own
    } else {
        while (!at_end() && !ends_word(peek()) && peek() != '"' && peek() != '\'' && peek() != '$' && peek() != '/' &&
               peek() != '\\') {
            ++m_at;
        }
    }
    word.exact = false;
    word.text += m_text.substr(start, m_at - start);
    return true;
}

bool Parser::read_backquotes(ShellWord& word)
{
    const std::size_t end = m_text.find('`', m_at + 1);
    if (end == std::string_view::npos || m_text.substr(m_at, end - m_at).find('\\') != std::string_view::npos ||
        !nested(m_text.substr(m_at + 1, end - m_at - 1))) {
        return false;
    }
    word.text += m_text.substr(m_at, end + 1 - m_at);
    word.exact = false;
    m_at = end + 1;
    return true;
}

bool Parser::read_double_quotes(ShellWord& word)
{
    ++m_at;
    while (!at_end() && peek() != '"') {
        const char c = peek();
        if (c == '$' && peek(1) != '"' && !is_blank(peek(1))) {
            if (!read_dollar(word)) {
                return false;
            }
        } else if (c == '`') {
            if (!read_backquotes(word)) {
                return false;
            }
        } else {
            const char next = peek(1);
            if (c == '\\' && next == '\n') {  // a line that goes on
                m_at += 2;
                continue;
            }
            m_at += c == '\\' && (next == '$' || next == '`' || next == '"' || next == '\\') ? 1U : 0U;
            word.text += peek();
            ++m_at;
        }
    }
    return !at_end() && (++m_at, true);
}

// One case a character, as the grammar has it; in pieces it would be harder to hold against it.
// NOLINTNEXTLINE(readability-function-cognitive-complexity)
bool Parser::read_word(ShellWord& word)
{
    while (!at_end() && !ends_word(peek())) {
        const char c = peek();
        if (c == '\'') {
            const std::size_t end = m_text.find('\'', m_at + 1);
            if (end == std::string_view::npos) {
                return false;
            }
            word.text += m_text.substr(m_at + 1, end - m_at - 1);
            m_at = end + 1;
        } else if (c == '"') {
            if (!read_double_quotes(word)) {
                return false;
            }
        } else if (c == '$') {
            if (!read_dollar(word)) {
                return false;
            }
        } else if (c == '`') {
            if (!read_backquotes(word)) {
                return false;
            }
        } else if (c == '\\') {
            if (m_at + 1 >= m_text.size()) {
                return false;
            }
            if (peek(1) != '\n') {  // a line that goes on
                word.text += peek(1);
            }
            m_at += 2;
        } else {
            word.exact = word.exact && std::string_view("*?[{~").find(c) == std::string_view::npos;
            word.text += c;
            ++m_at;
        }
    }
    return true;
}

bool Parser::read_redirection()
{
    const bool writes = peek() == '>' || (peek() == '<' && peek(1) == '>');
    if (peek() == '<' && (peek(1) == '<' || peek(1) == '(')) {
        return false;  // here-documents and process substitution
    }
    ++m_at;
    if (peek() == '>' || peek() == '|') {
        ++m_at;
    }
    if (peek() == '&') {  // 2>&1, >&-
        ++m_at;
    }
    if (peek() == '(') {
        return false;
    }
    while (is_blank(peek())) {
        ++m_at;
    }
    ShellWord target;
    if (!read_word(target) || target.text.empty()) {
        return false;
    }
    if (writes) {
        m_command.written_files.push_back(std::move(target));
    }
    return true;
}

bool Parser::finish_command(bool in_subshell, std::string_view then)
{
    // What follows a && b, but not by &&, is run also when b was not.
    const bool uncertain = m_may_be_skipped && then != "&&";
    if (m_command.words.empty() && m_command.assignments.empty() && m_command.written_files.empty()) {
        return true;
    }
    if (!m_command.words.empty()) {
        const ShellWord& program = m_command.words[0];
        const bool reserved = std::find(k_reserved.begin(), k_reserved.end(), program.text) != k_reserved.end();
        if (!program.exact || reserved) {
            return false;
        }
    }
    m_command.changes_directory_for_rest = !in_subshell && m_groups == 0 && !uncertain;
    m_out.push_back(std::exchange(m_command, ShellCommand{}));
    return true;
}

// One case a character, as the grammar has it; in pieces it would be harder to hold against it.
// NOLINTNEXTLINE(readability-function-cognitive-complexity)
bool Parser::parse()
{
    while (!at_end()) {
        const char c = peek();
        if (is_blank(c)) {
            ++m_at;
        } else if (c == '\\' && peek(1) == '\n') {
            m_at += 2;
        } else if (c == '#') {
            m_at = std::min(m_text.find('\n', m_at), m_text.size());
        } else if (c == '\n' || c == ';' || c == '|' || c == '&') {
            if (c == '&' && peek(1) == '>') {
                ++m_at;  // &> writes both
                continue;
            }
            if (c == ';' && peek(1) == ';') {
                return false;
            }
            const bool two = (c == '|' || c == '&') && peek(1) == c;
            const bool pipe = c == '|' && !two;
            const bool background = c == '&' && !two;
            if (!finish_command(pipe || background || m_piped || m_after_or, m_text.substr(m_at, two ? 2 : 1))) {
                return false;
            }
            m_may_be_skipped = two || (m_may_be_skipped && pipe);
            m_after_or = two && (c == '|' || m_after_or);
            m_piped = pipe;
            m_at += two || (pipe && peek(1) == '&') ? 2U : 1U;
        } else if (c == '(') {
            if (!m_command.words.empty() || !m_command.assignments.empty()) {
                return false;  // a function, an array
            }
            ++m_groups;
            ++m_subshells;
            ++m_at;
        } else if (c == ')') {
            if (m_subshells == 0 || !finish_command(true)) {
                return false;
            }
            --m_groups;
            --m_subshells;
            ++m_at;
        } else if (c == '<' || c == '>') {
            if (!read_redirection()) {
                return false;
            }
        } else {
            ShellWord word;
            const std::size_t start = m_at;
            if (!read_word(word)) {
                return false;
            }
            const std::string_view written = m_text.substr(start, m_at - start);  // "2" in quotes is a word
            const bool descriptor =
                (peek() == '<' || peek() == '>') && written.find_first_not_of("0123456789") == std::string_view::npos;
            const bool first = m_command.words.empty();
            if (descriptor) {
                continue;  // the 2 of 2>
            }
            if (first && (word.text == "{" || word.text == "}" || word.text == "!")) {
                m_groups += word.text == "{" ? 1 : word.text == "}" ? -1 : 0;
            } else if (first && is_assignment(word.text)) {
                m_command.assignments.push_back(std::move(word));
            } else {
                m_command.words.push_back(std::move(word));
            }
        }
    }
    return finish_command(m_piped) && m_groups == 0;
}

}  // namespace

std::optional<std::vector<ShellCommand>> parse_shell(std::string_view line)
{
    std::vector<ShellCommand> commands;
    if (line.size() > k_command_limit || line.find('\0') != std::string_view::npos ||
        !Parser(line, 0, commands).parse()) {
        return std::nullopt;
    }
    return commands;
}

}  // namespace mandate::core
