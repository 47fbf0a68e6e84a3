#!/usr/bin/env bash
# Goal: `dibs compare` pairs runs by seed and says what differs. Method: small scenarios, runs and sweeps.
source "$(dirname -- "$0")/common.sh" "$@"

run "$dibs" compare "$small" --set-a lease.protocol=none --set-b lease.protocol=fenced --seeds 6
[[ $status == 0 || $status == 4 ]] || fail "two protocols"
says out "6 pairs of runs on the same seeds, from seed 42" "two protocols"
says out "lease.protocol=none" "two protocols"
check "what the two are called by is not told again" bash -c '! grep -q "They differ in" out'
says out "Changed, what is clearest first" "two protocols"
says out "No difference seen at this size" "two protocols"

run "$dibs" compare "$small" "$small" --seeds 3
ends 0 "a scenario and itself"
says out "Nothing changed that could be seen." "a scenario and itself"
check "nothing is said of intervals that are not there" bash -c '! grep -q "Each interval" out'

run "$dibs" compare "$small" --set-b lease.ttl=60s --seeds 6 --format json
ends 0 "json"
cp out ttl.json
check "a longer lease hides more" json ttl.json \
  'next(m for m in j["comparisons"][0]["metrics"] if m["metric"] == "supply.hidden_share")["low_95"] > 0'
check "what is clearest comes first" json ttl.json \
  '(lambda t: t == sorted(t, reverse=True))([m["standard_errors"] or 1e300 for m in j["comparisons"][0]["metrics"] if m["finding"] == "changed"])'

same_figures() {  # FILE FILE
  python3 -c 'import json, sys
a, b = (json.load(open(f))["comparisons"][0]["metrics"] for f in sys.argv[1:])
sys.exit(a != b)' "$1" "$2"
}

# Kept runs and sweeps say the same.
"$dibs" run "$small" --runs 6 --quiet --out one
"$dibs" run "$small" --runs 6 --quiet --set lease.ttl=60s --out other
run "$dibs" compare one other --format json
ends 0 "run directories"
check "run directories give the same figures" same_figures out ttl.json
check "the field in which they differ" json out '{"field": "lease.ttl", "a": "15s", "b": "1min"} in j["comparisons"][0]["fields"]'
run "$dibs" compare one other
says out "They differ in" "run directories"
says out "lease.ttl (15s, 1min)" "run directories"
"$dibs" sweep "$small" --grid lease.ttl=15s,60s --seeds 6 --quiet --out sweep
run "$dibs" compare sweep:1 sweep:2 --format json
ends 0 "points of a sweep"
check "a sweep gives the same figures" same_figures out ttl.json
run "$dibs" compare sweep sweep --format json
check "two sweeps are compared point by point" json out 'len(j["comparisons"]) == 2'
run "$dibs" compare one "$small" --set-b lease.ttl=60s --format json
ends 0 "a kept run and a scenario"
check "the scenario runs on the seeds of the kept run" json out 'j["comparisons"][0]["pairs"] == 6'

run "$dibs" compare "$small" fenced --seeds 2
[[ $status == 0 || $status == 4 ]] || fail "a scenario and a protocol"
says out "lease.protocol=fenced" "a scenario and a protocol"
run "$dibs" compare "$small" none fenced --seeds 2
[[ $status == 0 || $status == 4 ]] || fail "a scenario and two protocols"
says out "lease.protocol=none" "a scenario and two protocols"
says out "lease.protocol=fenced" "a scenario and two protocols"

# The offer window follows, as it does for `tune`; one that was set stays.
sed 's/ttl: 15s/ttl: 15s, offer_window: 12s/' "$small" >windowed.yaml
run "$dibs" compare windowed.yaml --set-b lease.ttl=10s --seeds 3
ends 0 "a TTL below the offer window"
says err "lease.offer_window follows lease.ttl, as max(lease.ttl - 3s, lease.ttl * 0.2); --set lease.offer_window=12s keeps" \
  "which window is taken, and why"
says out "lease.offer_window=7s" "the window that was taken"
run "$dibs" compare windowed.yaml --set-b lease.ttl=20s --seeds 3
says out "lease.offer_window=17s" "a window that would fit follows as well"
run "$dibs" compare windowed.yaml --set lease.offer_window=12s --set-b lease.ttl=10s --seeds 3
ends 3 "a window that was set and does not fit"
says err "as in \`--set lease.offer_window=8s\`" "what would fit"

# What is refused.
run "$dibs" compare "$small"
ends 2 "one side only"
run "$dibs" compare lease fenced
ends 2 "protocols alone"
says err "dibs compare SCENARIO lease fenced" "protocols alone"
run "$dibs" compare "$small" lease other.yaml
ends 2 "a protocol and a file"
says err "other.yaml is no protocol" "a protocol and a file"
run "$dibs" compare "$small" fencd
ends 2 "a misspelt protocol"
says err "fencd is no file, no directory and no protocol; did you mean fenced?" "a misspelt protocol"
run "$dibs" compare "$small" lease fencd
says err "; did you mean fenced?" "two protocols, one misspelt"
run "$dibs" sweep "$small" --grid lease.ttl=5s,15s --seeds 2 --out few -q
run "$dibs" sweep "$small" --grid lease.ttl=5s,15s --seeds 2 --set drivers.count=11 --out fewer -q
run "$dibs" compare few:1 fewer:1
says out "drivers.count (" "points of two sweeps"
run "$dibs" compare "$small" none lease fenced
ends 2 "three protocols"
says err "two protocols are compared at a time" "three protocols"
run "$dibs" compare "$small" missing.yaml
ends 3 "a missing file"
run "$dibs" compare one other --seeds 3
ends 2 "--seeds for kept runs"
run "$dibs" compare one --set-b lease.ttl=3s
ends 2 "fields of a kept run"
run "$dibs" compare sweep:7 sweep:1
ends 2 "a point that is not there"
run "$dibs" compare sweep:0 sweep:1
ends 2 "a point below the first"
says err "has no point 0; it has 1 to" "a point below the first"
python3 -c 'import sqlite3
d = sqlite3.connect("sweep/sweep.sqlite"); [d.execute(f"delete from {t} where point = 2 and replication = 3") for t in ("runs", "metrics", "spreads")]; d.commit()'
run "$dibs" compare sweep:1 sweep:2
ends 3 "an unfinished sweep"
says err "has 5 of 6 runs" "an unfinished sweep"
"$dibs" run "$small" --runs 3 --seed 7 --quiet --out seven
run "$dibs" compare one seven
ends 2 "no seeds in common"
says err "no seed in common" "no seeds in common"
run "$dibs" compare "$small" --set-b lease.tll=3s
ends 3 "a misspelt field"
says err "did you mean" "a misspelt field"
run "$dibs" compare "$small" --set-b lease.ttl=20s --seeds 5 --precision 20% --of ttm.mean
ends 0 "a wanted precision"
says out "times less than it would on separate" "common seeds are shown to help"
says out "pairs of runs" "a wanted precision"
run "$dibs" compare "$small" --set-b lease.ttl=20s --seeds 5 --precision 1% --of ttm.men
ends 2 "precision of an unknown metric"
says err "did you mean ttm.mean" "precision of an unknown metric"
finish
