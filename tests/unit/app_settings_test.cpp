#include "app/settings.hpp"
#include "support/repo.hpp"

#include <cstdlib>
#include <gmock/gmock.h>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace mandate::app {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Four places for configuration in a scratch directory, and an environment that names no other.
class LoadSettings : public testing::Test {
protected:
    LoadSettings()
    {
        for (const char* directory : {"home", "lane", "common/mandate"}) {
            test::fs::create_directories(m_scratch.path() / directory);
        }
        set("HOME", path("home"));
        for (const char* name : {"XDG_CONFIG_HOME", "MANDATE_LOCK_TIMEOUT", "MANDATE_COLOR", "MANDATE_BYPASS"}) {
            set(name, std::nullopt);
        }
        m_place.root = path("lane");
        m_place.common_dir = path("common");
        m_place.root_dir = std::move(*os::open_directory(m_place.root));
    }

    ~LoadSettings() override
    {
        for (auto change = m_before.rbegin(); change != m_before.rend(); ++change) {
            put(change->first, change->second);
        }
    }

    [[nodiscard]] std::string path(const std::string& name) const { return (m_scratch.path() / name).string(); }
    void write(const std::string& name, std::string_view text) const
    {
        test::write_file(m_scratch.path() / name, text);
    }

    void set(const std::string& name, const std::optional<std::string>& value)
    {
        const char* before = std::getenv(name.c_str());
        m_before.emplace_back(name, before == nullptr ? std::nullopt : std::optional<std::string>(before));
        put(name, value);
    }

    [[nodiscard]] Result<Settings> load() const { return load_settings(&m_place, OnInvalid::refuse, path("etc.toml")); }

    [[nodiscard]] Settings loaded() const
    {
        auto settings = load();
        EXPECT_TRUE(settings) << settings.error().message;
        return settings ? std::move(*settings) : Settings();
    }

    [[nodiscard]] Error refusal() const
    {
        const auto settings = load();
        EXPECT_FALSE(settings);
        return settings ? Error() : settings.error();
    }

    Place m_place;

private:
    static void put(const std::string& name, const std::optional<std::string>& value)
    {
        if (value) {
            ::setenv(name.c_str(), value->c_str(), 1);
        } else {
            ::unsetenv(name.c_str());
        }
    }

    test::ScratchDir m_scratch;
    std::vector<std::pair<std::string, std::optional<std::string>>> m_before;
};

TEST_F(LoadSettings, WithoutAnyFileAreTheDefaults)
{
    const Settings settings = loaded();
    EXPECT_EQ(settings.config.lock_timeout.value, seconds(5));
    EXPECT_EQ(settings.color, Color::automatic);
    EXPECT_THAT(settings.notes, IsEmpty());
    EXPECT_THAT(settings.vocabulary.actions(), SizeIs(10));
}

TEST_F(LoadSettings, EachLayerStandsOverTheOneBefore)
{
    const auto timeout = [&] { return loaded().config.lock_timeout; };
    write("etc.toml", "[lock]\ntimeout = 60\n[hooks]\non_error = \"pass\"");
    EXPECT_EQ(timeout().value, seconds(60));
    EXPECT_EQ(timeout().origin.layer, "system");
    write("home/.config/mandate/config.toml", "[lock]\ntimeout = 70");
    EXPECT_EQ(timeout().value, seconds(70));
    EXPECT_EQ(describe(timeout().origin), path("home/.config/mandate/config.toml") + ":2");
    write("common/mandate/config.toml", "[lock]\ntimeout = 80");
    EXPECT_EQ(timeout().origin.layer, "repository");
    write("lane/.mandate.toml", "[lock]\ntimeout = 75");
    EXPECT_EQ(timeout().value, seconds(75));
    EXPECT_EQ(describe(timeout().origin), path("lane/.mandate.toml") + ":2");
    set("MANDATE_LOCK_TIMEOUT", "250ms");
    EXPECT_EQ(timeout().value, milliseconds(250));
    EXPECT_EQ(describe(timeout().origin), "MANDATE_LOCK_TIMEOUT");
    EXPECT_EQ(loaded().config.on_error.value, core::OnDoubt::pass);
}

