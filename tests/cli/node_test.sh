#!/usr/bin/env bash
# Goal: a live run over several processes on loopback ends with one history that is judged, whoever of
# them is killed or interrupted, and what does not fit is refused with words.
# Method: the program itself, started several times; no time is compared.
source "$(dirname -- "$0")/common.sh" "$@"

pids=()
ends_all() {
  kill "${pids[@]}" 2>/dev/null
  rm -rf -- "$scratch"
}
trap ends_all EXIT

# What is typed wrongly.
run "$dibs" run "$small" --nodes 2
ends 2 "--nodes without --live"
run "$dibs" run "$small" --live --nodes 2 --listen 198.18.0.1:7430
ends 2 "off loopback without TLS"
says err "--tls-ca" "off loopback without TLS"
run "$dibs" run "$small" --live --nodes 2 --tls-cert x.pem
ends 2 "a certificate without its key"
says err "go together" "a certificate without its key"
run "$dibs" node --join 127.0.0.1:1 --tls-cert no.pem --tls-key no.key --tls-ca no.pem
ends 3 "a certificate that is not there"
says err "no.pem: cannot be read" "a certificate that is not there"
new_key=(openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=test -days 2)
for name in one other; do
  "${new_key[@]}" -keyout "$name.key" -out "$name.pem" 2>/dev/null
done
run "$dibs" node --join 127.0.0.1:1 --tls-cert one.pem --tls-key other.key --tls-ca one.pem
ends 3 "a key of another certificate"
says err "other.key cannot be used as the key of one.pem: key values mismatch" "a key of another certificate"
run "$dibs" run "$small" --live --nodes 2 --tls-cert one.key --tls-key one.key --tls-ca one.pem
ends 3 "a key for a certificate"
says err "one.key cannot be used as a certificate" "a key for a certificate"
run "$dibs" node --join 127.0.0.1:1 --tls-cert one.pem --tls-key one.key --tls-ca one.key
ends 3 "a key for an authority"
says err "one.key cannot be used as the authority's certificate" "a key for an authority"
run "$dibs" run "$small" --live --nodes 2 --place matchers=3
ends 2 "a node that there is not"
says err "host and 1 to 2" "a node that there is not"
run "$dibs" run "$small" --live --nodes 2 --place ledger=1
ends 2 "the ledger elsewhere"
run "$dibs" node --join 127.0.0.1:1 --wait 0s
ends 6 "a node without a host"
says err "127.0.0.1:1" "a node without a host"
run "$dibs" run "$checkout/scenarios/incidents/15-gc-pause-holder.yaml" --live --nodes 1 --listen 127.0.0.1:0
ends 3 "a fault that waits for something"
says err "waits for something" "a fault that waits for something"
run "$dibs" run "$small" --live --nodes 1 --listen 127.0.0.1:0 --join-wait 1s
ends 6 "nobody joins"
says err "only 0 joined" "nobody joins"

# host NAME OPTION...: a host in the background, its process in $host; $port is where it listens.
host() {
  local name=$1
  shift
  (exec timeout 100 "$dibs" run "$small" --set clock.warmup=0s --set clock.drain=30s --live --nodes 3 \
    --listen 127.0.0.1:0 "$@") >"$name.out" 2>"$name.err" &
  host=$!
  pids+=("$host")
  awaits "$name.err" "waiting for"
  port=$(sed -n 's/.*waiting for 3 nodes at 127.0.0.1:\([0-9]*\).*/\1/p' "$name.err")
}
# nodes NAME: three of them, in the order of their numbers, in nodes[1..3].
nodes() {
  nodes=()
  for i in 1 2 3; do
    (exec "$dibs" node --join "127.0.0.1:$port") >"$1-$i.out" 2>"$1-$i.err" &
    nodes[i]=$!
    pids+=("$!")
    awaits "$1.err" "node $i of 3 has joined"
  done
}
awaits() {  # FILE TEXT
  for _ in $(seq 300); do
    grep -qF -- "$2" "$1" 2>/dev/null && return
    sleep 0.1
  done
  fail "$1 should come to say \"$2\": $(cat "$1")"
}
ended() {  # PROCESS CODE NAME: with that code
  status=0
  wait "$1" || status=$?
  cp "$3.out" out
  cp "$3.err" err
  ends "$2" "$3"
}

