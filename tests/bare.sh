#!/usr/bin/env bash
# A newcomer's first minutes: a bare Debian 12 in a temporary folder, this commit in it, ./run and ./run tests.
#   tests/bare.sh               the last commit
#   tests/bare.sh --worktree    the files as they are now
#   ARCHIVE=http://... tests/bare.sh
# Needs root and debootstrap. About 1.5 GB in $TMPDIR while it runs.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
release=bookworm

say() { echo "bare: $*" >&2; }
[[ $(id -u) == 0 ]] || { say "needs root, for debootstrap and chroot"; exit 2; }
command -v debootstrap >/dev/null || { say "needs debootstrap"; exit 2; }

# The package archive this machine uses, if it is one of Debian: "URIs:" lines of .sources files, "deb" lines of .list
# files. Without one debootstrap takes its default.
archive() {
  local files=()
  shopt -s nullglob
  files=(/etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list /etc/apt/sources.list)
  shopt -u nullglob
  awk '/^URIs:/ { uri = $2 } /^deb / { sub(/\[[^]]*\] */, ""); uri = $2 } uri ~ /\/debian\/*$/ { found = uri; exit }
       END { print found }' "${files[@]}" /dev/null
}

bare=$(mktemp -d)
cleanup() {
  for place in dev/pts proc; do
    if mountpoint -q "$bare/$place"; then umount "$bare/$place"; fi
  done
  rm -rf --one-file-system "$bare"
}
trap cleanup EXIT

timed() {  # what, command...
  local began=$SECONDS what=$1
  shift
  "$@"
  results="${results-}$(printf '%6d s  %s' $((SECONDS - began)) "$what")"$'\n'
}

inside() { env -u CC -u CXX -u CFLAGS -u CXXFLAGS -u LDFLAGS LC_ALL=C.UTF-8 HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$bare" "$@"; }

from=${ARCHIVE:-$(archive)}
say "debootstrap $release from ${from:-its default archive}"
timed debootstrap debootstrap --variant=minbase "$release" "$bare" ${from:+"$from"} >/dev/null  # its errors go to stderr
mountpoint -q "$bare/proc" || mount -t proc proc "$bare/proc" 2>/dev/null || say "going on without /proc"
mountpoint -q "$bare/dev/pts" || mount -t devpts devpts "$bare/dev/pts" 2>/dev/null || say "going on without terminals"

# How this machine reaches it: proxies and time checks, certificates of its own, host names.
for file in $(grep -lsE 'Acquire::(http|https|Check|Retries)' /etc/apt/apt.conf /etc/apt/apt.conf.d/*); do
  cp "$file" "$bare/etc/apt/apt.conf.d/"
done
for folder in /etc/apt/auth.conf.d /usr/local/share/ca-certificates /etc/ssl/certs; do
  if [[ -d $folder ]]; then mkdir -p "$bare$folder" && cp -rL "$folder/." "$bare$folder/" 2>/dev/null || true; fi
done
cp /etc/hosts /etc/resolv.conf "$bare/etc/"

mkdir "$bare/lookback"
if [[ ${1-} == --worktree ]]; then
  (cd "$root" && git ls-files -coz --exclude-standard | tar -c --null --ignore-failed-read -T -) | tar -x -C "$bare/lookback"
else
  git -C "$root" archive HEAD | tar -x -C "$bare/lookback"
fi

timed "./run" inside /lookback/run
timed "./run again" inside /lookback/run
timed "./run tests" inside /lookback/run tests
printf '%s' "$results"
