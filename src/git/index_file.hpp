// The whole of git's index as plain values: versions 2 to 4, split and sparse ones included, which libgit2
// refuses. For close-check, which must see every entry with its flags taken for what they are: hints to git
// not to look, and no reason for this program not to.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::git {

// An entry's type, in the upper bits of its mode.
constexpr std::uint32_t k_type_mask = 0170000;
constexpr std::uint32_t k_regular_file = 0100000;
constexpr std::uint32_t k_symlink = 0120000;
constexpr std::uint32_t k_gitlink = 0160000;           // a submodule
constexpr std::uint32_t k_sparse_directory = 0040000;  // a directory outside of the sparse checkout, as one entry

struct IndexFileEntry {
    std::string name;  // a sparse directory's ends with a slash
    std::array<char, 20> id{};
    // As lstat(2) found the file when git last knew it to be what the id says; the low 32 bits each.
    std::uint32_t changed_s = 0, changed_ns = 0, modified_s = 0, modified_ns = 0;
    std::uint32_t device = 0, inode = 0, mode = 0, uid = 0, gid = 0, size = 0;
    unsigned stage = 0;
    bool skip_worktree = false;
    bool intent_to_add = false;

    [[nodiscard]] std::string_view id_bytes() const { return {id.data(), id.size()}; }
    [[nodiscard]] std::uint32_t type() const { return mode & k_type_mask; }
};

struct IndexFile {
    std::vector<IndexFileEntry> entries;  // by name, then stage
    std::string tree_id;  // 20 bytes: the tree that these entries would make, "" where git does not know
};

// Nothing where the bytes are no index, are damaged, or need something that is not understood. `shared_index`
// gives the bytes of sharedindex.<id>, nothing where there are none.
std::optional<IndexFile> read_index_file(
    std::string_view bytes, const std::function<std::optional<std::string_view>(const std::string& id)>& shared_index);

}  // namespace mandate::git
