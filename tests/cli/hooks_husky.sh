#!/usr/bin/env bash
# The file that docs/hooks.md shows for husky, in a folder that husky owns: git runs it, and it asks with git's arguments
# and stdin.
set -euo pipefail

page=$(cd "$(dirname "$0")/../.." && pwd)/docs/hooks.md
scratch=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch/home GIT_CONFIG_NOSYSTEM=1 LC_ALL=C PATH=$scratch/bin:$PATH
unset XDG_CONFIG_HOME MANDATE_BYPASS
mkdir "$HOME" "$scratch/bin"
ln -s "${MANDATE_BINARY:?}" "$scratch/bin/mandate"
git config --global user.name Test
git config --global user.email test@example.invalid
git config --global init.defaultBranch main

fail() { echo "FAILED: $*" >&2; exit 1; }

git init --quiet --bare "$scratch/remote.git"
git init --quiet "$scratch/repo" && cd "$scratch/repo"
git remote add origin "$scratch/remote.git"
git commit --quiet --allow-empty --message root && git push --quiet origin main
git worktree add --quiet -b login "$scratch/login" && cd "$scratch/login"
mandate init task=login authorized_by=ann --preset standard >/dev/null

# As husky does it: core.hooksPath names husky's own folder, whose files run those of the folder above.
mkdir -p .husky/_
git config core.hooksPath .husky/_
# shellcheck disable=SC2016  # for the file
printf '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n' >.husky/_/pre-push
# shellcheck disable=SC2016
printf '%s\n' 'sh -e "$(dirname "$(dirname "$0")")/$(basename "$0")" "$@"' 'exit $?' >.husky/_/h
chmod +x .husky/_/pre-push
awk '/^# \.husky\/pre-push$/ { on = 1 } /^```$/ { on = 0 } on' "$page" >.husky/pre-push
grep -q 'mandate hook pre-push' .husky/pre-push || fail "the page has no file for husky"

git commit --quiet --allow-empty --message work
git push --quiet origin login || fail "the lane's own branch is refused"
if git push --quiet origin login:main 2>"$scratch/err"; then fail "the protected branch is pushed"; fi
grep -q "^mandate: .*merge" "$scratch/err" || { cat "$scratch/err"; fail "main is refused for another reason"; }
echo "husky's file lets the own branch through, and no merge"
