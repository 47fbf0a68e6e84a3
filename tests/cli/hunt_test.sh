#!/usr/bin/env bash
# Goal: `dibs hunt` finds nothing under `fenced`, harm in every control, and repeats what it finds.
source "$(dirname -- "$0")/common.sh" "$@"
ground=$checkout/scenarios/hunt.yaml

run "$dibs" hunt "$ground" --runs 60 --controls 2000 -q
ends 0 "a short hunt"
says out "0 of 60 runs broke a promise" "a short hunt"
says out "no fence" "a short hunt"
check "every control shows harm" bash -c '! grep -q "NOT SHOWN" out'
run "$dibs" hunt "$ground" --runs 1 --controls 1 -q
ends 99 "one pair of runs shows nothing"
says out "NOT SHOWN" "one pair of runs shows nothing"

run "$dibs" hunt "$ground" --runs 20 --controls 0 --protocol none -q
ends 0 "a protocol that promises little"

run "$dibs" hunt "$ground" --only 7 -q
ends 0 "one run alone"
says out "0 of 1 runs broke a promise" "one run alone"

run "$dibs" hunt "$ground" --protocol fence -q
ends 2 "a misspelt protocol"
run "$dibs" hunt
ends 2 "no scenario"
run "$dibs" hunt "$ground" --runs 1 --set lease.tll=3s -q
ends 3 "a misspelt field"
says err "did you mean" "a misspelt field"
run "$dibs" hunt "$ground" --runs 5 --set matchers.count=2 -q
ends 3 "fewer matchers than are struck"
says err "they strike matcher/1 to matcher/4" "fewer matchers than are struck"

run "$dibs" hunt "$ground" --runs 2 -q
ends 7 "a hunt of two runs has controls of two runs"
says out "not shown by so few runs" "a hunt of two runs has controls of two runs"
check "no control takes more" bash -c '! grep -E "of +([3-9]|[0-9]{2,}) runs, better" out'
finish
