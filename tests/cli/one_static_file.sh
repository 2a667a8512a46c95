#!/usr/bin/env bash
# The statically linked program is one stripped file under 12 MiB that needs no shared library, and its start
# touches neither certificates nor sockets.
set -euo pipefail

if [ "$MANDATE_LINK" != static ]; then
    echo "skipped: this build is linked dynamically"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME="$scratch" XDG_CONFIG_HOME="$scratch/.config" GIT_CONFIG_NOSYSTEM=1

fail() {
    echo "$1" >&2
    exit 1
}

size=$(stat -c %s "$MANDATE_BINARY")
[ "$size" -lt $((12 * 1024 * 1024)) ] || fail "$size bytes"
readelf -lW "$MANDATE_BINARY" >"$scratch/segments"
grep -q LOAD "$scratch/segments" || fail 'readelf shows no segments'
! grep -qE 'INTERP|DYNAMIC' "$scratch/segments" || fail 'it asks for shared libraries'
! readelf -SW "$MANDATE_BINARY" | grep -qF .symtab || fail 'it is not stripped'

git init --quiet "$scratch/repository"
cd "$scratch/repository"
"$MANDATE_BINARY" init --preset standard task=t authorized_by=me >/dev/null
strace -f -o "$scratch/trace" "$MANDATE_BINARY" round >/dev/null
grep -qF MANDATE.md "$scratch/trace" || fail 'strace saw no booking'
! grep -E '^[0-9]+ +(socket|connect)\(|ssl|certs|nsswitch|\.so' "$scratch/trace" || fail 'it reaches for the network half'
