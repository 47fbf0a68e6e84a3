#!/usr/bin/env bash
# Goal: a kept run's breaches can be explained, the same whether its events were kept or not.
# Method: keep a run without leases, ask for each kind of story, then tamper.
source "$(dirname -- "$0")/common.sh" "$@"

unleased=(--set lease.protocol=none --set drivers.count=12)
run "$dibs" run "$small" --out one "${unleased[@]}"
says out "explain one breach 1" "run names the command"
"$dibs" run "$small" --quiet --out kept --events "${unleased[@]}"

run "$dibs" explain one
ends 0 "explain"
says out "Unavoidable from" "explain"
says out "What would have prevented it" "explain"
says out "runs of the same" "the run was branched"
says out "tried on the same seed: this harm does not happen; double.commits" "explain"
says out "-> 0" "the remedy is seen to help"
first=$(python3 -c 'import json; n = json.load(open("one/metrics.json"))["notables"][0]
print("ride %d: %s" % (n["ride"], n["what"]))')
[[ $(head -n 1 out) == "$first" ]] || fail "breach 1 is the first of metrics.json: $first"
cp out told
run "$dibs" explain kept
sed 's/kept/one/g' out | cmp -s - told || fail "kept events and a repetition tell the same"

ride=$(python3 -c 'import json; print(json.load(open("one/metrics.json"))["notables"][0]["ride"])')
run "$dibs" explain one ride "$ride" --quick
ends 0 "a ride"
says out "Harm: ride $ride" "a ride that was hurt"
if grep -qE "tried on|runs of" out; then fail "--quick runs nothing"; fi
run "$dibs" explain one driver 1 --from 2m --until 3m
ends 0 "a driver"
steps=$(grep -E '^[ >!] +([0-9]+:)?[0-9]+:[0-9]{2}\.[0-9]{3} ' out)
check "there are steps" test -n "$steps"
if grep -qvE '^[ >!] +2:' <<<"$steps"; then fail "only what is from 2 to 3 min"; fi
"$dibs" run "$small" --quiet --out leased
run "$dibs" explain leased lease 3 --quick
ends 0 "a lease"
says out "grants lease 3" "a lease"

run "$dibs" report kept
ends 0 "report"
says out "kept/report.html" "report"
run "$dibs" report kept --quiet
ends 0 "a report that is there is made again"
check "the run is whole still" "$dibs" replay kept --quiet
mkdir taken
run "$dibs" report kept --out taken
ends 2 "a directory is no report"
run "$dibs" report kept leased --format svg --out both.svg
ends 2 "one place for two pictures"
run "$dibs" report kept leased --format svg
ends 2 "no two pictures in one file"
for format in md csv; do
  run "$dibs" report kept leased --format "$format" --quiet
  ends 0 "one table of two runs"
  [[ $(grep -c 'metric,unit\|^| figure' out) == 1 ]] || fail "one heading for two runs: $format"
  says out leased "one table of two runs"
done
run "$dibs" report kept leased --out both.html
ends 0 "one page of two runs"
"$dibs" run "$small" --quiet --out twin
run "$dibs" report kept twin
ends 0 "two runs"
check "one page of both" test -s comparison.html -a ! -e twin/report.html
echo '[1]' >none.json
run "$dibs" report kept --format svg --show accepts.lost_rate,pickup.mean
ends 0 "figures that are chosen for a picture"
says out ">accepts.lost_rate<" "figures that are chosen for a picture"
check "in place of others" test 0 = "$(grep -c "Supply hiding" out)"
run "$dibs" report kept --show accepts.lost_rate --out chosen.html
ends 0 "figures that are chosen for a page"
check "the page knows them" grep -q '"shown":\["accepts.lost_rate"\]' chosen.html
run "$dibs" report none.json
ends 3 "no survival table"
says err "none.json: " "the file is named"
run "$dibs" explain kept --html --out story.html
ends 0 "a page of a story"
check "the page" grep -q Content-Security-Policy story.html
run "$dibs" explain kept --out story.html
ends 2 "a place for a page, and no page"

run "$dibs" run "$small" --watch --no-out
says err "of 11:30, measured since 0:30; supply  on trip" "watch, where there is no terminal"
says err "pairs on one driver 0" "watch"
run "$dibs" run "$small" --watch --runs 2 --no-out
ends 2 "watch shows one run"

run "$dibs" explain one breach 999
ends 2 "no such breach"
says err "there are 1 to" "no such breach"
says err "the worst three of each kind" "how many are listed"
run "$dibs" explain --help
check "how many are listed" bash -c "tr -s ' \n' ' ' <out | grep -qF 'the worst three of each kind, 16 at most'"
run "$dibs" explain one rider 1
ends 2 "no such kind"
run "$dibs" explain one ride 9999999
ends 2 "no such ride"
run "$dibs" explain one --seed 1
ends 2 "no such replication"
run "$dibs" explain nowhere
ends 3 "no run"
run "$dibs" explain one --from 99h --quick
ends 2 "a time behind the end of the run"
says err "nothing happens from 99 h on; the run ends at 11 min 30 s" "a time behind the end of the run"
run "$dibs" explain one --until 1ms --quick
ends 2 "a time before all"
says err "nothing of this story happens between" "a time before all"
sed -i 's/15s/14s/' one/scenario.effective.yaml
run "$dibs" explain one
ends 3 "a scenario that was changed"

"$dibs" run "$small" --quiet --out many --runs 3 "${unleased[@]}"
seed=$(python3 -c 'import json; print(json.load(open("many/manifest.json"))["replications"][2]["seed"])')
run "$dibs" explain many --seed "$seed" --quick
ends 0 "one of several runs"
finish
