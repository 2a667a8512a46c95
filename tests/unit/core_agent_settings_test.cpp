// The host's settings file: our entry comes and goes, everything else stays.

#include "core/agent_settings.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mandate::core {
namespace {

using Json = nlohmann::ordered_json;

const std::string k_command = "'/usr/bin/mandate' hook agent --host claude";

TEST(AgentSettings, AddsOneEntryAndKeepsTheRest)
{
    const std::string before =
        R"json({"permissions":{"allow":["Bash(ls)"]},"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[)json"
        R"json({"type":"command","command":"mine"}]}],"Stop":[]},"z":1})json";
    const auto after = with_agent_hook(before, k_command);
    ASSERT_TRUE(after);
    Json json = Json::parse(*after);
    EXPECT_EQ(json["hooks"]["PreToolUse"].size(), 2U);
    EXPECT_EQ(json["hooks"]["PreToolUse"][1]["hooks"][0]["command"], k_command);
    json["hooks"]["PreToolUse"].erase(1);
    EXPECT_EQ(json.dump(), before) << "order and values of everything else";
    EXPECT_EQ(with_agent_hook(*after, k_command), after) << "twice changes nothing";
    EXPECT_TRUE(has_agent_hook(*after));
    EXPECT_FALSE(has_agent_hook(before));
    EXPECT_EQ(Json::parse(*without_agent_hook(*after)).dump(), before);
}

TEST(AgentSettings, AnotherBinaryReplacesTheEntry)
{
    const auto first = with_agent_hook("", k_command);
    const auto second = with_agent_hook(*first, "'/opt/mandate' hook agent --host claude");
    EXPECT_EQ(Json::parse(*second)["hooks"]["PreToolUse"].size(), 1U);
    EXPECT_EQ(without_agent_hook(*second), "") << "nothing but ours was in it";
}

TEST(AgentSettings, WhatIsNoObjectIsNotTouched)
{
    for (const std::string_view text :
         {"[]", "// c\n{}", "{", "\"x\"", "{\"hooks\":[]}", "{\"hooks\":{\"PreToolUse\":{}}}"}) {
        EXPECT_FALSE(with_agent_hook(text, k_command)) << text;
        EXPECT_FALSE(has_agent_hook(text)) << text;
    }
    EXPECT_FALSE(without_agent_hook("{"));
}

}  // namespace
}  // namespace mandate::core
