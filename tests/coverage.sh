#!/usr/bin/env bash
# Line and branch coverage of src/ by the unit, cli, cases, docs and fault tests, the least covered files first.
#
# usage: tests/coverage.sh [JOBS]     needs gcovr; JOBS is 2 by default; takes about half an hour
#
# Left out are tests that count system calls, limit files or close the standard streams: the counters that the program
# writes at its end would be part of what they judge. Every call of the campaign's slice is failed (calls.py --errors);
# a process that is killed writes no counters, so its signals would show nothing.
#
# Branches that only an exception takes are not counted: nothing of ours throws, and every call of the library has one.
# Nor are those of lines that the compiler calls unreachable (the ends of inlined destructors).
set -euo pipefail

jobs=${1:-2}
cd "$(dirname "$0")/.."
command -v gcovr >/dev/null || {
    echo 'coverage: gcovr is not installed (Debian package gcovr)' >&2
    exit 77
}

left_out='one_static_file|fault\.(trace|calls|power_cut|short_write|mixed|neighbours)'

cmake --preset coverage >/dev/null
nice cmake --build --preset coverage -j "$jobs"
# Some tests run the program as another user, who must be able to write the counters too.
find build/coverage -name '*.gcda' -delete
find build/coverage -name '*.gcno' -print0 | while IFS= read -r -d '' notes; do
    : >"${notes%.gcno}.gcda"
    chmod 0666 "${notes%.gcno}.gcda"
done
status=0
nice ctest --test-dir build/coverage -j "$jobs" -R '^(unit|cli|cases|docs|fault)\.' -E "$left_out" \
    --output-on-failure --quiet -O build/coverage/ctest.log || status=$?
test "$status" -eq 0 || echo "coverage: some tests failed, see build/coverage/ctest.log" >&2
MANDATE_BINARY=$PWD/build/coverage/mandate PYTHONPATH=tests/support \
    nice python3 tests/fault/calls.py --errors --workers "$jobs" || status=$?
find build/coverage -name '*.gcda' -empty -delete

what=(--root . --filter 'src/' --exclude-throw-branches --exclude-unreachable-branches)
nice gcovr "${what[@]}" -j "$jobs" --json build/coverage/coverage.json build/coverage
gcovr --root . -a build/coverage/coverage.json --sort-uncovered --txt build/coverage/lines.txt \
    --json-summary build/coverage/summary.json
gcovr --root . -a build/coverage/coverage.json --branches --sort-uncovered --txt build/coverage/branches.txt
head -n 30 build/coverage/lines.txt
tail -n 3 build/coverage/lines.txt
head -n 30 build/coverage/branches.txt
tail -n 3 build/coverage/branches.txt
exit "$status"
