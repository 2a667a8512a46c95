#!/usr/bin/env bash
# Line and branch coverage of src/ by the unit, cli, cases and fault tests, the least covered files first.
#
# usage: tests/coverage.sh [JOBS]     needs gcovr; JOBS is 2 by default
#
# Left out are tests that count system calls, limit files, or change user under the program: the counters that the
# program writes at its end would be part of what they judge. Branches that only an exception takes are not counted:
# nothing of ours throws, and every call of the library has one.
set -euo pipefail

jobs=${1:-2}
cd "$(dirname "$0")/.."
command -v gcovr >/dev/null || {
    echo 'coverage: gcovr is not installed (Debian package gcovr)' >&2
    exit 77
}

left_out='one_static_file|fault\.(trace|calls|power_cut|short_write|mixed|neighbours)'

cmake --preset coverage >/dev/null
cmake --build --preset coverage -j "$jobs"
find build/coverage -name '*.gcda' -delete
status=0
ctest --test-dir build/coverage -j "$jobs" -R '^(unit|cli|cases|fault)\.' -E "$left_out" --output-on-failure --quiet \
    -O build/coverage/ctest.log || status=$?
test "$status" -eq 0 || echo "coverage: some tests failed, see build/coverage/ctest.log" >&2

gcovr --root . --filter 'src/' --exclude-throw-branches --exclude-unreachable-branches --sort-uncovered \
    -j "$jobs" --txt build/coverage/lines.txt --json-summary build/coverage/summary.json build/coverage
gcovr --root . --filter 'src/' --exclude-throw-branches --exclude-unreachable-branches --branches --sort-uncovered \
    -j "$jobs" --txt build/coverage/branches.txt build/coverage
head -n 30 build/coverage/lines.txt
tail -n 3 build/coverage/lines.txt
head -n 30 build/coverage/branches.txt
tail -n 3 build/coverage/branches.txt