TEST_F(LoadSettings, ALaneFileMayOnlyTighten)
{
    write("lane/.mandate.toml",
          "[lock]\ntimeout = \"1m\"\n[vocabulary]\nactions = [\"x\"]\n[policy]\ndeny = [\"merge\"]");
    const Settings settings = loaded();
    EXPECT_EQ(settings.config.lock_timeout.value, seconds(5));
    EXPECT_FALSE(settings.vocabulary.knows_action("x"));
    EXPECT_THAT(settings.config.policy_deny.values, ElementsAre("merge"));
    EXPECT_THAT(settings.notes, SizeIs(2));
}

TEST_F(LoadSettings, DeclaredWordsReachTheVocabulary)
{
    write("common/mandate/config.toml", "[vocabulary]\nactions = [\"x\"]\n[presets.p]\nallow = [\"x\"]");
    EXPECT_TRUE(loaded().vocabulary.knows_action("x"));
    EXPECT_NE(loaded().vocabulary.find_preset("p"), nullptr);
    write("common/mandate/config.toml", "[presets.p]\nallow = [\"x\"]");
    EXPECT_EQ(refusal().code, Code::config_invalid);
}

TEST_F(LoadSettings, XdgConfigHomeReplacesTheDefaultWhereItIsAbsolute)
{
    write("home/.config/mandate/config.toml", "[lock]\ntimeout = 1");
    write("xdg/mandate/config.toml", "[lock]\ntimeout = 2");
    set("XDG_CONFIG_HOME", path("xdg"));
    EXPECT_EQ(loaded().config.lock_timeout.value, seconds(2));
    for (const char* ignored : {"", "relative", "./xdg"}) {
        set("XDG_CONFIG_HOME", ignored);
        EXPECT_EQ(loaded().config.lock_timeout.value, seconds(1)) << ignored;
    }
    set("HOME", std::nullopt);
    EXPECT_EQ(loaded().config.lock_timeout.value, seconds(5));
    set("HOME", "/nonexistent");
    EXPECT_EQ(loaded().config.lock_timeout.value, seconds(5));
    set("HOME", path("etc.toml") + "/file");
    write("etc.toml", "");
    EXPECT_EQ(loaded().config.lock_timeout.value, seconds(5));
}

TEST_F(LoadSettings, OutsideOfAWorktreeItsFilesAreLeftOut)
{
    write("etc.toml", "[lock]\ntimeout = 60");
    write("common/mandate/config.toml", "[");
    write("lane/.mandate.toml", "[");
    const auto settings = load_settings(nullptr, OnInvalid::refuse, path("etc.toml"));
    ASSERT_TRUE(settings);
    EXPECT_EQ(settings->config.lock_timeout.value, seconds(60));
}

TEST_F(LoadSettings, AnyBadFileIsRefusedByName)
{
    for (const char* name :
         {"etc.toml", "home/.config/mandate/config.toml", "common/mandate/config.toml", "lane/.mandate.toml"}) {
        write(name, "\n[lock]\ntimeot = 1");
        const Error error = refusal();
        EXPECT_EQ(error.code, Code::config_invalid);
        EXPECT_EQ(error.path, path(name));
        EXPECT_THAT(error.details, ElementsAre(testing::Pair("file", path(name)), testing::Pair("line", "3")));
        write(name, std::string(core::k_config_limit + 1, '\n'));
        EXPECT_THAT(refusal().message, testing::HasSubstr("larger than 256 KiB"));
        write(name, "");
    }
}

TEST_F(LoadSettings, NeitherBlocksOnNorReadsWhatIsNoFile)
{
    for (const char* name :
         {"etc.toml", "home/.config/mandate/config.toml", "common/mandate/config.toml", "lane/.mandate.toml"}) {
        write(name, "");
        test::fs::remove(path(name));
        ASSERT_EQ(::mkfifo(path(name).c_str(), 0600), 0);
        EXPECT_EQ(refusal().path, path(name));
        test::fs::remove(path(name));
        test::fs::create_directory(path(name));
        EXPECT_THAT(refusal().message, testing::HasSubstr("not a regular file"));
        test::fs::remove(path(name));
    }
}

TEST_F(LoadSettings, TheLaneFileIsNeverFollowedThroughASymlink)
{
    write("elsewhere.toml", "[policy]\ndeny = [\"merge\"]");
    test::fs::create_symlink(path("elsewhere.toml"), path("etc.toml"));
    EXPECT_THAT(loaded().config.policy_deny.values, ElementsAre("merge")) << "a person's own file may be a link";
    for (const char* target : {"elsewhere.toml", "nowhere"}) {
        test::fs::create_symlink(path(target), path("lane/.mandate.toml"));
        EXPECT_EQ(refusal().code, Code::config_invalid) << target;
        EXPECT_EQ(refusal().path, path("lane/.mandate.toml"));
        test::fs::remove(path("lane/.mandate.toml"));
    }
}

