#include "core/config.hpp"

#include <gmock/gmock.h>
#include <string>

namespace mandate::core {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using namespace std::string_literals;

const LayerInfo k_system{"system", "/etc/m.toml", true};
const LayerInfo k_user{"user", "/home/m.toml", true};
const LayerInfo k_worktree{"worktree", "/lane/.mandate.toml", false};

Config with(const std::string& toml, const LayerInfo& layer = k_system, Config config = {})
{
    const auto applied = apply_layer(config, toml, layer);
    EXPECT_TRUE(applied) << applied.error().message;
    return config;
}

std::string detail(const Error& error, const std::string& key)
{
    for (const auto& [name, value] : error.details) {
        if (name == key) {
            return value;
        }
    }
    return "(none)";
}

// The line that a text is refused for, in a trusted and in an untrusted file alike.
std::string refused_line(const std::string& toml)
{
    Config config;
    const auto trusted = apply_layer(config, toml, k_system);
    const auto untrusted = apply_layer(config, toml, k_worktree);
    if (trusted || untrusted) {
        return "(accepted)";
    }
    EXPECT_EQ(trusted.error().code, Code::config_invalid);
    EXPECT_EQ(untrusted.error().code, Code::config_invalid);
    EXPECT_EQ(trusted.error().path, "/etc/m.toml");
    EXPECT_EQ(detail(trusted.error(), "file"), "/etc/m.toml");
    EXPECT_LE(trusted.error().message.size(), 250U);
    return detail(trusted.error(), "line");
}

// --- defaults and values

TEST(Config, HasTheDefaultsOfTheContract)
{
    const Config config;
    EXPECT_EQ(config.lock_timeout.value, seconds(5));
    EXPECT_THAT(config.actions.values, IsEmpty());
    EXPECT_THAT(config.presets, IsEmpty());
    EXPECT_THAT(config.policy_deny.values, IsEmpty());
    EXPECT_FALSE(config.fixes_need_review.value);
    EXPECT_EQ(config.without_record.value, OnDoubt::pass);
    EXPECT_EQ(config.on_error.value, OnDoubt::refuse);
    EXPECT_THAT(config.protected_branches.values, ElementsAre("main", "master", "release/*"));
    EXPECT_THAT(config.lane_files.values, ElementsAre("TASK.md"));
    EXPECT_THAT(config.disposable.values, ElementsAre("node_modules/", ".venv/", "build/"));
    EXPECT_EQ(describe(config.lock_timeout.origin), "default");
}

constexpr const char* k_everything = R"([lock]
timeout = "250ms"
[vocabulary]
actions = ["deploy-staging"]
[presets.reviewer]
allow = ["commit", "deploy-staging"]
deny = ["merge"]
terminal_gate = "reviewed-pr"
review_budget = 2
[policy]
deny = ["destructive"]
[gate]
fixes_need_review = true
[hooks]
without_record = "refuse"
on_error = "pass"
protected_branches = ["trunk"]
[close]
lane_files = ["NOTES.md"]
disposable = ["out/", "a/b"]
)";

TEST(ApplyLayer, TakesEveryKey)
{
    const Config config = with(k_everything);
    EXPECT_EQ(config.lock_timeout.value, milliseconds(250));
    EXPECT_EQ(describe(config.lock_timeout.origin), "/etc/m.toml:2");
    EXPECT_THAT(config.actions.values, ElementsAre("deploy-staging"));
    EXPECT_THAT(config.policy_deny.values, ElementsAre("destructive"));
    EXPECT_TRUE(config.fixes_need_review.value);
    EXPECT_EQ(config.without_record.value, OnDoubt::refuse);
    EXPECT_EQ(config.on_error.value, OnDoubt::pass);
    EXPECT_THAT(config.protected_branches.values, ElementsAre("trunk"));
    EXPECT_THAT(config.lane_files.values, ElementsAre("NOTES.md"));
    EXPECT_THAT(config.disposable.values, ElementsAre("out/", "a/b"));
    EXPECT_THAT(config.notes, IsEmpty());

    const auto vocabulary = build_vocabulary(config);
    ASSERT_TRUE(vocabulary) << vocabulary.error().message;
    EXPECT_TRUE(vocabulary->knows_action("deploy-staging"));
    const Preset* preset = vocabulary->find_preset("reviewer");
    ASSERT_NE(preset, nullptr);
    EXPECT_THAT(preset->allow, ElementsAre("commit", "deploy-staging"));
    EXPECT_THAT(preset->deny, ElementsAre("merge"));
    EXPECT_EQ(preset->terminal_gate, "reviewed-pr");
    EXPECT_EQ(preset->review_budget, 2U);
}

