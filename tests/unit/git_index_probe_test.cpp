#include "git/ewah.hpp"
#include "git/index_probe.hpp"
#include "git_support.hpp"

#include <random>

namespace mandate::git {
namespace {

constexpr const char* k_name = "MANDATE.md";

std::string big_endian(std::uint64_t value, int bytes)
{
    std::string text;
    for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
        text += static_cast<char>((value >> static_cast<unsigned>(shift)) & 0xFFU);
    }
    return text;
}

// An index of version 2 or 3 by hand: names in order, extensions, a checksum of zeros.
std::string make_index(const std::vector<std::string>& names, const std::string& extensions = {}, unsigned version = 2)
{
    std::string index = "DIRC" + big_endian(version, 4) + big_endian(names.size(), 4);
    for (const std::string& name : names) {
        const std::size_t start = index.size();
        index += std::string(60, '\0') + big_endian(std::min<std::size_t>(name.size(), 0xFFF), 2) + name;
        index.append(8 - (index.size() - start) % 8, '\0');
    }
    return index + extensions + std::string(20, '\0');
}

std::string extension(const std::string& signature, const std::string& body)
{
    return signature + big_endian(body.size(), 4) + body;
}

Tracked probe(const std::string& index) { return probe_index(index, k_name).tracked; }

TEST(IndexProbe, FindsTheWholeNameOnly)
{
    EXPECT_EQ(probe(make_index({"A", "MANDATE.md", "z"})), Tracked::yes);
    EXPECT_EQ(probe(make_index({"A", "MANDATE.m", "MANDATE.md.x", "MANDATE.md/x", "dir/MANDATE.md"})), Tracked::no);
    EXPECT_EQ(probe(make_index({})), Tracked::no);
    EXPECT_EQ(probe(make_index({std::string(5000, 'A'), "MANDATE.md"})), Tracked::yes);
    EXPECT_EQ(probe(make_index({std::string(4095, 'A'), "Z"})), Tracked::no);
}

TEST(IndexProbe, DoesNotGuessAboutExtensions)
{
    EXPECT_EQ(probe(make_index({"a"}, extension("TREE", "xyz") + extension("sdir", ""))), Tracked::no);
    EXPECT_EQ(probe(make_index({"a"}, extension("newx", ""))), Tracked::unknown) << "mandatory and not known";
    EXPECT_EQ(probe(make_index({"a"}, "TREE" + big_endian(100, 4))), Tracked::unknown);
    EXPECT_EQ(probe(make_index({"a"}, extension("link", "short"))), Tracked::unknown);
    EXPECT_EQ(probe(make_index({"a"}, extension("link", std::string(20, '\0')))), Tracked::no) << "no base";
    EXPECT_EQ(probe_index(make_index({"a"}, extension("link", std::string(20, '\x11'))), k_name).shared_index_id,
              "1111111111111111111111111111111111111111");
}

TEST(IndexProbe, IsUnknownForWhatIsNoIndex)
{
    for (const std::string& bytes : {std::string(), std::string("DIRC"), std::string(4096, '\0'),
                                     std::string(4096, 'x'), make_index({"a"}, {}, 5), make_index({"a"}, {}, 1)}) {
        EXPECT_EQ(probe(bytes), Tracked::unknown);
    }
}

TEST(IndexProbe, OfATruncatedIndexIsNeverNo)
{
    const std::string entries = make_index({"a", "b", "z"});
    const std::string index = make_index({"a", "b", "z"}, extension("TREE", "0123456789"));
    for (std::size_t length = 0; length < index.size(); ++length) {
        // Cut just there it is an index without extensions, to git too: what is left of them passes for the checksum.
        const Tracked expected = length == entries.size() ? Tracked::no : Tracked::unknown;
        EXPECT_EQ(probe(index.substr(0, length)), expected) << length;
    }
}

TEST(IndexProbe, AsksForASharedIndexBeforeTheLongWay)
{
    std::vector<std::string> names(5000, "z");
    const std::string index = make_index(names, extension("link", std::string(20, '\x11')));
    int asked = 0;
    const auto answer = [&](bool exists) {
        return probe_index(index, k_name, [&asked, exists] {
            ++asked;
            return exists;
        });
    };
    EXPECT_TRUE(answer(true).shared_index_id);
    EXPECT_EQ(answer(false).tracked, Tracked::no);
    EXPECT_EQ(asked, 2);
    EXPECT_TRUE(probe_index(index, k_name).shared_index_id) << "nobody to ask";
    EXPECT_EQ(probe_index(make_index({"z"}), k_name, [&] { return ++asked != 0; }).tracked, Tracked::no);
    EXPECT_EQ(asked, 2) << "a small one is walked";
}

// The bits of one literal word behind a run of `zeros` words of zeros.
std::string bitmap(std::uint64_t zeros, std::uint64_t literal)
{
    const std::uint64_t run = (zeros << 1U) | (std::uint64_t{1} << 33U);
    return big_endian(64 * (zeros + 1), 4) + big_endian(2, 4) + big_endian(run, 8) + big_endian(literal, 8) +
           big_endian(0, 4);
}

TEST(IndexProbe, TakesASplitIndexesBaseWithoutWhatWasDeletedThere)
{
    const std::string base = make_index({"A", "MANDATE.md", "MANDATE.md", "z"});
    const auto split = [&](const std::string& bitmaps) {
        return probe_split_index(make_index({"", "b"}, extension("link", std::string(20, '\0') + bitmaps)), base,
                                 k_name);
    };
    EXPECT_EQ(split(""), Tracked::yes);
    EXPECT_EQ(split(bitmap(0, 0b0010) + bitmap(0, 0)), Tracked::yes) << "one stage is left";
    EXPECT_EQ(split(bitmap(0, 0b0110) + bitmap(0, 0b1001)), Tracked::no);
    EXPECT_EQ(split(bitmap(0, 0b1001) + bitmap(0, 0b0110)), Tracked::yes) << "replaced is not deleted";
    EXPECT_EQ(split("junk"), Tracked::unknown);
    EXPECT_EQ(probe_split_index(make_index({}), base, k_name), Tracked::unknown) << "not split at all";
    EXPECT_EQ(probe_split_index(make_index({}, extension("link", std::string(20, '\x11'))), base, k_name),
              Tracked::unknown)
        << "not its base";
}

TEST(Ewah, FindsBitsBehindRuns)
{
    const std::string bytes = bitmap(3, 0b100);
    std::string_view rest = bytes;
    const auto bits = EwahBitmap::take(rest);
    ASSERT_TRUE(bits);
    EXPECT_TRUE(rest.empty());
    EXPECT_EQ(bits->test(0), false);
    EXPECT_EQ(bits->test(3 * 64 + 2), true);
    EXPECT_EQ(bits->test(3 * 64 + 3), false);
    EXPECT_EQ(bits->test(1U << 30U), false);

    const std::string ones = big_endian(64, 4) + big_endian(1, 4) + big_endian(0b11, 8) + big_endian(0, 4);
    rest = ones;
    EXPECT_EQ(EwahBitmap::take(rest)->test(63), true);

    const std::string lies =
        big_endian(64, 4) + big_endian(1, 4) + big_endian(std::uint64_t{5} << 33U, 8) + big_endian(0, 4);
    rest = lies;
    EXPECT_EQ(EwahBitmap::take(rest)->test(0), std::nullopt);
    rest = std::string_view(bytes).substr(0, bytes.size() - 1);
    EXPECT_FALSE(EwahBitmap::take(rest));
}

// Indexes that git wrote.
class GitIndex : public mandate::testing::WithGit {
protected:
    void git_ok(std::vector<std::string> arguments, const std::string& input = {}) const
    {
        const auto outcome = git("repo", std::move(arguments), input);
        ASSERT_TRUE(outcome.succeeded()) << outcome;
    }

