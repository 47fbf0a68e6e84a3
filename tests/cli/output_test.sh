#!/usr/bin/env bash
# Goal: results that cannot be written are neither lost silently nor half kept.
# Method: closed and full standard outputs, full disks, a pipe whose reader goes away.
source "$(dirname -- "$0")/common.sh" "$@"

run "$dibs" run "$small" --out closed >&-
status=0
"$dibs" run "$small" --out closed-1 >&- 2>err || status=$?
ends 1 "a closed stdout"
says err "standard output" "a closed stdout"
check "the run is kept all the same" test -s closed-1/manifest.json
check "the summary went into no file" bash -c '! grep -rl "Double assignment" closed-1'
status=0
"$dibs" run "$small" --no-out 2>err >/dev/full || status=$?
ends 1 "a full stdout"
says err "bytes needed" "a full stdout"
status=0
{ "$dibs" run "$small" --no-out 2>err || echo $? >code; } | true
check "a reader that goes away is no crash" bash -c '[[ ! -e code || $(cat code) == 1 ]]'
check "and quiet" test ! -s err
status=0
{ sleep 1 | "$dibs" run "$small" --no-out --runs 3 2>&- >out; } || status=$?
ends 0 "a closed stderr"

turned=$(printf 'turned\xe2\x80\xae\xd8\x9c')
run "$dibs" run "$small" --events --quiet --out "$turned"
run "$dibs" report "$turned" --format json
ends 0 "a name that reorders a line"
says out 'turned\u202e\u061c"' "such a name is an escape in JSON"
check "and nothing of it is raw" bash -c '! grep -qF "$1" out' _ "$turned"

# No file may grow beyond 4 KiB here: the same as a full disk, without being root.
run bash -c 'trap "" XFSZ; ulimit -f 4; exec "$0" run "$1" --out limited' "$dibs" "$small"
ends 1 "a limited file size"
says err "bytes needed" "a limited file size"
check "nothing half is left" test ! -e limited

if [[ $EUID == 0 ]] && mkdir disk && mount -t tmpfs -o size=1m none disk 2>/dev/null; then
  trap 'umount -l "$scratch/disk"; rm -rf -- "$scratch"' EXIT
  run "$dibs" run "$small" --out disk/first
  ends 0 "room enough"
  cp -r disk/first first
  run "$dibs" run "$small" --out disk/second --events --set clock.duration=2h
  ends 1 "a full disk"
  says err "disk/second/events.jsonl" "a full disk names the file"
  says err "No space left on device" "a full disk says why"
  says err "bytes needed" "a full disk says how much"
  says out "Double assignment" "the summary is printed all the same"
  check "nothing half is left" test ! -e disk/second
  check "what was there is untouched" diff -r disk/first first
else
  echo "no tmpfs could be mounted: the full disk was not tried"
fi
finish
