#!/usr/bin/env bash
# Goal: a kept run repeats exactly, and whatever was changed is noticed.
# Method: keep runs of each kind, repeat them, then tamper with one thing at a time.
source "$(dirname -- "$0")/common.sh" "$@"

"$dibs" run "$small" --quiet --out one --set lease.ttl=8s --seed 7
run "$dibs" replay one
ends 0 "replay"
says out "identical: history" "replay"
"$dibs" run "$small" --quiet --out many --runs 4
run "$dibs" replay many
ends 0 "replay of several runs"
"$dibs" run "$small" --quiet --out events --events
run "$dibs" replay events
ends 0 "replay with events"

cp -r one tampered
history=$(python3 -c 'import json; print(json.load(open("one/manifest.json"))["replications"][0]["history"])')
sed -i "s/$history/0000000000000000/" tampered/manifest.json
run "$dibs" replay tampered
ends 3 "a manifest that was changed"
says err "seal" "a manifest that was changed"

cp -r one edited && sed -i 's/8s/9s/' edited/scenario.effective.yaml
run "$dibs" replay edited
ends 3 "a scenario that was changed"
says err "was changed after it was written" "a scenario that was changed"
cp -r one unfinished && mv unfinished/manifest.json unfinished/manifest.json.partial-1
run "$dibs" replay unfinished
ends 3 "an unfinished run"
run "$dibs" replay unfinished/manifest.json.partial-1
ends 3 "a partial file"
run "$dibs" replay nowhere
ends 3 "no run at all"

mkdir data && printf 'time,lat,lon,to_lat,to_lon,trip\n5,40.75,-73.98,40.71,-73.95,60\n' >data/t.csv
printf 'version: 1\nclock: {duration: 1min}\ndemand: [{kind: trace, file: data/t.csv}]\ndrivers: {count: 9, classes: [{name: a, response: 2s}]}\n' >traced.yaml
"$dibs" run traced.yaml --quiet --out traced
rm -r data
run "$dibs" replay traced
ends 3 "a run whose trace is gone"
says err "the demand data of traced cannot be read any more" "a run whose trace is gone"
says err "there is no such file" "a run whose trace is gone"
check "no program is blamed" bash -c '! grep -q "this dibs" err'
finish