TEST(ApplyLayer, TakesWhatTomlAllows)
{
    EXPECT_EQ(with("").lock_timeout.value, seconds(5));
    EXPECT_EQ(with("# nothing\r\n\r\n[lock]\r\n[presets.x]\n[hooks]\n").lock_timeout.value, seconds(5));
    EXPECT_EQ(with("lock.timeout = 7 # seconds").lock_timeout.value, seconds(7));
    EXPECT_EQ(with("lock = { timeout = 0 }").lock_timeout.value, seconds(0));
    EXPECT_EQ(with("\xEF\xBB\xBFlock.timeout = 12").lock_timeout.value, seconds(12));
    EXPECT_EQ(with("[lock]\r\ntimeout = 12\r\n").lock_timeout.value, seconds(12));
    EXPECT_EQ(with("[lock]\n\"timeout\"=\t'2m'").lock_timeout.value, seconds(120));
}

TEST(ApplyLayer, ReplacesBetweenTrustedLayers)
{
    const Config config =
        with("[policy]\ndeny = [\"merge\"]\n[lock]\ntimeout = \"1m\"\n[hooks]\nprotected_branches = []", k_user,
             with(k_everything));
    EXPECT_THAT(config.policy_deny.values, ElementsAre("merge"));
    EXPECT_EQ(config.lock_timeout.value, seconds(60));
    EXPECT_EQ(describe(config.lock_timeout.origin), "/home/m.toml:4");
    EXPECT_THAT(config.protected_branches.values, IsEmpty());
    EXPECT_EQ(describe(config.protected_branches.origin), "/home/m.toml:6");
    EXPECT_EQ(config.on_error.value, OnDoubt::pass) << "what a layer does not name stays";
}

TEST(ApplyLayer, ChangesOneKeyOfAPresetAndLeavesTheRest)
{
    const Config config =
        with("[presets.reviewer]\nreview_budget = \"unlimited\"\n[presets.standard]\nreview_budget = 9", k_user,
             with(k_everything));
    const auto vocabulary = build_vocabulary(config);
    ASSERT_TRUE(vocabulary);
    EXPECT_EQ(vocabulary->find_preset("reviewer")->review_budget, std::nullopt);
    EXPECT_THAT(vocabulary->find_preset("reviewer")->deny, ElementsAre("merge"));
    EXPECT_EQ(vocabulary->find_preset("standard")->review_budget, 9U);
    EXPECT_EQ(vocabulary->find_preset("standard")->allow, Vocabulary().find_preset("standard")->allow);
}

// --- the untrusted layer

TEST(ApplyLayer, LetsTheBranchTighten)
{
    const Config config = with(R"([lock]
timeout = "1s"
[policy]
deny = ["deploy", "merge", "deploy"]
[gate]
fixes_need_review = true
[hooks]
without_record = "refuse"
on_error = "refuse"
protected_branches = ["main", "trunk"]
)",
                               k_worktree, with("[policy]\ndeny = [\"merge\"]\n[hooks]\non_error = \"pass\""));
    EXPECT_EQ(config.lock_timeout.value, seconds(1));
    EXPECT_EQ(config.lock_timeout.origin, (Origin{"worktree", "/lane/.mandate.toml", 2}));
    EXPECT_THAT(config.policy_deny.values, ElementsAre("merge", "deploy"));
    EXPECT_TRUE(config.fixes_need_review.value);
    EXPECT_EQ(config.without_record.value, OnDoubt::refuse);
    EXPECT_EQ(config.on_error.value, OnDoubt::refuse);
    EXPECT_THAT(config.protected_branches.values, ElementsAre("main", "master", "release/*", "trunk"));
    EXPECT_THAT(config.notes, IsEmpty());
}

