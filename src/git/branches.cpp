#include "git/branches.hpp"

#include "git/handles.hpp"
#include "git/library.hpp"

#include <algorithm>
#include <vector>

namespace mandate::git {

namespace {

ReferenceHandle look_up(const Repository& repository, const std::string& ref)
{
    git_reference* raw = nullptr;
    if (git_reference_lookup(&raw, repository.handle(), ref.c_str()) != 0) {
        git_error_clear();
        return nullptr;
    }
    return ReferenceHandle(raw);
}

// The branch behind `ref`, through symbolic ones; nothing when there is none.
std::optional<Tip> tip_of(const Repository& repository, const std::string& ref)
{
    const ReferenceHandle named = look_up(repository, ref);
    git_reference* raw = nullptr;
    if (!named || git_reference_resolve(&raw, named.get()) != 0) {
        git_error_clear();
        return std::nullopt;
    }
    const ReferenceHandle direct(raw);
    git_object* peeled = nullptr;
    if (git_reference_peel(&peeled, direct.get(), GIT_OBJECT_COMMIT) != 0) {
        git_error_clear();
        return std::nullopt;
    }
    const Handle<git_object, git_object_free> commit(peeled);
    return Tip{git_reference_shorthand(direct.get()), git_reference_name(direct.get()),
               hex_of(*git_object_id(commit.get()))};
}

std::vector<std::string> remotes_of(const Repository& repository, const std::string& branch)
{
    std::vector<std::string> remotes;
    if (!branch.empty()) {
        // Of "." (this repository) and of a URL nothing is found, which is right.
        if (const auto own = repository.config_string("branch." + branch + ".remote")) {
            remotes.push_back(*own);
        }
    }
    if (std::find(remotes.begin(), remotes.end(), "origin") == remotes.end()) {
        remotes.emplace_back("origin");
    }
    return remotes;
}

}  // namespace

Result<Tip> upstream_of(const Repository& repository, const std::string& branch)
{
    const std::string quoted = "the branch '" + branch + "'";
    const std::string ref = "refs/heads/" + branch;
    git_buf name = GIT_BUF_INIT;
    const int status = git_branch_upstream_name(&name, repository.handle(), ref.c_str());
    const std::string upstream = status == 0 ? std::string(name.ptr, name.size) : std::string();
    git_buf_dispose(&name);
    if (status == GIT_ENOTFOUND) {
        git_error_clear();
        return fail(Code::repository_broken, quoted + " has no upstream", "git push --set-upstream");
    }
    if (status != 0) {
        return fail(last_error(Code::repository_broken, "the upstream of " + quoted + " cannot be read"));
    }
    auto tip = tip_of(repository, upstream);
    if (!tip) {
        return fail(Code::repository_broken, "the upstream of " + quoted + ", " + upstream + ", is not here",
                    "git fetch, or push the branch");
    }
    return std::move(*tip);
}

Result<Tip> integration_branch(const Repository& repository, const std::string& branch)
{
    const std::vector<std::string> remotes = remotes_of(repository, branch);
    std::vector<std::string> refs;
    refs.reserve(remotes.size());
    for (const std::string& remote : remotes) {
        refs.push_back("refs/remotes/" + remote + "/HEAD");
    }
    for (const char* name : {"main", "master"}) {
        refs.push_back(std::string("refs/heads/") + name);
        for (const std::string& remote : remotes) {
            refs.push_back("refs/remotes/" + remote + "/" + name);
        }
    }
    for (const std::string& ref : refs) {
        if (auto tip = tip_of(repository, ref)) {
            return std::move(*tip);
        }
    }
    return fail(Code::repository_broken, "there is no integration branch (the remote's HEAD, main or master)",
                "name one: --into REF");
}

Result<Tip> named_tip(const Repository& repository, const std::string& revision)
{
    auto commit = repository.resolve_commit(revision);
    if (!commit) {
        return fail(std::move(commit.error()));
    }
    git_reference* raw = nullptr;
    if (git_reference_dwim(&raw, repository.handle(), revision.c_str()) != 0) {
        git_error_clear();
        return Tip{revision, {}, std::move(*commit)};
    }
    const ReferenceHandle reference(raw);
    const auto tip = tip_of(repository, git_reference_name(reference.get()));
    return Tip{revision, tip && tip->commit == *commit ? tip->ref : std::string(), std::move(*commit)};
}

}  // namespace mandate::git
