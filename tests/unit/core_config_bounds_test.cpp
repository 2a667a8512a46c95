#include "core/config.hpp"
#include "core/config_bounds.hpp"

#include <gmock/gmock.h>
#include <string>

namespace mandate::core {
namespace {

using testing::HasSubstr;

const LayerInfo k_worktree{"worktree", "/lane/.mandate.toml", false};

std::string repeated(const std::string& text, std::size_t count)
{
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
        all += text;
    }
    return all;
}

// What the text is refused for; empty where it is taken.
std::string message(const std::string& toml)
{
    Config config;
    const auto applied = apply_layer(config, toml, k_worktree);
    return applied ? "" : applied.error().message;
}

TEST(ConfigBounds, TakesAFileOfTheLargestSize)
{
    const std::string line(8191, '#');
    const std::string full = repeated(line + "\n", k_config_limit / 8192);
    ASSERT_EQ(full.size(), k_config_limit);
    EXPECT_EQ(message(full), "");
    EXPECT_THAT(message(full + "\n"), HasSubstr("larger than 256 KiB"));
    EXPECT_THAT(message("\n" + line + "##"), HasSubstr("(line 2)"));
}

TEST(ConfigBounds, RefusesDeepNestingWhateverItIsMadeOf)
{
    for (const std::string& toml :
         {"a = " + std::string(100000, '['), "a = " + repeated("[\n", 20000), "a = " + repeated("{a=", 30000),
          "a = " + repeated("[{a=", 30000), "a = [\"\"\"\"x\"\"\"\", " + std::string(100000, '['),
          "a = '''\n'''' # " + std::string(10000, '['), "a" + repeated(".a", 100000) + " = 1",
          "[a" + repeated(".a", 4000) + "]", "a" + repeated(" . a", 1000) + " = 1",
          "# \"\"\"\na = " + std::string(9000, '[')}) {
        EXPECT_NE(message(toml), "") << toml.substr(0, 40);
    }
    // Just within the bounds the parser itself must cope.
    for (const std::string& toml :
         {"a = " + std::string(500, '['), "a = " + std::string(250, '[') + std::string(250, ']'),
          "a = " + repeated("{a = ", 400) + "1" + std::string(400, '}'), "a" + repeated(".a", 100) + " = 1"}) {
        EXPECT_NE(message(toml), "") << toml.substr(0, 40);
    }
}

TEST(ConfigBounds, AreMetBeforeTheParserSeesTheText)
{
    EXPECT_THAT(message("a" + repeated(".a", 101) + " = 1"), HasSubstr("more than 100 dots"));
    EXPECT_THAT(message("a" + repeated(".a", 100) + " = 1"), HasSubstr("not a key"));
    EXPECT_THAT(message("a = " + std::string(501, '[')), HasSubstr("more than 500 brackets"));
    EXPECT_THAT(message("a = " + repeated("[{", 251)), HasSubstr("more than 500 brackets"));
    EXPECT_THAT(message("a = " + std::string(500, '[')), HasSubstr("not valid TOML"));
    EXPECT_THAT(message(repeated("a=1\n", 501)), HasSubstr("more than 500 values"));
    EXPECT_THAT(message("a = \"" + repeated("\\\\", 251) + "\""), HasSubstr("more than 500 backslashes"));
    EXPECT_THAT(message("a = [" + repeated("1,", 2001) + "]"), HasSubstr("more than 2000 commas"));
    EXPECT_THAT(message("a = 0b" + std::string(63, '1')), HasSubstr("binary"));
}

TEST(ConfigBounds, RefusesMoreThanAnyConfigurationNeeds)
{
    EXPECT_NE(message(repeated("a=1\n", 501)), "");
    EXPECT_NE(message("policy.deny = [" + repeated("\"merge\",\n", 201) + "]"), "");
    EXPECT_EQ(message("policy.deny = [" + repeated("\"merge\",\n", 200) + "]"), "");
}

TEST(ConfigBounds, BoundsWhatItQuotes)
{
    Config config;
    const auto key = apply_layer(config, std::string(8000, 'k') + " = 1", k_worktree);
    EXPECT_LE(key.error().message.size(), 120U);
    const auto value = apply_layer(config, "policy.deny = [\"" + std::string(8000, 'v') + "\"]", k_worktree);
    EXPECT_LE(value.error().message.size(), 120U);
    const auto twice = apply_layer(config, repeated("k", 4000) + " = 1\n" + repeated("k", 4000) + " = 1\n", k_worktree);
    EXPECT_LE(twice.error().message.size(), 250U);
    const auto syntax = apply_layer(config, "a = " + std::string(8000, 'x'), k_worktree);
    EXPECT_LE(syntax.error().message.size(), 250U);
}

}  // namespace
}  // namespace mandate::core