    // By the same way as app/tracked does it.
    [[nodiscard]] Tracked tracked(const std::string& name) const
    {
        const std::string index = test::read_file(path("repo/.git/index"));
        const auto answer = probe_index(index, name);
        return answer.shared_index_id
                   ? probe_split_index(index, test::read_file(path("repo/.git/sharedindex." + *answer.shared_index_id)),
                                       name)
                   : answer.tracked;
    }

    void expect_same_as_git(const std::string& when) const
    {
        for (const std::string name : {"MANDATE.md", ".gitignore", "README", "zz"}) {
            const bool listed = !git("repo", {"ls-files", "-z", "--", ":(literal)" + name}).out.empty();
            EXPECT_EQ(tracked(name), listed ? Tracked::yes : Tracked::no) << name << ": " << when;
        }
    }

    test::Repo m_repo{m_scratch};
};

TEST_F(GitIndex, OfEveryVersionAndStateIsReadAsGitReadsIt)
{
    const std::string blob = m_repo.git({"hash-object", "-w", "README"});
    const auto add = [&](const std::string& name) {
        git_ok({"update-index", "--add", "--cacheinfo", "100644," + blob + "," + name});
    };
    for (const std::string version : {"2", "4"}) {
        git_ok({"update-index", "--index-version", version});
        expect_same_as_git("plain, version " + version);
        add("MANDATE.md");
        add("MANDATE.mdx");
        add("zz");
        expect_same_as_git("added, version " + version);
        git_ok({"update-index", "--split-index"});
        expect_same_as_git("split, version " + version);
        git_ok({"update-index", "--force-remove", "MANDATE.md"});
        expect_same_as_git("deleted from the base, version " + version);
        add("MANDATE.md");
        git_ok({"update-index", "--force-remove", "zz"});
        expect_same_as_git("in both parts, version " + version);
        git_ok({"update-index", "--skip-worktree", "README"});
        expect_same_as_git("replaced in the base, version " + version);
        git_ok({"update-index", "--no-split-index"});
        git_ok({"update-index", "--no-skip-worktree", "README"});
        git_ok({"update-index", "--force-remove", "MANDATE.md"});
        git_ok({"update-index", "--index-info"},
               "100644 " + blob + " 1\tMANDATE.md\n100644 " + blob + " 3\tMANDATE.md\n");
        expect_same_as_git("in conflict, version " + version);
        git_ok({"update-index", "--force-remove", "MANDATE.md"});
        test::write_file(m_repo.path() / "MANDATE.md", "x");
        git_ok({"add", "-N", "MANDATE.md"});
        expect_same_as_git("intent to add, version " + version);
        git_ok({"rm", "--quiet", "--cached", "MANDATE.md"});
        expect_same_as_git("removed, version " + version);
    }
}

TEST_F(GitIndex, OfASparseCheckoutIsRead)
{
    for (const char* name : {"A/x", "N/y", "MANDATE.md"}) {
        test::write_file(m_repo.path() / name, "x");
    }
    git_ok({"add", "-A"});
    git_ok({"commit", "--quiet", "-m", "x"});
    git_ok({"sparse-checkout", "set", "--cone", "--sparse-index", "N"});
    expect_same_as_git("sparse");
    git_ok({"rm", "--quiet", "MANDATE.md"});
    expect_same_as_git("sparse, removed");
}

TEST_F(GitIndex, IsNeverReadBeyondItsBytes)
{
    const std::string blob = m_repo.git({"hash-object", "-w", "README"});
    std::string many;
    for (int i = 0; i < 40; ++i) {
        many += "100644 " + blob + "\tAB/" + std::to_string(i) + "\n";
    }
    git_ok({"update-index", "--index-info"}, many);
    std::vector<std::string> originals{test::read_file(path("repo/.git/index"))};
    git_ok({"update-index", "--index-version", "4"});
    originals.push_back(test::read_file(path("repo/.git/index")));
    git_ok({"update-index", "--split-index"});
    git_ok({"update-index", "--force-remove", "README"});
    originals.push_back(test::read_file(path("repo/.git/index")));

    std::mt19937 random(7);
    const auto below = [&](std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random); };
    for (int i = 0; i < 6000; ++i) {
        std::string index = originals[below(originals.size())];
        for (std::size_t changes = 1 + below(6); changes > 0; --changes) {
            index[below(index.size())] = static_cast<char>(below(2) == 0 ? below(256) : 0xFF * below(2));
        }
        index.resize(below(4) == 0 ? below(index.size()) : index.size());
        static_cast<void>(probe_index(index, k_name));
        static_cast<void>(probe_split_index(index, originals[below(originals.size())], k_name));
        static_cast<void>(probe_split_index(originals[2], index, k_name));
    }
}

}  // namespace
}  // namespace mandate::git