# To its end. Riders and matchers stay apart from drivers.
host whole --set clock.duration=4min --speed 10 --place drivers=3 --place matchers=1,2 \
  --place riders=host --format json --out kept
# Another build is refused.
cp "$dibs" other && printf x >>other
run timeout 20 ./other node --join "127.0.0.1:$port"
ends 3 "a node of another build"
says err "another build" "a node of another build"
nodes whole
run timeout 20 "$dibs" node --join "127.0.0.1:$port"
ends 3 "a fourth node of three"
says err "all nodes of this run are there" "a fourth node of three"
for i in 1 2 3; do
  ended "${nodes[i]}" 0 "whole-$i"
  says out "until 4 min 30 s" "node $i ran to the end"
done
ended "$host" 0 whole
check "promises hold, and rides had drivers" json out \
  '(j["status"] == "complete" and j["promises"]["violation_count"] == 0 and
    len(j["promises"]["judged"]) > 10 and j["metrics"]["rides.committed"] > 0)'
check "everybody told all" json out \
  '[n["told_all"] for n in j["live"]["nodes"]] == [True] * 3 and j["live"]["as_faults"] == []'
check "each is where it was placed" json out \
  '[n["has"] for n in j["live"]["nodes"]] == ["2 matchers", "1 matcher", "40 drivers"]'
check "the history is in order, and has what happened at each of them" python3 - <<'END'
import json
events = [json.loads(line) for line in open("kept/events.jsonl")][1:]
assert all(a["t"] <= b["t"] for a, b in zip(events, events[1:]))
assert {"ride_requested", "lease_granted", "offer_sent", "offer_shown", "trip_committed",
        "rider_picked_up", "trip_ended"} <= {e["fact"] for e in events}
assert {e["matcher"] for e in events if e["fact"] == "offer_sent"} == {1, 2, 3}
# Whoever is told of something is told later.
sent, shown = {}, {}
for e in events:
    if e["fact"] == "offer_sent":
        sent[e["token"]] = e["t"]
    elif e["fact"] == "offer_shown":
        shown[e["token"]] = e["t"]
assert shown and all(sent[token] < t for token, t in shown.items())
END
run "$dibs" explain kept
ends 0 "explain takes what was kept"
run "$dibs" replay kept
ends 2 "nothing replays it"

# One is killed, one stands still for longer than it may be silent, and comes back.
host struck --set clock.duration=6min --speed 15 --rejoin 8s
nodes struck
awaits struck.err "the run begins"
sleep 2
kill -9 "${nodes[1]}"
kill -TERM "${nodes[3]}"
kill -STOP "${nodes[2]}"
awaits struck.err "nothing comes from node 2"
kill -CONT "${nodes[2]}"
awaits struck.err "node 2 is back"
ended "$host" 0 struck
says out "CRASHED at" "a node that was killed"
says out "cut off from" "a node that stood still"
says out "{kind: crash, node: matcher/1" "a crash in the scenario's words"
says out "{kind: partition, at:" "a partition in the scenario's words"
says err "node 1 was away for 8 s and is taken for crashed" "a node that was killed"
says err "node 3 was away for 8 s and is taken for crashed" "a node that was terminated"
ended "${nodes[2]}" 0 struck-2
says err "the host is there again" "a node that stood still"
ended "${nodes[3]}" 143 struck-3

# The host is interrupted.
set -m  # background jobs of a script ignore INT otherwise
host stopped --speed 1 --wall 1h
nodes stopped
awaits stopped.err "the run begins"
sleep 1
kill -INT "$(pgrep -P "$host")"  # timeout would hand it on twice
ended "$host" 130 stopped
# On a machine with much else to do the second that a signal leaves may not be enough to tell them.
if grep -q "INTERRUPTED at" out; then
  for i in 1 2 3; do
    ended "${nodes[i]}" 0 "stopped-$i"
    says out "the host ended the run early" "node $i of a host that was interrupted"
  done
else
  says err "stopped before all of it was written" "Ctrl-C at the host"
fi

# The host is killed.
host killed --speed 1 --wall 1h --rejoin 1s
nodes killed
awaits killed.err "the run begins"
sleep 1
kill -9 -- "-$host"
for i in 1 2 3; do
  ended "${nodes[i]}" 6 "killed-$i"
  says err "the host went away" "node $i of a host that was killed"
done
finish
