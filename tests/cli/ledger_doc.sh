#!/usr/bin/env bash
# The loop of docs/ledger.md, run as it stands there: a real ledger passes, an edited one is found.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch GIT_CONFIG_NOSYSTEM=1 XDG_CONFIG_HOME=$scratch/.config

awk '/^# file: check-ledger.sh$/ { on = 1 } /^```$/ { on = 0 } on' "$here/../../docs/ledger.md" >"$scratch/check-ledger.sh"
grep -q 'git hash-object --stdin' "$scratch/check-ledger.sh"

# The example in the docs is a chain too, and git prints the id that stands below it.
awk '/^```json$/ { on = 1; next } /^```$/ { on = 0 } on' "$here/../../docs/ledger.md" >"$scratch/example"
[ "$(sh "$scratch/check-ledger.sh" "$scratch/example")" = '3 lines, each follows the one before' ]
grep -qx "# $(head -n 1 "$scratch/example" | tr -d '\n' | git hash-object --stdin)" "$here/../../docs/ledger.md"

git init -q "$scratch/r"
cd "$scratch/r"
"$MANDATE_BINARY" init --preset standard task=demo authorized_by=me >"$scratch/out"
for _ in 1 2 3 4; do
    "$MANDATE_BINARY" round >"$scratch/out"
done
ledger=$scratch/r/.git/mandate/main.jsonl
lines=$(wc -l <"$ledger")
[ "$(sh "$scratch/check-ledger.sh" "$ledger")" = "$lines lines, each follows the one before" ]
[ "$lines" -eq 9 ] # init and three rounds with their done lines, and a refusal

sed -i '3s/"round":1/"round":2/' "$ledger"
if sh "$scratch/check-ledger.sh" "$ledger" >"$scratch/out"; then
    echo 'the loop passes an edited line' >&2
    exit 1
fi
grep -qx 'line 4 does not follow the line before it' "$scratch/out"
if "$MANDATE_BINARY" verify >"$scratch/out"; then
    echo 'verify passes an edited line' >&2
    exit 1
fi
grep -q '^chain=broken$' "$scratch/out"
echo 'an edited line is found by the loop and by verify'
