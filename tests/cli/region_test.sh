#!/usr/bin/env bash
# Goal: `dibs region` maps, in words and as CSV, and refuses what makes no sense.
# Method: a small scenario over two fields, and mistakes.
source "$(dirname -- "$0")/common.sh" "$@"
ask=(--require 'accepts.missed_rate <= 10%' --seeds 2)

run "$dibs" region "$small" --x lease.ttl --y lease.grace=0s,1s,2s "${ask[@]}"
ends 0 "a map"
says out "lease.ttl across, lease.grace down" "a map"
says out "The bound: TTL >= decision + 2 latency + skew + clean-up" "a map"
says out "66 runs in" "a map"
check "no line is wider than 100 columns" bash -c '! grep -qE "^.{101}" out'

run "$dibs" region "$small" --x lease.ttl=4s,15s,40s --y lease.grace=0s,1s "${ask[@]}" --format csv
ends 0 "CSV"
check "a header and a row for each cell and condition" test "$(wc -l <out)" == 7
check "rows tell what was found" grep -qE '^40,1,(holds|misses|unsure),(holds|misses),(true|false),[0-9.]+,(true|false),(true|false),,' out
cp out first
run "$dibs" region "$small" --x lease.ttl=4s,15s,40s --y lease.grace=0s,1s "${ask[@]}" --show rides.match_rate
check "a figure of each cell" grep -qE '^  1s +[0-9.]+ % +[0-9.]+ % +[0-9.]+ %$' out
run "$dibs" region "$small" --x lease.ttl=4s,15s,40s --y lease.grace=0s,1s "${ask[@]}" --all --format json
check "both harms and service, for programs" json out \
  'all(c["metrics"]["double.commits"] >= 0 and 0 < c["metrics"]["rides.match_rate"] <= 1 for c in j["cells"])'
run "$dibs" region "$small" --x lease.ttl=4s,15s,40s --y lease.grace=0s,1s "${ask[@]}" --format csv --jobs 1
check "the same on one thread" cmp out first

run "$dibs" region "$small" --x lease.ttl=4s,15s --y matchers.count=1,0 "${ask[@]}"
ends 0 "a cell that is no scenario"
says out "no scenario" "a cell that is no scenario"
for form in json csv; do
  run "$dibs" region "$small" --x lease.ttl=4s,15s --y matchers.count=1,0 "${ask[@]}" --format $form
  ends 0 "a cell that is no scenario, as $form"
  cp out gaps.$form
done
run "$dibs" report gaps.json --format csv
ends 0 "a map read again"
check "it has one table, whoever prints it" cmp out gaps.csv
check "nothing is said of what is no scenario" grep -qxE '15,0,invalid,invalid,,,,,,[^,]+,[^,]+,,,' out
run "$dibs" region "$small" --x lease.ttl=4s,15s --y lease.grace=0s,1s --require 'double.commits == 0'
ends 0 "what has to be equal"
says out "double.commits >= 0 is missed in 0 of 4" "what has to be equal"

run "$dibs" region "$small" --x lease.ttl=4s,15s --y lease.protocol=fenced,none --seeds 3
ends 0 "a scenario without thresholds"
says out "double.commits <= 0 is missed in 2 of 4" "a scenario without thresholds: nobody may be assigned twice"
says out "promises.broken <= 0 is missed in" "a scenario without thresholds: no promise may be broken"

refused() {  # WHAT TEXT ARGUMENTS...
  local what=$1 text=$2
  shift 2
  run "$dibs" region "$@"
  [[ $status == 2 || $status == 3 ]] || fail "$what should be refused"
  says err "$text" "$what"
  check "$what: nothing ran" test ! -s out
}
refused "no second field" "--y is missing" "$small" --x lease.ttl
refused "a path that is no field" "did you mean \`lease.ttl\`" "$small" --x lease.tll --y lease.grace=0s,1s "${ask[@]}"
refused "a field without a range around it" "name one" "$small" --x lease.ttl --y lease.grace "${ask[@]}"
refused "an unknown metric" "did you mean" "$small" --x lease.ttl --y lease.grace=0s,1s --require 'accepts.mised_rate <= 1%'
refused "an unknown metric without a dot" "did you mean \`ttm.p95\`" "$small" --x lease.ttl --y lease.grace=0s,1s --require 'p95 <= 45s'
refused "units that clash" "compares a time with a number" "$small" --x lease.ttl --y lease.grace=0s,1s --require 'ttm.p95 <= 1%'
refused "one field twice" "twice" "$small" --x lease.ttl --y lease.ttl "${ask[@]}"
refused "a million cells" "--yes" "$small" --x lease.ttl=3s..60s:log:1000 --y lease.grace=0s..1s:lin:1000 "${ask[@]}"
refused "a quantile that is none" "must be a share" "$small" --x lease.ttl --y lease.grace=0s,1s "${ask[@]}" --quantile 2
finish
