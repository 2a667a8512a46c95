#include "app/hook_judge.hpp"

#include "app/inspect.hpp"
#include "app/unenforced.hpp"
#include "base/text.hpp"
#include "core/verdict.hpp"
#include "os/env.hpp"

#include <algorithm>
#include <utility>

namespace mandate::app {

namespace {

constexpr std::size_t k_longest_subject = 120;  // bytes: the sentence must have room for who can change it
constexpr std::size_t k_longest_person = 60;
constexpr const char* k_bypass = "MANDATE_BYPASS";

std::string shortened(const std::string& raw, std::size_t limit)
{
    std::string text = text::escape(raw);
    if (text.size() > limit) {
        std::size_t end = limit - 3;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
            --end;
        }
        text.resize(end);
        text += "...";
    }
    return text;
}

std::string actions_of(const std::vector<core::Ask>& asks)
{
    std::vector<std::string> actions;
    for (const core::Ask& ask : asks) {
        if (std::find(actions.begin(), actions.end(), ask.action) == actions.end()) {
            actions.push_back(ask.action);
        }
    }
    return text::join(actions, ", ");
}

// An empty reason is none. Longer ones are cut, as every text in the ledger is bounded.
std::optional<std::string> bypass()
{
    auto why = os::variable(k_bypass);
    if (!why || text::trim(*why).empty()) {
        return std::nullopt;
    }
    why->resize(std::min(why->size(), core::k_value_limit));
    return why;
}

std::string needs(const core::Ask& ask)
{
    return shortened(ask.subject, k_longest_subject) + " needs '" + ask.action + "', and ";
}

}  // namespace

HookJudge::HookJudge(core::Hook hook, const std::string& directory) : m_name(core::name(hook))
{
    auto lane = open_lane({directory, std::nullopt, false, true});
    if (!lane) {
        m_trouble = lane.error();
        lane = open_lane({directory, std::nullopt, false, false});  // broken configuration, sound lane
    }
    if (lane) {
        m_lane.emplace(std::move(*lane));
        return;
    }
    // No lane: what the machine and the user configured still says what on_error is.
    if (auto settings = load_settings(nullptr)) {
        m_settings = std::move(*settings);
    }
}

core::Branches HookJudge::branches() const
{
    return {m_lane ? m_lane->place.head.branch : "", settings().config.protected_branches.values};
}

void HookJudge::note_task()
{
    const auto loaded = m_lane ? load_record(*m_lane) : Result<std::optional<LoadedRecord>>();
    m_task = loaded && *loaded ? (*loaded)->record.task : std::string();
}

HookOutcome HookJudge::judge(const std::vector<core::Ask>& asks)
{
    if (asks.empty()) {
        return {};
    }
    const core::Config& config = settings().config;
    for (const core::Ask& ask : asks) {
        const auto& denied = config.policy_deny.values;
        if (const auto it = std::find(denied.begin(), denied.end(), ask.action); it != denied.end()) {
            const auto& origins = config.policy_deny.origins;
            const auto index = static_cast<std::size_t>(it - denied.begin());
            const std::string where = index < origins.size() ? core::describe(origins[index]) : "the configuration";
            return stopped(needs(ask) + "policy.deny denies it in every lane",
                           "whoever keeps " + shortened(where, k_longest_subject) + " can change that", asks);
        }
    }
    if (m_trouble) {
        return undecided(*m_trouble, asks);
    }
    const auto loaded = load_record(*m_lane);
    if (!loaded) {
        return undecided(loaded.error(), asks);
    }
    return *loaded ? by_record((*loaded)->record, asks) : without_record(asks);
}

HookOutcome HookJudge::by_record(const core::Record& record, const std::vector<core::Ask>& asks)
{
    m_task = record.task;
    const std::string who =
        record.authorized_by.empty() ? "a person" : shortened(record.authorized_by, k_longest_person);
    const Time now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    for (const core::Ask& ask : asks) {
        switch (core::decide(record, ask.action, settings().config.policy_deny.values, now)) {
            case core::Verdict::allowed:
                continue;
            case core::Verdict::expired:
                return stopped(needs(ask) + text::escape(expired(record).message),
                               who + " can renew it: edit expires_at in the record", asks);
            case core::Verdict::denied:
                return stopped(needs(ask) + "the record denies it",
                               who + " can change that: mandate grant " + ask.action + " --by WHO", asks);
            case core::Verdict::unlisted:
            case core::Verdict::no_mandate:
                return stopped(needs(ask) + "the record does not allow it",
                               who + " can change that: mandate grant " + ask.action + " --by WHO", asks);
        }
    }
    return {};
}

HookOutcome HookJudge::without_record(const std::vector<core::Ask>& asks)
{
    if (settings().config.without_record.value == core::OnDoubt::refuse) {
        return stopped(needs(asks[0]) + "there is no record", std::string(k_how_to_grant), asks);
    }
    return count({core::Unenforced::no_mandate, m_name + ": " + actions_of(asks), fields(asks)}, {});
}

HookOutcome HookJudge::undecided(const Error& error, const std::vector<core::Ask>& asks)
{
    const std::string code(info(error.code).name);
    if (settings().config.on_error.value == core::OnDoubt::pass && !bypass()) {
        return count({core::Unenforced::hook_error, m_name + ": " + code, fields(asks)}, {});
    }
    std::string what = "cannot decide: " + text::escape_again(error.message);
    if (!error.path.empty()) {
        what += ": '" + shortened(error.path, k_longest_subject) + "'";
    }
    return stopped(what, text::escape_again(error.hint), asks);
}

// A no, unless somebody said that it must go on.
HookOutcome HookJudge::stopped(const std::string& what, const std::string& who, const std::vector<core::Ask>& asks)
{
    const auto why = bypass();
    return why ? count({core::Unenforced::bypass, *why, fields(asks)}, {}) : refuse(what, who);
}

HookOutcome HookJudge::refuse(const std::string& what, const std::string& who) const
{
    HookOutcome outcome;
    outcome.passes = false;
    outcome.said = m_name + ": " + what + (who.empty() ? "" : "; " + who);
    return outcome;
}

HookOutcome HookJudge::count(const core::LetThrough& what, const std::string& head)
{
    HookOutcome outcome;
    std::string why;
    if (m_lane) {
        Ledger ledger(m_lane->place);
        LedgerEntry context;
        context.task = m_task;
        context.head = head;
        const Counted counted = count_unenforced(ledger, std::move(context), what);
        outcome.answer = counted.answer;
        if (!counted.note) {
            return outcome;
        }
        why = text::escape(*counted.note);
    } else {
        outcome.answer.add("ledger", "unwritable");
        why = "went unenforced (" + std::string(core::info(what.reason).name) + ") and could not be counted: " +
              text::escape_again(m_trouble ? m_trouble->message : "there is no lane here");
    }
    outcome.uncounted = true;
    outcome.said = m_name + ": " + why + "; ledger=unwritable";
    return outcome;
}

core::LedgerFields HookJudge::fields(const std::vector<core::Ask>& asks) const
{
    return {{"hook", m_name}, {"action", actions_of(asks)}};
}

}  // namespace mandate::app
