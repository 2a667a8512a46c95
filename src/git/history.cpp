#include "git/history.hpp"

#include "git/handles.hpp"
#include "git/library.hpp"
#include "git/parents.hpp"

#include <set>
#include <vector>

namespace mandate::git {

namespace {

bool is_shallow(const Repository& repository) { return git_repository_is_shallow(repository.handle()) == 1; }

// What stands in the way of an answer about history: libgit2's own words, and in a shallow clone the likely cause.
Error cut_off(const Repository& repository, const std::string& what)
{
    Error error = last_error(Code::repository_broken, what);
    if (is_shallow(repository)) {
        error.message = what + ": the clone is shallow";
        error.hint = "git fetch --unshallow";
    }
    return error;
}

Result<git_oid> parse_id(const std::string& hex)
{
    git_oid id;
    if (hex.size() != GIT_OID_HEXSZ || git_oid_fromstr(&id, hex.c_str()) != 0) {
        git_error_clear();
        return fail(Code::repository_broken, "'" + hex + "' is no commit id of this repository");
    }
    return id;
}

CommitHandle look_up(const Repository& repository, const git_oid& id)
{
    git_commit* raw = nullptr;
    if (git_commit_lookup(&raw, repository.handle(), &id) != 0) {
        git_error_clear();
        return nullptr;
    }
    return CommitHandle(raw);
}

struct Less {
    bool operator()(const git_oid& a, const git_oid& b) const { return git_oid_cmp(&a, &b) < 0; }
};

// What the commits that are here lead to, themselves and parents that are not here included.
class Reachable {
public:
    explicit Reachable(const Repository& repository) : m_repository(repository) {}

    [[nodiscard]] bool contains(const git_oid& id) const { return m_seen.contains(id); }

    // Adds what is not contained yet. No: a commit on the way is not here.
    bool add(const git_oid& tip)
    {
        bool whole = true;
        std::vector<git_oid> open{tip};
        while (!open.empty()) {
            const git_oid id = open.back();
            open.pop_back();
            if (!m_seen.insert(id).second) {
                continue;
            }
            const CommitHandle commit = look_up(m_repository, id);
            whole = whole && commit;
            const auto parents = commit ? parents_of(commit.get()) : std::vector<git_oid>();
            open.insert(open.end(), parents.begin(), parents.end());
        }
        return whole;
    }

private:
    const Repository& m_repository;
    std::set<git_oid, Less> m_seen;
};

// libgit2 gives up where a walk meets the edge of a shallow clone, also when the answer lies this side of it, or takes
// the edge for the beginning. Whatever is found among the commits that are here is certain.
bool found_among_present(const Repository& repository, const git_oid& tip, const git_oid& wanted)
{
    Reachable reachable(repository);
    reachable.add(tip);
    return reachable.contains(wanted);
}

// A base is the nearest one only if all is here that leads to `a` and `b` and not to the base.
bool is_certain_base(const Repository& repository, const git_oid& base, const git_oid& a, const git_oid& b)
{
    Reachable reachable(repository);
    reachable.add(base);
    return reachable.add(a) && reachable.add(b);
}

// The line of first parents from a commit down, read as far as somebody asks.
class FirstParents {
public:
    FirstParents(const Repository& repository, const git_oid& tip) : m_repository(repository), m_line{tip} {}

    [[nodiscard]] const git_oid& at(std::size_t index) const { return m_line[index]; }
    [[nodiscard]] std::size_t size() const { return m_line.size(); }

