#include "git/repository.hpp"

#include "git/library.hpp"

#include <array>
#include <git2.h>

namespace mandate::git {

namespace {

using ObjectPtr = std::unique_ptr<git_object, decltype(&git_object_free)>;
using ConfigPtr = std::unique_ptr<git_config, decltype(&git_config_free)>;

// libgit2's message names the extension, but only in prose; every other failure to open is damage.
bool names_unsupported_format(const Error& error)
{
    return error.message.find("unsupported extension") != std::string::npos ||
           error.message.find("unsupported repository version") != std::string::npos ||
           error.message.find("unsupported object format") != std::string::npos;
}

std::string hex(const git_oid& id)
{
    std::array<char, GIT_OID_HEXSZ + 1> text{};
    git_oid_tostr(text.data(), text.size(), &id);
    return text.data();
}

ConfigPtr config_of(git_repository* repository)
{
    git_config* raw = nullptr;
    if (git_repository_config_snapshot(&raw, repository) != 0) {
        git_error_clear();
        raw = nullptr;
    }
    return {raw, git_config_free};
}

template<typename Getter>
std::optional<std::string> config_value(git_repository* repository, const std::string& key, Getter get)
{
    const ConfigPtr config = config_of(repository);
    git_buf value = GIT_BUF_INIT;
    std::optional<std::string> result;
    if (config && get(&value, config.get(), key.c_str()) == 0) {
        result.emplace(value.ptr, value.size);
    } else {
        git_error_clear();
    }
    git_buf_dispose(&value);
    return result;
}

}  // namespace

void Repository::Free::operator()(git_repository* repository) const { git_repository_free(repository); }

Result<Repository> Repository::open(const std::string& root)
{
    start_library();
    git_repository* raw = nullptr;
    if (git_repository_open_ext(&raw, root.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr) != 0) {
        Error error = last_error(Code::repository_broken, "the repository cannot be opened");
        if (names_unsupported_format(error)) {
            error.code = Code::repository_unsupported;
        }
        return fail(error.on(root));
    }
    Repository repository(raw);
    // libgit2 takes core.bare and core.worktree from where git does not (an included file, a configuration
    // without a format version). Which worktree this is was decided by the caller.
    const char* workdir = git_repository_workdir(raw);
    if ((workdir == nullptr || workdir != root + "/") && git_repository_set_workdir(raw, root.c_str(), 0) != 0) {
        return fail(last_error(Code::repository_broken, "the worktree cannot be set").on(root));
    }
    return repository;
}

Result<std::optional<std::string>> Repository::head_commit() const
{
    git_oid id;
    const int status = git_reference_name_to_id(&id, handle(), "HEAD");
    if (status == GIT_ENOTFOUND) {
        git_error_clear();
        return std::nullopt;
    }
    if (status != 0) {
        return fail(last_error(Code::repository_broken, "HEAD cannot be resolved"));
    }
    return hex(id);
}

Result<std::string> Repository::resolve_commit(const std::string& revision) const
{
    git_object* raw = nullptr;
    if (git_revparse_single(&raw, handle(), revision.c_str()) != 0) {
        return fail(last_error(Code::value_invalid, "'" + revision + "' is no revision of this repository"));
    }
    const ObjectPtr object(raw, git_object_free);
    git_object* raw_commit = nullptr;
    if (git_object_peel(&raw_commit, object.get(), GIT_OBJECT_COMMIT) != 0) {
        return fail(last_error(Code::value_invalid, "'" + revision + "' names no commit"));
    }
    const ObjectPtr commit(raw_commit, git_object_free);
    return hex(*git_object_id(commit.get()));
}

Result<bool> Repository::is_ignored(const std::string& name) const
{
    int ignored = 0;
    if (git_ignore_path_is_ignored(&ignored, handle(), name.c_str()) != 0) {
        return fail(last_error(Code::repository_broken, "the ignore rules cannot be read"));
    }
    return ignored != 0;
}

std::optional<std::string> Repository::excludes_file() const
{
    return config_value(handle(), "core.excludesfile", git_config_get_path);
}

std::optional<bool> Repository::config_bool(const std::string& key) const
{
    const ConfigPtr config = config_of(handle());
    int value = 0;
    if (!config || git_config_get_bool(&value, config.get(), key.c_str()) != 0) {
        git_error_clear();
        return std::nullopt;
    }
    return value != 0;
}

std::optional<std::string> Repository::config_string(const std::string& key) const
{
    return config_value(handle(), key, git_config_get_string_buf);
}

}  // namespace mandate::git
