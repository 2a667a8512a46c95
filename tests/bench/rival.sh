#!/bin/sh
# What people write today, in its smallest honest form: flock(1), git and awk. Measured beside `mandate`, so it makes the
# same checks in as few processes as they take: a record of this lane and branch that has not expired and that no branch
# brought along; for a booking all of it once more under the lock, a record that git ignores, and a synced line in a
# ledger before the synced rename.
# usage: rival.sh allows ACTION | rival.sh round      (in a linked worktree)
set -eu

# Says what the record says of $1, or leaves with the exit status that refuses.
look() {
    { read -r root && read -r admin && read -r branch; } <<EOF
$(git rev-parse --show-toplevel --absolute-git-dir --abbrev-ref HEAD)
EOF
    record=$root/MANDATE.md
    [ -f "$record" ] && [ ! -L "$record" ] || exit 3
    if git -C "$root" ls-files --error-unmatch MANDATE.md >/dev/null 2>&1; then exit 2; fi
    awk -v asked="$1" -v lane="worktrees/${admin##*/}" -v branch="$branch" -v now="$(date -u +%FT%TZ)" '
        NR == 1 { if ($0 != "---") exit; next }
        $0 == "---" { whole = 1; exit }
        { key = $0; sub(/:.*/, "", key); sub(/^[^:]*:[ \t]*/, ""); value[key] = $0 }
        function lists(key) { list = "," value[key] ","; gsub(/ /, "", list); return index(list, "," asked ",") }
        END {
            if (!whole || value["lane_id"] != lane || value["branch"] != branch) exit 2
            if (value["expires_at"] != "" && value["expires_at"] <= now) exit 3
            if (asked == "") print value["review_rounds_used"] + 0, value["review_budget"]
            else print "verdict=" (lists("deny") ? "denied" : lists("allow") ? "allowed" : "unlisted")
        }' "$record"
}

case $1 in
allows)
    verdict=$(look "$2")
    echo "$verdict"
    [ "$verdict" = verdict=allowed ]
    ;;
round)
    look "" >/dev/null
    git -C "$root" check-ignore -q MANDATE.md || exit 2
    exec 9>"$root/.MANDATE.lock"
    flock -w 5 9 || exit 4
    counts=$(look "")
    used=${counts%% *} budget=${counts#* }
    if [ "$used" -ge "${budget:-1000000}" ]; then echo round_authorized=no && exit 0; fi
    round=$((used + 1))
    temp=$root/.MANDATE.tmp.$$
    awk -v round="$round" '!done && /^review_rounds_used:/ { print "review_rounds_used: " round; done = 1; next } { print }' \
        "$record" >"$temp"
    sync "$temp"
    { read -r common && read -r head; } <<EOF
$(git rev-parse --git-common-dir HEAD)
EOF
    printf '%s round %s %s %s\n' "$(date -u +%FT%TZ)" "$round" "$head" "$(git hash-object "$temp")" >>"$common/rival.log"
    sync "$common/rival.log"
    mv "$temp" "$record"
    sync "$root"
    echo round_authorized=yes
    echo "round=$round"
    ;;
esac
