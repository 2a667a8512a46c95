#!/usr/bin/env bash
# A campaign, run by hand as root (it needs a mirror, a chroot, and a minute): the package in a bare Debian tree.
#
# Makes a minimal tree with debootstrap (once, kept in CACHE), puts the package into a copy of it with apt, and does
# there what a new user does: asks through git, reads the manual, completes in a real bash, removes the package again.
#
# usage: bare_debian.sh PACKAGE.deb [SUITE]      SUITE: bookworm (default), trixie; CACHE: default /var/tmp/mandate-bare
set -euo pipefail

package=$(realpath "$1")
suite=${2:-bookworm}
cache=${CACHE:-/var/tmp/mandate-bare}
base=$cache/$suite
[ "$(id -u)" -eq 0 ] || {
    echo 'bare_debian: run it as root' >&2
    exit 2
}
mkdir -p "$cache"

# The mirror, proxy and certificates that this machine uses.
mirror=$(apt-cache policy debootstrap cmake | grep -oE 'https?://[^ ]+' | grep -v security | head -n 1)
if [ ! -e "$base.done" ]; then
    rm -rf "$base"
    debootstrap --variant=minbase "$suite" "$base" "$mirror" >"$cache/$suite.log" 2>&1 || {
        tail -n 20 "$cache/$suite.log" >&2
        exit 1
    }
    touch "$base.done"
fi
tree=$(mktemp -d "$cache/tree.XXXXXX")
clean() {
    local mounted
    for mounted in "$tree/dev/pts" "$tree/dev" "$tree/proc"; do
        ! mountpoint -q "$mounted" || umount "$mounted"
    done
    rm -rf --one-file-system "$tree"
}
trap clean EXIT
cp -a "$base/." "$tree/"
mount -t proc proc "$tree/proc"
mount --bind /dev "$tree/dev"
mount --bind /dev/pts "$tree/dev/pts"
cp -L /etc/resolv.conf "$tree/etc/resolv.conf"
find -L /etc/apt/apt.conf.d -type f -exec cp -t "$tree/etc/apt/apt.conf.d/" {} +
[ ! -e /etc/ssl/certs/ca-certificates.crt ] || {
    mkdir -p "$tree/etc/ssl/certs"
    cp -L /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/certs/"
}
# A minimal tree drops every manual page; here they are wanted.
rm -f "$tree/etc/dpkg/dpkg.cfg.d/"*docker* "$tree/etc/dpkg/dpkg.cfg.d/"*exclude*
cp "$package" "$tree/root/mandate.deb"

cat >"$tree/root/run.sh" <<'INSIDE'
set -euo pipefail
fail() { echo "bare_debian: $1" >&2; exit 1; }
apt-get update -q >/tmp/log 2>&1 || { tail /tmp/log; fail 'apt-get update'; }
apt-get install -y --no-install-recommends git man-db bash-completion /root/mandate.deb >/tmp/log 2>&1 ||
    { tail -n 20 /tmp/log; fail 'apt-get install'; }
echo "depends: $(dpkg-query -W -f '${Depends}' mandate)."
# ldd fails for a static program, and only then may it.
libraries=$(ldd /usr/bin/mandate 2>&1) || [[ $libraries = *'not a dynamic executable'* ]] || fail "ldd: $libraries"
echo "ldd: $libraries"
git config --global user.name Bare
git config --global user.email bare@example.invalid
git init -q -b task/demo /root/lane
cd /root/lane
git mandate init --preset standard task=demo authorized_by=me >/dev/null
git mandate round | grep -qx round_authorized=yes || fail 'no round'
git mandate show | grep -qx review_rounds_used=1 || fail 'no record'
git mandate hooks install >/dev/null
git commit -q --allow-empty -m one
git mandate allows merge >/dev/null && fail 'merge is allowed'
git mandate doctor || fail 'doctor'
man mandate >/tmp/page
grep -q 'git-mandate' /tmp/page || fail 'no manual page'
git help --man mandate >/tmp/page
grep -q 'git-mandate' /tmp/page || fail 'git help mandate'
# Typed into an interactive bash that loads what the packages bring.
printf 'source /usr/share/bash-completion/bash_completion\nmandate completion bash | cmp - /usr/share/bash-completion/completions/mandate && echo same\n%s\nexit\n' \
    "$(printf 'mandate allows com\t')" |
    TERM=dumb script -qec 'bash --norc -i' /dev/null >/tmp/typed 2>&1 ||
    { cat /tmp/typed; fail 'the typed commands'; }
grep -q '^same' /tmp/typed || { cat /tmp/typed; fail 'the completion is not that of the program'; }
grep -qE 'verdict +allowed' /tmp/typed || { cat /tmp/typed; fail 'mandate allows com<TAB> is not completed'; }
apt-get purge -y mandate >/tmp/log 2>&1 || fail 'purge'
! command -v mandate >/dev/null || fail 'still there'
[ -e MANDATE.md ] || fail 'the record went with the package'
INSIDE
chroot "$tree" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    bash /root/run.sh
echo "the package works on a bare $suite"
