#!/usr/bin/env bash
# Six lanes in different states on a real repository: all of them at a glance, as a table and as JSON; what closing each
# would lose, with the paths; two of them closed on a message and really removed, with nothing lost and their history
# still there.
set -euo pipefail

mandate=${MANDATE_BINARY:?}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch/home GIT_CONFIG_NOSYSTEM=1 LC_ALL=C TERM=xterm
unset XDG_CONFIG_HOME MANDATE_BYPASS NO_COLOR COLUMNS
mkdir "$HOME"
git config --global user.name Test
git config --global user.email test@example.invalid
git config --global init.defaultBranch main

fail() { echo "FAILED: $*" >&2; exit 1; }
git init --quiet "$scratch/repo"
repo=$(cd "$scratch/repo" && pwd -P)
lanes=$(dirname "$repo")
cd "$repo"
printf '*.o\nbuild/\n' >.gitignore
echo base >shared && git add . && git commit --quiet --message root

commit() { # LANE FILE TEXT: one commit
    echo "$3" >"$lanes/$1/$2" && git -C "$lanes/$1" add -- "$2" && git -C "$lanes/$1" commit --quiet --message "$1"
}
for lane in merged squashed ahead messy open stuck; do
    git worktree add --quiet -b "task/$lane" "$lanes/$lane"
    commit "$lane" "$lane" "work of $lane"
    "$mandate" init "$lanes/$lane" --preset standard "task=$lane" authorized_by=ann >/dev/null
done
commit squashed more 'more work'  # of one commit alone, git and mandate see that it is the same change
review() { # LANE: booked, reviewed, nothing found
    "$mandate" round "$lanes/$1" >/dev/null && "$mandate" reviewed "$lanes/$1" --findings 0 >/dev/null
}
for lane in merged squashed messy stuck; do review "$lane"; done
"$mandate" round "$lanes/open" >/dev/null
git merge --quiet --no-ff --message merge task/merged
git merge --quiet --no-ff --message merge task/messy
git merge --quiet --no-ff --message merge task/open
git merge --quiet --squash task/squashed >/dev/null 2>&1 && git commit --quiet --message squash
squashed=$(git rev-parse task/squashed)

# Lane files and what is disposable spoil nothing; everything else in `messy` does.
mkdir "$lanes/merged/build" && echo object >"$lanes/merged/build/a.o" && echo log >"$lanes/merged/.MANDATE.log"
echo changed >"$lanes/messy/messy" && echo new >"$lanes/messy/new file" && echo object >"$lanes/messy/x.o"
(cd "$lanes/messy" && echo staged >staged && git add staged)
commit stuck shared 'of the lane'
git worktree add --quiet --detach "$scratch/other" && echo elsewhere >"$scratch/other/shared"
git -C "$scratch/other" commit --quiet --all --message other
other=$(git -C "$scratch/other" rev-parse HEAD)
git worktree remove "$scratch/other"
git -C "$lanes/stuck" rebase --quiet "$other" >/dev/null 2>&1 && fail 'the rebase went through'

# --- at a glance ---
"$mandate" lanes --json >"$scratch/lanes.json"
python3 - "$scratch/lanes.json" "$lanes" <<'PYTHON' || fail 'lanes --json'
import json, sys
lanes = {row["task"]: row for row in json.load(open(sys.argv[1]))["lanes"]}
assert len(lanes) == 7, lanes.keys()  # the six, and the main worktree without a task
assert list(lanes)[:6] == sorted(filter(None, lanes)), list(lanes)
for task, state, step in [("merged", "reviewed", "done"), ("squashed", "reviewed", "done"), ("messy", "reviewed", "done"),
                          ("ahead", None, "review"), ("open", "booked", "run-review"), ("stuck", "reviewed", None)]:
    row = lanes[task]
    assert row["lane"] == sys.argv[2] + "/" + task and row["branch"] == "task/" + task, row
    assert row["round_state"] == state and (step is None or row["next"] == step), row
    assert row["review_budget"] == 3 and row["review_rounds_used"] == (0 if task == "ahead" else 1), row
    assert row["terminal_gate"] == "reviewed-pr" and row["problem"] is None and row["unenforced"] == 0, row
