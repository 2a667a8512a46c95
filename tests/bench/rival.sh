#!/bin/sh
# What people write today: flock(1), git and awk. Measured beside `mandate`, so it makes the same checks as that does:
# a record of this lane and branch that has not expired and that no branch brought along; for a booking all of it once
# more under the lock, a record that git ignores, and a synced line in a ledger before the synced rename.
# usage: rival.sh allows ACTION | rival.sh round      (in a linked worktree)
set -eu

root=$(git rev-parse --show-toplevel)
record=$root/MANDATE.md

value() {
    awk -v key="$1" 'NR == 1 && $0 != "---" { exit } NR > 1 && $0 == "---" { exit }
        index($0, key ":") == 1 { sub(/^[^:]*:[ \t]*/, ""); print; exit }' "$record"
}

check_record() {
    [ -f "$record" ] && [ ! -L "$record" ] || exit 3
    if git ls-files --error-unmatch MANDATE.md >/dev/null 2>&1; then exit 2; fi
    case $(git rev-parse --absolute-git-dir) in */"$(value lane_id)") ;; *) exit 2 ;; esac
    [ "$(git symbolic-ref -q --short HEAD)" = "$(value branch)" ] || exit 2
    expires=$(value expires_at)
    [ -z "$expires" ] || [ "$(date +%s)" -lt "$(date -d "$expires" +%s)" ] || exit 3
}

cd "$root"
check_record
case $1 in
allows)
    case ",$(value deny | tr -d ' ')," in *",$2,"*) echo verdict=denied && exit 1 ;; esac
    case ",$(value allow | tr -d ' ')," in *",$2,"*) echo verdict=allowed && exit 0 ;; esac
    echo verdict=unlisted
    exit 1
    ;;
round)
    git check-ignore -q MANDATE.md || exit 2
    ledger=$(git rev-parse --git-common-dir)/rival.log
    exec 9>"$root/.MANDATE.lock"
    flock -w 5 9 || exit 4
    check_record
    used=$(value review_rounds_used)
    budget=$(value review_budget)
    if [ "${used:-0}" -ge "${budget:-1000000}" ]; then echo round_authorized=no && exit 0; fi
    round=$((${used:-0} + 1))
    temp=$root/.MANDATE.tmp.$$
    awk -v round="$round" '!done && /^review_rounds_used:/ { print "review_rounds_used: " round; done = 1; next } { print }' \
        "$record" >"$temp"
    sync "$temp"
    printf '%s round %s %s %s\n' "$(date -u +%FT%TZ)" "$round" "$(git rev-parse HEAD)" "$(git hash-object "$temp")" >>"$ledger"
    sync "$ledger"
    mv "$temp" "$record"
    sync "$root"
    echo round_authorized=yes
    echo "round=$round"
    ;;
esac
