// libgit2's objects as values that free themselves, and ids as text. For the .cpp files of this layer only.
#pragma once

#include <array>
#include <git2.h>
#include <memory>
#include <string>

namespace mandate::git {

template<typename T, void (*free_object)(T*)>
struct Freed {
    void operator()(T* object) const { free_object(object); }
};

template<typename T, void (*free_object)(T*)>
using Handle = std::unique_ptr<T, Freed<T, free_object>>;

using CommitHandle = Handle<git_commit, git_commit_free>;
using TreeHandle = Handle<git_tree, git_tree_free>;
using BlobHandle = Handle<git_blob, git_blob_free>;
using ReferenceHandle = Handle<git_reference, git_reference_free>;
using ReflogHandle = Handle<git_reflog, git_reflog_free>;

inline std::string hex_of(const git_oid& id)
{
    std::array<char, GIT_OID_HEXSZ + 1> text{};
    git_oid_tostr(text.data(), text.size(), &id);
    return text.data();
}

inline bool same_id(const git_oid& a, const git_oid& b) { return git_oid_equal(&a, &b) != 0; }

}  // namespace mandate::git
