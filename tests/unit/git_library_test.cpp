#include "git/library.hpp"
#include "git_support.hpp"

namespace mandate::git {
namespace {

using Library = mandate::testing::WithGit;

TEST_F(Library, NamesBlobsAsGitDoes)
{
    for (const std::string& bytes : {std::string(), std::string("x\n"), std::string("\0\xFF", 2)}) {
        EXPECT_EQ(blob_id(bytes) + "\n", git("", {"hash-object", "--stdin"}, bytes).out);
    }
}

TEST_F(Library, TakesAMessageOnce)
{
    start_library();
    const Error silent = last_error(Code::repository_broken, "cannot do it");
    EXPECT_EQ(silent.message.find("cannot do it"), 0U);
    EXPECT_EQ(silent.code, Code::repository_broken);
}

}  // namespace
}  // namespace mandate::git
