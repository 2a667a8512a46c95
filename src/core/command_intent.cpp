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

constexpr std::array<std::string_view, 13> k_shells{"sh",  "bash", "dash", "zsh",  "ksh",  "ash", "rbash",
                                                    "csh", "tcsh", "fish", "mksh", "yash", "pwsh"};
// They read commands of the same shell from a file, or take a name for a variable or a program.
constexpr std::array<std::string_view, 2> k_sources{".", "source"};
constexpr std::array<std::string_view, 5> k_declares{"export", "declare", "typeset", "readonly", "local"};
// They say whatever they like in a language of their own, where a program's name stands in quotes.
constexpr std::array<std::string_view, 8> k_interpreters{"python", "perl", "ruby", "node",
                                                         "php",    "awk",  "lua",  "tclsh"};
constexpr std::array<std::string_view, 7> k_wrappers{"command", "exec", "nohup", "builtin", "env", "setsid", "sudo"};
// Programs that only read the files they are given.
constexpr std::array<std::string_view, 20> k_readers{"cat", "less", "more",   "head",   "tail",    "grep",   "rg",
                                                     "wc",  "ls",   "stat",   "file",   "diff",    "cmp",    "test",
                                                     "[",   "echo", "printf", "md5sum", "sha1sum", "mandate"};
// Programs whose words are no files that they write; git's are judged by what they mean to git.
constexpr std::array<std::string_view, 5> k_no_files{"git", "gh", "cd", "pushd", "popd"};
// Verbs of ours by which a person widens a grant; an agent may not do it for one.
constexpr std::array<std::string_view, 6> k_person_verbs{"init", "grant", "extend", "rebind", "acknowledged", "hooks"};
// Variables that change what git, or a hook of ours, does.
constexpr std::array<std::string_view, 10> k_git_variables{"MANDATE_BYPASS", "PATH",   "HOME",       "XDG_CONFIG_HOME",
                                                           "EDITOR",         "VISUAL", "LD_PRELOAD", "LD_LIBRARY_PATH",
                                                           "BASH_ENV",       "ENV"};

// Case is folded: on some file systems GIT is git, and mandate.md is the record.
std::string folded(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return out;
}

std::string program_name(std::string_view word)
{
    return folded(word.substr(word.rfind('/') == std::string_view::npos ? 0 : word.rfind('/') + 1));
}

bool is_letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// `git` as a word of its own, with a blank behind it unless `anything` may follow.
bool speaks_of_git(std::string_view text, bool anything)
{
    for (std::size_t at = text.find("git"); at != std::string_view::npos; at = text.find("git", at + 1)) {
        const char before = at == 0 ? ' ' : text[at - 1];
        const char after = at + 3 < text.size() ? text[at + 3] : '\0';
        const bool blank = after == ' ' || after == '\t' || after == '\n';
        if (!is_letter_or_digit(before) && (blank || (anything && !is_letter_or_digit(after)))) {
            return true;
        }
    }
    return false;
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
        m_out.all.push_back(
            {is_guarded_path(file.text) ? Kind::touches : Kind::writes, file.text, m_directory, {}, !file.exact});
    }
    if (is_one_of(program, k_readers)) {
        return;
    }
    for (const ShellWord& word : command.words) {
        if (is_guarded_path(word.text)) {
            m_out.all.push_back({Kind::touches, word.text, m_directory, {}});
            return;
        }
        // By another name, which only the file system can tell: a symlink, a pattern.
        const bool may_be_a_file =
            !is_one_of(program, k_no_files) && &word != command.words.data() && !word.text.starts_with('-');
        if (may_be_a_file) {
            m_out.all.push_back({Kind::writes, word.text, m_directory, {}, !word.exact});
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
        for (const ShellWord& assignment : command.assignments) {
            check_assignment(assignment);
        }
        return;
    }
    read_program(command, 0, depth);
}

