#include "git/transplant.hpp"

#include "git/handles.hpp"
#include "git/library.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace mandate::git {

namespace {

constexpr int k_deepest = 1000;                           // directories in one another; git's own limit is near
constexpr git_object_size_t k_largest_file = 64U << 20U;  // bytes of a file that both sides changed
constexpr unsigned int k_kind = 0170000;                  // the bits of a mode that say what it is
constexpr unsigned int k_regular = 0100000;

struct Id : git_oid {
    bool operator==(const Id& other) const { return same_id(*this, other); }
};

// What stands under one name in one tree; mode 0: nothing.
struct Entry {
    Id id{};
    unsigned int mode = 0;

    bool operator==(const Entry& other) const { return mode == other.mode && (mode == 0 || id == other.id); }
    [[nodiscard]] bool is_tree_or_nothing() const { return mode == 0 || mode == GIT_FILEMODE_TREE; }
    [[nodiscard]] bool is_file() const { return (mode & k_kind) == k_regular; }
};

enum Side : std::size_t { old_base, reviewed, new_base, head };
constexpr std::size_t k_sides = 4;
using Entries = std::array<Entry, k_sides>;

// The three-way rule: the side that moved wins, and both may move alike. Nothing where it takes a look inside.
template<typename T>
const T* moved(const T& base, const T& ours, const T& theirs)
{
    if (ours == base || ours == theirs) {
        return &theirs;
    }
    return theirs == base ? &ours : nullptr;
}

class Comparison {
public:
    explicit Comparison(const Repository& repository) : m_repository(repository.handle()) {}

    Result<bool> same(const Entries& at, int depth)
    {
        if (const Entry* expected = moved(at[old_base], at[new_base], at[reviewed])) {
            return at[head] == *expected;
        }
        if (std::all_of(at.begin(), at.end(), [](const Entry& entry) { return entry.is_tree_or_nothing(); })) {
            return same_trees(at, depth);
        }
        if (std::all_of(at.begin(), at.end(), [](const Entry& entry) { return entry.is_file(); })) {
            return same_files(at);
        }
        return false;
    }

private:
    Result<bool> same_trees(const Entries& at, int depth)
    {
        if (depth >= k_deepest) {
            return fail(Code::repository_broken, "directories are nested too deeply to compare");
        }
        std::map<std::string, Entries, std::less<>> names;
        for (std::size_t side = 0; side < k_sides; ++side) {
            if (at[side].mode == 0) {
                continue;
            }
            git_tree* raw = nullptr;
            if (git_tree_lookup(&raw, m_repository, &at[side].id) != 0) {
                return fail(last_error(Code::repository_broken, "a directory cannot be compared"));
            }
            const TreeHandle tree(raw);
            for (std::size_t i = 0; i < git_tree_entrycount(tree.get()); ++i) {
                const git_tree_entry* entry = git_tree_entry_byindex(tree.get(), i);
                Entry& known = names[git_tree_entry_name(entry)][side];
                if (known.mode != 0) {
                    return fail(Code::repository_broken, "a directory holds a name twice");
                }
                known = {{*git_tree_entry_id(entry)}, static_cast<unsigned int>(git_tree_entry_filemode_raw(entry))};
            }
        }
        for (const auto& [name, entries] : names) {
            if (auto compared = same(entries, depth + 1); !compared || !*compared) {
                return compared;
            }
        }
        return true;
    }

    // Mode and content move on their own: one side may make a file executable while the other edits it.
    Result<bool> same_files(const Entries& at)
    {
        const unsigned int* mode = moved(at[old_base].mode, at[new_base].mode, at[reviewed].mode);
        if (mode == nullptr || *mode != at[head].mode) {
            return false;
        }
        if (const Id* id = moved(at[old_base].id, at[new_base].id, at[reviewed].id)) {
            return *id == at[head].id;
        }
        std::array<BlobHandle, k_sides> blobs;
        for (std::size_t side = 0; side < k_sides; ++side) {
            git_blob* raw = nullptr;
            if (git_blob_lookup(&raw, m_repository, &at[side].id) != 0) {
                return fail(last_error(Code::repository_broken, "a file cannot be compared"));
            }
            blobs[side].reset(raw);
            if (git_blob_rawsize(raw) > k_largest_file) {
                return fail(Code::repository_broken, "a file that both sides changed is too large to compare");
            }
        }
        return merged_is_head(blobs);
    }

    static Result<bool> merged_is_head(const std::array<BlobHandle, k_sides>& blobs)
    {
        const auto input = [&](Side side) {
            git_merge_file_input file = GIT_MERGE_FILE_INPUT_INIT;
            file.ptr = static_cast<const char*>(git_blob_rawcontent(blobs[side].get()));
            file.size = git_blob_rawsize(blobs[side].get());
            return file;
        };
        const git_merge_file_input base = input(old_base);
        const git_merge_file_input ours = input(new_base);
        const git_merge_file_input theirs = input(reviewed);
        git_merge_file_result merged{};
        if (git_merge_file(&merged, &base, &ours, &theirs, nullptr) != 0) {
            return fail(last_error(Code::repository_broken, "a file cannot be compared"));
        }
        const git_merge_file_input expected = input(head);
        const bool same = merged.automergeable != 0 &&
                          std::string_view(merged.ptr, merged.len) == std::string_view(expected.ptr, expected.size);
        git_merge_file_result_free(&merged);
        return same;
    }

    git_repository* m_repository;
};

}  // namespace

Result<bool> is_transplant(const Repository& repository, const Transplant& trees)
{
    Entries root;
    const std::array<const std::string*, k_sides> ids{&trees.old_base, &trees.reviewed, &trees.new_base, &trees.head};
    for (std::size_t side = 0; side < k_sides; ++side) {
        if (git_oid_fromstr(&root[side].id, ids[side]->c_str()) != 0) {
            return fail(last_error(Code::repository_broken, "'" + *ids[side] + "' is no tree"));
        }
        root[side].mode = GIT_FILEMODE_TREE;
    }
    return Comparison(repository).same(root, 0);
}

}  // namespace mandate::git
