// The half of a hook that decides: may this lane do what is asked, and if nobody can tell, what then.
//
// Everything that a hook lets through without a yes of the record passes `count` here: no other way leads past a
// question. The order: policy.deny, then whatever keeps the hook from deciding, then the record; MANDATE_BYPASS
// turns any of those refusals into a pass that is counted.
#pragma once

#include "app/hooks.hpp"
#include "app/lane.hpp"
#include "core/plan.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mandate::app {

class HookJudge {
public:
    HookJudge(core::Hook hook, const std::string& directory);

    [[nodiscard]] const Place* place() const { return m_lane ? &m_lane->place : nullptr; }
    [[nodiscard]] core::Branches branches() const;

    HookOutcome judge(const std::vector<core::Ask>& asks);

    // The hook cannot decide: [hooks] on_error says what happens.
    HookOutcome undecided(const Error& error, const std::vector<core::Ask>& asks);

    // A no that nothing turns into a yes. `who`: who can change it, and how.
    [[nodiscard]] HookOutcome refuse(const std::string& what, const std::string& who) const;

    // A pass that is written down first.
    HookOutcome count(const core::LetThrough& what, const std::string& head = {});

    // Reads the task for what is counted, where nothing is judged.
    void note_task();

private:
    [[nodiscard]] const Settings& settings() const { return m_lane ? m_lane->settings : m_settings; }
    HookOutcome by_record(const core::Record& record, const std::vector<core::Ask>& asks);
    HookOutcome without_record(const std::vector<core::Ask>& asks);
    HookOutcome stopped(const std::string& what, const std::string& who, const std::vector<core::Ask>& asks);
    [[nodiscard]] core::LedgerFields fields(const std::vector<core::Ask>& asks) const;

    std::string m_name;
    std::optional<Lane> m_lane;
    Settings m_settings;             // where there is no lane
    std::optional<Error> m_trouble;  // no lane, or configuration that cannot be read
    std::string m_task;
};

}  // namespace mandate::app