TEST(ApplyLayer, IgnoresWithANoteWhatWouldLoosen)
{
    const Config before = with(k_everything, k_system, with("[hooks]\non_error = \"refuse\""));
    Config tight = before;
    tight.on_error.value = OnDoubt::refuse;
    const struct {
        const char* toml;
        const char* key;
    } cases[] = {
        {"[lock]\ntimeout = \"251ms\"", "lock.timeout"},
        {"[vocabulary]\nactions = [\"x\"]", "vocabulary.actions"},
        {"[presets.reviewer]\nallow = [\"merge\"]", "presets.reviewer.allow"},
        {"[presets.reviewer]\nreview_budget = 9", "presets.reviewer.review_budget"},
        {"[presets.standard]\nterminal_gate = \"merged\"", "presets.standard.terminal_gate"},
        {"[gate]\nfixes_need_review = false", "gate.fixes_need_review"},
        {"[hooks]\nwithout_record = \"pass\"", "hooks.without_record"},
        {"[hooks]\non_error = \"pass\"", "hooks.on_error"},
        {"[close]\nlane_files = [\"SECRET\"]", "close.lane_files"},
        {"[close]\ndisposable = [\"src/\"]", "close.disposable"},
    };
    for (const auto& each : cases) {
        const Config after = with(each.toml, k_worktree, tight);
        ASSERT_THAT(after.notes, SizeIs(1)) << each.toml;
        EXPECT_THAT(after.notes[0], HasSubstr("line 2 of '/lane/.mandate.toml'"));
        EXPECT_THAT(after.notes[0], HasSubstr(each.key));
        Config same = after;
        same.notes.clear();
        EXPECT_EQ(entries(same).size(), entries(tight).size());
        for (std::size_t i = 0; i < entries(same).size(); ++i) {
            EXPECT_EQ(entries(same)[i].value, entries(tight)[i].value) << each.toml;
            EXPECT_EQ(entries(same)[i].origin, entries(tight)[i].origin) << each.toml;
        }
    }
}

TEST(ApplyLayer, CannotEmptyAListFromTheBranch)
{
    const Config config = with("[policy]\ndeny = []\n[hooks]\nprotected_branches = []", k_worktree, with(k_everything));
    EXPECT_THAT(config.policy_deny.values, ElementsAre("destructive"));
    EXPECT_THAT(config.protected_branches.values, ElementsAre("trunk"));
}

TEST(ApplyLayer, SaysNothingWhereTheBranchAsksForWhatHoldsAnyway)
{
    const Config config =
        with("[lock]\ntimeout = 5\n[gate]\nfixes_need_review = false\n[hooks]\nwithout_record = \"pass\"", k_worktree);
    EXPECT_THAT(config.notes, IsEmpty());
    EXPECT_EQ(describe(config.lock_timeout.origin), "default");
}

// --- refusals

TEST(ApplyLayer, RefusesUnknownKeysWithTheirLine)
{
    EXPECT_EQ(refused_line("\n[lock]\ntimeot = \"5s\""), "3");
    EXPECT_EQ(refused_line("\n\n[locks]"), "3");
    EXPECT_EQ(refused_line("timeout = \"5s\""), "1");
    EXPECT_EQ(refused_line("\"lock.timeout\" = \"5s\""), "1");
    EXPECT_EQ(refused_line("[lock.timeout]\nx = 1"), "2");
    EXPECT_EQ(refused_line("[policy]\nallow = [\"merge\"]"), "2");
    EXPECT_EQ(refused_line("[presets.x]\nallow = []\nbudget = 1"), "3");
    EXPECT_EQ(refused_line("[presets]\nallow = []"), "2");
    EXPECT_EQ(refused_line("[presets.\"a b\"]\nallow = []"), "2");
    EXPECT_EQ(refused_line("[presets.x.y]\nallow = []"), "2");
    EXPECT_EQ(refused_line("[[presets]]\nallow = []"), "1");
    Config config;
    EXPECT_EQ(apply_layer(config, "[lock]\ntimeot = 1", k_system).error().hint, "did you mean 'lock.timeout'?");
    EXPECT_EQ(apply_layer(config, "[presets.x]\nalow = []", k_system).error().hint, "did you mean 'presets.x.allow'?");
}

