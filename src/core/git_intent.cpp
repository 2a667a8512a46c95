#include "core/git_intent.hpp"

#include "core/git_words.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace mandate::core {

namespace {

using Kind = Intent::Kind;

// Subcommands that lose or overwrite nothing whatever their options are. Any other unknown one may be an
// alias, so it is asked about.
constexpr std::array<std::string_view, 50> k_harmless{"status",
                                                      "log",
                                                      "show",
                                                      "diff",
                                                      "fetch",
                                                      "ls-files",
                                                      "ls-tree",
                                                      "ls-remote",
                                                      "cat-file",
                                                      "rev-parse",
                                                      "rev-list",
                                                      "blame",
                                                      "grep",
                                                      "describe",
                                                      "shortlog",
                                                      "show-ref",
                                                      "for-each-ref",
                                                      "remote",
                                                      "name-rev",
                                                      "merge-base",
                                                      "whatchanged",
                                                      "help",
                                                      "version",
                                                      "add",
                                                      "mv",
                                                      "rm",
                                                      "init",
                                                      "clone",
                                                      "archive",
                                                      "bundle",
                                                      "fsck",
                                                      "var",
                                                      "check-ignore",
                                                      "check-attr",
                                                      "range-diff",
                                                      "cherry",
                                                      "sparse-checkout",
                                                      "notes",
                                                      "apply",
                                                      "format-patch",
                                                      "request-pull",
                                                      "bisect",
                                                      "submodule",
                                                      "gc",
                                                      "count-objects",
                                                      "difftool",
                                                      "hash-object",
                                                      "rerere",
                                                      "diff-tree",
                                                      "verify-commit"};

class GitCommand {
public:
    GitCommand(const Words& words, std::string directory, std::vector<Intent>& out)
        : m_words(words), m_directory(std::move(directory)), m_out(out)
    {
    }

    bool read();

private:
    bool action(std::string_view name) { return add(Kind::action, std::string(name)); }
    bool ask(std::string why) { return add(Kind::ask, std::move(why)); }
    bool add(Kind kind, std::string text)
    {
        m_out.push_back({kind, std::move(text), m_directory, {}});
        return true;
    }
    bool destructive(bool really) { return really && action("destructive"); }

    std::optional<std::string> read_options(std::size_t& at);
    bool read_subcommand(const std::string& name, const Words& rest);
    bool read_push(const Words& rest);
    bool read_config(const Words& rest);

