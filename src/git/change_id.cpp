#include "git/change_id.hpp"

#include "git/handles.hpp"
#include "git/library.hpp"
#include "git/parents.hpp"

#include <optional>

namespace mandate::git {

namespace {

using DiffHandle = Handle<git_diff, git_diff_free>;

Unexpected broken() { return fail(last_error(Code::repository_broken, "a commit's change cannot be read")); }

Result<DiffHandle> change_of(const Repository& repository, git_commit* commit)
{
    git_tree* raw = nullptr;
    if (git_commit_tree(&raw, commit) != 0) {
        return broken();
    }
    const TreeHandle tree(raw);
    TreeHandle parent_tree;
    if (const auto parents = parents_of(commit); !parents.empty()) {
        git_commit* parent = nullptr;
        if (git_commit_lookup(&parent, repository.handle(), &parents.front()) != 0) {
            return broken();
        }
        const int status = git_commit_tree(&raw, parent);
        git_commit_free(parent);
        if (status != 0) {
            return broken();
        }
        parent_tree.reset(raw);
    }
    git_diff* diff = nullptr;
    git_diff_options options = GIT_DIFF_OPTIONS_INIT;
    options.flags = GIT_DIFF_INCLUDE_TYPECHANGE;
    if (git_diff_tree_to_tree(&diff, repository.handle(), parent_tree.get(), tree.get(), &options) != 0) {
        return broken();
    }
    return DiffHandle(diff);
}

void add_number(std::string& text, std::uint64_t number) { text += std::to_string(number) + '\0'; }

// Which files, and from what mode to what.
std::string shape_of(const git_diff* diff)
{
    std::string shape;
    for (std::size_t i = 0; i < git_diff_num_deltas(diff); ++i) {
        const git_diff_delta* delta = git_diff_get_delta(diff, i);
        shape += std::string(delta->old_file.path) + '\0' + delta->new_file.path + '\0';
        add_number(shape, delta->old_file.mode);
        add_number(shape, delta->new_file.mode);
    }
    return shape;
}

std::string_view bytes_of(const git_oid& id) { return {reinterpret_cast<const char*>(id.id), GIT_OID_RAWSZ}; }

int add_file(const git_diff_delta* delta, float /*progress*/, void* payload)
{
    auto& change = *static_cast<std::string*>(payload);
    change += "file\n";
    const bool no_text = (delta->flags & GIT_DIFF_FLAG_BINARY) != 0 || delta->old_file.mode == GIT_FILEMODE_COMMIT ||
                         delta->new_file.mode == GIT_FILEMODE_COMMIT;
    if (no_text) {
        change.append(bytes_of(delta->old_file.id)).append(bytes_of(delta->new_file.id));
    }
    return 0;
}

// Called before anything says whether the file is text; what is not, is named by its blobs.
int add_binary(const git_diff_delta* delta, const git_diff_binary* /*binary*/, void* payload)
{
    auto& change = *static_cast<std::string*>(payload);
    change += "binary\n";
    change.append(bytes_of(delta->old_file.id)).append(bytes_of(delta->new_file.id));
    return 0;
}

int add_hunk(const git_diff_delta* /*delta*/, const git_diff_hunk* hunk, void* payload)
{
    auto& change = *static_cast<std::string*>(payload);
    change += "hunk\n";  // where it stands may differ: other commits came in between
    add_number(change, static_cast<std::uint64_t>(hunk->old_lines));
    add_number(change, static_cast<std::uint64_t>(hunk->new_lines));
    return 0;
}

int add_line(const git_diff_delta* /*delta*/, const git_diff_hunk* /*hunk*/, const git_diff_line* line, void* payload)
{
    auto& change = *static_cast<std::string*>(payload);
    change += line->origin;
    add_number(change, line->content_len);
    change.append(line->content, line->content_len);
    return 0;
}

std::optional<std::string> exact_change(git_diff* diff)
{
    std::string change;
    if (git_diff_foreach(diff, add_file, add_binary, add_hunk, add_line, &change) != 0) {
        return std::nullopt;
    }
    return blob_id(change);
}

}  // namespace

Result<void> ChangeIndex::want(git_commit* commit)
{
    if (parents_of(commit).size() > 1) {
        return {};
    }
    const auto diff = change_of(m_repository, commit);
    if (!diff) {
        return fail(diff.error());
    }
    if (git_diff_num_deltas(diff->get()) == 0) {
        ++m_empty;
        return {};
    }
    m_by_shape[shape_of(diff->get())].unread.emplace_back(bytes_of(*git_commit_id(commit)));
    return {};
}

// Line by line only now that another commit touches the same files: libgit2 asks for the attributes of each file, which
// makes a commit of many files slow.
Result<void> ChangeIndex::read(SameFiles& wanted)
{
    for (const std::string& bytes : wanted.unread) {
        git_oid id;
        git_commit* raw = nullptr;
        git_oid_fromraw(&id, reinterpret_cast<const unsigned char*>(bytes.data()));
        if (git_commit_lookup(&raw, m_repository.handle(), &id) != 0) {
            return broken();
        }
        const CommitHandle commit(raw);
        const auto diff = change_of(m_repository, commit.get());
        const auto change = diff ? exact_change(diff->get()) : std::nullopt;
        if (!change) {
            return diff ? Result<void>(broken()) : fail(diff.error());
        }
        ++wanted.changes[*change].commits;
    }
    wanted.unread.clear();
    return {};
}

Result<void> ChangeIndex::meet(git_commit* commit)
{
    if (m_by_shape.empty() || parents_of(commit).size() > 1) {
        return {};
    }
    const auto diff = change_of(m_repository, commit);
    if (!diff) {
        return fail(diff.error());
    }
    const auto shape = m_by_shape.find(shape_of(diff->get()));
    if (shape == m_by_shape.end()) {
        return {};
    }
    if (auto done = read(shape->second); !done) {
        return done;
    }
    const auto change = exact_change(diff->get());
    if (!change) {
        return broken();
    }
    auto& changes = shape->second.changes;
    if (const auto wanted = changes.find(*change); wanted != changes.end()) {
        wanted->second.met = true;
    }
    return {};
}

std::uint64_t ChangeIndex::found() const
{
    std::uint64_t count = m_empty;
    for (const auto& [shape, same_files] : m_by_shape) {
        for (const auto& [change, wanted] : same_files.changes) {
            count += wanted.met ? wanted.commits : 0;
        }
    }
    return count;
}

}  // namespace mandate::git
