#!/usr/bin/env bash
# tools/bench --compare tells what moved from what did not, by measurements that are written here.
# shellcheck source=tests/tools/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

machine='"machine": {"cpu": "Z80", "cores": 2, "system": "Linux",
  "program": "dibs 0.1.0 (g++ 12.2.0, Release; schemas: events 5)"}'

# measurement COMMIT YARDSTICK ENGINE QUEUE HOLD: nanoseconds, each with a noise of 5 %, of a
# measurement without paced figures.
measurement() {
  printf '{"commit": "%s", "date": "2026-01-01", '"$machine"', "yardstick": "bare loop, 1,000 drivers",
    "figures": {
      "bare loop, 1,000 drivers": {"ns": %s, "noise": 0.05, "unit": "an event"},
      "engine": {"ns": %s, "noise": 0.05, "unit": "an event"},
      "queue": {"ns": %s, "noise": 0.05, "unit": "an operation"},
      "bare loop, 100,000 drivers": {"ns": 100, "noise": 0.05, "unit": "an event"},
      "hold/1000000": {"ns": %s, "noise": 0.05, "unit": "an operation"}}}' "$@" | tr -d '\n'
  echo
}

# paced COMMIT YARDSTICK ENGINE RATIO: the same of a measurement with paced figures, whose yardstick
# has a noise of 50 %, the engine one of 30 %, and the engine's ratio one of 1 %.
paced() {
  printf '{"commit": "%s", "date": "2026-01-02", '"$machine"', "yardstick": "bare_loop/1000",
    "figures": {
      "bare_loop/1000": {"ns": %s, "noise": 0.5, "unit": "an event"},
      "bare loop, 1,000 drivers": {"ns": 100, "noise": 0.05, "unit": "an event"},
      "engine": {"ns": %s, "noise": 0.3, "unit": "an event",
                 "paced": {"ratio": %s, "noise": 0.01}}}}' "$@" | tr -d '\n'
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

{
  paced ddd 100 300 3.00
  paced eee 200 700 3.03
  paced fff 100 300 2.90
  measurement ggg 100 300 50 700
} | file history.jsonl

compare ddd..eee
passes "two with paced figures"
says "the yardstick of these" "yardstick (bare_loop/1000): 0.50 times as fast as then"
says "a ratio that stood still while nanoseconds doubled" "2 of 2 figures moved by no more"

compare ddd..fff
says "a ratio beyond its own noise, within that of nanoseconds" \
  "engine                                           1.03 times as fast (noise allows 1.02)"

for pair in fff..ggg ggg..fff; do
  compare "$pair"
  passes "one with paced figures and one without"
  says "the yardstick that both have" "yardstick (bare loop, 1,000 drivers): 1.00 times as fast"
  says "nanoseconds by it, with the noise of all four" "1 of 1 figures moved by no more"
  says "what only one of them has" "bare_loop/1000: only in the"
done

# with WHAT INSTEAD: the history's first line and the same with one thing altered.
with() {
  measurement aaa 100 300 50 700 | file one.jsonl
  { cat "$scratch/one.jsonl" && sed "s|$1|$2|; s|aaa|bbb|" "$scratch/one.jsonl"; } | file history.jsonl
  cmp -s <(sed 1d "$scratch/history.jsonl") <(sed 's|aaa|bbb|' "$scratch/one.jsonl") &&
    fail "$1: is not in the line"
  compare aaa..bbb
}

with '"queue": {"ns": 50, "noise": 0.05, "unit": "an operation"}' \
  '"queue": {"ns": 900, "noise": 0.05, "unit": "a ride"}'
passes "another unit"
says "another unit" "queue: an operation in the old measurement, a ride in the new one"
keeps_silent "another unit" "times as fast (noise"
says "the figures that were compared" "2 of 2 figures moved by no more"