    // No: the line ends before.
    Result<bool> reach(std::size_t index)
    {
        while (m_line.size() <= index) {
            const CommitHandle last = look_up(m_repository, m_line.back());
            if (!last) {
                return fail(cut_off(m_repository, "the commit " + hex_of(m_line.back()) + " is not here"));
            }
            const auto parents = parents_of(last.get());
            if (parents.empty()) {
                return false;
            }
            m_line.push_back(parents.front());
        }
        return true;
    }

private:
    const Repository& m_repository;
    std::vector<git_oid> m_line;
};

Result<bool> holds(const Repository& repository, const git_oid& tip, const git_oid& commit)
{
    if (same_id(tip, commit)) {
        return true;
    }
    const int answer = git_graph_descendant_of(repository.handle(), &tip, &commit);
    if (answer == 1 || (answer == 0 && !is_shallow(repository))) {
        return answer == 1;
    }
    Error error =
        cut_off(repository, "the history between " + hex_of(tip) + " and " + hex_of(commit) + " is not all here");
    if (found_among_present(repository, tip, commit)) {
        return true;
    }
    return fail(std::move(error));
}

}  // namespace

Result<std::string> find_commit(const Repository& repository, const std::string& id)
{
    git_oid prefix;
    git_commit* raw = nullptr;
    if (id.size() > GIT_OID_HEXSZ || git_oid_fromstrn(&prefix, id.data(), id.size()) != 0 ||
        git_commit_lookup_prefix(&raw, repository.handle(), &prefix, id.size()) != 0) {
        return fail(cut_off(repository, "the commit " + id + " is not here"));
    }
    const CommitHandle commit(raw);
    return hex_of(*git_commit_id(commit.get()));
}

Result<bool> holds(const Repository& repository, const std::string& tip, const std::string& commit)
{
    const auto tip_id = parse_id(tip);
    const auto commit_id = parse_id(commit);
    if (!tip_id || !commit_id) {
        return fail(tip_id ? commit_id.error() : tip_id.error());
    }
    return holds(repository, *tip_id, *commit_id);
}

Result<std::string> merge_base(const Repository& repository, const std::string& a, const std::string& b)
{
    const auto a_id = parse_id(a);
    const auto b_id = parse_id(b);
    if (!a_id || !b_id) {
        return fail(a_id ? b_id.error() : a_id.error());
    }
    git_oidarray bases{};
    const int status = git_merge_bases(&bases, repository.handle(), &*a_id, &*b_id);
    if (status != 0) {
        Error error = cut_off(repository, "the commit where " + a + " and " + b + " parted is not here");
        if (status == GIT_ENOTFOUND && !is_shallow(repository)) {
            error.message = a + " and " + b + " have no history in common";
        }
        return fail(std::move(error));
    }
    const std::size_t count = bases.count;
    const git_oid first = bases.ids[0];
    git_oidarray_dispose(&bases);
    if (is_shallow(repository) && !is_certain_base(repository, first, *a_id, *b_id)) {
        return fail(cut_off(repository, "the commit where " + a + " and " + b + " parted may not be here"));
    }
    if (count != 1) {
        return fail(Code::repository_broken,
                    a + " and " + b + " were merged in both directions, so they have no single base");
    }
    return hex_of(first);
}

Result<std::optional<std::string>> before_merge_of(const Repository& repository, const std::string& tip,
                                                   const std::string& commit)
{
    const auto tip_id = parse_id(tip);
    const auto commit_id = parse_id(commit);
    if (!tip_id || !commit_id) {
        return fail(tip_id ? commit_id.error() : tip_id.error());
    }
    // Along the line the answer changes once, from holding to lacking: look ahead in growing steps, then halve.
    FirstParents line(repository, *tip_id);
    const auto holds_at = [&](std::size_t index) -> Result<bool> {
        const auto reached = line.reach(index);
        return reached && *reached ? holds(repository, line.at(index), *commit_id) : reached;
    };
    std::size_t holding = 0;
    std::size_t lacking = 1;
    for (auto held = holds_at(lacking); !held || *held; held = holds_at(lacking)) {
        if (!held) {
            return fail(std::move(held.error()));
        }
        holding = lacking;
        lacking *= 2;
    }
    while (lacking - holding > 1) {
        const std::size_t middle = holding + (lacking - holding) / 2;
        const auto held = holds_at(middle);
        if (!held) {
            return fail(held.error());
        }
        (*held ? holding : lacking) = middle;
    }
    // Where the line itself brought the commit in, or ends, there was no merge.
    if (same_id(line.at(holding), *commit_id) || lacking >= line.size()) {
        return std::nullopt;
    }
    return hex_of(line.at(lacking));
}

Result<std::optional<std::string>> before_in_reflog(const Repository& repository, const std::string& ref,
                                                    const std::string& commit)
{
    const auto commit_id = parse_id(commit);
    if (!commit_id) {
        return fail(commit_id.error());
    }
    // libgit2 creates a reflog that it is asked to read and does not find.
    if (ref.empty() || git_reference_has_log(repository.handle(), ref.c_str()) != 1) {
        git_error_clear();
        return std::nullopt;
    }
    git_reflog* raw = nullptr;
    if (git_reflog_read(&raw, repository.handle(), ref.c_str()) != 0) {
        return fail(last_error(Code::repository_broken, "the reflog of '" + ref + "' cannot be read"));
    }
    const ReflogHandle log(raw);
    for (std::size_t i = 0; i < git_reflog_entrycount(log.get()); ++i) {
        const git_oid old = *git_reflog_entry_id_old(git_reflog_entry_byindex(log.get(), i));
        if (git_oid_is_zero(&old) != 0) {
            break;
        }
        const auto held = holds(repository, old, *commit_id);
        if (!held) {
            return fail(held.error());
        }
        if (!*held) {
            return hex_of(old);
        }
    }
    return std::nullopt;
}

}  // namespace mandate::git
