#!/usr/bin/env bash
# Goal: what runs many times says which of its runs got nowhere, and ends with exit code 7.
# Method: leases without end that thrown errors leak, until no driver is left.
source "$(dirname -- "$0")/common.sh" "$@"
cat >stuck.yaml <<'END'
version: 1
name: stuck
clock: {duration: 30m, drain: 5m}
world: {geography: none, trip: 10s}
demand: [{kind: poisson, rate: 1/s}]
riders: {ask_again: never}
drivers: {count: 60, classes: [{name: a, response: 9s, accept: 0.7}]}
matchers: {offers: {max: 2, total_wait: 20s}}
lease: {protocol: pessimistic, ttl: never, offer_window: 30s}
faults: [{id: leak, kind: throw, when: {step: after-confirm, share: 0.1}}]
END
share=faults.leak.when.share

# repeats WHAT: the command that is printed gets nowhere again.
repeats() {
  local line
  line=$(sed -n 's/^ *replay: \S* //p' "${2:-out}" | head -n 1)
  run bash -c "'$dibs' $line --no-out"
  ends 7 "$1: the printed command"
  says out "STUCK at" "$1: the printed command"
}

run "$dibs" sweep stuck.yaml --grid $share=0,0.1,0.5 --seeds 3 --out sweep
ends 7 "a sweep"
says out "STUCK runs got nowhere and were ended" "a sweep"
says out "  $share=0.1: 3 of 3 runs" "a sweep"
says out "  $share=0.5: 3 of 3 runs" "a sweep"
check "points without such runs are not named" bash -c "! grep -qF '$share=0: ' out"
check "points.csv says which" test "$(cut -d, -f2,7 sweep/points.csv | uniq | xargs)" == \
  "$share,stuck 0,false 0.1,true 0.5,true"
repeats "a sweep"
run "$dibs" sweep stuck.yaml --grid $share=0,0.1 --seeds 2 --out json --format json
ends 7 "a sweep as JSON"
check "JSON names them" json out \
  'j["stuck"] == [{"point": "faults.leak.when.share=0.1", "stuck": 2, "runs": 2, "seed": 1}]'
run "$dibs" sweep stuck.yaml --grid $share=0 --seeds 2 --out sound
ends 0 "a sweep in which all runs come to their end"
check "and says nothing of it" bash -c '! grep -q STUCK out && ! grep -q true sound/points.csv'

run "$dibs" compare stuck.yaml --set-b $share=0 --seeds 3
ends 7 "a comparison"
says err "stuck.yaml, $share=0.1: 3 of 3 runs" "a comparison"
repeats "a comparison" err
run "$dibs" compare sweep:1 sweep:2
ends 7 "points that were kept"
says err "$share=0.1: 3 of 3 runs" "points that were kept"

run "$dibs" tune stuck.yaml --search $share=0.1,0.2
ends 7 "a search without a sound value"
check "none is the best" bash -c '! grep -q BEST out'
says out "$share = 0.1  a run that got nowhere" "a search without a sound value"
repeats "a search without a sound value"
run "$dibs" tune stuck.yaml --search $share=0,0.2
ends 7 "a search with a sound value"
says out "BEST  $share = 0" "a search with a sound value"
says out "STUCK runs" "a search with a sound value"
run "$dibs" tune stuck.yaml --search $share=0,0.2 --format json
check "JSON says what the sound one is, and the others" json out \
  'j["best"] == {"faults.leak.when.share": "0"} and len(j["stuck"]) == 2'

run "$dibs" region stuck.yaml --x $share=0,0.2 --y lease.grace=0s,2s --seeds 3
ends 7 "a map"
says out "S    2  undecided: a run got nowhere and was ended" "a map"
says out "$share=0.2, lease.grace=0s: 3 of 3 runs" "a map"
repeats "a map"
run "$dibs" region stuck.yaml --x $share=0,0.2 --y lease.grace=0s,2s --seeds 3 --format csv
ends 7 "a map as CSV"
says out "0.2,0,stuck,stuck" "a map as CSV"
says err "STUCK runs" "a map as CSV"
finish
