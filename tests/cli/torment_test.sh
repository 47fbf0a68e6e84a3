#!/usr/bin/env bash
# Goal: `dibs torment` strikes real servers, finds what must break and nothing else, and what it keeps
# can be explained, drawn, and not repeated.
. "$(dirname "$0")/common.sh"

run "$dibs" torment --list
ends 0 "torment --list"
says out "matcher-paused-unfenced" "torment --list"
run "$dibs" torment --list --format json
check "the list as JSON" json out 'all(c["because"] for c in j) and len(j) > 15'
run "$dibs" torment no-such-case
ends 2 "a case that there is not"
says err "no-such-case" "a case that there is not"
run "$dibs" torment redis-calm --seconds 1
ends 2 "a run that is too short"
run "$dibs" matcher no-such-plan
check "a matcher without a plan fails" test "$status" != 0

run "$dibs" torment matcher-paused matcher-paused-unfenced redis-killed --seconds 5 --out kept --format json -q
if [[ $status == 6 ]] && grep -q "Debian package" err; then
  echo "$(cat err): its tests are skipped"
  exit 0
fi
ends 0 "three cases"
check "with a fence nothing breaks, without one a driver is on two trips" json out \
  '(lambda b: b["matcher-paused"] == {} and b["matcher-paused-unfenced"] == {"S4": 1})(
   dict((c["case"], c["broken"]) for c in j["cases"]))'
check "a Redis that forgets breaks the order of calls" json out \
  '"L" in dict((c["case"], c["broken"]) for c in j["cases"])["redis-killed"]'
check "every case did something" json out 'all(c["leases"] > 20 and c["trips"] > 5 for c in j["cases"])'

unfenced=kept/matcher-paused-unfenced
run "$dibs" explain $unfenced -q
ends 0 "explain a real breach"
says out "S4" "explain a real breach"
run "$dibs" report $unfenced --out page.html -q
ends 0 "report of a real run"
check "the page is there" test -s page.html
run "$dibs" replay $unfenced
ends 2 "replay of a real run"
says err "torment matcher-paused-unfenced --seed 1" "replay of a real run"

mkdir temporary
TMPDIR=$scratch/temporary "$dibs" torment redis-calm -q --seconds 60 >out 2>err </dev/null &
killed=$!
until compgen -G "temporary/*/run-1/matcher-0.0.jsonl" >/dev/null || ! kill -0 $killed 2>/dev/null; do
  sleep 0.1
done
kill -9 $killed
wait $killed 2>/dev/null
for ((i = 0; i < 600; ++i)); do
  [[ -n $(ls -A temporary) ]] || break
  sleep 0.1
done
check "a torment that is killed leaves no folder behind" test -z "$(ls -A temporary)"
finish
