#!/usr/bin/env bash
# Goal: `dibs tune` answers as it says, in words and for programs, and refuses what makes no sense.
# Method: searches over a scenario of small runs, and mistakes.
source "$(dirname -- "$0")/common.sh" "$@"
grid=(--search 'lease.ttl=3s..60s:log:5' --seeds 5)
search=("${grid[@]}" --budget 400)

run "$dibs" tune "$small" "${search[@]}"
[[ $status == 0 || $status == 7 || $status == 99 ]] || fail "a search should end with 0, 7 or 99"
says out "What each value costs" "a search"
says out "lease.ttl=3s" "a search"
says out "How sure that is, what was ruled out" "where the rest is"
# What takes longer than 10 s, as on a busy machine, says how far it is.
check "stderr says nothing but progress without a terminal" bash -c '! grep -qvE "^dibs: [0-9]+ %" err'
check "no line is wider than 100 columns" bash -c '! grep -qE "^.{101}" out'
cp out first && first=$status
run "$dibs" tune "$small" "${search[@]}" --jobs 1
[[ $status == "$first" ]] || fail "the same on one thread"
check "the same answer on one thread" diff <(sed '$d' out) <(sed '$d' first)
run "$dibs" tune "$small" "${search[@]}" --all --show pickup.mean,ttm.p95
says out "to screen" "all of a search"
says out "The protocol's promises were kept in all" "all of a search"
says out "pickup.mean" "a column that was asked for"

run "$dibs" tune "$small" "${search[@]}" --format json
check "JSON tells what text does" json out 'j["runs"]["all"] <= 400 and len(j["rows"]) >= 5 and j["answer"] in ("found", "boundary", "flat", "inconclusive")'
check "JSON has intervals and trade-off" json out 'j["rows"][0]["regret"]["half_width_95"] >= 0 and j["trade_off"] and j["common_seeds"]'

run "$dibs" tune "$small" "${search[@]}" --constraint 'ttm.p95 <= 1ms'
ends 99 "a constraint that nothing meets"
says out "INFEASIBLE" "a constraint that nothing meets"
says out "What was tried, and why it cannot be chosen" "a constraint that nothing meets"
"$dibs" tune "$small" "${search[@]}" --constraint 'ttm.p95 <= 1ms' --format json >none.json 2>err
for form in md csv html svg; do
  run "$dibs" report none.json --format "$form" --out -
  ends 0 "nothing can be chosen, as $form"
done
run "$dibs" report none.json --format md
says out " is ruled out: misses ttm.p95" "nothing can be chosen, as Markdown"

prices=(--set costs.hidden_driver_hour=30 --set costs.missed_accept=2.5)
run "$dibs" tune "$small" "${search[@]}" "${prices[@]}"
says out "Least of costs.per_ride" "a scenario with prices"
run "$dibs" tune "$small" "${search[@]}" "${prices[@]}" --missed 10s
says out "Least of (10s * accepts.missed" "weights of the user before prices"
run "$dibs" run "$small" "${prices[@]}" --no-out
says out "By the scenario's prices the harms cost" "a run with prices"
run "$dibs" compare "$small" "${prices[@]}" --set-b lease.ttl=2s --seeds 4
says out "By the scenario's prices the harms cost" "a comparison with prices"
run "$dibs" sweep "$small" --grid lease.ttl=2s,15s --seeds 4 "${prices[@]}" --out priced
says out "Cheapest by the scenario's" "a sweep with prices"
says out "cost a ride" "a sweep with prices"

ways=(--search lease.protocol=none,lease,fenced --seeds 5 --budget 200)
run "$dibs" tune "$checkout/scenarios/first-run.yaml" "${ways[@]}"
ends 0 "protocols, two of which assign drivers twice"
says out "BEST  lease.protocol = fenced" "protocols, two of which assign drivers twice"
says out "unsafe, today" "protocols, two of which assign drivers twice"
run "$dibs" tune "$checkout/scenarios/first-run.yaml" "${ways[@]}" --allow-doubles --format json
check "double assignment is only shown where it is allowed" json out 'j["allow_doubles"] and all(r["standing"] != "unusable" for r in j["rows"]) and any(r["metrics"]["double.commits"]["value"] > 10 for r in j["rows"])'

sed 's/rate: 0.5/rate: 0.6/' "$small" >other.yaml
check "other demand" bash -c '! cmp -s "$1" other.yaml' - "$small"
run "$dibs" tune "$small" "${search[@]}" --holdout other.yaml --set seed=7
says out "which had no part in the choice" "demand that was held out"
run "$dibs" tune "$small" "${search[@]}" --holdout other.yaml --set seed=7 --format json
check "the budget covers what is held out" json out '0 < j["runs"]["held_out"] and j["runs"]["all"] <= 400'
run "$dibs" tune "$small" --search 'lease.ttl=3s..60s:log:4' --seeds 5 --budget 3s --holdout other.yaml
[[ $status == 0 || $status == 7 || $status == 99 ]] || fail "a holdout within a budget in time"

