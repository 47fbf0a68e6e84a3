#!/usr/bin/env bash
# Goal: a run over three nodes, each in a network of its own, keeps its promises while one node is cut
# off for 5 s and another is killed; what happened is told in the scenario's own words, and those words
# give a scenario that runs.
# Method: network namespaces that go with this script, a bridge, TLS. Times are told, not compared. A
# machine with much to do may hold up any node for a moment, so only what this script does is looked for.
source "$(dirname -- "$0")/common.sh" "$@"

skip() {
  echo "$1: its tests are skipped"
  exit 0
}
command -v ip >/dev/null || skip "ip (Debian package iproute2) is missing"
command -v openssl >/dev/null || skip "openssl is missing"

pids=()
ends_all() {
  kill "${pids[@]}" 2>/dev/null
  rm -rf -- "$scratch"
}
trap ends_all EXIT

# network: its process is in $member, which lasts as long as this script.
network() {
  unshare --net sleep 300 &
  member=$!
  pids+=("$member")
  for _ in $(seq 50); do
    [[ $(readlink /proc/$member/ns/net) != $(readlink /proc/self/ns/net) ]] && return 0
    kill -0 "$member" 2>/dev/null || return 1
    sleep 0.05
  done
  return 1
}
inside() {  # PROCESS COMMAND...
  local process=$1
  shift
  nsenter -t "$process" -n -- "$@"
}

network || skip "this script may not make a network of its own (that takes root)"
host=$member
inside "$host" ip link set lo up
inside "$host" ip link add bridge type bridge || skip "this script may not make a bridge"
inside "$host" ip address add 198.18.0.1/24 dev bridge
inside "$host" ip link set bridge up
nodes=()
for i in 1 2 3; do
  network || skip "this script may not make a network of its own"
  nodes[i]=$member
  inside "$host" ip link add "to$i" type veth peer name out netns "$member"
  inside "$host" ip link set "to$i" master bridge
  inside "$host" ip link set "to$i" up
  inside "$member" ip address add "198.18.0.1$i/24" dev out
  inside "$member" ip link set out up
  inside "$member" ip link set lo up
done

# certificate NAME [AUTHORITY]
key=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
for ca in ca other; do
  openssl req -x509 "${key[@]}" -keyout $ca.key -out $ca.pem -days 2 -subj /CN=$ca 2>/dev/null
done
certificate() {
  openssl req "${key[@]}" -keyout "$1.key" -out "$1.csr" -subj "/CN=$1" 2>/dev/null
  openssl x509 -req -in "$1.csr" -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -days 2 \
    -out "$1.pem" 2>/dev/null
}
certificate host ca
certificate node ca
certificate stranger other
tls() { echo --tls-cert "$1.pem" --tls-key "$1.key" --tls-ca ca.pem; }

# node NUMBER NAME: in its network; its number as a process in $!.
node() {
  # shellcheck disable=SC2046
  (exec nsenter -t "${nodes[$1]}" -n -- "$dibs" node --join 198.18.0.1:7430 --wait 20s $(tls "$2")) \
    >"node$1.out" 2>"node$1.err" &
}

run "$dibs" node --join 198.18.0.1:7430
ends 2 "a node without a certificate, off loopback"
says err "--tls-cert" "a node without a certificate, off loopback"

# For 40 s of reality. Riders are at the third, so that they outlive what happens to the others.
# shellcheck disable=SC2046
inside "$host" timeout 110 "$dibs" run "$small" --set clock.warmup=0s --set clock.duration=6min \
  --set clock.drain=40s --live --speed 10 --nodes 3 --listen 198.18.0.1:7430 --rejoin 7s \
  --place riders=3 $(tls host) --out kept --format json >out 2>err &
host_run=$!
pids+=("$host_run")
for _ in $(seq 100); do
  grep -q "waiting for 3 nodes" err && break
  sleep 0.1
done
# One whose certificate another authority has signed.
# shellcheck disable=SC2046
status=0
inside "${nodes[1]}" timeout 30 "$dibs" node --join 198.18.0.1:7430 --wait 2s $(tls stranger) \
  >stranger.out 2>stranger.err || status=$?
[[ $status == 6 ]] || fail "a node whose certificate another authority has signed should end with 6"

runs=()
for i in 1 2 3; do
  node "$i" node
  runs[i]=$!
  pids+=("$!")
  for _ in $(seq 200); do
    grep -q "node $i of 3 has joined" err && break
    sleep 0.1
  done
done
for _ in $(seq 300); do
  grep -q "the run begins" err && break
  sleep 0.1
done
sleep 3
inside "$host" ip link set to2 down
sleep 2
kill -9 "${runs[1]}"
sleep 3
inside "$host" ip link set to2 up
status=0
wait "$host_run" || status=$?
ends 0 "the host"
for i in 2 3; do
  wait "${runs[i]}" || fail "node $i should end with 0: $(cat "node$i.err")"
done
says err "nothing comes from node 2" "the host notices the cut"
says err "node 2 is back" "the host sees it come back"
says err "node 1 was away for 7 s and is taken for crashed" "the host gives up the one that was killed"
says node2.err "the host is there again" "the node comes back"
check "promises of fenced hold, and nobody is on two trips" json out \
  '(j["status"] == "complete" and j["promises"]["protocol"] == "fenced" and
    len(j["promises"]["judged"]) > 10 and j["promises"]["violation_count"] == 0 and
    j["metrics"]["double.commits"] == 0)'
check "what happened to whom" json out \
  '(lambda n: n[0]["crashed_at_s"] > 0 and not n[0]["told_all"] and
    n[1]["cut_off"] and all(each["until_s"] for each in n[1]["cut_off"]) and n[1]["told_all"] and
    n[2]["crashed_at_s"] is None and n[2]["told_all"])(j["live"]["nodes"])'
check "the node that was cut off did something meanwhile, and messages of it were lost" python3 - <<'END'
import json
j = json.load(open("out"))
cut = max(j["live"]["nodes"][1]["cut_off"], key=lambda each: each["until_s"] - each["from_s"])
events = [json.loads(line) for line in open("kept/events.jsonl")][1:]
assert all(a["t"] <= b["t"] for a, b in zip(events, events[1:]))
within = [e for e in events if cut["from_s"] < e["t"] / 1e9 < cut["until_s"]]
assert any(e.get("matcher") == 2 or e.get("client") == "matcher/2" for e in within)
assert any(e["fact"] == "message_lost" and e["cause"] == "partition" for e in events)
crashed = [e["node"] for e in events if e["fact"] == "node_crashed"]
assert "matcher/1" in crashed and "matcher/2" not in crashed, crashed
gone = min(e["t"] for e in events if e["fact"] == "node_crashed")
assert not any(e["fact"] == "offer_sent" and e["matcher"] == 1 and e["t"] > gone for e in events)
END
check "what happened, in the scenario's own words" \
  json out '(lambda f: any("kind: crash, node: matcher/1" in each for each in f) and
    any("kind: partition" in each and "matcher/2" in each for each in f))(j["live"]["as_faults"])'
check "the kept scenario has it" grep -q "id: node-2-cut" kept/scenario.effective.yaml
run "$dibs" explain kept
ends 0 "explain takes what was kept"
run "$dibs" run kept/scenario.effective.yaml --no-out --format json
ends 0 "the same faults in virtual time"
check "promises hold there as well" json out 'j["promises"]["violation_count"] == 0'
finish