TEST_F(LoadSettings, AnUnreachableHomeIsNoConfigurationButAnUnreadablePolicyIsRefused)
{
    write("home/.config/mandate/config.toml", "[lock]\ntimeout = 1");
    write("common/mandate/config.toml", "[lock]\ntimeout = 2");
    ::chmod(path("").c_str(), 0755);
    ::chmod(path("home").c_str(), 0);
    if (::geteuid() == 0) {
        ASSERT_EQ(::seteuid(65534), 0);
    }
    EXPECT_EQ(loaded().config.lock_timeout.value, seconds(2));
    ASSERT_EQ(::seteuid(::getuid()), 0);
    ::chmod(path("home").c_str(), 0755);
    ::chmod(path("common/mandate/config.toml").c_str(), 0);
    if (::geteuid() == 0) {
        ASSERT_EQ(::seteuid(65534), 0);
    }
    EXPECT_EQ(refusal().path, path("common/mandate/config.toml"));
    ASSERT_EQ(::seteuid(::getuid()), 0);
}

TEST_F(LoadSettings, ReadsItsTwoVariablesAndNoOther)
{
    set("MANDATE_FIXES_NEED_REVIEW", "true");
    set("MANDATE_COLOR", "never");
    EXPECT_EQ(loaded().color, Color::never);
    EXPECT_FALSE(loaded().config.fixes_need_review.value);
    set("MANDATE_COLOR", "always");
    EXPECT_EQ(loaded().color, Color::always);
    set("MANDATE_COLOR", "");
    set("MANDATE_LOCK_TIMEOUT", "");
    EXPECT_EQ(loaded().color, Color::automatic);
    EXPECT_EQ(loaded().config.lock_timeout.value, seconds(5));
}

TEST_F(LoadSettings, RefusesABadVariableByName)
{
    for (const auto& [name, value] : {std::pair("MANDATE_LOCK_TIMEOUT", " 5"), std::pair("MANDATE_LOCK_TIMEOUT", "5h"),
                                      std::pair("MANDATE_LOCK_TIMEOUT", "-1"), std::pair("MANDATE_COLOR", "Auto"),
                                      std::pair("MANDATE_COLOR", "yes")}) {
        set(name, value);
        const Error error = refusal();
        EXPECT_EQ(error.code, Code::config_invalid);
        EXPECT_THAT(error.message, testing::HasSubstr(name));
        EXPECT_THAT(error.details, ElementsAre(testing::Pair("variable", name)));
        set(name, std::nullopt);
    }
}

TEST_F(LoadSettings, CanLeaveOutWhatIsNotValidWithANoteEach)
{
    write("etc.toml", "[vocabulary]\nactions = [\"x\"]");
    write("common/mandate/config.toml", "[policy]\ndeny = [\"nope\"]");
    write("lane/.mandate.toml", "[lock]\ntimeout = \"1m\"\n[");
    set("MANDATE_LOCK_TIMEOUT", "soon");
    set("MANDATE_COLOR", "never");
    const auto settings = load_settings(&m_place, OnInvalid::note, path("etc.toml"));
    ASSERT_TRUE(settings);
    EXPECT_TRUE(settings->vocabulary.knows_action("x"));
    EXPECT_EQ(settings->config.lock_timeout.value, seconds(5));
    EXPECT_EQ(settings->color, Color::never);
    EXPECT_THAT(settings->notes,
                ElementsAre(testing::HasSubstr(path("lane/.mandate.toml")), testing::HasSubstr("MANDATE_LOCK_TIMEOUT"),
                            testing::HasSubstr(path("common/mandate/config.toml"))));
    // The lane's own file declares no actions; another one may have.
    EXPECT_FALSE(settings->vocabulary.may_be_action("y"));
    write("etc.toml", "[vocabulary]\nactions = [\"y\"]\n[");
    const auto missing = load_settings(&m_place, OnInvalid::note, path("etc.toml"));
    ASSERT_TRUE(missing);
    EXPECT_TRUE(missing->vocabulary.may_be_action("y"));
}

}  // namespace
}  // namespace mandate::app
