#!/usr/bin/env bash
# clang-format 14 over all C++ of ours. `format.sh --fix` rewrites instead of checking.
set -euo pipefail
cd "$(dirname "$0")/../.."

clang_format=$(command -v clang-format-14) || {
    echo 'skipped: clang-format-14 is not installed, and other versions format differently'
    exit 77
}
mapfile -d '' files < <(find src tests cmake \( -name '*.cpp' -o -name '*.hpp' \) -print0)
if [ "${1:-}" = --fix ]; then
    exec "$clang_format" -i "${files[@]}"
fi
"$clang_format" --dry-run --Werror "${files[@]}"
echo "${#files[@]} files are formatted"
