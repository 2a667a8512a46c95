#include "git/staged.hpp"

#include "git/handles.hpp"
#include "git/library.hpp"

#include <string_view>

namespace mandate::git {

namespace {

using Report = std::function<void(const std::string&, const std::string&)>;

std::string_view bytes_of(const git_oid& id) { return {reinterpret_cast<const char*>(id.id), GIT_OID_RAWSZ}; }

// Walks a tree and the index side by side. Both are sorted by bytes, a directory's name with a slash behind it.
class Comparison {
public:
    Comparison(git_repository* repository, const IndexFile& index, const Report& report)
        : m_repository(repository), m_index(index), m_report(report)
    {
    }

    Result<void> compare(const git_tree* tree, const std::string& prefix)
    {
        const std::size_t count = git_tree_entrycount(tree);
        for (std::size_t i = 0; i < count; ++i) {
            const git_tree_entry* entry = git_tree_entry_byindex(tree, i);
            const bool directory = git_tree_entry_type(entry) == GIT_OBJECT_TREE;
            const std::string path = prefix + git_tree_entry_name(entry) + (directory ? "/" : "");
            add_before(path);
            auto compared = directory ? compare_directory(entry, path) : compare_file(entry, path);
            if (!compared) {
                return compared;
            }
        }
        return {};
    }

    void add_rest()
    {
        while (m_at < m_index.entries.size()) {
            add_one();
        }
    }

private:
    void add_before(const std::string& path)
    {
        while (m_at < m_index.entries.size() && m_index.entries[m_at].name < path) {
            add_one();
        }
    }

    // All stages of one name.
    void add_one()
    {
        take([this](const IndexFileEntry& entry) { m_report(entry.intent_to_add ? "added" : "staged", entry.name); });
    }

    template<typename Judge>
    void take(Judge judge)
    {
        const IndexFileEntry& entry = m_index.entries[m_at];
        if (entry.stage > 0) {
            m_report("conflicted", entry.name);
        } else {
            judge(entry);
        }
        for (++m_at; m_at < m_index.entries.size() && m_index.entries[m_at].name == entry.name; ++m_at) {
        }
    }

    Result<void> compare_directory(const git_tree_entry* entry, const std::string& path)
    {
        const bool reached = m_at < m_index.entries.size();
        if (reached && m_index.entries[m_at].name == path) {
            take([&](const IndexFileEntry& sparse) {
                if (sparse.id_bytes() != bytes_of(*git_tree_entry_id(entry))) {
                    m_report("staged", path);
                }
            });
            return {};
        }
        if (!reached || !m_index.entries[m_at].name.starts_with(path)) {
            m_report("staged", path);  // deleted with all that was in it
            return {};
        }
        git_tree* raw = nullptr;
        if (git_tree_lookup(&raw, m_repository, git_tree_entry_id(entry)) != 0) {
            return fail(last_error(Code::repository_broken, "a tree of HEAD cannot be read"));
        }
        const TreeHandle tree(raw);
        return compare(tree.get(), path);
    }

    Result<void> compare_file(const git_tree_entry* entry, const std::string& path)
    {
        if (m_at >= m_index.entries.size() || m_index.entries[m_at].name != path) {
            m_report("staged", path);
            return {};
        }
        take([&](const IndexFileEntry& own) {
            if (own.id_bytes() != bytes_of(*git_tree_entry_id(entry)) ||
                own.mode != static_cast<std::uint32_t>(git_tree_entry_filemode(entry))) {
                m_report("staged", path);
            }
        });
        return {};
    }

    git_repository* m_repository;
    const IndexFile& m_index;
    const Report& m_report;
    std::size_t m_at = 0;
};

}  // namespace

Result<void> compare_index_with_commit(const Repository& repository, const std::string& commit, const IndexFile& index,
                                       const Report& report)
{
    Comparison comparison(repository.handle(), index, report);
    if (!commit.empty()) {
        git_oid id;
        git_commit* raw_commit = nullptr;
        git_tree* raw = nullptr;
        if (git_oid_fromstr(&id, commit.c_str()) != 0 ||
            git_commit_lookup(&raw_commit, repository.handle(), &id) != 0) {
            return fail(last_error(Code::repository_broken, "the commit at HEAD cannot be read"));
        }
        const CommitHandle held(raw_commit);
        // git keeps in the index which tree its entries make, as long as nothing was staged since.
        if (index.tree_id == bytes_of(*git_commit_tree_id(raw_commit))) {
            return {};
        }
        if (git_commit_tree(&raw, raw_commit) != 0) {
            return fail(last_error(Code::repository_broken, "the tree of HEAD cannot be read"));
        }
        const TreeHandle tree(raw);
        if (auto compared = comparison.compare(tree.get(), ""); !compared) {
            return compared;
        }
    }
    comparison.add_rest();
    return {};
}

std::string blob_id_of_file(const Repository& repository, const std::string& path)
{
    git_oid id;
    if (git_repository_hashfile(&id, repository.handle(), path.c_str(), GIT_OBJECT_BLOB, nullptr) != 0) {
        git_error_clear();
        return {};
    }
    return std::string(bytes_of(id));
}

}  // namespace mandate::git
