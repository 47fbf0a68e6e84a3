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
run "$dibs" torment link-cut etcd-lock-partition --seconds 3
ends 2 "a run in which nothing can strike"
says err "etcd-lock-partition" "a run in which nothing can strike"
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

# What this machine does not have, or does not let dibs do, is said, and the case is skipped.
if run "$dibs" torment etcd-lock-partition --seconds 6 --out kept --format json -q; [[ $status == 6 ]]; then
  echo "$(cat err): a lock in etcd is skipped"
else
  ends 0 "a lock in etcd"
  check "without a fence a holder who is cut off drives on beside the next one" json out \
    'j["cases"][0]["broken"] == {"S4": 1} and j["cases"][0]["trips"] > 5'
  check "its leases were renewed" grep -q '"lease_renewed"' kept/etcd-lock-partition/events.jsonl
fi
if run "$dibs" torment link-cut --out kept --format json -q; [[ $status == 6 ]]; then
  says err "root" "a network that may not be cut"
  echo "$(cat err): a network that is cut is skipped"
else
  ends 0 "a network that is cut"
  check "nothing breaks when a network is cut" json out \
    'j["cases"][0]["broken"] == {} and j["cases"][0]["trips"] > 5'
  # Whoever is cut off while it writes hears of it later than a server on this machine ever takes.
  check "it was cut" python3 - kept/link-cut/events.jsonl <<'END'
import json, sys
asked, longest = {}, 0
for e in map(json.loads, open(sys.argv[1])):
    who = (e.get("client"), e.get("call"), e.get("token"), e.get("request"))
    if e.get("fact") == "call_made":
        asked[who] = e["t"]
    elif e.get("fact") == "call_answered" and who in asked:
        longest = max(longest, e["t"] - asked.pop(who))
print(len(asked), longest, file=sys.stderr)
sys.exit(0 if asked or longest > 0.5e9 else 1)
END
fi

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
chmod 711 . temporary  # PostgreSQL, as another user, goes through
TMPDIR=$scratch/temporary "$dibs" torment redis-calm -q --seconds 60 >out 2>err </dev/null &
killed=$!
until compgen -G "temporary/*/run-1/matcher-0.0.jsonl" >/dev/null || ! kill -0 $killed 2>/dev/null; do
  sleep 0.1
done
check "a torment that is to be killed is at work" kill -9 $killed
wait $killed 2>/dev/null
for ((i = 0; i < 600; ++i)); do
  [[ -n $(ls -A temporary) ]] || break
  sleep 0.1
done
check "a torment that is killed leaves no folder behind" test -z "$(ls -A temporary)"
finish
