#!/bin/sh
# What people write today, in its smallest honest form: flock(1), git and awk. Measured beside `mandate`.
# usage: rival.sh allows ACTION | rival.sh round
set -eu

root=$(git rev-parse --show-toplevel)
record=$root/MANDATE.md
[ -f "$record" ] && [ ! -L "$record" ] || exit 3
if git -C "$root" ls-files --error-unmatch MANDATE.md >/dev/null 2>&1; then exit 2; fi

value() {
    awk -v key="$1" 'NR == 1 && $0 != "---" { exit } NR > 1 && $0 == "---" { exit }
        index($0, key ":") == 1 { sub(/^[^:]*:[ \t]*/, ""); print; exit }' "$record"
}

case $1 in
allows)
    case ",$(value deny | tr -d ' ')," in *",$2,"*) echo verdict=denied && exit 1 ;; esac
    case ",$(value allow | tr -d ' ')," in *",$2,"*) echo verdict=allowed && exit 0 ;; esac
    echo verdict=unlisted
    exit 1
    ;;
round)
    ledger=$(git rev-parse --git-common-dir)/rival.log
    exec 9>"$root/.MANDATE.lock"
    flock -w 5 9 || exit 4
    used=$(value review_rounds_used)
    budget=$(value review_budget)
    if [ "${used:-0}" -ge "${budget:-1000000}" ]; then echo round_authorized=no && exit 0; fi
    round=$((${used:-0} + 1))
    temp=$root/.MANDATE.tmp.$$
    awk -v round="$round" '!done && /^review_rounds_used:/ { print "review_rounds_used: " round; done = 1; next } { print }' \
        "$record" >"$temp"
    sync "$temp"
    printf '%s round %s %s\n' "$(date -u +%FT%TZ)" "$round" "$(git hash-object "$temp")" >>"$ledger"
    sync "$ledger"
    mv "$temp" "$record"
    sync "$root"
    echo round_authorized=yes
    echo "round=$round"
    ;;
esac
