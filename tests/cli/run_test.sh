#!/usr/bin/env bash
# Goal: `dibs run` prints, keeps and ends as it says. Method: a small scenario, run in many ways.
source "$(dirname -- "$0")/common.sh" "$@"

run "$dibs" run "$small"
ends 0 "a first run"
says out "Double assignment" "a first run"
says out "Supply hiding" "a first run"
says out "kept in runs/small" "a first run"
check "stderr is silent without a terminal" test ! -s err
check "plain text has no escapes" bash -c '! grep -q $'"'\x1b'"' out'
for file in scenario.effective.yaml manifest.json metrics.json series.csv; do
  check "$file is kept" test -s "runs/small/$file"
done
check "no events unless asked for" test ! -e runs/small/events.jsonl
check "nothing partial is left" bash -c '! ls -A runs/small | grep -E "partial|lock"'

run "$dibs" run "$small" --format json
ends 0 "json"
check "stdout is JSON alone" json out 'j["status"] == "complete" and j["seed"] == 42'
check "stdout is the content of metrics.json" cmp out runs/small-2/metrics.json
check "same seed, same bytes" cmp runs/small/metrics.json runs/small-2/metrics.json
check "same seed, same series" cmp runs/small/series.csv runs/small-2/series.csv

run "$dibs" run "$small" --seed 43 --out other
ends 0 "another seed"
check "another seed, another history" \
  bash -c '! cmp -s runs/small/metrics.json other/metrics.json'
run "$dibs" run "$small" --seed 0x2a --no-out --format json
check "a seed may be hexadecimal" cmp out runs/small/metrics.json
check "--no-out keeps nothing" test ! -e runs/small-3
run "$dibs" run "$small" --no-out --format json --delivery mailbox
check "through mailboxes the result is the same" cmp out runs/small/metrics.json

run "$dibs" run runs/small/scenario.effective.yaml --no-out --format json
check "the effective scenario gives the same result" cmp out runs/small/metrics.json

for jobs in 1 2; do
  run "$dibs" run "$small" --runs 6 --jobs $jobs --out jobs-$jobs
  ends 0 "six runs on $jobs threads"
  says out "95 % interval over 6 runs" "six runs"
done
check "the number of threads changes nothing" cmp jobs-1/metrics.json jobs-2/metrics.json
check "each figure has its interval" json jobs-1/metrics.json \
  'len(j["replications"]) == 6 and j["intervals_95"]["supply.hidden_share"]["half_width"] > 0'
check "the first run has the root seed" json jobs-1/metrics.json 'j["replications"][0]["seed"] == 42'

run "$dibs" run "$small" --quiet --out quiet
ends 0 "--quiet"
check "--quiet is silent" bash -c '! test -s out && ! test -s err'

run "$dibs" run "$small" --events --out events
ends 0 "--events"
check "events are kept" test -s events/events.jsonl
check "and counted" bash -c \
  'test $(($(wc -l <events/events.jsonl) - 1)) = "$(python3 -c "import json;print(json.load(open(\"events/manifest.json\"))[\"replications\"][0][\"facts\"])")"'

# Ends other than 0.
run "$dibs" run "$small" --no-out --set 'thresholds={"rides.match_rate": ">= 0.999"}'
if [[ $status == 3 ]]; then  # thresholds cannot be set as a whole
  sed '/^output/i thresholds: {rides.match_rate: ">= 0.9999"}' "$small" >strict.yaml
  run "$dibs" run strict.yaml --no-out
fi
ends 99 "a missed threshold"
says out "MISSED" "a missed threshold"

run "$dibs" run "$small" --set lease.tll=3s
ends 3 "a misspelt --set"
says err "did you mean" "a misspelt --set names the nearest key"
run "$dibs" run "$small" --set lease.ttl=three
ends 3 "a wrong value in --set"
run "$dibs" run "$small" --set nothing
ends 2 "--set without ="
run "$dibs" run missing.yaml
ends 3 "a missing file"
check "nothing was written" test ! -e runs/missing
printf 'version: 1\nname: "../../escape\\e[31m"\ndrivers: {count: -1}\nnonsense: 1\n' >hostile.yaml
before=$(find . | sort | md5sum)
run "$dibs" run hostile.yaml
ends 3 "a hostile file"
check "no escape reaches the terminal" bash -c '! grep -q $'"'\x1b'"' err'
check "nothing is written for an invalid scenario" test "$before" = "$(find . | sort | md5sum)"
run "$dibs" run "$small" --set name=../../up
if [[ $status == 0 ]]; then
  check "a name never leaves the folder of runs" test ! -e ../../up
fi

run "$dibs" run "$small" --out other
ends 2 "a directory that is there"
says err "never overwritten" "a directory that is there"
mkdir empty
run "$dibs" run "$small" --out empty
ends 2 "an empty directory that is there"
run "$dibs" run "$small" --out "$small/below-a-file"
ends 1 "a place where nothing can be made"
says err "$small/below-a-file" "it is named"
check "no summary: the run was never begun" test ! -s out
if [[ $EUID == 0 ]] && command -v setpriv >/dev/null; then
  # User nobody may not be able to read the checkout or the build, so both come here.
  mkdir closed && chmod 555 closed && chmod 755 "$scratch"
  install -m 755 "$dibs" dibs-for-all
  install -m 644 "$small" small-for-all.yaml
  run setpriv --reuid=65534 --regid=65534 --clear-groups \
    ./dibs-for-all run small-for-all.yaml --out closed/run
else
  mkdir closed && chmod 555 closed
  run "$dibs" run "$small" --out closed/run
fi
[[ $status == 126 || $status == 127 ]] || ends 1 "a directory without permission"

run "$dibs" run "$small" --no-out --set drivers.count=2000000000
[[ $status == 3 ]] || fail "a run that memory cannot hold is refused"
if (ulimit -v 300000 && "$dibs" --version >/dev/null 2>&1); then
  run bash -c 'ulimit -v 300000; exec "$0" run "$1" --no-out --set drivers.count=500000' "$dibs" "$small"
  ends 3 "too little memory"
  says err "--force" "too little memory"
fi
finish