TEST(ApplyLayer, RefusesBadValuesWithTheirLine)
{
    for (const char* value : {"\"5\\u0073 \"", "\"\"", "\"-1s\"", "\"25h\"", "-1", "+3", "86401", "0b11", "0o7", "0x10",
                              "1_0", "3.0", "true", "[5]", "1979-05-27", "99999999999999999999999",
                              "0b10000000000000000000000000000000000000000000000000000000000000000"}) {
        EXPECT_EQ(refused_line("[lock]\ntimeout = "s + value), "2") << value;
    }
    for (const char* line : {"gate.fixes_need_review = \"true\"",
                             "gate.fixes_need_review = 1",
                             "hooks.without_record = true",
                             "hooks.without_record = \"Pass\"",
                             "hooks.on_error = \"ask\"",
                             "policy.deny = \"merge\"",
                             "policy.deny = [1]",
                             "policy.deny = [[\"merge\"]]",
                             "policy.deny = [\"a b\"]",
                             "policy.deny = [\"\"]",
                             "vocabulary.actions = [\"a,b\"]",
                             "hooks.protected_branches = [\"\"]",
                             "hooks.protected_branches = [\"a\\u001b\"]",
                             "hooks.protected_branches = [\"a\\u202e\"]",
                             "close.lane_files = [\"a/b\"]",
                             "close.lane_files = [\"..\"]",
                             "close.lane_files = [\".git\"]",
                             "close.disposable = [\"/\"]",
                             "close.disposable = [\"/abs\"]",
                             "close.disposable = [\"a/../b\"]",
                             "close.disposable = [\".\"]",
                             "close.disposable = [\"./a\"]",
                             "close.disposable = [\".git/\"]",
                             "close.disposable = [\"\"]",
                             "presets.x.terminal_gate = \"done\"",
                             "presets.x.terminal_gate = \"\"",
                             "presets.x.review_budget = 1000001",
                             "presets.x.review_budget = \"3\"",
                             "presets.x.review_budget = \"\"",
                             "presets.x.review_budget = -1",
                             "presets.x.allow = \"commit\""}) {
        EXPECT_EQ(refused_line("\n"s + line), "2") << line;
    }
    EXPECT_EQ(refused_line("policy.deny = [\n\"merge\",\n\"a b\"]"), "3") << "the line of the word";
}

TEST(ApplyLayer, RefusesWhatIsNoToml)
{
    for (const std::string& toml : {"[lock"s,
                                    "a = "s,
                                    "= 1"s,
                                    "a = 1 2"s,
                                    "scope = feature/x"s,
                                    "a = \"x"s,
                                    "a = 1\na = 2"s,
                                    "a = {"s,
                                    "0={0=\"\""s,
                                    "a = \"\0\""s,
                                    "\xFF"s,
                                    "[a]\n[a]\n"s,
                                    "---\ntask: t\n---\n"s,
                                    "a = 'x\n'"s,
                                    "a = 'x\r"s,
                                    "a = \"\\"s,
                                    "a = \"\"\"\\\r"s,
                                    "policy.deny = []\n[policy.deny.x]\n"s,
                                    "policy.deny = []\n[[policy.deny.x]]\n"s,
                                    "a = \"\\uD800\""s}) {
        EXPECT_NE(refused_line(toml), "(accepted)") << toml;
    }
}