    const Words& m_words;
    std::string m_directory;
    std::vector<Intent>& m_out;
};

// git's own options; nothing where one of them makes the rest mean something else.
std::optional<std::string> GitCommand::read_options(std::size_t& at)
{
    for (; at < m_words.size(); ++at) {
        const ShellWord& word = m_words[at];
        if (word.text.empty() || word.text[0] != '-') {
            return std::nullopt;
        }
        const bool takes_value = word.text == "-C" || word.text == "-c";
        if (takes_value && (at + 1 >= m_words.size() || !m_words[at + 1].exact)) {
            return "an option of git whose value is not plain";
        }
        if (word.text == "-C") {
            const std::string& directory = m_words[++at].text;
            m_directory = directory.empty() || directory[0] == '/' || m_directory.empty()
                              ? directory
                              : m_directory + "/" + directory;
        } else if (word.text == "-c") {
            std::string key = m_words[++at].text;
            std::transform(key.begin(), key.end(), key.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
            // Dozens of keys name a program that git runs (core.editor, gpg.program, ...): only known ones pass.
            constexpr std::array<std::string_view, 5> k_plain_keys{"user.name=", "user.email=", "commit.gpgsign=false",
                                                                   "advice.", "color."};
            if (std::none_of(k_plain_keys.begin(), k_plain_keys.end(),
                             [&](std::string_view plain) { return key.rfind(plain, 0) == 0; })) {
                return "git -c " + key.substr(0, key.find('=')) + " may change what git runs";
            }
        } else if (!is_one_of(word.text, {"-p", "-P", "--no-pager", "--paginate", "--no-optional-locks",
                                          "--literal-pathspecs", "--version", "--help", "-v", "-h"})) {
            return "git " + word.text;
        }
    }
    return std::nullopt;
}

// Word by word, as git reads them.
// NOLINTNEXTLINE(readability-function-cognitive-complexity)
bool GitCommand::read_push(const Words& rest)
{
    if (!all_exact(rest)) {
        return ask("a push whose words are not plain");
    }
    Intent intent{Kind::push, {}, m_directory, {}};
    PushIntent& push = intent.push;
    if (is_excused(rest, "--dry-run", 'n', "o", {"--push-option", "--repo", "--recurse-submodules"})) {
        return false;
    }
    push.force = may_have(rest, {"--force", "--force-with-lease", "--force-if-includes"}) || has_letter(rest, 'f');
    push.removes = may_have(rest, {"--delete"}) || has_letter(rest, 'd');
    // Tags that are rewritten are everybody's, whatever the branch is.
    push.everything =
        may_have(rest, {"--all", "--mirror", "--prune", "--branches"}) || (push.force && may_have(rest, {"--tags"}));
    bool remote_seen = false;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        std::string word = rest[i].text;
        if (is_one_of(word, {"-o", "--push-option", "--receive-pack", "--exec", "--repo"})) {
            ++i;
        } else if ((!word.empty() && word[0] == '-') || !std::exchange(remote_seen, true)) {
            continue;
        } else {
            if (!word.empty() && word[0] == '+') {
                push.force = true;
                word.erase(0, 1);
            }
            const std::size_t colon = word.find(':');
            push.removes = push.removes || colon == 0;
            std::string branch = colon == std::string::npos ? word : word.substr(colon + 1);
            if (branch.rfind("refs/heads/", 0) == 0) {
                branch.erase(0, std::string_view("refs/heads/").size());
            }
            // Behind a colon HEAD is the remote's own, whatever branch that is.
            const bool own = colon == std::string::npos && (branch == "HEAD" || branch == "@");
            push.branches.push_back(own ? std::string() : branch);
        }
    }
    m_out.push_back(std::move(intent));
    return true;
}

bool GitCommand::read_config(const Words& rest)
{
    for (const ShellWord& word : rest) {
        std::string key = word.text;
        std::transform(key.begin(), key.end(), key.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
        if (!word.exact || key == "core.hookspath" || key.rfind("alias.", 0) == 0 || is_one_of(key, {"-e", "--edit"})) {
            return ask("git config of what git runs");
        }
    }
    // Hundreds of keys decide what git runs or where it pushes, so only reading and plain ones go on.
    const bool reads = has_word(rest, "-l") || std::any_of(rest.begin(), rest.end(), [](const ShellWord& word) {
                           return word.text == "--list" || word.text.starts_with("--get");
                       });
    const bool plain = std::any_of(rest.begin(), rest.end(), [](const ShellWord& word) {
        return is_one_of(word.text, {"user.name", "user.email", "commit.gpgsign", "pull.rebase", "rerere.enabled"}) ||
               word.text.starts_with("advice.") || word.text.starts_with("color.");
    });
    const auto names =
        std::count_if(rest.begin(), rest.end(), [](const ShellWord& word) { return !word.text.starts_with('-'); });
    const bool changes =
        may_have(rest, {"--unset", "--unset-all", "--remove-section", "--rename-section", "--add", "--replace-all"}) ||
        (names > 1 && !(rest[0].text == "get" || rest[0].text == "list"));
    return changes && !reads && !plain && ask("git config of what git may run");
}

// A list of commands, one after another.
// NOLINTNEXTLINE(readability-function-cognitive-complexity)
bool GitCommand::read_subcommand(const std::string& name, const Words& rest)
{
    const bool ends = rest.size() == 1 && is_one_of(rest[0].text, {"--abort", "--quit"});  // git takes it alone
    // Options and remotes (ext::sh -c ...) that make git run another program.
    const bool runs_more =
        may_have(rest, {"--exec", "--receive-pack", "--upload-pack", "--extcmd", "--open-files-in-pager"}) ||
        (is_one_of(name, {"rebase", "difftool"}) && has_letter(rest, 'x')) ||
        (name == "grep" && has_letter(rest, 'O')) || (name == "clone" && has_letter(rest, 'u')) ||
        std::any_of(rest.begin(), rest.end(), [&](const ShellWord& word) {
            return (name == "push" || name == "pull" || name == "fetch") && word.text.find("::") != std::string::npos;
        });
    if (runs_more) {
        return ask("git " + name + " with a program to run");
    }
    // Without its hooks nobody else asks; -n says so to commit and am, and other things to the rest.
    const bool skips_hooks =
        is_one_of(name, {"commit", "am", "merge", "pull", "rebase", "push"}) &&
        (may_have(rest, {"--no-verify"}) || (is_one_of(name, {"commit", "am"}) && has_letter(rest, 'n')));
    if (skips_hooks) {
        return ask("git " + name + " without its hooks");
    }
    if (may_be_an_option(rest) &&
        is_one_of(name, {"commit", "am", "merge", "pull", "rebase", "reset", "clean", "branch", "tag", "checkout",
                         "switch", "restore", "stash", "worktree"})) {
        return ask("git " + name + " with a word that may be an option");
    }
    if (is_one_of(name, {"commit", "cherry-pick", "revert", "am"})) {
        return !ends && action("commit");
    }
    if (name == "push") {
        return read_push(rest);
    }
    if (name == "rebase") {
        return !ends && action("rebase-own-branch");
    }
    if ((name == "fetch" || name == "pull") && (moves_a_branch(rest) || may_have(rest, {"--refmap", "--stdin"}))) {
        return ask("git " + name + " into a branch");
    }
    if (name == "pull" && (may_have(rest, {"--rebase"}) || has_letter(rest, 'r'))) {
        return action("rebase-own-branch");
    }
    if (name == "merge" || name == "pull") {
        return !ends && add(Kind::merge, {});
    }
    if (name == "config") {
        return read_config(rest);
    }
    if (name == "reset") {
        return destructive(may_have(rest, {"--hard", "--merge", "--keep"}));
    }
    if (name == "clean") {
        return destructive(!is_excused(rest, "--dry-run", 'n', "e", {"--exclude"}));
    }
    if (name == "branch") {
        // With two names it is another branch that is renamed.
        const auto names =
            std::count_if(rest.begin(), rest.end(), [](const ShellWord& word) { return !word.text.starts_with('-'); });
        const bool renames = names > 1 && (has_letter(rest, 'm') || may_have(rest, {"--move"}));
        return destructive(renames || may_have(rest, {"--force"}) || has_letter(rest, 'D') || has_letter(rest, 'M') ||
                           has_letter(rest, 'C') || has_letter(rest, 'f'));
    }
    if (name == "tag") {
        return destructive(may_have(rest, {"--delete", "--force"}) || has_letter(rest, 'd') || has_letter(rest, 'f'));
    }
    if (name == "checkout") {
        const bool paths = std::any_of(rest.begin(), rest.end(), [](const ShellWord& word) {
            return word.text == "--" || word.text.starts_with('.') || word.text.starts_with(':');
        });
        // A commit and something behind it: files. A new branch takes its name and where it starts.
        const auto names = std::count_if(rest.begin(), rest.end(), [](const ShellWord& word) {
            return !word.text.starts_with('-') || word.text == "-";
        });
        const bool makes = has_letter(rest, 'b') || may_have(rest, {"--orphan"});
        const bool all = paths || (names > 1 && !makes) || has_letter(rest, 'f') || has_letter(rest, 'B') ||
                         has_letter(rest, 'p') ||
                         may_have(rest, {"--force", "--patch", "--ours", "--theirs", "--pathspec-from-file"});
        if (!all && names == 1 && !makes) {
            const auto named = std::find_if(rest.begin(), rest.end(), [](const ShellWord& word) {
                return !word.text.starts_with('-') || word.text == "-";
            });
            static_cast<void>(add(Kind::checkout, named->text));
            return false;
        }
        return destructive(all);
    }
    if (name == "switch") {
        return destructive(may_have(rest, {"--force", "--discard-changes", "--force-create"}) ||
                           has_letter(rest, 'f') || has_letter(rest, 'C'));
    }
    if (name == "restore") {
        return destructive(!is_excused(rest, "--staged", 'S', "s", {"--source", "--pathspec-from-file"}) ||
                           may_have(rest, {"--worktree"}) || has_letter(rest, 'W'));
    }
    const std::string second = rest.empty() ? std::string() : rest[0].text;
    if (name == "stash") {
        // -a takes ignored files away, the record among them.
        return destructive(is_one_of(second, {"drop", "clear"}) || may_have(rest, {"--all"}) || has_letter(rest, 'a'));
    }
    if (name == "worktree") {
        return destructive(is_one_of(second, {"remove", "move"}) || (second == "add" && has_letter(rest, 'B')));
    }
    if ((name == "submodule" && has_word(rest, "foreach")) || (name == "bisect" && second == "run")) {
        return ask("git " + name + " " + second + " with a program to run");
    }
    if (is_one_of(name, {"rm", "mv", "submodule"}) && (may_have(rest, {"--force"}) || has_letter(rest, 'f'))) {
        return action("destructive");
    }
    if (name == "gc") {
        return destructive(may_have(rest, {"--prune"}));
    }
    if (name == "reflog") {
        return destructive(is_one_of(second, {"expire", "delete"}));
    }
    if (is_one_of(name, {"update-ref", "filter-branch", "filter-repo", "symbolic-ref", "replace", "prune", "read-tree",
                         "checkout-index"})) {
        return action("destructive");
    }
    return std::find(k_harmless.begin(), k_harmless.end(), name) == k_harmless.end() &&
           ask("git " + name + " may be an alias");
}

bool GitCommand::read()
{
    std::size_t at = 0;
    if (auto why = read_options(at)) {
        return ask(std::move(*why));
    }
    if (at == m_words.size()) {
        return false;
    }
    if (!m_words[at].exact) {
        return ask("a git command that is not plain");
    }
    return read_subcommand(m_words[at].text,
                           Words(m_words.begin() + static_cast<std::ptrdiff_t>(at) + 1, m_words.end()));
}

}  // namespace

bool add_git_intents(const Words& words, const std::string& directory, std::vector<Intent>& out)
{
    return GitCommand(words, directory, out).read();
}

bool add_gh_intents(const Words& words, const std::string& directory, std::vector<Intent>& out)
{
    const std::string noun = words.empty() ? std::string() : words[0].text;
    const std::string verb = words.size() < 2 ? std::string() : words[1].text;
    const auto add = [&](Kind kind, std::string text) {
        out.push_back({kind, std::move(text), directory, {}});
        return true;
    };
    if (noun == "pr" && verb == "create") {
        return add(Kind::action, "open-pr");
    }
    if (noun == "pr" && verb == "merge") {
        return add(Kind::action, "merge");
    }
    const bool known = noun.empty() || noun.starts_with('-') ||
                       is_one_of(noun, {"pr", "issue", "repo", "release", "run", "workflow", "gist", "label"});
    const bool reads = (verb.empty() && known) ||  // any other lone word may be an alias
                       is_one_of(verb, {"list", "view", "status", "checks", "diff", "comment", "checkout", "ready",
                                        "watch", "clone", "download"});
    const bool plain_api = noun == "api" && !may_have(words, {"--method", "--field", "--raw-field", "--input"}) &&
                           !has_letter(words, 'X') && !has_letter(words, 'f') && !has_letter(words, 'F');
    // One's own request, and what is said about it; edit elsewhere changes the repository itself.
    const bool words_only = is_one_of(noun, {"pr", "issue"}) && verb == "edit";
    const bool comments =
        noun == "pr" && verb == "review" && !may_have(words, {"--approve"}) && !has_letter(words, 'a');
    if (plain_api || words_only || comments || (noun != "api" && reads) ||
        is_one_of(noun, {"auth", "search", "help", "version", "browse", "status"})) {
        return false;
    }
    return add(Kind::ask, "gh " + noun + " " + verb + " changes something at the forge");
}

}  // namespace mandate::core
