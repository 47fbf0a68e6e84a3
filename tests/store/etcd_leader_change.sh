#!/usr/bin/env bash
# Goal: leases in etcd outlive the death of its leader, and none ends before its holder was told.
# Method: three etcd on free ports of loopback; dibs asks one that follows, the leader is killed while
# leases of 5 s stand.
#
#   tests/store/etcd_leader_change.sh DIBS
set -euo pipefail

dibs=$1
if ! command -v etcd >/dev/null; then
  echo "no etcd here (package etcd-server): its tests are skipped" >&2
  exit 0
fi
here=$(mktemp -d "${TMPDIR:-/tmp}/dibs-etcd-XXXXXX")
pids=()
finish() {
  kill "${pids[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$here"
}
trap finish EXIT

mapfile -t ports < <(python3 -c '
import socket
all = [socket.socket() for _ in range(6)]
for s in all:
    s.bind(("127.0.0.1", 0))
for s in all:
    print(s.getsockname()[1])')
cluster=
for i in 0 1 2; do
  cluster+=${cluster:+,}e$i=http://127.0.0.1:${ports[i + 3]}
done
for i in 0 1 2; do
  client=http://127.0.0.1:${ports[i]} peer=http://127.0.0.1:${ports[i + 3]}
  etcd --name "e$i" --data-dir "$here/e$i" --listen-client-urls "$client" \
    --advertise-client-urls "$client" --listen-peer-urls "$peer" \
    --initial-advertise-peer-urls "$peer" --initial-cluster "$cluster" \
    --initial-cluster-state new >"$here/e$i.log" 2>&1 &
  pids+=($!)
done

# leads I: whether this one says that it leads.
leads() {
  curl -s -m 2 "http://127.0.0.1:${ports[$1]}/v3/maintenance/status" -d '{}' | python3 -c '
import json, sys
j = json.load(sys.stdin)
sys.exit(0 if j.get("leader", "0") == j["header"]["member_id"] else 1)' 2>/dev/null
}
leader=
for ((k = 0; k < 100 && ${#leader} == 0; ++k)); do
  for i in 0 1 2; do
    leads "$i" && leader=$i
  done
  sleep 0.1
done
[[ -n $leader ]] || { echo "no etcd came to lead within 10 s" >&2; exit 1; }
asked=$(((leader + 1) % 3))

"$dibs" conform "etcd://127.0.0.1:${ports[asked]}" --durations 5s --format json -q >"$here/out" &
run=$!
sleep 3
kill -s KILL "${pids[leader]}"
status=0
wait $run || status=$?
cat "$here/out"
if ((status != 0)); then
  echo "dibs conform ended with $status: a lease ended before its holder was told" >&2
  exit 1
fi
python3 - "$here/out" <<'CHECK'
import json, sys
one = json.load(open(sys.argv[1]))["durations"][0]
# Whoever leads next gives each lease a whole TTL: none can be over 5 s after it was given.
sys.exit(0 if one["leases"] == 3 and one["least_s"] > one["ttl_s"] + 1 else "no lease was extended")
CHECK