TEST(ApplyLayer, RefusesBytesThatAreNotUtf8WithTheirLine)
{
    for (const char* line : {"a = '\xFF'", "a = \"\xC3\"", "a = \"\"\"\xED\xA0\x80\"\"\"", "# \xC0\x80", "\xFF = 1"}) {
        EXPECT_EQ(refused_line("\n"s + line), "2") << line;
    }
}

TEST(ApplyLayer, LeavesTheConfigurationAloneWhenItRefuses)
{
    Config config;
    ASSERT_FALSE(apply_layer(config, "[lock]\ntimeout = \"1s\"\n[policy]\ndeny = 5", k_system));
    EXPECT_EQ(config.lock_timeout.value, seconds(5));
}

// --- words across layers

TEST(BuildVocabulary, HoldsPoliciesAndPresetsAgainstTheWords)
{
    const auto refusal = [](const Config& config) { return build_vocabulary(config).error(); };
    const Error policy = refusal(with("\n[policy]\ndeny = [\"merge\", \"merg\"]"));
    EXPECT_EQ(policy.code, Code::config_invalid);
    EXPECT_EQ(policy.hint, "did you mean 'merge'?");
    EXPECT_EQ(detail(policy, "file"), "/etc/m.toml");
    EXPECT_EQ(detail(policy, "line"), "3");
    EXPECT_EQ(refusal(with("[presets.x]\nallow = [\"nope\"]")).code, Code::config_invalid);
    EXPECT_EQ(refusal(with("[presets.x]\ndeny = [\"nope\"]")).code, Code::config_invalid);
    EXPECT_EQ(refusal(with("[policy]\ndeny = [\"nope\"]", k_worktree)).path, "/lane/.mandate.toml");
    EXPECT_TRUE(build_vocabulary(with("[vocabulary]\nactions = [\"x\"]", k_user, with("[policy]\ndeny = [\"x\"]"))))
        << "a later layer may declare the word";
}

// --- where each value comes from

TEST(Entries, NameEveryValueAndItsOrigin)
{
    const Config config = with("[policy]\ndeny = [\"merge\",\n\"deploy\"]", k_worktree, with(k_everything));
    std::vector<std::string> rows;
    for (const ConfigEntry& entry : entries(config)) {
        rows.push_back(entry.key + " = " + entry.value + " @ " + describe(entry.origin));
    }
    EXPECT_THAT(
        rows,
        ElementsAre("lock.timeout = 250ms @ /etc/m.toml:2", "vocabulary.actions = deploy-staging @ /etc/m.toml:4",
                    "presets.reviewer.allow = commit, deploy-staging @ /etc/m.toml:6",
                    "presets.reviewer.deny = merge @ /etc/m.toml:7",
                    "presets.reviewer.terminal_gate = reviewed-pr @ /etc/m.toml:8",
                    "presets.reviewer.review_budget = 2 @ /etc/m.toml:9", "policy.deny = destructive @ /etc/m.toml:11",
                    "policy.deny = merge, deploy @ /lane/.mandate.toml:2",
                    "gate.fixes_need_review = true @ /etc/m.toml:13", "hooks.without_record = refuse @ /etc/m.toml:15",
                    "hooks.on_error = pass @ /etc/m.toml:16", "hooks.protected_branches = trunk @ /etc/m.toml:17",
                    "close.lane_files = NOTES.md @ /etc/m.toml:19", "close.disposable = out/, a/b @ /etc/m.toml:20"));
}

TEST(Entries, ShowADefaultAndAnEmptyListToo)
{
    const auto all = entries(Config());
    EXPECT_THAT(all, SizeIs(9));
    for (const ConfigEntry& entry : all) {
        EXPECT_EQ(describe(entry.origin), "default") << entry.key;
    }
    EXPECT_THAT(all, Contains(testing::AllOf(testing::Field(&ConfigEntry::key, "policy.deny"),
                                             testing::Field(&ConfigEntry::value, ""))));
}

}  // namespace
}  // namespace mandate::core
