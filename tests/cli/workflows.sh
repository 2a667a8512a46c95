#!/usr/bin/env bash
# The scripts of docs/workflows.md, taken from the page and run: with mandate, without it, and with a trap in the way.
set -euo pipefail

# shellcheck source=tests/support/workflows_support.sh
. "$(dirname "$0")/../support/workflows_support.sh"

git init -q "$scratch/repo"
cd "$scratch/repo"
git commit -q --allow-empty -m first
git worktree add -q -b task/one "$scratch/one"
cd "$scratch/one"
printf '%s\n' 'int a;' >a.c
git add a.c
git commit -q -m a

# Nobody was asked yet.
expect 3 "a review without a record" env REVIEW='echo 0' sh "$scripts/review.sh"
expect 3 "a merge without a record" env MERGE=true sh "$scripts/merge.sh"

mandate init --preset merge-delegated terminal_gate=reviewed-pr review_budget=2 task=one authorized_by=ann >/dev/null

expect 1 "a merge before the review" env MERGE='touch merged' sh "$scripts/merge.sh"
holds not-reviewed
[ ! -e merged ] || fail "merged although the gate was not met"

# A reviewer that does not start costs nothing; a retry of the same review is charged once.
expect 6 "a reviewer that does not start" env REVIEW='exit 7' sh "$scripts/review.sh"
holds "the round was given back"
[ "$(value review_rounds_used)" = 0 ] || fail "a round was charged that never ran"
expect 0 "a review" env REVIEW='echo 1' sh "$scripts/review.sh"
holds "findings 1"
expect 1 "a merge with findings open" env MERGE='touch merged' sh "$scripts/merge.sh"
mandate fixed >/dev/null
git commit -q --allow-empty -m again
expect 0 "the second review" env REVIEW='echo 0' sh "$scripts/review.sh"
git commit -q --allow-empty -m more
expect 1 "a review beyond the budget" env REVIEW='touch ran' sh "$scripts/review.sh"
[ ! -e ran ] || fail "a review ran that was not granted"
git reset -q --hard HEAD~1

expect 0 "the merge" env MERGE="git -C $scratch/repo merge -q --ff-only task/one" sh "$scripts/merge.sh"

# Closing: the cancelled round is counted and waits for a person; then untracked work does; then nothing.
printf 'mandate close-request\ntask=one\nworktree=%s\nrepo=%s\n' "$scratch/one" "$scratch/repo" >"$scratch/message"
expect 1 "closing with a cancelled round" sh "$scripts/close.sh" "$scratch/message"
holds "unenforced round-cancelled"
mandate unenforced --ack --by ann >/dev/null
echo notes >notes.txt
expect 1 "closing with untracked work" sh "$scripts/close.sh" "$scratch/message"
holds "dirty untracked notes.txt"
[ -e notes.txt ] || fail "the lane is gone"
rm notes.txt
cd "$scratch/repo"
expect 0 "closing" sh "$scripts/close.sh" "$scratch/message"
[ ! -e "$scratch/one" ] || fail "the lane is still there"
! git rev-parse -q --verify task/one >/dev/null || fail "the branch is still there"
git cat-file -e main:a.c || fail "the work is not in main"
mandate log --all | grep -q '^event=closed$' || fail "no evidence"
expect 1 "closing it again" sh "$scripts/close.sh" "$scratch/message"
holds not-a-lane

git worktree add -q "$scratch/two"
expect 0 "closing by hand" sh "$scripts/close-by-hand.sh" "$scratch/two"
[ ! -e "$scratch/two" ] || fail "the second lane is still there"

# Without mandate: exit 3, a verdict, and nothing of the current directory is run.
mkdir "$scratch/trap"
printf '#!/bin/sh\ntouch %s/sprung\n' "$scratch" >"$scratch/trap/mandate"
chmod +x "$scratch/trap/mandate"
cd "$scratch/trap"
for path in "$plain_path" ".:$plain_path" ":$plain_path" "$plain_path:" "$plain_path::" "trap:$plain_path"; do
    # shellcheck disable=SC2016  # the inner shell expands it
    # shellcheck disable=SC2016  # expanded by the inner shell
    expect 3 "the shim with PATH=$path" env PATH="$path" sh -c '. "$1" && mandate allows merge' sh "$scripts/lib/mandate.sh"
    holds verdict=no-mandate
done
[ ! -e "$scratch/sprung" ] || fail "something of the current directory was run"
echo "workflows: all as the page says"
