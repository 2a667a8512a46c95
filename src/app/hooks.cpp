#include "app/hooks.hpp"

#include "app/commit_mark.hpp"
#include "app/hook_facts.hpp"
#include "app/hook_judge.hpp"

#include <utility>

namespace mandate::app {

namespace {

using core::Hook;

// Whatever else is decided, a record never goes into a commit.
HookOutcome commit_with(HookJudge& judge, const std::vector<core::Ask>& asks)
{
    const StagedRecord staged = find_staged_record(judge.place());
    if (staged.state == git::Tracked::yes) {
        return judge.refuse("'" + staged.name + "' is staged, and a record never goes into a commit",
                            "take it out: git rm --cached -r -- '" + staged.name + "'");
    }
    if (staged.state == git::Tracked::unknown) {
        return judge.refuse("the index that this commit is made from cannot be read", "see what git status says");
    }
    HookOutcome outcome = judge.judge(asks);
    if (outcome.passes && judge.place() != nullptr) {
        leave_commit_mark(*judge.place());
    }
    return outcome;
}

// The commit stands; what is left is to say so where nobody was asked.
HookOutcome after_commit(HookJudge& judge)
{
    const Place* place = judge.place();
    if (place != nullptr && take_commit_mark(*place)) {
        return {};
    }
    const NewestCommit newest = place != nullptr ? newest_commit(*place) : NewestCommit();
    if (newest.by_design) {
        return {};
    }
    judge.note_task();
    const std::string hook(core::name(Hook::post_commit));
    return judge.count({core::Unenforced::no_verify, newest.id, {{"hook", hook}, {"commit", newest.id}}}, newest.id);
}

HookOutcome pushing(HookJudge& judge, std::vector<core::RefMove> moves)
{
    complete_push(moves, judge.branches(), refs_directory(judge.place()));
    return judge.judge(core::asks_of_push(moves, judge.branches()));
}

HookOutcome moving_refs(HookJudge& judge, std::vector<core::RefMove> moves)
{
    const std::string common_dir = refs_directory(judge.place());
    if (auto completed = complete_transaction(moves, judge.branches(), common_dir); !completed) {
        return judge.undecided(completed.error(), {});
    }
    const std::vector<core::Ask> asks = core::asks_of_transaction(moves, judge.branches());
    if (!asks.empty() && judge.place() != nullptr && common_dir != judge.place()->common_dir) {
        Error error{Code::worktree_mismatch, "git moves refs of another repository than this directory's", {}, {}, {}};
        error.hint = "run git inside of a worktree of that repository";
        return judge.undecided(error.on(common_dir), asks);
    }
    return judge.judge(asks);
}

// These two hooks start often and mostly have nothing to ask: that is seen before any lane is looked for.
HookOutcome run_fed_hook(const HookCall& call)
{
    const bool transaction = call.hook == Hook::reference_transaction;
    if (transaction && (call.arguments.empty() || call.arguments[0] != "prepared")) {
        return {};  // the other states come after the fact
    }
    auto moves = read_ref_moves(call.hook);
    if (moves && moves->empty()) {
        return {};  // no branch is touched; pre-push also runs when everything is up to date
    }
    HookJudge judge(call.hook, call.directory);
    if (!moves) {
        return judge.undecided(moves.error(), {});
    }
    return transaction ? moving_refs(judge, std::move(*moves)) : pushing(judge, std::move(*moves));
}

}  // namespace

HookOutcome run_hook(const HookCall& call)
{
    if (call.hook == Hook::pre_push || call.hook == Hook::reference_transaction) {
        return run_fed_hook(call);
    }
    HookJudge judge(call.hook, call.directory);
    switch (call.hook) {
        case Hook::pre_commit:
            return commit_with(judge, core::asks_of_commit());
        case Hook::pre_merge_commit:
            return commit_with(judge, core::asks_of_merge_commit(judge.branches()));
        case Hook::post_commit:
            return after_commit(judge);
        default:
            return judge.judge(core::asks_of_rebase(judge.branches(), call.arguments));
    }
}

}  // namespace mandate::app
