#!/usr/bin/env bash
# Goal: what is no file where one is expected is refused at once, and a run that fails ends alone.
# Method: a pipe that nobody writes into, in the place of every file that some command reads; whoever
# opens it would wait for ever, and is stopped after a while that no machine needs. A point that
# does not fit into memory, among others that do.
source "$(dirname -- "$0")/common.sh" "$@"
mkfifo pipe.yaml

# refuses WHAT ARGUMENTS...: the command neither waits nor succeeds.
refuses() {
  local what=$1
  shift
  run timeout --signal=KILL 120 "$dibs" "$@" </dev/null
  [[ $status == 3 ]] || fail "$what: ended with $status: $(tail -n 3 err)"
}

refuses "a pipe as scenario" run pipe.yaml --no-out
refuses "a pipe to validate" validate pipe.yaml
refuses "a device" run /dev/zero --no-out
refuses "a folder" run . --no-out
refuses "a pipe to compare" compare pipe.yaml "$small"
refuses "a pipe to sweep" sweep pipe.yaml --grid lease.ttl=5s,10s
refuses "a pipe as a run" explain pipe.yaml ride 1
refuses "a pipe to replay" replay pipe.yaml

mkfifo rows.csv
cat >trace.yaml <<'END'
version: 1
demand: [{kind: trace, file: rows.csv}]
drivers: {count: 3, classes: [{name: all, response: 1s}]}
END
refuses "a pipe as trace" run trace.yaml --no-out

# In the place of each file of a run and of a sweep.
run "$dibs" run "$small" --set output.events=all --out kept -q
for file in manifest.json scenario.effective.yaml events.jsonl; do
  rm -rf copy
  cp -r kept copy
  rm copy/$file
  mkfifo copy/$file
  refuses "a pipe as $file to replay" replay copy
  refuses "a pipe as $file to explain" explain copy ride 1
  refuses "a pipe as $file to report" report copy
done
rm -rf copy
cp -r kept copy
rm copy/manifest.json
mkfifo copy/.lock
refuses "a pipe as lock" report copy
run "$dibs" sweep "$small" --grid lease.ttl=5s,10s --seeds 2 --out swept -q
for file in sweep.sqlite sweep.sqlite-journal; do
  rm -rf copy
  cp -r swept copy
  rm -f copy/$file
  mkfifo copy/$file
  refuses "a pipe as $file to go on with" sweep "$small" --grid lease.ttl=5s,10s --seeds 2 \
    --out copy --resume
  says err "got a pipe" "a pipe as $file to go on with"
  refuses "a pipe as $file to compare" compare copy:1 copy:2
  says err "got a pipe" "a pipe as $file to compare"
done

# A point that fails is named, the others are run, and the command that repeats it is there.
status=0
(
  ulimit -v 600000
  "$dibs" sweep "$small" --grid drivers.count=40,9000000,50 --seeds 1 --jobs 1 --force \
    --out partly >out 2>err
) || status=$?
ends 1 "a sweep of which a point fails"
says err "at point 2 (drivers.count=9000000)" "a sweep of which a point fails"
says err "replay: " "a sweep of which a point fails"
check "the others are done" test "$(grep -c . out)" -ge 3
finish
