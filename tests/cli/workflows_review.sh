#!/usr/bin/env bash
# review.sh of docs/workflows.md never reviews more than was granted: run again at one commit, twice at once, killed
# halfway and started again, and with a reviewer that prints something else than a number.
set -euo pipefail

# shellcheck source=tests/support/workflows_support.sh
. "$(dirname "$0")/../support/workflows_support.sh"

git init -q "$scratch/repo"
cd "$scratch/repo"
git commit -q --allow-empty -m first
git worktree add -q -b task/one "$scratch/one"
cd "$scratch/one"
git commit -q --allow-empty -m work
mandate init --preset standard review_budget=9 task=one authorized_by=ann >/dev/null

# counts USED REVIEWS UNENFORCED: what was charged, what was run, and what is counted against the lane.
counts() {
    local runs
    runs=$(wc -l <"$scratch/ran")
    [ "$(value review_rounds_used) $runs $(value unenforced)" = "$1 $2 $3" ] ||
        fail "used, run and unenforced are $(value review_rounds_used) $runs $(value unenforced), not $1 $2 $3"
}

quick="echo ran >>$scratch/ran; echo 0"

# Twice at one commit: the second run finds the first one's outcome.
expect 0 "a review" env REVIEW="$quick" sh "$scripts/review.sh"
holds "findings 0"
expect 0 "the same again" env REVIEW="$quick" sh "$scripts/review.sh"
holds "this commit was reviewed already"
counts 1 1 0
[ "$(value round_state)" = reviewed ] || fail "the second run changed the state"

# Findings that were fixed or acknowledged since do not make it review the commit again either.
git commit -q --allow-empty -m more
expect 0 "a review with findings" env REVIEW="echo ran >>$scratch/ran; echo 2" sh "$scripts/review.sh"
mandate acknowledged --by ann >/dev/null
expect 0 "the same after a person took it" env REVIEW="$quick" sh "$scripts/review.sh"
holds "this commit was reviewed already"
[ "$(value round_state)" = acknowledged ] || fail "the retry changed the state"
counts 2 2 0

# A reviewer that waits: it says on `started` that it runs, and goes on with a line of `goon`. Both are held open here, so
# that no open waits for the other side; the reviewers do not inherit them, so that they end if this test does.
mkfifo "$scratch/started" "$scratch/goon"
exec 7<>"$scratch/started" 8<>"$scratch/goon"
slow="echo ran >>$scratch/ran; echo up >$scratch/started; read -r line <$scratch/goon; echo 0"
start_slow() {
    env REVIEW="$slow" sh "$scripts/review.sh" >"$scratch/slow.out" 2>&1 7<&- 8<&- &
    first=$!
    read -r -t 60 -u 7 _ || fail "the reviewer does not start: $(cat "$scratch/slow.out")"
}

# Two at once: one reviews, the other ends without asking for a round, and later finds the outcome.
git commit -q --allow-empty -m "two at once"
start_slow
expect 4 "a second run meanwhile" env REVIEW="$quick" sh "$scripts/review.sh"
holds "another run reviews this lane"
counts 3 3 0
echo >&8
wait "$first" || fail "the first run: $(cat "$scratch/slow.out")"
expect 0 "the second run later" env REVIEW="$quick" sh "$scripts/review.sh"
holds "this commit was reviewed already"
counts 3 3 0

# Killed between round and reviewed: its reviewer lives on and keeps others out; then the same round is used.
git commit -q --allow-empty -m killed
start_slow
kill -KILL "$first"
wait "$first" 2>/dev/null && fail "the script was not killed"
expect 4 "a restart while the reviewer runs" env REVIEW="$quick" sh "$scripts/review.sh"
[ "$(value round_state)" = booked ] || fail "the killed run left no booked round"
counts 4 4 0
echo >&8
flock -w 60 "$(git rev-parse --git-path mandate-review)" true || fail "the lock outlives the reviewer"
expect 0 "a restart" env REVIEW="$quick" sh "$scripts/review.sh"
holds "review round 4"
counts 4 5 0
[ "$(value round_state)" = reviewed ] || fail "the restart recorded nothing"

# No number: the round stays booked, the script says what to do, and a run with a number uses the same round.
git commit -q --allow-empty -m "no number"
for printed in 'no findings' '' '-1' '1 2' '3.5'; do
    expect 6 "a reviewer that prints '$printed'" env REVIEW="echo ran >>$scratch/ran; echo '$printed'" sh "$scripts/review.sh"
    holds "mandate reviewed --findings N --head $(git rev-parse HEAD)"
    [ "$(value round_state)" = booked ] || fail "the round of '$printed' is not booked"
done
expect 0 "the same with a number" env REVIEW="$quick" sh "$scripts/review.sh"
counts 5 11 0

# A reviewer that fails gives the round back; that is counted, and the next run books it again.
git commit -q --allow-empty -m fails
expect 6 "a reviewer that fails" env REVIEW='exit 7' sh "$scripts/review.sh"
holds "the reviewer failed"
counts 5 11 1
expect 0 "the next run" env REVIEW="$quick" sh "$scripts/review.sh"
holds "review round 6"
counts 6 12 1
echo "workflows: no review was run that was not granted"
