#!/usr/bin/env bash
# Two lanes with real git: what `standard` may and may not, what `draft-only` may not, what a hook cannot stop and
# the number that says so, the hook that was there before, and no trace afterwards.
set -euo pipefail

mandate=${MANDATE_BINARY:?}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch/home GIT_CONFIG_NOSYSTEM=1 LC_ALL=C
unset XDG_CONFIG_HOME MANDATE_BYPASS
mkdir "$HOME"
git config --global user.name Test
git config --global user.email test@example.invalid
git config --global init.defaultBranch main

fail() { echo "FAILED: $*" >&2; exit 1; }
may() { "$@" >"$scratch/out" 2>&1 || { cat "$scratch/out"; fail "is refused: $*"; }; }
may_not() { # WHY COMMAND...
    local why=$1
    shift
    if "$@" >"$scratch/out" 2>&1; then fail "goes through: $*"; fi
    grep -q "^mandate: .*$why" "$scratch/out" || { cat "$scratch/out"; fail "is refused for another reason than $why: $*"; }
}
change() { echo "$RANDOM" >>"$1" && git add "$1"; }

git init --quiet --bare "$scratch/remote.git"
git init --quiet "$scratch/repo" && cd "$scratch/repo"
git remote add origin "$scratch/remote.git"
git commit --quiet --allow-empty --message root && git push --quiet origin main
printf '#!/bin/sh\necho ran >>%s/earlier\n' "$scratch" >.git/hooks/pre-commit
chmod 750 .git/hooks/pre-commit
hooks() { (cd .git/hooks && find . -printf '%p %m\n' -type f -exec sha256sum {} + | sort); }
hooks >"$scratch/before"

may "$mandate" hooks install
git worktree add --quiet -b login "$scratch/login"
git worktree add --quiet -b sketch "$scratch/sketch"
may "$mandate" init "$scratch/login" task=login authorized_by=ann --preset standard
may "$mandate" init "$scratch/sketch" task=sketch authorized_by=ann --preset draft-only

cd "$scratch/login"
change code && may git commit --quiet --message code
[ "$(cat "$scratch/earlier")" = ran ] || fail 'the hook that was there before did not run once'
may git push --quiet origin login
may_not "'merge'" git push --quiet origin login:main
may_not "'force-push-shared'" git push --quiet --force origin login:sketch
may_not "'force-push-shared'" git push --quiet origin :main
may_not "'merge'" git update-ref refs/heads/main login
git -C "$scratch/repo" checkout --quiet --detach
may_not "'destructive'" git branch -D main
git -C "$scratch/repo" checkout --quiet main
git add --force MANDATE.md && may_not 'a record never goes into a commit' git commit --quiet --message record
git rm --quiet --cached MANDATE.md
change code && may git commit --quiet --no-verify --message unseen
"$mandate" unenforced >"$scratch/out" && fail 'unenforced says that all was checked'
grep -q '^reason=no-verify count=1 ' "$scratch/out" || { cat "$scratch/out"; fail '--no-verify does not show'; }
"$mandate" log | grep -qx "commit=$(git rev-parse HEAD)" || fail 'the ledger does not name the commit'

cd "$scratch/sketch"
change code && may git commit --quiet --message code
may git push --quiet origin sketch
may git commit --quiet --amend --message again
may_not "'rebase-own-branch'" git push --quiet --force origin sketch
may_not "'rebase-own-branch'" git rebase --quiet login
may_not "'merge'" git push --quiet origin sketch:main

cd "$scratch/repo"
may "$mandate" hooks uninstall
hooks | cmp - "$scratch/before" || fail 'uninstall leaves a trace'
[ -z "$(find .git -name 'mandate-pre-commit')" ] || fail 'uninstall leaves a mark'
echo 'two lanes: all as promised'
