#include "app/gate_facts.hpp"

#include "git/history.hpp"
#include "git/repository.hpp"
#include "git/same_change.hpp"

#include <algorithm>
#include <utility>

namespace mandate::app {

namespace {

using core::Certainty;
using Told = core::GateFacts::Told;

constexpr std::size_t k_id_length = 40;
constexpr std::size_t k_shortest_id = 4;

Told unknown(const Error& error, std::string name = {})
{
    return {Certainty::unknown, std::move(name),
            error.hint.empty() ? error.message : error.message + " (" + error.hint + ")"};
}

Told told(const Result<bool>& answer, std::string name = {})
{
    return answer ? Told{*answer ? Certainty::yes : Certainty::no, std::move(name), {}}
                  : unknown(answer.error(), std::move(name));
}

class Gatherer {
public:
    Gatherer(const Lane& lane, const core::Record& record, const GateTarget& target, const git::Repository& repository)
        : m_record(record), m_target(target), m_repository(repository), m_branch(lane.place.head.branch)
    {
    }

    [[nodiscard]] Told same_change(const std::string& head) const
    {
        const std::string settled = core::settled_commit(m_record);
        if (settled.empty()) {
            return {};
        }
        if (settled == head) {
            return {Certainty::yes, {}, {}};
        }
        const auto commit = git::find_commit(m_repository, settled);
        if (!commit) {
            return unknown(commit.error());
        }
        // An amended message needs no branch to compare with.
        if (const auto reworded = git::only_message_differs(m_repository, *commit, head); !reworded || *reworded) {
            return told(reworded);
        }
        const auto into = integration_branch();
        if (!into) {
            return unknown(into.error());
        }
        const std::string own_ref = m_branch.empty() ? std::string() : "refs/heads/" + m_branch;
        return told(git::same_change(m_repository, {*into, own_ref, *commit, head}));
    }

    [[nodiscard]] Told upstream(const std::string& head) const
    {
        if (m_branch.empty()) {
            return {Certainty::no, {}, "HEAD is detached, so there is no upstream"};
        }
        const auto tip = git::upstream_of(m_repository, m_branch);
        return tip ? told(git::holds(m_repository, tip->commit, head), tip->name) : unknown(tip.error());
    }

    [[nodiscard]] Told integration(const std::string& head) const
    {
        if (m_target.merged_head && *m_target.merged_head == head) {
            return {Certainty::yes, "--merged-head", {}};
        }
        const auto into = integration_branch();
        return into ? told(git::holds(m_repository, into->commit, head), into->name) : unknown(into.error());
    }

private:
    [[nodiscard]] Result<git::Tip> integration_branch() const
    {
        return m_target.into ? Result<git::Tip>(*m_target.into) : git::integration_branch(m_repository, m_branch);
    }

    const core::Record& m_record;
    const GateTarget& m_target;
    const git::Repository& m_repository;
    const std::string& m_branch;
};

bool is_lower_hex(const std::string& text)
{
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

Result<GateTarget> read_target(const Place& place, const std::optional<std::string>& into,
                               const std::optional<std::string>& merged_head)
{
    GateTarget target;
    if (!into && !merged_head) {
        return target;
    }
    const auto repository = git::Repository::open(place.root);
    if (!repository) {
        return fail(repository.error());
    }
    if (merged_head) {
        std::string id = *merged_head;
        std::transform(id.begin(), id.end(), id.begin(),
                       [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c + ('a' - 'A')) : c; });
        if (id.size() < k_shortest_id || id.size() > k_id_length || !is_lower_hex(id)) {
            return fail(Code::value_invalid, "--merged-head is no commit id",
                        "give the 40 hex digits of the commit that was merged");
        }
        if (id.size() < k_id_length) {
            const auto commit = git::find_commit(*repository, id);
            if (!commit) {
                return fail(Code::value_invalid, "--merged-head: " + commit.error().message, "give all 40 hex digits");
            }
            id = *commit;
        }
        target.merged_head = std::move(id);
    }
    if (into) {
        auto tip = git::named_tip(*repository, *into);
        if (!tip) {
            return fail(std::move(tip.error()));
        }
        target.into = std::move(*tip);
    }
    return target;
}

core::GateRules gate_rules(const Lane& lane) { return {lane.settings.config.fixes_need_review.value}; }

Result<core::GateFacts> gather_facts(core::Question question, const Lane& lane, const core::Record& record,
                                     const GateTarget& target)
{
    if (!core::wanted(question, record, gate_rules(lane), {})) {
        return core::GateFacts{};
    }
    const auto repository = git::Repository::open(lane.place.root);
    if (!repository) {
        return fail(repository.error());
    }
    auto head = repository->head_commit();
    if (!head) {
        return fail(std::move(head.error()));
    }
    return gather_facts(question, lane, record, *repository, head->value_or(""), target);
}

core::GateFacts gather_facts(core::Question question, const Lane& lane, const core::Record& record,
                             const git::Repository& repository, std::string head, const GateTarget& target)
{
    core::GateFacts facts;
    facts.head = std::move(head);
    const Gatherer gather(lane, record, target, repository);
    const Told unborn{Certainty::no, {}, "there is no commit at HEAD yet"};
    while (const auto fact = core::wanted(question, record, gate_rules(lane), facts)) {
        switch (*fact) {
            case core::GateFact::same_change:
                facts.same_change = facts.head.empty() ? unborn : gather.same_change(facts.head);
                break;
            case core::GateFact::upstream:
                facts.upstream = facts.head.empty() ? unborn : gather.upstream(facts.head);
                break;
            case core::GateFact::integration:
                facts.integration = facts.head.empty() ? unborn : gather.integration(facts.head);
                break;
        }
    }
    return facts;
}

}  // namespace mandate::app
