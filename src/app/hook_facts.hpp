// What a hook looks at before it asks: the refs that git is about to move, and what is staged.
#pragma once

#include "app/place.hpp"
#include "base/error.hpp"
#include "core/hook_policy.hpp"
#include "git/index_probe.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mandate::app {

// stdin of pre-push or reference-transaction, whole and in bounded time; value-invalid when it is none.
Result<std::vector<core::RefMove>> read_ref_moves(core::Hook hook);

// Fills in `forward` where the question turns on it. `common_dir`: "" makes every such push a rewrite.
void complete_push(std::vector<core::RefMove>& moves, const core::Branches& branches, const std::string& common_dir);

// For protected branches `before` from the ref itself, then `forward`. Removing the loose copy of a ref that
// stays in packed-refs (git pack-refs) is no move at all and is dropped.
Result<void> complete_transaction(std::vector<core::RefMove>& moves, const core::Branches& branches,
                                  const std::string& common_dir);

// The repository whose refs a transaction moves: GIT_DIR's where git set it (`git clone` started in a lane moves
// the refs of the clone), else the directory's. "" when neither is one.
std::string refs_directory(const Place* place);

// A record in the index that this commit is made from (GIT_INDEX_FILE; `commit -a` and partial commits have one of
// their own).
struct StagedRecord {
    git::Tracked state = git::Tracked::no;
    std::string name;  // "MANDATE.md" or ".MANDATE.*"
};
StagedRecord find_staged_record(const Place* place);

// Why there is no pre-commit mark: true when git made the newest commit (`commit`) by an operation that runs no
// such hook.
struct NewestCommit {
    std::string id;  // "" when it cannot be told
    bool by_design = false;
};
NewestCommit newest_commit(const Place& place);

}  // namespace mandate::app
