#!/usr/bin/env bash
# Goal: live runs and their benchmark print and end as they say, whatever the machine's speed.
# Method: the program itself, in runs of seconds; no time is compared.
source "$(dirname -- "$0")/common.sh" "$@"
short=(--set clock.warmup=0s --set clock.duration=2min --set clock.drain=0s)

run "$dibs" run "$small" "${short[@]}" --live --speed 100
ends 0 "a live run"
says out "LIVE at 100 times the real clock" "a live run"
says out "Promises of fenced" "a live run: checkers are on"
says out "timers" "a live run tells how late timers were"
check "a live run keeps no directory" test ! -e runs

run "$dibs" run "$small" "${short[@]}" --live --speed 100 --threads 3 --format json
ends 0 "live, as JSON"
check "the JSON says how it was run" json out \
  'j["live"]["speed"] == 100 and j["live"]["threads"] == 3 and j["live"]["late"]["timers"]["count"] > 0'
check "and what came of it" json out 'j["status"] == "complete" and j["metrics"]["rides.requested"] > 0'

run "$dibs" run "$small" --live --speed 1 --wall 1min
ends 2 "a run that takes too long"
says err "a speed of 12 is enough" "a run that takes too long"
for other in "--out x" --events --watch "--runs 2" "--delivery mailbox"; do
  # shellcheck disable=SC2086
  run "$dibs" run "$small" --live $other
  ends 2 "--live with $other"
  says err "leave ${other%% *} away" "--live with $other"
done

# Background jobs of a script ignore INT, so let them have it.
set -m
signalled INT 2 "$dibs" run "$small" --live --speed 1 --wall 1h
ends 130 "Ctrl-C in a live run"
says out "INTERRUPTED at" "Ctrl-C in a live run"

tiny=(--matchers 1,2 --drivers 100 --seconds 0.05 --repeats 2 --in-flight 8 --quiet)
run "$dibs" bench matching "${tiny[@]}" --zipf 1 --candidates 2 --blind --cores 2
ends 0 "bench matching"
says out "closed loop with 8 rides in flight" "bench matching"
says out "p99.9" "bench matching"
says out "to match" "bench matching heads both groups of times"
says out "in matcher" "bench matching heads both groups of times"
check "no line of it is longer than 120 columns" awk 'length > 120 { exit 1 }' out
run "$dibs" bench matching "${tiny[@]}" --protocol optimistic --rate 1000000 --at-once 4
ends 0 "bench matching, overloaded"
says out "2 matchers: overloaded: of 1 M rides a second that appeared" "an overload is named"
run "$dibs" bench matching "${tiny[@]}" --protocol optimistic --rate 1000000 --at-once 1000000
says out "2 matchers: overloaded: of 1 M rides a second that appeared" "so is one without a bound"
says out "there are no leases" "conflicts of a protocol without leases are explained"
run "$dibs" bench matching "${tiny[@]}" --protocol optimistic --rate 500 --format json
check "an open loop that keeps up is not overloaded, and has no lease operations" json out \
  'all(not r["overloaded"] and r["lease_operations_per_s"] is None for r in j["results"])'
check "no p99.9 of 50 rides, no p99 of fewer than 100" json out \
  'all(r["time_to_match"]["samples"] < 100 and r["time_to_match"]["p99_s"] is None and
       r["time_to_match"]["p999_s"] is None and r["time_to_match"]["p50_s"] > 0 for r in j["results"])'
run "$dibs" bench matching --drivers 5 --candidates 6
ends 2 "more candidates than drivers"
says err "--candidates: there are 5 drivers to look at (got 6)" "more candidates than drivers"
run "$dibs" bench matching "${tiny[@]}" --protocol lease --rate 500 --format json
ends 0 "bench matching, open loop"
check "a row for each number of matchers" json out \
  '[r["matchers"] for r in j["results"]] == [1, 2] and j["protocol"] == "lease"'
check "no lease lets two rides have one driver" json out \
  'all(r["violations"] == r["double_commits"] == r["double_rides"] == 0 for r in j["results"])'
run "$dibs" bench matching --matchers 0
ends 2 "no matchers"
run "$dibs" bench matching --drivers 10,20
ends 2 "two numbers of drivers"
run "$dibs" bench engine --matchers 5
ends 2 "an option of another benchmark"
says err "--matchers is an option of matching, not of engine" "an option of another benchmark"

run "$dibs" bench engine --drivers 300 --hours 0.2 --repeats 2 --format json --quiet
ends 0 "bench engine"
check "ratios by the event and by the hour, in which the engine takes more events" json out \
  'j[0]["events"] > j[0]["events_bare_loop"] and 0 < j[0]["ratio_of_an_hour"] < j[0]["ratio"]'
check "events a second of all that is timed" json out \
  'all(abs(j[0][k.replace("ns_per_event", "events_per_s")] * v["median"] / 1e9 - 1) < 1e-6
       for k, v in j[0].items() if k.startswith("ns_per_event"))'
run "$dibs" bench engine --drivers 1000,10000000 --hours 1000 --repeats 1
ends 3 "a size that does not fit into memory"
says err "take fewer --drivers or --hours" "a size that does not fit into memory"
for what in engine lease; do
  signalled INT 3 "$dibs" bench $what --drivers 2000 --repeats 1000
  ends 130 "Ctrl-C in bench $what"
  says err "interrupted" "Ctrl-C in bench $what"
done
finish
