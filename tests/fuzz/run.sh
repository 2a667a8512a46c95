#!/usr/bin/env bash
# Runs every fuzz target over its seeds, two at a time. A finding stands in BUILD_DIR/fuzz-findings.
# usage: run.sh BUILD_DIR [libFuzzer option...]      by hand: run.sh build/fuzz -max_total_time=600
set -euo pipefail

build_dir=$(realpath "$1")
shift
cd "$(dirname "$0")"
findings=$build_dir/fuzz-findings
mkdir -p "$findings"
options=(-seed=1 -timeout=10 -rss_limit_mb=1024 -max_len=16384 -print_final_stats=1 "$@")

run_one() {
    local target=$1 corpus
    corpus=$(mktemp -d)
    # The first folder takes what is new, so the seeds in the tree stay as they are.
    if ! "$build_dir/tests/fuzz/${target}_fuzz" "${options[@]}" -artifact_prefix="$findings/$target-" "$corpus" "corpus/$target" \
        >"$findings/$target.log" 2>&1; then
        echo "$target: FAILED"
        tail -n 40 "$findings/$target.log"
        rm -rf "$corpus"
        return 1
    fi
    rm -rf "$corpus"
    echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$findings/$target.log") runs, none bad"
}

failed=0
running=()
for source in *_fuzz.cpp; do
    run_one "${source%_fuzz.cpp}" &
    running+=($!)
    if [ "${#running[@]}" -eq 2 ]; then
        for pid in "${running[@]}"; do wait "$pid" || failed=1; done
        running=()
    fi
done
for pid in "${running[@]}"; do wait "$pid" || failed=1; done
exit "$failed"
