#!/usr/bin/env bash
# clang-tidy 14 over src/ and tests/, two files at a time, with the compile commands of a build directory.
# usage: tidy.sh BUILD_DIR [file...]
set -euo pipefail
cd "$(dirname "$0")/../.."

clang_tidy=$(command -v clang-tidy-14) || {
    echo 'skipped: clang-tidy-14 is not installed, and other versions have other checks'
    exit 77
}
build_dir=$1
shift
files=("$@")
if [ "${#files[@]}" -eq 0 ]; then
    mapfile -d '' files < <(find src tests/support -name '*.cpp' -print0)
fi
# The compile commands are g++'s: clang does not know all of its warnings, and cannot read its precompiled headers.
printf '%s\0' "${files[@]}" |
    xargs -0 -n 1 -P "$(nproc)" "$clang_tidy" -p "$build_dir" --quiet --extra-arg=-Wno-unknown-warning-option \
        2> >(grep -vE '^[0-9]+ warnings? generated' >&2)
echo "${#files[@]} files are clean"
