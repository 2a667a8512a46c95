#include "core/close_request.hpp"

#include <gtest/gtest.h>

namespace mandate::core {
namespace {

const std::string k_body = "task=a\nworktree=/w\nrepo=/r\n";

CloseReason refused(std::string_view message)
{
    const auto request = parse_close_request(message);
    EXPECT_FALSE(request) << message;
    return request ? CloseReason::dirty : request.error().reason;
}

TEST(CoreCloseRequest, TakesTheThreeKeysAndNothingElse)
{
    const auto request = parse_close_request(
        "\r\n \t\n  mandate close-request\t\r\nhi\ntask=a.b-c_1\r\n task=ignored\nTask=x\n"
        "worktree=/w =x \nrepo=/r");
    ASSERT_TRUE(request) << request.error().text;
    EXPECT_EQ(request->task, "a.b-c_1");
    EXPECT_EQ(request->worktree, "/w =x ");
    EXPECT_EQ(request->repo, "/r");
}

TEST(CoreCloseRequest, BothMarksAndNoOther)
{
    EXPECT_TRUE(parse_close_request("mandate close-request\n" + k_body));
    EXPECT_TRUE(parse_close_request("work-system close-request\n" + k_body));
    for (const char* mark :
         {"", "close-request", "Mandate close-request", "mandate  close-request", "mandate close-request now"}) {
        EXPECT_EQ(refused(std::string(mark) + "\n" + k_body), CloseReason::malformed) << mark;
    }
}

TEST(CoreCloseRequest, EveryKeyOnceAndOnlyOnce)
{
    for (const std::string key : {"task", "worktree", "repo"}) {
        EXPECT_EQ(refused("mandate close-request\n" + k_body + key + "=again\n"), CloseReason::malformed);
        std::string without = "mandate close-request\n" + k_body;
        without.replace(without.find(key + "="), 1, "#");
        EXPECT_EQ(refused(without), CloseReason::malformed);
    }
}

TEST(CoreCloseRequest, NulAndSizeAreMalformed)
{
    const std::string message = "mandate close-request\n" + k_body;
    EXPECT_EQ(refused(message + std::string(1, '\0')), CloseReason::malformed);
    EXPECT_TRUE(parse_close_request(message + std::string(k_close_request_limit - message.size(), '\n')));
    EXPECT_EQ(refused(message + std::string(k_close_request_limit - message.size() + 1, '\n')), CloseReason::malformed);
}

TEST(CoreCloseRequest, TaskNames)
{
    for (const char* name : {"a", "_", "0", "A.b-c_D", "x-", "x."}) {
        EXPECT_TRUE(is_task_name(name)) << name;
    }
    for (const char* name : {"", ".", "-a", ".a", "a b", "a/b", "a=b", "\xC3\xA4", "a\n", "a\\"}) {
        EXPECT_FALSE(is_task_name(name)) << name;
    }
    EXPECT_FALSE(is_task_name(std::string(241, 'a')));
    const auto request = parse_close_request("mandate close-request\ntask=secret value\nworktree=/w\nrepo=/r\n");
    ASSERT_FALSE(request);
    EXPECT_EQ(request.error().reason, CloseReason::invalid_task);
    EXPECT_EQ(request.error().text.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace mandate::core
