#!/usr/bin/env bash
# Goal: Ctrl-C keeps what there is and says so; a second one ends at once.
# Method: a run of hours, signals after a moment.
source "$(dirname -- "$0")/common.sh" "$@"
long=(--set clock.duration=8000h --set output.series=100h --force)

# stop SIGNAL DIRECTORY ARGUMENTS...
stop() {
  local signal=$1 directory=$2
  shift 2
  "$dibs" run "$small" "${long[@]}" --out "$directory" "$@" >out 2>err &
  local pid=$!
  for _ in {1..100}; do
    [[ -e $directory/scenario.effective.yaml ]] && break
    sleep 0.1
  done
  sleep 0.5
  kill -s "$signal" $pid
  status=0
  wait $pid || status=$?
}

# Background jobs of a script ignore INT, so let them have it.
set -m
stop INT interrupted
ends 130 "Ctrl-C"
says out "INTERRUPTED at" "Ctrl-C"
check "the result says that it is partial" json interrupted/metrics.json \
  'j["status"] == "interrupted" and 0 < j["reached_s"] < j["ends_s"]'
check "the manifest too" json interrupted/manifest.json 'j["status"] == "interrupted"'
run "$dibs" replay interrupted
ends 0 "replay of an interrupted run"
says out "as far as the interrupted run had come" "replay of an interrupted run"

stop TERM terminated
ends 143 "SIGTERM"
stop INT several --runs 3 --jobs 1
ends 130 "Ctrl-C with several runs"
check "no interval is claimed" json several/metrics.json '"intervals_95" not in j'
says out "none of 3 runs finished" "Ctrl-C with several runs"
says out "0 runs of" "Ctrl-C with several runs: only those that finished are counted"

# Both at once: the second must not be lost while the first is being answered.
"$dibs" run "$small" "${long[@]}" --out twice >out 2>err &
pid=$!
sleep 1
kill -s STOP $pid
kill -s INT $pid
kill -s TERM $pid
kill -s CONT $pid
# The shell may tell first that the job stood still.
status=147
while ((status == 147)); do
  status=0
  wait $pid || status=$?
done
[[ $status == 130 || $status == 143 ]] || fail "two signals should end the run"
check "no manifest without a whole run" test ! -e twice/manifest.json
finish
