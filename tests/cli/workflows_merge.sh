#!/usr/bin/env bash
# merge.sh of docs/workflows.md with each gate: the gate before the merge, and for `merged` the next step before and the
# gate after.
set -euo pipefail

# shellcheck source=tests/support/workflows_support.sh
. "$(dirname "$0")/../support/workflows_support.sh"

git init -q --bare "$scratch/origin"
git init -q "$scratch/repo"
cd "$scratch/repo"
git remote add origin "$scratch/origin"
git commit -q --allow-empty -m first
git push -q origin main
git remote set-head origin main

# lane NAME WORD...: a lane with one commit and a grant.
lane() {
    git -C "$scratch/repo" worktree add -q -b "task/$1" "$scratch/$1" origin/main
    cd "$scratch/$1"
    git branch -q --unset-upstream
    echo "$1" >"$1.txt"
    git add "$1.txt"
    git commit -q -m "$1"
    mandate init task="$1" authorized_by=ann "${@:2}" >/dev/null
}
review() { expect 0 "a review" env REVIEW='echo 0' sh "$scripts/review.sh"; }
is_in_main() { git -C "$scratch/origin" merge-base --is-ancestor "task/$1" main; }
forge="git push -q origin HEAD:main && git fetch -q"

# The preset as it stands: the gate is `merged`, and next says when merging is the step.
lane preset --preset merge-delegated
expect 1 "a merge before the review" env MERGE='touch ran' sh "$scripts/merge.sh"
holds "the next step is review"
review
expect 1 "a merge before the push" env MERGE='touch ran' sh "$scripts/merge.sh"
holds "the next step is push"
git push -q --set-upstream origin task/preset
[ ! -e ran ] || fail "merged although that was not the next step"
expect 1 "a merge that does not arrive" env MERGE=true sh "$scripts/merge.sh"
holds "the gate is not met after the merge"
holds not-merged
expect 9 "a merge that fails" env MERGE='exit 9' sh "$scripts/merge.sh"
expect 0 "the merge" env MERGE="$forge" sh "$scripts/merge.sh"
is_in_main preset || fail "nothing was merged"
expect 0 "the merge again" env MERGE='touch ran' sh "$scripts/merge.sh"
holds "merged already"
[ ! -e ran ] || fail "merged twice"

# Findings that are open are a step before the merge.
lane findings --preset merge-delegated
git push -q --set-upstream origin task/findings
expect 0 "a review with findings" env REVIEW='echo 2' sh "$scripts/review.sh"
expect 1 "a merge with findings open" env MERGE='touch ran' sh "$scripts/merge.sh"
holds "the next step is fix"
[ ! -e ran ] || fail "merged with findings open"

# A squash merge: the caller names the commit that it took in.
lane squash --preset merge-delegated
review
git push -q --set-upstream origin task/squash
squash="git -C $scratch/repo fetch -q && git -C $scratch/repo reset -q --hard origin/main &&
    git -C $scratch/repo merge -q --squash task/squash >/dev/null && git -C $scratch/repo commit -q -m squashed &&
    git -C $scratch/repo push -q origin main"
expect 0 "a squash merge" env MERGE="$squash" sh "$scripts/merge.sh" --merged-head "$(git rev-parse HEAD)"

# The gate `reviewed-pr` is met before the merge, and is asked then.
lane reviewed --preset merge-delegated terminal_gate=reviewed-pr
expect 1 "a merge before the review" env MERGE='touch ran' sh "$scripts/merge.sh"
holds "the gate is not met before the merge"
holds not-reviewed
[ ! -e ran ] || fail "merged although the gate was not met"
review
git push -q origin task/reviewed
expect 0 "the merge" env MERGE="git fetch -q && git rebase -q origin/main && $forge" sh "$scripts/merge.sh"
[ "$(git rev-parse HEAD)" = "$(git -C "$scratch/origin" rev-parse main)" ] || fail "nothing was merged"

# No grant, no merge, whatever the gate says.
lane denied --preset standard terminal_gate=merged
expect 1 "a merge that was denied" env MERGE='touch ran' sh "$scripts/merge.sh"
holds "may not merge: denied"
[ ! -e ran ] || fail "merged although a person said no"
echo "workflows: merged only what was the next step"