assert lanes[None]["mandate_exists"] is False, lanes[None]
PYTHON

at_terminal() { # COLUMNS COMMAND...: its output at a terminal of that width
    local columns=$1
    shift
    script --quiet --return --command "stty cols $columns; $(printf '%q ' "$@")" /dev/null </dev/null | tr -d '\r'
}
terminal_views() {
    at_terminal 120 "$mandate" lanes >"$scratch/table"
    sed 's/\x1b\[[0-9;]*m//g' "$scratch/table" >"$scratch/plain"
    cmp -s "$scratch/table" "$scratch/plain" && fail 'the table has no colour at a terminal'
    head -n 1 "$scratch/plain" | grep -q '^TASK  *BRANCH  *STATE  *NEXT  *GATE  *ROUNDS  *PATH *$' || fail 'the titles'
    [ "$(wc -l <"$scratch/plain")" -eq 8 ] || { cat "$scratch/plain"; fail 'not a row a lane'; }
    grep -q '^open  *task/open  *booked  *run-review  *reviewed-pr  *1/3  ' "$scratch/plain" || { cat "$scratch/plain"; fail 'the row of open'; }
    grep -q '^ahead  *task/ahead  *no round  *review  *reviewed-pr  *0/3  ' "$scratch/plain" || { cat "$scratch/plain"; fail 'the row of ahead'; }
    NO_COLOR=1 at_terminal 80 "$mandate" lanes >"$scratch/narrow"
    grep -q $'\x1b' "$scratch/narrow" && fail 'NO_COLOR has colour'
    awk 'length > 80 { exit 1 }' "$scratch/narrow" || { cat "$scratch/narrow"; fail 'a row is wider than the terminal'; }
    TERM=dumb at_terminal 80 "$mandate" lanes | grep -q $'\x1b' && fail 'a dumb terminal has colour'
    return 0
}
# A bare tree without devpts has none; docs.terminal says so as a skip, the rest of this test goes on.
if at_terminal 80 true; then terminal_views; else echo 'no pseudo-terminals here (is devpts mounted?): no table was looked at'; fi
"$mandate" lanes --color always | grep -q $'\x1b' && fail 'a pipe of key=value lines has colour'

# --- what closing each would lose ---
decides() { # LANE DECISION REASONS [OPTION...]
    local lane=$1 decision=$2 reasons=$3 status=0
    shift 3
    "$mandate" close-check "$lanes/$lane" "$@" >"$scratch/out" || status=$?
    [ "$status" -eq "$([ "$decision" = auto ] && echo 0 || echo 1)" ] || { cat "$scratch/out"; fail "close-check $lane: exit $status"; }
    grep -qx "decision=$decision" "$scratch/out" || { cat "$scratch/out"; fail "close-check $lane is not $decision"; }
    [ "$(sed -n 's/^reason=//p' "$scratch/out")" = "$reasons" ] || { cat "$scratch/out"; fail "close-check $lane: other reasons"; }
}
decides merged auto ''
decides squashed ask 'not-merged 2 commits not in main'
decides squashed auto '' --merged-head "$squashed"
decides ahead ask 'not-merged 1 commit not in main
gate-not-met not-reviewed no review of this lane is recorded'
decides messy ask 'dirty staged staged, modified messy, untracked new file
ignored-files x.o'
decides open ask "gate-not-met booked-unreviewed round 1 is booked, and what its review found is not recorded
round-open round 1 is booked and has no outcome"
status=0
"$mandate" close-check "$lanes/stuck" >"$scratch/out" || status=$?
[ "$status" -eq 1 ] || { cat "$scratch/out"; fail "close-check stuck: exit $status"; }
grep -qx 'decision=ask' "$scratch/out" || { cat "$scratch/out"; fail 'close-check stuck is not ask'; }
grep -qx 'reason=dirty conflicted shared' "$scratch/out" || { cat "$scratch/out"; fail 'the conflict is not named'; }
grep -qx 'reason=operation-in-progress rebase' "$scratch/out" || { cat "$scratch/out"; fail 'the rebase is not named'; }
decides repo reject 'main-worktree the main worktree is the repository itself'

