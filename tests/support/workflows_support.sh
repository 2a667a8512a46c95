#!/usr/bin/env bash
# Sourced by the tests of docs/workflows.md: the scripts of the page in $scripts, a home of their own in $scratch, and
# mandate in front of PATH. It ends the test where a script of the page is missing or does not parse.

page=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/docs/workflows.md
scratch=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$scratch"' EXIT

export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home/.config GIT_CONFIG_NOSYSTEM=1 LC_ALL=C
mkdir -p "$HOME" "$scratch/bin" "$scratch/scripts/lib"
git config --global user.name Test
git config --global user.email test@example.invalid
git config --global init.defaultBranch main
ln -s "$MANDATE_BINARY" "$scratch/bin/mandate"
# shellcheck disable=SC2034  # for the test that sources this
plain_path=$PATH
PATH=$scratch/bin:$PATH

fail() {
    echo "$1" >&2
    exit 1
}

# expect STATUS WHAT COMMAND...: runs it and keeps what it printed.
expect() {
    local wanted=$1 what=$2 status=0
    shift 2
    output=$("$@" 2>&1) || status=$?
    [ "$status" -eq "$wanted" ] || fail "$what: exit $status instead of $wanted: $output"
}

holds() { [[ $output == *"$1"* ]] || fail "missing '$1' in: $output"; }

# Every block of the page that names a file becomes one.
awk -v to="$scratch/scripts/" '
    /^```sh$/ { inside = 1; next }
    /^```$/ { inside = 0; file = ""; next }
    inside && /^# file: / { file = to $3; next }
    inside && file != "" { print > file }
' "$page"
for script in lib/mandate.sh review.sh merge.sh close.sh close-by-hand.sh; do
    sh -n "$scratch/scripts/$script" || fail "$script does not parse"
done
# shellcheck disable=SC2034
scripts=$scratch/scripts

# value KEY: one value of the record.
value() { mandate show | sed -n "s/^$1=//p"; }
