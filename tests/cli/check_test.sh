#!/usr/bin/env bash
# Goal: `dibs check` tells what breaks a scenario, what mends it, and ends as its promises and thresholds say.
source "$(dirname -- "$0")/common.sh" "$@"
export DIBS_SCENARIOS=$checkout/scenarios
first=$checkout/scenarios/first-run.yaml

run "$dibs" check "$first" --cause 15 --cause sweep-too-late
ends 2 "an incident that nobody knows"
says err "check: there is no incident and no file sweep-too-late" "an incident that nobody knows"

run "$dibs" check "$first" --cause gc-pause-holder --cause old-leader-revokes --all
ends 0 "a protocol that promises no fence breaks none"
says out "As it stands it breaks by lease.deadline=absolute: " "a verdict first"
says out "mend: lease.deadline=duration" "the mend of the first row"
says out "old-leader-revokes: no second lease manager stands by" "why a cause does not apply"
says out "Worst, with lease.deadline=absolute: ride " "the worst story"
says out "Exit code 0: lease promises none of what breaks" "why that ends with 0"

run "$dibs" check "$first" --cause 15 --set lease.protocol=fenced --set 'thresholds={accepts.lost_rate: "<= 8%"}'
ends 99 "a threshold that the cause makes it miss"
says out "Thresholds missed under: gc-pause-holder (accepts.lost_rate <= 8%)" "which, and under what"
run "$dibs" check "$first" --cause 15 --set lease.protocol=fenced --set 'thresholds={accepts.lost_rate: "<= 99%"}'
ends 0 "a threshold that is met"

run "$dibs" check "$first" --cause 15 --protocol lease --protocol fenced
ends 0 "two columns"
says out "lease: As it stands it breaks by lease.deadline=absolute" "a verdict for each column"
says out "fenced: As it stands it loses by lease.confirm_by=matcher" "a verdict for each column"

run "$dibs" check "$first" --cause 15 --protocol lease --protocol fenced --set lease.ttl=10s --set lease.ttl=30s \
  --set lease.grace=1s --html columns
ends 0 "four columns"
says out "lease.ttl=30s fenced: No cause of 1 puts a driver on two trips" "a column for each value and protocol"
says out "Besides, it breaks under 1 of 1 cause, worst under gc-pause-holder" "a column for each value and protocol"
says out "  lease.ttl=10s fenced  degrades  accepts " "how bad it is in each"
check "a folder for each column" test -f "columns/lease.ttl=30s fenced/index.html"
check "a page of all" grep -q '<a href="lease.ttl%3D30s%20fenced/index.html">' columns/index.html

run "$dibs" check "$first" --cause 15 --html pages
ends 0 "pages"
check "a link from each row to its story" grep -q '<a href="gc-pause-holder.html">' pages/index.html
check "the story" grep -q -- '--set' pages/gc-pause-holder.html
run "$dibs" check "$first" --cause 15 --html pages
ends 2 "a folder that is there already"
manager_asked='Asked before each write: the lease manager (lease.judge=manager). gc-pause-holder strikes'
run "$dibs" check "$first" --cause 15 --set lease.protocol=fenced --set lease.judge=manager
says out "$manager_asked" "who is asked, where that decides"
run "$dibs" check "$first" --cause 15 --set lease.protocol=fenced --set lease.judge=holder
check "not where nobody is asked" test 0 = "$(grep -c "Asked before" out)"
run "$dibs" check "$first" --cause 15 --set lease.profile=postgres --set lease.ttl=20s
says err "the profile postgres says otherwise of lease.ttl," "a profile whose field is given"
run "$dibs" check "$first" --runs 1
ends 2 "too few runs for pairs"
run "$dibs" check nowhere.yaml
ends 3 "no such scenario"
run "$dibs" check "$first" --cause 15 --set 'demand=[{kind: poisson, rate: 0.00001/s}]'
says out "Nothing can be said: 0 rides were asked for in 4 runs" "a scenario without rides"
run "$dibs" check "$small" --cause 15 --set lease.jitter=10m \
  --set 'faults=[{kind: crash, node: matcher/*, rate: 60/h, restart_after: 5s}]'
ends 4 "a promise that breaks as it stands"
says out "As it stands a promise of " "a promise that breaks as it stands"
finish