# --- closed on a message, really removed, nothing lost ---
request() { # TASK [OPTION...]
    local task=$1
    shift
    printf '\nmandate close-request\ntask=%s\nnote=please\nworktree=%s\nrepo=%s\n' "$task" "$lanes/$task" "$repo" >"$scratch/message"
    "$mandate" close-request "$scratch/message" "$@" >"$scratch/out"
}
for lane in ahead messy open stuck; do
    request "$lane" && fail "$lane is closed"
    grep -qx 'decision=ask' "$scratch/out" || { cat "$scratch/out"; fail "the request for $lane"; }
    "$mandate" log "$lanes/$lane" | grep -qx 'event=closed' && fail "the ledger calls $lane closed"
done
sed -i 's/^task=.*/task=ahead/' "$scratch/message"
"$mandate" close-request "$scratch/message" >"$scratch/out" && fail 'a request for another task is taken'
grep -q '^reason=lane-mismatch ' "$scratch/out" || { cat "$scratch/out"; fail 'the task of another lane'; }

# Every file of the lane but lane files and disposable ones, and every version of it that the branch ever had.
contents() {
    (cd "$lanes/$1" && find . -type f ! -name .git ! -name MANDATE.md ! -name '.MANDATE.*' ! -path './build/*' -exec git hash-object {} +)
    git rev-list --objects "task/$1" | cut -d' ' -f1 | git cat-file --batch-check='%(objecttype) %(objectname)' |
        sed -n 's/^blob //p'
}
for lane in merged squashed; do
    contents "$lane" >"$scratch/contents.$lane"
    record=$(git hash-object "$lanes/$lane/MANDATE.md")
    options=()
    [ "$lane" = merged ] || options=(--merged-head "$squashed")
    request "$lane" "${options[@]}" || { cat "$scratch/out"; fail "$lane is not closed"; }
    grep -qx 'decision=auto' "$scratch/out" || fail "the request for $lane is not auto"
    git worktree remove --force "$lanes/$lane" && git branch --quiet -D "task/$lane"
    [ ! -e "$lanes/$lane" ] || fail "$lane is still there"
    "$mandate" log --all >"$scratch/log"
    # The blocks of this lane, and in the one that closes it the digest of the record that went.
    awk -v RS= -v task="$lane" -v record="$record" '
        { split("", line); n = split($0, all, "\n"); for (i = 1; i <= n; ++i) line[all[i]] = 1 }
        ("task=" task) in line { ++events }
        ("task=" task) in line && "event=closed" in line && ("record=" record) in line { ++closed }
        END { exit !(events >= 5 && closed == 1) }' "$scratch/log" || { cat "$scratch/log"; fail "the log of $lane"; }
done
git reflog expire --expire=now --all && git gc --quiet --prune=now
git rev-list --objects main | cut -d' ' -f1 | sort -u >"$scratch/kept"
for lane in merged squashed; do
    [ -s "$scratch/contents.$lane" ] || fail "$lane had no contents to compare"
    sort -u "$scratch/contents.$lane" | comm -23 - "$scratch/kept" >"$scratch/lost"
    [ ! -s "$scratch/lost" ] || { cat "$scratch/lost"; fail "$lane: contents are lost"; }
done
[ "$("$mandate" lanes | grep -c '^lane_id=')" -eq 5 ] || fail 'lanes still lists what was removed'
echo 'six lanes: all as promised'
