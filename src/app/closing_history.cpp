#include "app/closing_history.hpp"

#include "app/operations.hpp"
#include "git/merged.hpp"

#include <algorithm>
#include <utility>

namespace mandate::app {

namespace {

constexpr std::size_t k_short = 12;

std::string commits(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " commit" : " commits"); }

// A whole id, as forges and `git ls-remote` give it. Names are no answer: they may mean another commit here.
Result<void> check_id(const char* option, const std::optional<std::string>& id)
{
    constexpr std::size_t k_digits = 40;
    if (id && (id->size() != k_digits || id->find_first_not_of("0123456789abcdef") != std::string::npos)) {
        return fail(Code::value_invalid, std::string(option) + " is no commit id",
                    "give all 40 hex digits, in lower case");
    }
    return {};
}

class History {
public:
    History(const git::Repository& repository, std::string head, std::string branch, core::CloseFacts& facts)
        : m_repository(repository), m_head(std::move(head)), m_branch(std::move(branch)), m_facts(facts)
    {
    }

    Result<void> judge_merge(const std::optional<git::Tip>& into)
    {
        if (!into) {
            return add(core::MergeState::no,
                       "there is no integration branch besides the lane's own; name one with --into");
        }
        const auto progress = git::merge_progress(m_repository, m_head, into->commit);
        if (!progress) {
            return fail(progress.error());
        }
        if (progress->missing == 0) {
            return add(core::MergeState::merged, "");
        }
        return add(progress->began ? core::MergeState::partly : core::MergeState::no,
                   commits(progress->missing) + " not in " + into->name);
    }

    // By the caller's word the squash holds `merged`; it says nothing of any other commit.
    Result<void> judge_squash(const std::string& merged)
    {
        if (merged == m_head) {
            return add(core::MergeState::merged, "");
        }
        if (!git::has_commit(m_repository, merged)) {
            return add(core::MergeState::no,
                       "HEAD is not " + merged.substr(0, k_short) + ", which was merged and is not here");
        }
        const auto after = git::count_missing(m_repository, m_head, {merged});
        if (!after) {
            return fail(after.error());
        }
        if (*after == 0) {
            return add(core::MergeState::no, "HEAD is older than " + merged.substr(0, k_short) + ", which was merged");
        }
        return add(core::MergeState::partly,
                   commits(*after) + " not in " + merged.substr(0, k_short) + ", which was merged");
    }

    // Without a branch nothing but the worktree would go, so any ref that keeps the commit will do.
    Result<void> judge_detached()
    {
        const auto kept = git::is_kept(m_repository, m_head, "");
        if (!kept) {
            return fail(kept.error());
        }
        return *kept ? add(core::MergeState::merged, "") : Result<void>{};
    }

    // Refs of this worktree alone go with it.
    Result<void> judge_own_refs(const std::vector<std::string>& refs)
    {
        for (const std::string& commit : refs) {
            const auto kept = git::has_commit(m_repository, commit)
                                  ? git::is_kept(m_repository, commit, "refs/heads/" + m_branch)
                                  : Result<bool>(false);
            if (!kept) {
                return fail(kept.error());
            }
            if (!*kept) {
                return add(core::MergeState::no,
                           "a ref of this worktree alone keeps " + commit + ", which no branch has");
            }
        }
        return {};
    }

    Result<void> judge_remote(const std::optional<git::Tip>& upstream, const std::optional<std::string>& told,
                              const std::optional<git::Tip>& into)
    {
        const bool known = told && git::has_commit(m_repository, *told);
        if (told && !known) {
            m_facts.remote_ahead = "the remote holds " + told->substr(0, k_short) + ", which was not fetched";
        }
        // Commits that the integration branch has are nobody's unfinished work.
        std::vector<std::string> accounted{m_head};
        if (into) {
            accounted.push_back(into->commit);
        }
        std::vector<git::Tip> tips;
        if (known) {
            tips.push_back({"the remote's branch", "", *told});
        }
        if (upstream) {
            tips.push_back(*upstream);
        }
        for (const git::Tip& tip : tips) {
            const auto ahead = git::count_missing(m_repository, tip.commit, accounted);
            if (!ahead) {
                return fail(ahead.error());
            }
            if (*ahead > 0 && !m_facts.remote_ahead) {
                m_facts.remote_ahead = commits(*ahead) + " in " + tip.name + " and neither here nor merged";
            }
        }
        if (!upstream) {
            return {};
        }
        const git::Tip& newest = tips.front();
        const auto behind = git::count_missing(m_repository, m_head, {newest.commit});
        if (!behind) {
            return fail(behind.error());
        }
        if (*behind > 0) {
            m_facts.unpushed = core::Distance{*behind, newest.name};
        }
        return {};
    }

private:
    Result<void> add(core::MergeState state, std::string text)
    {
        m_facts.merge = state;
        m_facts.merge_text = std::move(text);
        return {};
    }

    const git::Repository& m_repository;
    std::string m_head, m_branch;
    core::CloseFacts& m_facts;
};

}  // namespace

Result<std::string> add_history(const Place& place, const git::Repository& repository, const std::string& head,
                                const CloseQuestion& question, core::CloseFacts& facts)
{
    if (auto checked = check_id("--remote-head", question.remote_head); !checked) {
        return fail(std::move(checked.error()));
    }
    const std::string& branch = place.head.branch;
    const auto into = git::find_integration(repository, branch, question.into);
    if (!into) {
        return fail(into.error());
    }
    const std::string name = *into ? (*into)->ref : std::string();
    if (head.empty()) {
        facts.merge = core::MergeState::merged;  // no commit, so none that is missing
        return name;
    }
    History history(repository, head, branch, facts);
    auto judged = history.judge_merge(*into);
    if (judged && facts.merge != core::MergeState::merged && question.merged_head) {
        judged = history.judge_squash(*question.merged_head);
    }
    if (judged && facts.merge != core::MergeState::merged && branch.empty()) {
        judged = history.judge_detached();
    }
    if (judged && facts.merge == core::MergeState::merged) {
        judged = history.judge_own_refs(own_refs(place.git_dir));
    }
    if (judged) {
        judged = history.judge_remote(git::find_upstream(repository, branch), question.remote_head, *into);
    }
    return judged ? Result<std::string>(name) : Result<std::string>(fail(judged.error()));
}

}  // namespace mandate::app
