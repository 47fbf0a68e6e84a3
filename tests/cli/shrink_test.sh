#!/usr/bin/env bash
# Goal: `dibs shrink` ends with a scenario that still does the harm, and a test that says so.
source "$(dirname -- "$0")/common.sh" "$@"
race=$checkout/scenarios/hunt.yaml
unleased=(--set lease.protocol=none)
harm='double.commits >= 1'

run "$dibs" shrink "$race" "${unleased[@]}" --while "$harm" --out small.yaml -q
ends 0 "shrink"
says out "$harm: from " "shrink says how small it got"
says out "true time" "shrink tells the story"
check "what is left has at most 15 lines" bash -c '(( $(wc -l <small.yaml) <= 15 ))'
check "it has no words that it does not take" bash -c '! grep -q "question\|incident" small.yaml'
run "$dibs" run small.yaml --no-out
ends 0 "what is left still does the harm"
run "$dibs" shrink "$race" "${unleased[@]}" --while "$harm" --out again.yaml -q
check "the same once more" cmp small.yaml again.yaml

run "$dibs" shrink "$race" "${unleased[@]}" --while "$harm" -q
sed '1,/^The test/d' out >test.sh
check "the test can be pasted, and passes" bash test.sh
sed -i 's/eq 0/eq 4/' test.sh
check "the test can fail" bash -c '! bash test.sh'

run "$dibs" shrink "$race" "${unleased[@]}" --while "$harm" --out small.yaml -q
ends 2 "shrink overwrites nothing"
run "$dibs" shrink "$race" --while S1 -q
ends 7 "a harm that it does not do"
says err "does not do this: S1" "a harm that it does not do"
run "$dibs" shrink "$race" --while S99 -q
ends 2 "a promise that nobody knows"
run "$dibs" shrink "$race" --while 'double.comits >= 1' -q
ends 2 "a misspelt metric"
says err "--while 'double.comits >= 1'" "a misspelt metric"
says err "did you mean" "a misspelt metric"
run "$dibs" shrink "$race" --while 'double.commits = 1' -q
ends 2 "a bound without a comparison"
says err "--while 'double.commits = 1'" "a bound without a comparison"
check "nobody typed --set" bash -c '! grep -q -e --set err'

# A place for the result that does not exist is noticed before anything is run; one that fills up
# only at the end loses nothing.
run "$dibs" shrink "$race" --while S1 --out nowhere/small.yaml -q
ends 1 "a folder that is not there"
says err "nowhere" "a folder that is not there"
check "nothing was run" bash -c '[[ ! -s out ]]'
run bash -c '(ulimit -f 0; exec "$@" 2>/dev/null) | cat; exit "${PIPESTATUS[0]}"' - \
  "$dibs" shrink "$race" "${unleased[@]}" --while "$harm" --out full.yaml -q
ends 1 "a file that cannot be written to its end"
says out "demand:" "a file that cannot be written to its end"
sed '1,/^The test/d' out >test.sh
check "its test can be pasted all the same" bash test.sh
check "no file is left" bash -c '! ls full.yaml* 2>/dev/null'

# What many rides take keeps the trace that they come from, which is found from the new place too.
mkdir -p far/data near
awk 'BEGIN { print "s,lat,lon,to_lat,to_lon,trip"
  for (i = 0; i < 700; ++i) print 3600 + 5 * i ",40.71,-74.0,40.72,-73.99,60" }' >far/data/rows.csv
cat >far/day.yaml <<'END'
version: 1
clock: {start: 1h, duration: 1h}
world: {bounds: {south: 40.70, west: -74.02, north: 40.76, east: -73.95}}
demand:
  - kind: trace
    file: data/rows.csv
    columns: {time: s, lat: lat, lon: lon, to_lat: to_lat, to_lon: to_lon, trip: trip}
drivers: {count: 5, classes: [{name: prompt, response: 3s}]}
END
for place in top.yaml near/cut.yaml; do
  run "$dibs" shrink far/day.yaml --while 'rides.requested >= 600' --out "$place" --budget 5s -q
  ends 0 "a trace, for $place"
  sed '1,/^The test/d' out >test.sh
  check "the test finds the trace of $place" bash test.sh
done
says out "no path in it may name the file" "a trace that is not below the folder of the result"
run "$dibs" run top.yaml --no-out
ends 0 "a trace below the folder of the result"

# Interrupted, it has what is smallest so far, with its test.
signalled INT 2 "$dibs" shrink "$checkout/scenarios/first-run.yaml" --while "$harm" -q
ends 130 "an interrupted shrinking"
says out "it was stopped there, and may become smaller" "an interrupted shrinking"
sed '1,/^The test/d' out >test.sh
check "what it has so far does the harm" bash test.sh

run "$dibs" shrink "$race" --while "$harm" --budget 0s -q
ends 2 "no time at all"
finish