// The order of the questions is the point, so they stand in one place.
// NOLINTNEXTLINE(readability-function-cognitive-complexity)
void Reader::read_program(const ShellCommand& command, std::size_t first, int depth)
{
    const std::vector<ShellWord> words(command.words.begin() + static_cast<std::ptrdiff_t>(first), command.words.end());
    const std::string program = words.empty() ? std::string() : program_name(words[0].text);
    // A program of that name in a place of one's own may be anything: it is judged, and never allowed.
    const bool from_elsewhere = !words.empty() && words[0].text.find('/') != std::string::npos &&
                                !words[0].text.starts_with("/usr/") && !words[0].text.starts_with("/bin/");
    m_out.only_actions = m_out.only_actions && !from_elsewhere;
    if (depth > k_deepest_nesting || (!words.empty() && !words[0].exact)) {
        ask("a program whose name cannot be seen");
        return;
    }
    guard_files(command, program);
    // An allow covers the action and nothing beside it: no other file written, no variable changed.
    m_out.only_actions = m_out.only_actions && command.written_files.empty();
    const std::vector<ShellWord> rest(words.begin() + (words.empty() ? 0 : 1), words.end());
    const auto names_us = [](const ShellWord& word) {
        const std::string name = program_name(word.text);
        return name == "git" || name == "gh" || name == "mandate" || speaks_of_git(word.text, false) ||
               is_one_of(name, k_shells);
    };
    const bool interprets = std::any_of(k_interpreters.begin(), k_interpreters.end(),
                                        [&](std::string_view name) { return program.starts_with(name); });

    for (const ShellWord& assignment : command.assignments) {
        check_assignment(assignment);
    }
    if (program == "git") {
        m_out.only_actions = add_git_intents(rest, m_directory, m_out.all) && m_out.only_actions;
    } else if (program.starts_with("git-") && program != "git-mandate") {  // git's own, called without git
        std::vector<ShellWord> spelled = words;
        spelled[0].text = program.substr(std::string_view("git-").size());
        m_out.only_actions = add_git_intents(spelled, m_directory, m_out.all) && m_out.only_actions;
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
        } else if (line_given || rest.empty() || rest[0].text.starts_with('-') || rest[0].text.starts_with("/dev/") ||
                   rest[0].text.starts_with("/proc/")) {
            ask("a shell whose commands cannot be seen");
        } else {
            m_out.only_actions = false;  // a script: its own hooks judge it
        }
    } else if (program == "eval" || program == "alias" || program == "popd") {
        ask(program);
    } else if (is_one_of(program, k_sources) && !rest.empty() &&
               (rest[0].text.starts_with("/dev/") || rest[0].text.starts_with("/proc/"))) {
        ask("commands that cannot be seen");
    } else if (is_one_of(program, k_declares)) {
        m_out.only_actions = false;
        for (const ShellWord& word : rest) {
            check_assignment(word);
        }
    } else if (is_one_of(program, k_wrappers)) {
        std::size_t next = first + 1;
        while (next < command.words.size() && program == "env" &&
               command.words[next].text.find('=') != std::string::npos) {
            check_assignment(command.words[next++]);
        }
        if (next < command.words.size() && !command.words[next].text.empty() && command.words[next].text[0] == '-') {
            ask(std::string(program) + " with options");
        } else if (next < command.words.size()) {
            read_program(command, next, depth + 1);
        } else {
            m_out.only_actions = false;
        }
    } else {
        m_out.only_actions = false;
        if (program != "echo" && program != "printf" && program != "which" && program != "man" &&
            (std::any_of(rest.begin(), rest.end(), names_us) ||
             (interprets && std::any_of(rest.begin(), rest.end(),
                                        [](const ShellWord& word) { return speaks_of_git(word.text, true); })))) {
            ask(std::string(program) + " may run git");
        }
    }
}

}  // namespace

bool is_guarded_path(std::string_view path)
{
    const std::string name = folded(path);
    return name.find("mandate.md") != std::string::npos || name.find(".mandate.") != std::string::npos ||
           name.find(".git/mandate") != std::string::npos;
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
