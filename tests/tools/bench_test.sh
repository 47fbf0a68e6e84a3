#!/usr/bin/env bash
# tools/bench --compare tells what moved from what did not, by measurements that are written here.
# shellcheck source=tests/tools/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

# measurement COMMIT YARDSTICK ENGINE QUEUE HOLD: nanoseconds, each with a noise of 5 %.
measurement() {
  printf '{"commit": "%s", "changed": false, "date": "2026-01-01", "machine": {"cores": 2},
    "yardstick": "bare", "ratios": {}, "figures": {
      "bare": {"ns": %s, "noise": 0.05, "unit": "an event"},
      "engine": {"ns": %s, "noise": 0.05, "unit": "an event"},
      "queue": {"ns": %s, "noise": 0.05, "unit": "an operation"},
      "bare loop, 100,000 drivers": {"ns": 100, "noise": 0.05, "unit": "an event"},
      "hold/1000000": {"ns": %s, "noise": 0.05, "unit": "an operation"}}}' "$@" | tr -d '\n'
  echo
}

compare() { run "$checkout/tools/bench" --history "$scratch/history.jsonl" --compare "$1"; }

says() { [[ $output == *"$2"* ]] || fail "$1: should say \"$2\""; }
keeps_silent() { [[ $output != *"$2"* ]] || fail "$1: should not say \"$2\""; }

{
  measurement aaa 100 300 50 700
  measurement bbb 200 300 100 700
  measurement ccc 200 330 51 350
} | file history.jsonl

compare aaa..bbb
passes "two that are there"
says "a machine at half its pace" "0.50 times as fast as then"
says "an engine that held its own on it" "engine                                           2.00 times as fast"
keeps_silent "a queue that slowed down with it" "  queue "
keeps_silent "what waits for memory, whose yardstick stood still" "hold/1000000"

compare bbb..ccc
passes "two more"
keeps_silent "ten in a hundred within the noise of four measurements" "  engine "
says "a queue twice as fast" "queue                                            1.96 times as fast"
says "what waits for memory, twice as fast" "hold/1000000                                     2.00 times as fast"

compare aaa..ddd
complains "a commit without a measurement" "no measurement of ddd is kept"

echo 'not json' | file history.jsonl
compare aaa..bbb
complains "a damaged history" "history.jsonl:1: not a measurement"

finish
