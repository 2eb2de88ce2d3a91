#!/usr/bin/env bash
# Fills examples/data/multi30k, for --data multi30k: 29,000 + 1,014 + 1,000 German-English sentence pairs.
#   examples/data/get_multi30k.sh              from github.com/multi30k/dataset, 1.3 MB
#   examples/data/get_multi30k.sh --from DIR   from a folder that has the files
# A file that is there and right is kept, so it can be called again after an interruption. bash 3.2 is enough.
set -euo pipefail
folder=${LOOKBACK_DATA:-$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)}/multi30k
source=https://raw.githubusercontent.com/multi30k/dataset/a3d2e0d26b56f3846f66a952536ffed4e401d05a/data/task1/raw
files="
726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6  train.de.gz
d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f  train.en.gz
f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a  val.de.gz
14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28  val.en.gz
9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8  test_2016_flickr.de.gz
611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9  test_2016_flickr.en.gz
"

say() { echo "get_multi30k: $*" >&2; }
fail() { say "$1"; exit "${2:-1}"; }

sha256() {  # macOS has shasum
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

fetch() {  # name, where to
  local reason
  if [[ -n $from ]]; then
    reason=$(cat "$from/$1" 2>&1 >"$2") || fail "cannot copy $1: ${reason##*$'\n'}"
  elif command -v curl >/dev/null; then
    reason=$(curl -fsSL --retry 2 --connect-timeout 20 -o "$2" "$source/$1" 2>&1) || no_download "$1" "$reason"
  else
    reason=$(wget -nv --tries 3 --timeout 20 -O "$2" "$source/$1" 2>&1) || no_download "$1" "$reason"
  fi
}
no_download() { fail "cannot download $source/$1 (${2##*$'\n'}); --from DIR takes the files from a folder"; }

from=""
if [[ $# == 2 && $1 == --from ]]; then
  from=$2
  [[ -d $from ]] || fail "--from: $from is not a folder" 2
elif [[ $# != 0 ]]; then
  sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
command -v sha256sum >/dev/null || command -v shasum >/dev/null || fail "needs sha256sum or shasum"

mkdir -p "$folder"
part=$folder/.part.$$
trap 'rm -f "$part"' EXIT
while read -r sum name; do
  [[ -n $name ]] || continue
  if [[ -f $folder/$name && $(sha256 "$folder/$name") == "$sum" ]]; then continue; fi
  fetch "$name" "$part"
  [[ $(sha256 "$part") == "$sum" ]] ||
    fail "$name from ${from:-$source} is not the file it should be: its SHA-256 differs from $sum; it was not kept"
  mv -f "$part" "$folder/$name"
done <<<"$files"
say "six files in $folder"
say "The captions belong to their authors and may not be passed on with this project; what you may do with them, Multi30k and Flickr30k say."