run "$dibs" tune "$small" --search 'lease.ttl=3s..60s:log:4' --seeds 5 --set clock.duration=100h --set output.series=1h --force --budget 100ms
ends 7 "time that does not suffice for a first look"
says out "INCONCLUSIVE  the time was spent after" "time that does not suffice for a first look"
run "$dibs" tune "$small" --search lease.ttl=3s..60s:log:4 --objective rides.match_rate --seeds 5 --budget 1min
says out "Most of rides.match_rate" "more is better, with a budget in time"

# Where no lease is taken none has a length; "0 s" would meet the threshold.
cat >without-leases.yaml <<'YAML'
version: 1
clock: {duration: 10m, drain: 1m}
world: {geography: none, trip: 1m}
demand: [{kind: poisson, rate: 20/min}]
drivers: {count: 40, classes: [{name: d, response: 5s}]}
lease: {protocol: none}
thresholds: {leases.hold.p95: "<= 3s"}
YAML
run "$dibs" tune without-leases.yaml --search lease.offer_window=8s..12s --seeds 5
ends 7 "a threshold on a figure that is undefined: nothing differs"
says out "MISSED leases.hold.p95 <= 3s: undefined" "a threshold on a figure that is undefined"

refused() {  # WHAT TEXT ARGUMENTS...
  local what=$1 text=$2
  shift 2
  run "$dibs" tune "$@"
  [[ $status == 2 || $status == 3 ]] || fail "$what should be refused"
  says err "$text" "$what"
  check "$what: nothing ran" test ! -s out
}
refused "nothing to search" "name one to three fields" "$small"
refused "an objective that begins with a minus" "--objective=-ttm.mean" "$small" "${search[@]}" --objective -ttm.mean
refused "a text" "question cannot be varied: no result depends on it" "$small" --search question=a,b
refused "what is kept of a run" "output.series cannot be varied: no result depends on it" "$small" --search output.series=1s,5s
refused "a threshold" "thresholds.ttm.p95 cannot be varied: it judges every run alike" "$small" --search 'thresholds.ttm.p95=<= 3s,<= 4s'
refused "a path that is no field" "did you mean" "$small" --search lease.tll=3s..60s
refused "an empty range" "is empty" "$small" --search lease.ttl=60s..3s
refused "a contradictory range" "needs ends of one kind" "$small" --search lease.ttl=3s..400m/s
refused "a value, with where it comes from" "--search:1:" "$small" --search lease.ttl=0s..10s:lin:3
refused "a value that the field cannot have" "E-RANGE" "$small" --search lease.ttl=0s..10s:lin:3
refused "one value" "nothing to choose from" "$small" --search lease.ttl=15s
refused "a grid of a million points" "--yes" "$small" --search lease.ttl=3s..60s:log:1000000
refused "an unknown metric" "did you mean \`accepts.missed_rate\`" "$small" "${search[@]}" --objective acepts.missed_rate
refused "an unknown metric without a dot" "names \`throughput\`, which is no metric" "$small" "${search[@]}" --objective throughput
refused "units that clash" "adds a time and a number" "$small" "${search[@]}" --objective 'ttm.p95 + rides.match_rate'
refused "a constraint on an unknown metric" "no metric" "$small" "${search[@]}" --constraint 'ttm.pp <= 45s'
refused "a constraint in the wrong unit" "compares a time with a number" "$small" "${search[@]}" --constraint 'ttm.p95 <= 45'
refused "a share above 1" "a share is at most 1; did you mean 85 %?" "$small" "${search[@]}" --constraint 'rides.match_rate >= 85'
refused "a constraint that compares nothing" "needs a comparison" "$small" "${search[@]}" --constraint 'ttm.p95'
refused "an objective without metrics" "names no metric" "$small" "${search[@]}" --objective '3s'
refused "a budget that screening exceeds" "more than the budget" "$small" "${grid[@]}" --budget 10
sed 's/^name: .*/name: another/' "$small" >same.yaml
refused "the scenario itself, held out" "is the scenario that is tuned" "$small" "${search[@]}" --holdout same.yaml
refused "an objective of nothing" "an expression over metrics" "$small" "${search[@]}" --objective ''
refused "one value in two ways" "given twice" "$small" --search lease.ttl=15s,15.0s
refused "a budget of neither kind" "runs or a time" "$small" "${grid[@]}" --budget many
refused "a share that is none" "must be a share" "$small" "${search[@]}" --delta 0
refused "a weight without a unit" "must be a time" "$small" "${search[@]}" --missed 30
refused "a scenario that is not there" "nowhere.yaml" nowhere.yaml "${search[@]}"
refused "a held-out scenario that is not there" "nowhere.yaml" "$small" "${search[@]}" --holdout nowhere.yaml
finish
