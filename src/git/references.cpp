#include "git/references.hpp"

#include "git/library.hpp"

#include <array>
#include <git2.h>

namespace mandate::git {

void References::Free::operator()(git_repository* repository) const { git_repository_free(repository); }

Result<References> References::open(const std::string& common_dir)
{
    start_library();
    git_repository* raw = nullptr;
    if (git_repository_open_ext(&raw, common_dir.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_BARE,
                                nullptr) != 0) {
        return fail(last_error(Code::repository_broken, "the repository cannot be opened").on(common_dir));
    }
    return References(raw);
}

Result<std::optional<std::string>> References::value(const std::string& ref) const
{
    git_oid id;
    const int status = git_reference_name_to_id(&id, m_handle.get(), ref.c_str());
    if (status == GIT_ENOTFOUND) {
        git_error_clear();
        return std::nullopt;
    }
    if (status != 0) {
        return fail(last_error(Code::repository_broken, "the ref cannot be read").on(ref));
    }
    std::array<char, GIT_OID_HEXSZ + 1> text{};
    git_oid_tostr(text.data(), text.size(), &id);
    return std::string(text.data());
}

bool References::contains(const std::string& newer, const std::string& older) const
{
    git_oid newer_id;
    git_oid older_id;
    if (newer == older) {
        return true;
    }
    if (git_oid_fromstr(&newer_id, newer.c_str()) != 0 || git_oid_fromstr(&older_id, older.c_str()) != 0) {
        git_error_clear();
        return false;
    }
    const int status = git_graph_descendant_of(m_handle.get(), &newer_id, &older_id);
    git_error_clear();
    return status == 1;
}

}  // namespace mandate::git
