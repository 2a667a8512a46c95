#include "support/repo.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace mandate::test {

namespace {

constexpr std::string_view k_git_config =
    "[user]\n\tname = Test\n\temail = test@example.invalid\n"
    "[init]\n\tdefaultBranch = main\n"
    "[commit]\n\tgpgSign = false\n"
    "[gc]\n\tauto = 0\n"
    "[maintenance]\n\tauto = false\n";

std::string trim_newline(std::string text)
{
    if (!text.empty() && text.back() == '\n') {
        text.pop_back();
    }
    return text;
}

}  // namespace

ScratchDir::ScratchDir()
{
    std::string name = (fs::temp_directory_path() / "mandate-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("cannot make a directory like '" + name + "'");
    }
    m_path = fs::canonical(name);
    write_file(m_path / "home/.gitconfig", k_git_config);
}

ScratchDir::~ScratchDir()
{
    std::error_code ignored;
    fs::permissions(m_path, fs::perms::owner_all, fs::perm_options::add, ignored);
    for (fs::recursive_directory_iterator entry(m_path, ignored), end; entry != end; entry.increment(ignored)) {
        if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
            fs::permissions(entry->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
        }
    }
    fs::remove_all(m_path, ignored);
}

Environment ScratchDir::environment() const
{
    const std::string home = (m_path / "home").string();
    Environment environment{
        {"HOME", home},
        {"XDG_CONFIG_HOME", home + "/.config"},
        {"XDG_CACHE_HOME", home + "/.cache"},
        {"XDG_DATA_HOME", home + "/.local/share"},
        {"XDG_STATE_HOME", home + "/.local/state"},
        {"GIT_CONFIG_NOSYSTEM", "1"},
        {"LC_ALL", "C"},
        {"TZ", "UTC"},
    };
    for (const char* name : {"PATH", "TMPDIR", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS"}) {
        if (const char* value = std::getenv(name)) {
            environment.emplace(name, value);
        }
    }
    return environment;
}

std::string read_file(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw std::runtime_error("cannot read '" + path.string() + "'");
    }
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

void write_file(const fs::path& path, std::string_view bytes)
{
    fs::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) {
        throw std::runtime_error("cannot write '" + path.string() + "'");
    }
}

Repo::Repo(const ScratchDir& scratch, const std::string& name) : m_scratch(scratch), m_path(scratch.path() / name)
{
    fs::create_directories(m_path);
    git({"init", "--quiet"});
    commit_file(m_path, "README", "scratch\n");
}

std::string Repo::git(const std::vector<std::string>& arguments) const { return git_in(m_path, arguments); }

std::string Repo::git_in(const fs::path& directory, const std::vector<std::string>& arguments) const
{
    Command command;
    command.arguments = {"git"};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.environment = m_scratch.environment();
    command.directory = directory.string();
    const Outcome outcome = run(command);
    if (!outcome.succeeded()) {
        std::ostringstream message;
        message << "git";
        for (const std::string& argument : arguments) {
            message << ' ' << argument;
        }
        message << " in '" << directory.string() << "': " << outcome;
        throw std::runtime_error(message.str());
    }
    return trim_newline(outcome.out);
}

fs::path Repo::add_worktree(const std::string& name) const
{
    fs::path path = m_scratch.path() / name;
    git({"worktree", "add", "--quiet", "-b", name, path.string()});
    return path;
}

void Repo::commit_file(const fs::path& worktree, const std::string& name, std::string_view content) const
{
    write_file(worktree / name, content);
    git_in(worktree, {"add", "--", name});
    git_in(worktree, {"commit", "--quiet", "--message", "Add " + name});
}

}  // namespace mandate::test
