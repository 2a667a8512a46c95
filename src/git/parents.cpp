#include "git/parents.hpp"

#include <string_view>

namespace mandate::git {

std::vector<git_oid> parents_of(const git_commit* commit)
{
    // "tree ID", then a "parent ID" a line; libgit2 has parsed them before.
    constexpr std::string_view k_mark = "parent ";
    std::vector<git_oid> parents;
    std::string_view header = git_commit_raw_header(commit);
    while (!header.empty()) {
        const std::string_view line = header.substr(0, header.find('\n'));
        git_oid id;
        if (line.size() == k_mark.size() + GIT_OID_HEXSZ && line.starts_with(k_mark) &&
            git_oid_fromstrn(&id, line.data() + k_mark.size(), GIT_OID_HEXSZ) == 0) {
            parents.push_back(id);
        } else if (!line.starts_with("tree ")) {
            break;
        }
        header.remove_prefix(line.size() < header.size() ? line.size() + 1 : header.size());
    }
    return parents;
}

bool is_cut_off(const git_commit* commit) { return parents_of(commit).size() != git_commit_parentcount(commit); }

}  // namespace mandate::git
