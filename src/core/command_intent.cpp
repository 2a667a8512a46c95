#include "core/command_intent.hpp"

#include "core/git_intent.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace mandate::core {

namespace {

using Kind = Intent::Kind;

constexpr int k_deepest_nesting = 4;

template<std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& list)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr std::array<std::string_view, 6> k_shells{"sh", "bash", "dash", "zsh", "ksh", "ash"};
constexpr std::array<std::string_view, 7> k_wrappers{"command", "exec", "nohup", "builtin", "env", "setsid", "sudo"};
// Programs that only read the files they are given.
constexpr std::array<std::string_view, 20> k_readers{"cat", "less", "more",   "head",   "tail",    "grep",   "rg",
                                                     "wc",  "ls",   "stat",   "file",   "diff",    "cmp",    "test",
                                                     "[",   "echo", "printf", "md5sum", "sha1sum", "mandate"};
// Verbs of ours by which a person widens a grant; an agent may not do it for one.
constexpr std::array<std::string_view, 6> k_person_verbs{"init", "grant", "extend", "rebind", "acknowledged", "hooks"};
// Variables that change what git, or a hook of ours, does.
constexpr std::array<std::string_view, 7> k_git_variables{"MANDATE_BYPASS", "PATH",   "HOME",      "XDG_CONFIG_HOME",
                                                          "EDITOR",         "VISUAL", "LD_PRELOAD"};

std::string_view program_name(std::string_view word)
{
    return word.substr(word.rfind('/') == std::string_view::npos ? 0 : word.rfind('/') + 1);
}

class Reader {
public:
    explicit Reader(Intents& out) : m_out(out) {}

    void read_line(std::string_view line, int depth);

private:
    void read_command(const ShellCommand& command, int depth);
    void read_program(const ShellCommand& command, std::size_t first, int depth);
    void change_directory(const ShellCommand& command);
    void check_assignment(const ShellWord& assignment);
    void guard_files(const ShellCommand& command, std::string_view program);
    void ask(std::string why) { m_out.all.push_back({Kind::ask, std::move(why), m_directory, {}}); }

    Intents& m_out;
    std::string m_directory;
};

void Reader::read_line(std::string_view line, int depth)
{
    const auto commands = depth > k_deepest_nesting ? std::nullopt : parse_shell(line);
    if (!commands) {
        ask("a command line that is too intricate to be judged");
        return;
    }
    for (const ShellCommand& command : *commands) {
        read_command(command, depth);
    }
}

void Reader::guard_files(const ShellCommand& command, std::string_view program)
{
    for (const ShellWord& file : command.written_files) {
        if (is_guarded_path(file.text)) {
            m_out.all.push_back({Kind::touches, file.text, m_directory, {}});
        }
    }
    if (is_one_of(program, k_readers)) {
        return;
    }
    for (const ShellWord& word : command.words) {
        if (is_guarded_path(word.text)) {
            m_out.all.push_back({Kind::touches, word.text, m_directory, {}});
            return;
        }
    }
}

void Reader::check_assignment(const ShellWord& assignment)
{
    const std::string name = assignment.text.substr(0, assignment.text.find('='));
    m_out.only_actions = false;
    if (is_one_of(name, k_git_variables) || name.rfind("GIT_", 0) == 0) {
        ask(name + " changes what git or its hooks do");
    }
}

void Reader::change_directory(const ShellCommand& command)
{
    if (command.words.size() != 2 || !command.words[1].exact || command.words[1].text == "-") {
        ask("a cd that cannot be followed");
        return;
    }
    const std::string& target = command.words[1].text;
    if (command.changes_directory_for_rest) {
        m_directory = m_directory.empty() || target[0] == '/' ? target : m_directory + "/" + target;
    } else {
        ask("a cd inside a subshell or pipe");
    }
}

void Reader::read_command(const ShellCommand& command, int depth)
{
    if (command.words.empty()) {
        guard_files(command, {});
        m_out.only_actions = false;
        return;
    }
    read_program(command, 0, depth);
}

