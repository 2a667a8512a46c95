// The change that a commit makes, exactly: for finding the same change under another commit id.
#pragma once

#include "base/error.hpp"
#include "git/repository.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

struct git_commit;
struct git_diff;

namespace mandate::git {

// Changes that are looked for, and which of them were met. Merges never match; a commit that changes nothing
// has nothing to lose and counts as met. Only commits that touch the same files are compared line by line.
class ChangeIndex {
public:
    explicit ChangeIndex(const Repository& repository) : m_repository(repository) {}

    Result<void> want(git_commit* commit);
    Result<void> meet(git_commit* commit);

    [[nodiscard]] std::uint64_t found() const;                     // wanted commits whose change was met, and
    [[nodiscard]] std::uint64_t empty() const { return m_empty; }  // those among them that change nothing at all

private:
    struct Wanted {
        std::uint64_t commits = 0;
        bool met = false;
    };
    struct SameFiles {
        std::vector<std::string> unread;  // ids of wanted commits, raw
        std::map<std::string, Wanted> changes;
    };
    Result<void> read(SameFiles& wanted);

    const Repository& m_repository;
    std::map<std::string, SameFiles> m_by_shape;
    std::uint64_t m_empty = 0;
};

}  // namespace mandate::git
