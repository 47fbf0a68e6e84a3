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
ends 3 "a misspelt metric"
says err "did you mean" "a misspelt metric"

# Interrupted, it has what is smallest so far, with its test.
signalled INT 2 "$dibs" shrink "$checkout/scenarios/first-run.yaml" --while "$harm" -q
ends 130 "an interrupted shrinking"
says out "it was stopped there, and may become smaller" "an interrupted shrinking"
sed '1,/^The test/d' out >test.sh
check "what it has so far does the harm" bash test.sh

run "$dibs" shrink "$race" --while "$harm" --budget 0s -q
ends 2 "no time at all"
finish