void Reader::read_program(const ShellCommand& command, std::size_t first, int depth)
{
    const std::vector<ShellWord> words(command.words.begin() + static_cast<std::ptrdiff_t>(first), command.words.end());
    const std::string_view program = words.empty() ? std::string_view() : program_name(words[0].text);
    guard_files(command, program);
    // An allow covers the action and nothing beside it: no other file written, no variable changed.
    m_out.only_actions = m_out.only_actions && command.written_files.empty();
    const std::vector<ShellWord> rest(words.begin() + (words.empty() ? 0 : 1), words.end());
    const auto names_us = [](const ShellWord& word) {
        const std::string_view name = program_name(word.text);
        return name == "git" || name == "gh" || name == "mandate" || word.text.find("git ") != std::string::npos;
    };

    for (const ShellWord& assignment : command.assignments) {
        check_assignment(assignment);
    }
    if (program == "git") {
        m_out.only_actions = add_git_intents(rest, m_directory, m_out.all) && m_out.only_actions;
    } else if (program == "gh") {
        m_out.only_actions = add_gh_intents(rest, m_directory, m_out.all) && m_out.only_actions;
    } else if (program == "mandate" || program == "git-mandate") {
        m_out.only_actions = false;
        for (const ShellWord& word : rest) {
            if (is_one_of(word.text, k_person_verbs) || word.text == "--ack" || !word.exact) {
                ask("mandate " + word.text + " is a person's own business");
                return;
            }
        }
    } else if (program == "cd" || program == "pushd") {
        change_directory(command);
    } else if (is_one_of(program, k_shells)) {
        const bool line_given = rest.size() >= 2 && rest[0].text == "-c";
        if (line_given && rest[1].exact) {
            Reader inner(m_out);
            inner.m_directory = m_directory;
            inner.read_line(rest[1].text, depth + 1);
        } else if (line_given || rest.empty() || rest[0].text[0] == '-') {
            ask("a shell whose commands cannot be seen");
        } else {
            m_out.only_actions = false;  // a script: its own hooks judge it
        }
    } else if (program == "eval") {
        ask("eval");
    } else if (is_one_of(program, k_wrappers)) {
        std::size_t next = first + 1;
        while (next < command.words.size() && program == "env" &&
               command.words[next].text.find('=') != std::string::npos) {
            check_assignment(command.words[next++]);
        }
        if (next < command.words.size() && !command.words[next].text.empty() && command.words[next].text[0] == '-') {
            ask(std::string(program) + " with options");
        } else if (next < command.words.size()) {
            read_program(command, next, depth);
        } else {
            m_out.only_actions = false;
        }
    } else {
        m_out.only_actions = false;
        if (program != "echo" && program != "printf" && program != "which" && program != "man" &&
            std::any_of(rest.begin(), rest.end(), names_us)) {
            ask(std::string(program) + " may run git");
        }
    }
}

}  // namespace

bool is_guarded_path(std::string_view path)
{
    // Case is folded: on some file systems mandate.md is the same file.
    std::string folded(path);
    std::transform(folded.begin(), folded.end(), folded.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return folded.find("mandate.md") != std::string::npos || folded.find(".mandate.") != std::string::npos ||
           folded.find(".git/mandate") != std::string::npos;
}

Intents intents_of(std::string_view command_line)
{
    Intents intents;
    Reader(intents).read_line(command_line, 0);
    return intents;
}

std::vector<std::string> actions_of(const Intent& intent, const Branches& branches)
{
    if (intent.kind == Kind::merge) {
        return {branches.is_protected(branches.own) ? "merge" : "commit"};
    }
    if (intent.push.everything) {
        return {"force-push-shared"};
    }
    std::vector<std::string> actions;
    for (const std::string& named :
         intent.push.branches.empty() ? std::vector<std::string>{""} : intent.push.branches) {
        const std::string& branch = named.empty() ? branches.own : named;
        const bool rewrites = intent.push.force || intent.push.removes;
        if (branches.is_protected(branch)) {
            actions.emplace_back(rewrites ? "force-push-shared" : "merge");
        } else if (branch != branches.own || intent.push.removes) {
            actions.emplace_back("force-push-shared");
        } else {
            actions.emplace_back(rewrites ? "rebase-own-branch" : "push-own-branch");
        }
    }
    return actions;
}

}  // namespace mandate::core
