// What is staged: the index held against the tree of HEAD.
#pragma once

#include "base/error.hpp"
#include "git/index_file.hpp"
#include "git/repository.hpp"

#include <functional>
#include <string>

namespace mandate::git {

// Calls `report` for every path that the index holds otherwise than the tree of `commit` ("" for an unborn
// branch), in the index's order; conflicted ones once. Fails with repository-broken.
Result<void> compare_index_with_commit(
    const Repository& repository, const std::string& commit, const IndexFile& index,
    const std::function<void(const std::string& what, const std::string& path)>& report);

// 20 bytes: the id of the blob that git would store for the file `path` of the worktree, filters applied.
// `path` is relative to the worktree and no FIFO. Nothing where it cannot be read.
std::string blob_id_of_file(const Repository& repository, const std::string& path);

}  // namespace mandate::git
