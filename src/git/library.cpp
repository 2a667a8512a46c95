#include "git/library.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <git2.h>

#ifdef __SANITIZE_ADDRESS__
// libgit2 1.5.1 forgets memory of its own where a revision looks like nothing that it knows (its match data,
// git_regexp_match) and where a commit is missing on a walk (git_graph_reachable_from_any). It is built without
// frame pointers, so no finer rule can tell; what is ours to free there stands in unique_ptrs.
extern "C" const char* __lsan_default_suppressions() { return "leak:libpcre2\nleak:libgit2\n"; }
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
#endif

namespace mandate::git {

namespace {

// What libgit2 may open beyond its own list. git/format has looked at the values before (objectFormat must
// be sha1, refStorage must be files); the others do not change how refs and objects are read.
constexpr std::array k_extensions{"worktreeconfig", "partialclone", "preciousobjects", "relativeworktrees",
                                  "noop",           "noop-v1",      "objectformat",    "refstorage"};

// `include.path = ~/x` is an error to libgit2 where $HOME is unset or not there, but a missing include is
// fine (git fails only where it is unset). Below a file nothing can be found, and that is no error.
void survive_without_home()
{
    const char* home = std::getenv("HOME");
    std::error_code ignored;
    if (home == nullptr || !std::filesystem::exists(home, ignored)) {
        git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_GLOBAL, "/dev/null");
#ifdef LIBGIT2_VERSION_CHECK  // libgit2 from 1.9 on, which asks for the home directory apart from the search path
        git_libgit2_opts(GIT_OPT_SET_HOMEDIR, "/dev/null");
#endif
    }
}

bool start_once()
{
    git_libgit2_init();
    survive_without_home();
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    std::array<const char*, k_extensions.size()> names = k_extensions;
    git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, names.data(), names.size());
    return true;
}

}  // namespace

void start_library() { [[maybe_unused]] static const bool k_started = start_once(); }

Error last_error(Code code, const std::string& what_failed)
{
    std::string message = what_failed;
    if (const git_error* error = git_error_last(); error != nullptr && error->message != nullptr) {
        message += ": ";
        message += error->message;
    }
    git_error_clear();
    return Error{code, std::move(message), {}, {}, {}};
}

std::string blob_id(std::string_view bytes)
{
    start_library();
    git_oid id;
    std::array<char, GIT_OID_HEXSZ + 1> hex{};
    if (git_odb_hash(&id, bytes.data(), bytes.size(), GIT_OBJECT_BLOB) != 0) {
        return {};  // only for want of memory
    }
    git_oid_tostr(hex.data(), hex.size(), &id);
    return hex.data();
}

std::string library_version()
{
    int major = 0;
    int minor = 0;
    int revision = 0;
    git_libgit2_version(&major, &minor, &revision);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(revision);
}

}  // namespace mandate::git
