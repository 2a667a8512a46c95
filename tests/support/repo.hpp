// Scratch directories and git repositories for tests, untouched by the configuration of whoever runs them.
//
// Everything lives in a ScratchDir and goes with it. git runs with an environment of its own: HOME in the
// scratch directory, no system configuration, a fixed identity. A git command that fails throws
// std::runtime_error with all that git printed.
#pragma once

#include "support/process.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::test {

namespace fs = std::filesystem;

// A fresh directory under TMPDIR, real path, removed with all that is in it, read-only directories included.
class ScratchDir {
public:
    ScratchDir();
    ~ScratchDir();
    ScratchDir(const ScratchDir&) = delete;
    ScratchDir& operator=(const ScratchDir&) = delete;
    ScratchDir(ScratchDir&&) = delete;
    ScratchDir& operator=(ScratchDir&&) = delete;

    [[nodiscard]] const fs::path& path() const { return m_path; }

    // HOME and the XDG folders in here, PATH, and nothing of the user's git. Sanitizer options pass.
    [[nodiscard]] Environment environment() const;

private:
    fs::path m_path;
};

// Whole files, as bytes. `write_file` makes the directories above.
std::string read_file(const fs::path& path);
void write_file(const fs::path& path, std::string_view bytes);

// A repository with one commit on `main`, at <scratch>/<name>.
class Repo {
public:
    explicit Repo(const ScratchDir& scratch, const std::string& name = "repo");

    [[nodiscard]] const fs::path& path() const { return m_path; }

    // Runs git in the main worktree, or in `directory`; what it printed, without the last newline.
    std::string git(const std::vector<std::string>& arguments) const;
    std::string git_in(const fs::path& directory, const std::vector<std::string>& arguments) const;

    // A linked worktree at <scratch>/<name> on a new branch of that name.
    [[nodiscard]] fs::path add_worktree(const std::string& name) const;

    // Writes, adds and commits one file in a worktree.
    void commit_file(const fs::path& worktree, const std::string& name, std::string_view content) const;

private:
    const ScratchDir& m_scratch;
    fs::path m_path;
};

}  // namespace mandate::test
