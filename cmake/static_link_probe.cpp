// Links if the static parts of everything are installed: uses what the program uses of libgit2, and more.
#include <git2.h>
#include <iostream>

int main(int argc, char** argv)
{
    git_libgit2_init();
    git_repository* repository = nullptr;
    const int opened = git_repository_open(&repository, argv[0]);
    if (argc > 1) {
        git_oid id{};
        git_index* index = nullptr;
        git_object* object = nullptr;
        git_reference* reference = nullptr;
        git_remote* remote = nullptr;
        git_revwalk* walk = nullptr;
        git_status_list* status = nullptr;
        git_strarray names{};
        git_submodule* submodule = nullptr;
        unsigned flags = 0;
        int ignored = 0;
        git_diff_patchid(&id, nullptr, nullptr);
        git_graph_descendant_of(repository, &id, &id);
        git_ignore_path_is_ignored(&ignored, repository, argv[1]);
        git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
        git_merge_base(&id, repository, &id, &id);
        git_odb_hash(&id, argv[1], 0, GIT_OBJECT_BLOB);
        git_reference_lookup(&reference, repository, argv[1]);
        git_remote_lookup(&remote, repository, argv[1]);
        git_repository_index(&index, repository);
        git_revparse_single(&object, repository, argv[1]);
        git_revwalk_new(&walk, repository);
        git_stash_foreach(repository, nullptr, nullptr);
        git_status_list_new(&status, repository, nullptr);
        git_submodule_lookup(&submodule, repository, argv[1]);
        git_submodule_status(&flags, repository, argv[1], GIT_SUBMODULE_IGNORE_NONE);
        git_worktree_list(&names, repository);
    }
    std::cout << opened;
    return 0;
}
