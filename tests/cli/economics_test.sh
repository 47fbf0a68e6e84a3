#!/usr/bin/env bash
# Goal: `dibs economics` answers in both ways, and refuses bad arguments with exit code 2.
source "$(dirname -- "$0")/common.sh" "$@"

case_1=(--operation 5s --rtt 50ms --failures 2/h --false-positive-cost 10 --unavailability-cost 1)
below_1_s=(--operation 200ms --rtt 50ms --failures 1/h --false-positive-cost 1
  --unavailability-cost 1)

run "$dibs" economics "${case_1[@]}"
ends 0 "both answers"
says out "document  corrected" "both answers"
says out "gets wrong" "both answers"
says out "60 times" "both answers"
run "$dibs" economics "${case_1[@]}" --mode compat
ends 0 "compat"
says out "50 s" "compat"
check "compat alone says nothing of the other" bash -c '! grep -q corrected out'
run "$dibs" economics "${case_1[@]}" --mode corrected
ends 0 "corrected"
says out "6 s" "corrected"
check "corrected alone says nothing of the other" bash -c '! grep -q document out'

run "$dibs" economics "${case_1[@]}" --format json
ends 0 "json"
check "the document's answer is exact" json out \
  'j["compat"]["lease_duration"] == 50 and j["compat"]["expected_cost_per_hour"] == 0.7338888888888889'
check "the corrected answer" json out 'abs(j["corrected"]["lease_s"] - 6) < 1e-9'
check "what is wrong" json out 'len(j["wrong"]) == 9'
run "$dibs" economics --operation 10000ms --rtt 5s --failures 83.33333333333333/min \
  --false-positive-cost 1 --unavailability-cost 50 --format json --mode compat
check "other units" json out 'j["compat"]["lease_duration"] == 25 and "corrected" not in j'

run "$dibs" economics --operation 27.48208045325973s --rtt 0.051234567891234ms --failures 2/h \
  --false-positive-cost 10 --unavailability-cost 1 --format json
ends 0 "times with more digits than nanoseconds have"
check "no digit of them is lost" json out \
  'j["arguments"]["operation_s"] == 27.48208045325973 and j["arguments"]["rtt_s"] == 0.051234567891234 / 1000'

run "$dibs" economics "${below_1_s[@]}"
ends 0 "no answer in the document"
says out "ZeroDivisionError" "no answer in the document"
run "$dibs" economics "${below_1_s[@]}" --mode compat
ends 2 "no answer at all"
says err "ends with ZeroDivisionError" "no answer at all"

run "$dibs" economics --operation 5s
ends 2 "missing arguments"
for bad in "--operation 5" "--operation 5km" "--rtt nan" "--rtt -50ms" "--failures 2" "--failures 0/h" \
  "--false-positive-cost x" "--false-positive-cost -1" "--unavailability-cost inf" \
  "--unavailability-cost 0" "--unavailability-cost 1e999" "--mode python" "--format xml" "extra"; do
  words=("${case_1[@]}")
  for i in "${!words[@]}"; do
    if [[ ${words[i]:-} == "${bad% *}" ]]; then
      unset "words[i]" "words[i+1]"
    fi
  done
  # shellcheck disable=SC2086
  run "$dibs" economics "${words[@]}" $bad
  ends 2 "dibs economics $bad"
  check "dibs economics $bad says why" test -s err
done
finish