with 'events 5)' 'events 6)'
keeps_silent "another number of a schema" "not the same machine or compiler"
for change in 'Z80>6502' '2, "system>4, "system' 'Linux>FreeBSD' 'g++ 12>g++ 13' 'Release>Debug'; do
  with "${change%>*}" "${change#*>}"
  says "$change" "not the same machine or compiler"
done

# broken WHAT INSTEAD SAYS: the second line is not a measurement, and why.
broken() {
  with "$1" "$2"
  complains "$2 instead of $1" "history.jsonl:2: not a measurement ($3)"
  keeps_silent "$2 instead of $1" "Traceback"
}

broken '"yardstick": "bare loop, 1,000 drivers",' '' "no yardstick"
broken '"yardstick": "bare loop, 1,000 drivers"' '"yardstick": []' "yardstick is not a text"
broken '"aaa"' '12' "commit is not a text"
broken '"2026-01-01"' 'null' "date is not a text"
broken '"machine": {' '"machine": 1, "old": {' "machine is not a record"
broken '"cpu": "Z80", ' '' "no cpu of the machine"
broken '"cores": 2' '"cores": "2"' "cores of the machine is not a number"
broken '"program": "[^"]*"' '"program": 1' "program of the machine is not a text"
broken '"figures": {' '"figures": [], "old": {' "figures is not a record"
broken '{"ns": 50, [^}]*}' '50' "queue is no record"
broken '"ns": 50, ' '' "no ns of queue"
broken '"ns": 50, ' '"ns": 0, ' "ns of queue is not a number above 0"
broken '"ns": 50, ' '"ns": Infinity, ' "ns of queue is not a number above 0"
broken '"ns": 50, "noise": 0.05' '"ns": 50, "noise": true' "noise of queue is not a number"
broken '"unit": "an operation"' '"unit": 1' "unit of queue is not a text"
broken '"ns": 50, ' '"ns": 50, "paced": 3, ' "the pace of queue is no record"
broken '"ns": 50, ' '"ns": 50, "paced": {"ratio": 3}, ' "no noise of the pace of queue"
broken '"ns": 50, ' '"ns": 50, "paced": {"ratio": -3, "noise": 0}, ' \
  "ratio of the pace of queue is not a number above 0"
broken '^{.*' '[]' "a line is no record"

echo 'not json' | file history.jsonl
compare aaa..bbb
complains "a damaged history" "history.jsonl:1: not a measurement"

# A machine whose pace changes within a turn and between turns; the step takes twice its yardstick.
cat >"$scratch/turns.py" <<'END'
import importlib.machinery, importlib.util, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
loader = importlib.machinery.SourceFileLoader("bench", sys.argv[1] + "/bench")
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", loader))
loader.exec_module(bench)
paces = iter([10, 30, 100, 300, 1000, 3000])
def yardsticks(program, seconds):
    pace = next(paces)
    return {"bare_loop/1000": bench.Taken(pace, "an event"),
            "bare_loop/100000": bench.Taken(10 * pace, "an event")}
bench.parts_of = yardsticks
turns = [bench.take_turn([lambda: {"small": bench.Taken(ns, "a ride"),
                                   "hold/100000": bench.Taken(20 * ns, "an event")}], 1)
         for ns in (40, 400, 4000)]
for name in turns[0]:
    print(name, bench.figure([turn[name] for turn in turns]))
print(bench.times_as_fast(turns, "small", "hold/100000"))
END
run python3 "$scratch/turns.py" "$checkout/tools"
passes "turns"
says "a ratio to the yardsticks before and after" \
  "small {'ns': 400, 'noise': 9.9, 'unit': 'a ride', 'paced': {'ratio': 2.0, 'noise': 0.0}}"
says "a ratio to the large yardstick" "'paced': {'ratio': 4.0, 'noise': 0.0}}"
says "a yardstick that has no ratio" "bare_loop/1000 {'ns': 200.0, 'noise': 9.9, 'unit': 'an event'}"
says "two figures of a turn" "20.0"

finish
