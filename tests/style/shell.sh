#!/usr/bin/env bash
# Runs shellcheck over every shell file of ours: whatever starts with a shell's #! line.
set -euo pipefail
cd "$(dirname "$0")/../.."

mapfile -t files < <(grep -rlIE '^#!(/bin/sh|/usr/bin/env bash)' .ci hooks tests)
shellcheck "${files[@]}"
echo "${#files[@]} shell files are clean"
