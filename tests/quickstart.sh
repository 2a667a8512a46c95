#!/usr/bin/env bash
# The main job on a scratch repository with a linked worktree: grants, asks, books, shows.
# Prints every command before it runs, fails loudly if a result is not the expected one, leaves nothing behind.
# usage: quickstart.sh MANDATE_BINARY
set -euo pipefail

binary=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Nothing of the user's git or mandate configuration, and `mandate` by its name.
for name in $(compgen -e | grep -E '^(GIT_|MANDATE_)' || true); do
    unset "$name"
done
export HOME="$scratch/home" XDG_CONFIG_HOME="$scratch/home/.config" GIT_CONFIG_NOSYSTEM=1
export PATH="$scratch/bin:$PATH"
mkdir -p "$scratch/home" "$scratch/bin"
ln -s "$binary" "$scratch/bin/mandate"
git config --global user.name Quickstart
git config --global user.email quickstart@example.invalid
git config --global init.defaultBranch main

fail() {
    echo "quickstart: $1" >&2
    exit 1
}

# run COMMAND...: prints it, runs it, prints and keeps what it answers.
run() {
    local words='' word
    for word in "$@"; do
        case $word in
            *[!A-Za-z0-9_./=:@-]*) words+=" '$word'" ;;
            *) words+=" $word" ;;
        esac
    done
    printf '\n$%s\n' "$words"
    status=0
    answer=$("$@") || status=$?
    [ -z "$answer" ] || printf '  %s\n' "${answer//$'\n'/$'\n'  }"
    [ "$status" -eq 0 ] || printf '  (exit %s)\n' "$status"
}

# expect STATUS [LINE...]: holds the last command against its exit status and lines of its answer.
expect() {
    local wanted=$1 line
    shift
    [ "$status" -eq "$wanted" ] || fail "expected exit $wanted, got $status"
    for line in "$@"; do
        grep -qxF -- "$line" <<<"$answer" || fail "expected the line '$line'"
    done
}

cd "$scratch"
echo "A repository and a linked worktree, the lane; then a subdirectory of the lane."
run git init --quiet repository
run git -C repository commit --quiet --allow-empty --message 'Start'
run git -C repository worktree add --quiet -b task/demo ../lane
expect 0
mkdir -p lane/src/deep
printf '\n$ cd lane/src/deep\n'
cd lane/src/deep

printf '\nA person grants: the standard preset, for one task.\n'
run mandate init --preset standard task=demo authorized_by=ann
expect 0 mandate_exists=yes written=yes excluded=yes

printf '\nMay this lane do X without asking again?\n'
run mandate allows commit
expect 0 verdict=allowed task=demo lane_source=cwd
run mandate allows merge
expect 1 verdict=denied

printf '\nMay it run one more review round? The budget is 3.\n'
for round in 1 2 3; do
    run mandate round
    expect 0 round_authorized=yes "round=$round" "review_rounds_left=$((3 - round))"
done
expect 0 review_budget_exhausted=yes
run mandate round
expect 0 round_authorized=no review_rounds_used=3 review_rounds_left=0

printf '\nWhat is recorded, and what happened.\n'
run mandate show
expect 0 task=demo authorized_by=ann review_budget=3 review_rounds_used=3 round_state=booked
run sh -c 'mandate log | grep -E "^(event|round)="'
expect 0 event=init event=refused
[ "$(grep -cx event=round <<<"$answer")" -eq 3 ] || fail 'expected three rounds in the log'

printf '\nAnd git sees nothing of it.\n'
run git status --porcelain
expect 0
[ -z "$answer" ] || fail 'expected an empty status'

printf '\nAll as expected.\n'
