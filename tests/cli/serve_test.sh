#!/usr/bin/env bash
# Goal: `dibs serve leases` answers as it says, refuses what it cannot do, and ends when it is told to.
# Method: a service on a free port of loopback, the client of tests/service, signals by pid. Where
# tests/store/with_servers.sh runs it, on its PostgreSQL as well.
source "$(dirname -- "$0")/common.sh" "$@"

# start ARGUMENTS...: a service in the background; its $pid and $url.
start() {
  : >served
  "$dibs" serve leases --listen 127.0.0.1:0 "$@" >served 2>served.err &
  pid=$!
  for _ in {1..200}; do
    url=$(sed -n 's/^serving leases on //p' served)
    [[ -z $url ]] || return 0
    kill -0 $pid 2>/dev/null || break
    sleep 0.05
  done
  cat served served.err
  echo "FAILED: the service did not start"
  exit 1
}
trap '[[ -z ${pid:-} ]] || kill -9 "$pid" 2>/dev/null; rm -rf -- "$scratch"' EXIT

# stop SIGNAL: it ends by itself. What it does not wait for, a worker that waits for a task, takes longer
# than it is given here, and it is given far more than it needs.
stop() {
  kill -s "$1" "$pid"
  for _ in {1..1000}; do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.05
  done
  kill -9 "$pid" 2>/dev/null
  status=0
  wait "$pid" || status=$?
  pid=
}

for bad in "" "nothing" "leases --listen 8080" "leases --listen 127.0.0.1:99999" "leases --listen ::1:80" \
  "leases --store" "leases --store mysql:x" "leases --store sqlite:" \
  "leases --store postgres://" "leases --store postgres://me:secret@db" "leases --token-file" "leases more"; do
  # shellcheck disable=SC2086
  run "$dibs" serve $bad
  ends 2 "serve $bad"
  check "serve $bad says why" test -s err
  check "serve $bad shows no password" bash -c '! grep -q secret err'
done
run "$dibs" serve leases --listen 192.0.2.1:0
if grep -q libcpp-httplib-dev err; then
  echo "built without a server for HTTP: skipped"
  ends 2 "a dibs without the library"
  finish
fi
ends 1 "no address of this machine"
says err "cannot listen on 192.0.2.1:0" "no address of this machine"
for words in short "sixteen letters and spaces"; do
  echo "$words" >token
  run "$dibs" serve leases --listen 127.0.0.1:0 --token-file token
  ends 3 "a bad token"
  says err "16 to 512" "a bad token"
done
run "$dibs" serve leases --token-file no-such-file
ends 3 "no file with a token"
says err "no-such-file" "no file with a token"
echo "a-token-of-the-test" >token

start --token-file token
run "$dibs" serve leases --listen "${url#http://}"
ends 1 "an address in use"
says err "another program listens there" "an address in use"
status=0
python3 "$checkout/tests/service/calls_test.py" "$url" a-token-of-the-test $pid || status=$?
ends 0 "the calls"

# What is under way is answered: a worker who waits for a task, beside a connection that says nothing.
wait_for_task=(python3 -c 'import sys; sys.path.insert(0, sys.argv[1])
from client import Client
c = Client(sys.argv[2], "a-token-of-the-test")
print(c.call("GET", "/healthz")[2], flush=True)
print(c.call("POST", "/v1/tasks/next", {"worker": "w", "wait_ms": 60000})[0])')
"${wait_for_task[@]}" "$checkout/tests/service" "$url" >waited &
worker=$!
exec 7<>"/dev/tcp/127.0.0.1/${url##*:}"
for _ in {1..200}; do
  grep -q ok waited && break
  sleep 0.05
done
sleep 0.5
stop TERM
ends 143 "SIGTERM"
check "SIGTERM: nothing to say" test ! -s served.err
wait $worker
exec 7>&-
check "who waited is answered" grep -qx 204 waited
set -m  # background jobs of a script ignore INT
start
set +m
stop INT
ends 130 "Ctrl-C"

# On a file: one service has it, and kill -9 loses nothing that was answered.
start --store sqlite:leases.sqlite
run "$dibs" serve leases --listen 127.0.0.1:0 --store sqlite:leases.sqlite
ends 1 "a file in use"
says err "leases.sqlite is in use" "a file in use"
stop TERM
ends 143 "SIGTERM with a file"
run "$dibs" serve leases --listen 127.0.0.1:0 --store sqlite:token
ends 3 "no file of leases"
says err "token is damaged or no database" "no file of leases"
run "$dibs" serve leases --listen 127.0.0.1:0 --store sqlite:no/such/folder
ends 1 "no folder"
status=0
python3 "$checkout/tests/service/kill_test.py" "$dibs" . "${DIBS_TEST_KILLS:-10}" || status=$?
ends 0 "kill -9"

# On PostgreSQL the same, and a server that is killed is away until it is back.
run "$dibs" serve leases --listen 127.0.0.1:0 --store postgres://127.0.0.1:1
ends 6 "no PostgreSQL there"
says err "cannot connect to postgres://127.0.0.1:1" "no PostgreSQL there"
if [[ -z ${DIBS_TEST_POSTGRES:-} ]]; then
  finish
fi
start --store "$DIBS_TEST_POSTGRES"
run "$dibs" serve leases --listen 127.0.0.1:0 --store "$DIBS_TEST_POSTGRES"
ends 1 "a schema in use"
says err "another service has its leases in $DIBS_TEST_POSTGRES" "a schema in use"
stop TERM
ends 143 "SIGTERM with PostgreSQL"
# A session that is still at work, as that of a service which died while the disk was busy, is waited for.
psql -q "$DIBS_TEST_POSTGRES" -c 'SELECT pg_advisory_lock(1684628076, 1), pg_sleep(5)' >/dev/null &
sleep 0.5
start --store "$DIBS_TEST_POSTGRES"
stop TERM
ends 143 "after a session that was still at work"
status=0
python3 "$checkout/tests/service/kill_test.py" "$dibs" . "${DIBS_TEST_KILLS:-10}" "$DIBS_TEST_POSTGRES" || status=$?
ends 0 "kill -9 on PostgreSQL"
status=0
python3 "$checkout/tests/service/kill_test.py" "$dibs" . "${DIBS_TEST_SERVER_KILLS:-3}" "$DIBS_TEST_POSTGRES" \
  "$DIBS_TEST_POSTGRES_PID" "$DIBS_TEST_POSTGRES_AGAIN" || status=$?
ends 0 "kill -9 of PostgreSQL"
finish
