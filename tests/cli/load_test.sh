#!/usr/bin/env bash
# Goal: `dibs load` passes a lease service that keeps its word, and catches each one that does not.
# Method: services on free ports of loopback: dibs' own, killed and started again, and broken ones.
source "$(dirname -- "$0")/common.sh" "$@"
export DIBS_SCENARIOS=$checkout/scenarios
trap '[[ -z ${pid:-} ]] || kill -9 "$pid" 2>/dev/null; rm -rf -- "$scratch"' EXIT

# start COMMAND...: a service in the background; its $pid and $url.
start() {
  : >served
  "$@" >served 2>served.err &
  pid=$!
  disown
  for _ in {1..400}; do
    url=$(sed -n 's/^serving leases on //p' served)
    [[ -z $url ]] || return 0
    kill -0 $pid 2>/dev/null || break
    sleep 0.05
  done
  cat served served.err
  echo "FAILED: the service did not start"
  exit 1
}
stop() {
  kill -9 "$pid"
  while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
  pid=
}
# Many matchers who see nothing of each other want few drivers.
crowd=("$small" --set drivers.count=12 --set matchers.count=8 --set matchers.view=blind --set clock.warmup=0s
  --set world.trip=10s --set 'demand=[{kind: poisson, rate: 2/s}]' --speed 40)
short=("${crowd[@]}" --seconds 3)

for bad in "" "127.0.0.1:80" "https://127.0.0.1" "http://" "http://me:secret@127.0.0.1" "http://x?y" \
  http://127.0.0.1:99999 http://127.0.0.1:x http://127.0.0.1: \
  "http://127.0.0.1:1 --speed 0" "http://127.0.0.1:1 --seconds 0" "http://127.0.0.1:1 --connections 0"; do
  # shellcheck disable=SC2086
  run "$dibs" load $bad
  ends 2 "load $bad"
  check "load $bad says why" test -s err
  check "load $bad shows no password" bash -c '! grep -q secret err'
done
run "$dibs" load http://127.0.0.1:1
ends 6 "nobody there"
says err "cannot reach a service at http://127.0.0.1:1" "nobody there"
run "$dibs" load http://127.0.0.1:1 no-such.yaml
ends 3 "no scenario"
run "$dibs" load http://127.0.0.1:1 --set lease.ttl=100ms
ends 3 "leases that are too short at this speed"
says err "they must be 20ms to" "leases that are too short"
run "$dibs" load http://127.0.0.1:1 --set lease.ttl=forever --set lease.protocol=fenced
ends 3 "leases without an end"

# A service that keeps its word passes, and one with a flaw does not.
start python3 "$checkout/tests/cli/broken_service.py" none
run "$dibs" load "$url" "${short[@]}" --threads 2 --format json -q
ends 0 "a service without a flaw"
check "it had to say no" json out 'j["conflicts"] > 20 and j["calls"]["renew"]["yes"] > 20 and j["kept_promises"]'
stop
for flaw in twice:L short:L again:L keeps:L refuses:L denies:L; do
  start python3 "$checkout/tests/cli/broken_service.py" ${flaw%:*}
  # On a busy machine calls take as long as a lease: then few answers are surely wrong, and more are asked for.
  for seconds in 3 12; do
    rm -rf "kept-${flaw%:*}"
    run "$dibs" load "$url" "${crowd[@]}" --seconds "$seconds" --format json -q --out "kept-${flaw%:*}"
    ((status == 0)) || break
  done
  ends 4 "a service that is broken: $flaw"
  check "$flaw" json out "any(v['promise'] == '${flaw#*:}' for v in j['violations'])"
  stop
done
run "$dibs" explain kept-twice -q
ends 0 "explain a broken service"
says out "was granted" "explain a broken service"
check "two who held one driver worked at once" json kept-twice/metrics.json \
  '{"S4", "L"} == {p["code"] for p in j["promises"]["judged"] if not p["kept"]} and j["metrics"]["double.commits"] > 0'
run "$dibs" report kept-twice --out page.html -q
ends 0 "report of a load"
check "the page is there" test -s page.html
run "$dibs" replay kept-twice
ends 2 "replay of a load"
says err "load http://127.0.0.1" "replay of a load"
start python3 "$checkout/tests/cli/broken_service.py" garbles
run "$dibs" load "$url" "${short[@]}" --format json -q
ends 0 "answers that cannot be read are neither yes nor no"
check "they are lost" json out 'j["calls"]["renew"]["lost"] > 0 and j["kept_promises"]'
stop
start python3 "$checkout/tests/cli/broken_service.py" fails
run "$dibs" load "$url" "${short[@]}" -q
ends 6 "a service that fails every call"
says err "granted and denied nothing" "a service that fails every call"
stop

# dibs' own.
run "$dibs" serve leases --listen 192.0.2.1:0
if grep -q libcpp-httplib-dev err; then
  echo "built without a server for HTTP: its tests are skipped"
  finish
fi
echo "a-token-of-the-test" >token
start "$dibs" serve leases --listen 127.0.0.1:0 --token-file token
run "$dibs" load "$url" "${short[@]}" -q
ends 2 "no bearer token"
says err "wants a bearer token" "no bearer token"
run "$dibs" load "$url" "${short[@]}" -q --token-file token
ends 0 "dibs' own service"
says out "L and S4 kept" "dibs' own service"
run env DIBS_SERVICE_TOKEN=a-token-of-the-test "$dibs" load "$url" --seconds 1 -q
ends 0 "a bearer token from the environment"

# Ctrl-C: what came until then, and nobody is left holding anything.
set -m # background jobs of a script ignore INT
DIBS_SERVICE_TOKEN=a-token-of-the-test "$dibs" load "$url" "${crowd[@]}" --seconds 300 >out 2>err &
load=$!
set +m
sleep 1.5
kill -INT $load
status=0
wait $load || status=$?
ends 130 "Ctrl-C"
says out "INTERRUPTED" "Ctrl-C"
check "all was given back" bash -c 'curl -s -H "Authorization: Bearer a-token-of-the-test" \
  "$0/v1/leases?state=active" | grep -q "\"leases\":\[\]"' "$url"
stop

# One that is killed under load and comes back is an outage, and its record keeps its word.
start "$dibs" serve leases --listen 127.0.0.1:0 --store sqlite:leases.sqlite
"$dibs" load "$url" "${crowd[@]}" --seconds 6 >out 2>err &
load=$!
sleep 2
where=$url
stop
sleep 0.5
start "$dibs" serve leases --listen "${where#http://}" --store sqlite:leases.sqlite
status=0
wait $load || status=$?
ends 0 "a service that is killed and comes back"
says out "THE SERVICE WAS AWAY" "a service that is killed and comes back"
# One in memory forgets, which its callers notice.
stop
start "$dibs" serve leases --listen "${where#http://}"
"$dibs" load "$url" "${crowd[@]}" --seconds 6 >out 2>err &
load=$!
sleep 2
stop
start "$dibs" serve leases --listen "${where#http://}"
status=0
wait $load || status=$?
ends 4 "a service that forgets"
says out "BROKEN" "a service that forgets"
"$dibs" load "$url" "${short[@]}" >out 2>err &
load=$!
sleep 2
stop
status=0
wait $load || status=$?
ends 6 "a service that goes away for good"
says out "and still is" "a service that goes away for good"
finish
