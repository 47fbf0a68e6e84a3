#!/usr/bin/env bash
# Goal: `dibs conform` and `dibs run --live --store` say what they did, and what they cannot do.
# Method: servers of the test's own, which tests/store/with_servers.sh starts and names.
source "$(dirname -- "$0")/common.sh" "$@"
short=(--set clock.warmup=0s --set clock.duration=4min --set clock.drain=0s)

for bad in "" mysql://db redis://db/one etcd://db/one postgres://me:secret@db 'postgres://db/x?password=secret' memory; do
  run "$dibs" conform "$bad"
  ends 2 "conform $bad"
  check "conform $bad says why" test -s err
  check "conform $bad shows no password" bash -c '! grep -q secret err'
done
for nobody in postgres://127.0.0.1:1 redis://127.0.0.1:1 etcd://127.0.0.1:1; do
  run "$dibs" conform $nobody
  ends 6 "conform $nobody"
  says err "cannot connect to $nobody" "conform $nobody"
  run "$dibs" run "$small" "${short[@]}" --live --store $nobody
  ends 6 "run --store $nobody"
done
run "$dibs" run "$small" --store redis://127.0.0.1:1
ends 2 "--store without --live"
run "$dibs" run "$small" --live --store redis://127.0.0.1:1 --set lease.protocol=lease
ends 3 "a protocol that no store keeps"
says err "lease.protocol" "a protocol that no store keeps"
run "$dibs" run "$small" --live --store etcd://127.0.0.1:1 --set lease.grace=1s
ends 3 "what etcd cannot do"
says err "lease.grace" "what etcd cannot do"

# In the scenario: for live runs; --store replaces it.
away=(--set "lease.store={kind: redis, at: '127.0.0.1:1'}")
run "$dibs" run "$small" "${short[@]}" "${away[@]}" --live
ends 6 "lease.store of a scenario"
says err "cannot connect to redis://127.0.0.1:1" "lease.store of a scenario"
run "$dibs" run "$small" "${short[@]}" "${away[@]}" --live --store memory --speed 100
ends 0 "--store in the place of lease.store"
run "$dibs" run "$small" "${short[@]}" "${away[@]}" --no-out
ends 0 "a virtual run with lease.store"
says out "lease.store is for runs with --live" "a virtual run with lease.store"
run "$dibs" run "$small" --set "lease.store={kind: redis, at: 'me:secret@db'}"
ends 3 "a password in a scenario"
says err "REDIS_PASSWORD" "a password in a scenario"

for store in "${DIBS_TEST_POSTGRES:-}" "${DIBS_TEST_REDIS:-}" "${DIBS_TEST_ETCD:-}"; do
  [[ -n $store ]] || continue
  pace=(--speed 100)
  [[ $store != etcd* ]] || pace=(--speed 7 --set clock.duration=1min)  # its leases are 2 s at least
  run "$dibs" conform "$store" --sequences 100 -q
  ends 0 "conform $store"
  says out "against the lease machine: 0 of" "conform $store"
  run "$dibs" conform "$store" --sequences 100 --format json -q
  check "conform $store as JSON" json out \
    'j["disagreements"] == 0 and j["sequences"] == 100 and j["answers"]["acquire: granted"] > 0'
  run "$dibs" run "$small" "${short[@]}" --live "${pace[@]}" --store "$store"
  ends 0 "a live run on $store"
  says out "Leases were kept in" "a live run on $store"
  says out "Promises of fenced" "a live run on $store"
  run "$dibs" conform "$store" --durations 1s,1500ms -q
  ends 0 "how long leases stand in $store"
  says out "until another holder got the driver" "how long leases stand in $store"
  [[ $store == etcd* ]] || pace=(--speed 20)  # a busy disk may take a second for an answer
  run "$dibs" run "$small" "${short[@]}" --live "${pace[@]}" --store "$store" --format json
  check "a live run on $store as JSON" json out \
    'j["live"]["store"]["answered"] > 0 and j["live"]["store"]["lost"] == 0'
  run "$dibs" bench lease --store "$store" --drivers 100 --seconds 0.1 --repeats 2 -q
  ends 0 "bench lease --store $store"
  says out "What each one promises" "bench lease --store $store"
  # Beside other work a server may take a second to answer.
  run "$dibs" bench lease --store "$store" --rate 200 --seconds 3 --repeats 1 --format json -q
  check "an open loop on $store as JSON" json out \
    'all(s["granted_twice"] == 0 and s["tokens_fell"] == 0 and s["answers"] > 0 for s in j)'
done
if [[ -n ${DIBS_TEST_POSTGRES:-} ]]; then
  run "$dibs" conform "$DIBS_TEST_POSTGRES" --sequences 20 -q
  says out "ran out meanwhile: refused" "a confirm behind a lock"
  run "$dibs" conform "$DIBS_TEST_POSTGRES" --sequences 100 --variant conditional-update -q
  ends 4 "a confirm as a conditional UPDATE"
  says out "ran out meanwhile: TAKEN" "a confirm as a conditional UPDATE"
  says out "which no command can be left out" "a confirm as a conditional UPDATE"
  run "$dibs" conform "$DIBS_TEST_POSTGRES" --sequences 20 --variant now --format json -q
  ends 4 "time by now()"
  check "behind a lock now() takes a confirm too late and grants too little" json out \
    '(lambda w: j["disagreements"] == 0 and w["confirm_taken"] and
      w["left_of_grant_s"] < w["granted_s"] - w["lock_s"] / 2)(j["behind_lock"])'
  for variant in on-conflict by-holder; do
    run "$dibs" conform "$DIBS_TEST_POSTGRES" --sequences 100 --variant $variant -q
    ends 4 "leases kept $variant"
  done
fi
if [[ -n ${DIBS_TEST_REDIS:-} ]]; then
  run "$dibs" conform "$DIBS_TEST_REDIS" --sequences 100 --variant set-nx -q
  ends 4 "leases kept set-nx"
  says out "no command can be left out" "leases kept set-nx"
fi
if [[ -n ${DIBS_TEST_ETCD:-} ]]; then
  run "$dibs" run "$small" --live --speed 100 --store "$DIBS_TEST_ETCD"
  ends 3 "leases too short for etcd"
  says err "take a speed of 7.5 at most" "leases too short for etcd"
fi
run "$dibs" conform redis://127.0.0.1:1 --variant now
ends 2 "a variant of PostgreSQL for Redis"
run "$dibs" conform postgres://127.0.0.1:1 --variant set-nx
ends 2 "a variant of Redis for PostgreSQL"
run "$dibs" conform redis://127.0.0.1:1 --durations 1s,2h
ends 2 "a lease of two hours"
run "$dibs" bench lease --rate 100
ends 2 "bench lease --rate without --store"
run "$dibs" bench matching --store redis://127.0.0.1:1
ends 2 "bench matching --store"

# What a run put into a store it takes away again: also when it is interrupted while much is under
# way, and after its connections broke.
if [[ -n ${DIBS_TEST_POSTGRES:-} ]]; then
  # A slow one: each commit waits for another 0.1 s.
  sql() { psql -qAtc "$1" "${DIBS_TEST_POSTGRES/postgres:/postgresql:}"; }
  sql "ALTER ROLE CURRENT_USER SET commit_delay = 100000; ALTER ROLE CURRENT_USER SET commit_siblings = 0"
  many=("$checkout/scenarios/first-run.yaml" --set lease.protocol=fenced --speed 100)
  for _ in 1 2 3; do
    sql "DO \$\$ DECLARE s text; BEGIN
           FOR s IN SELECT nspname FROM pg_namespace WHERE nspname LIKE 'dibs\_%' LOOP
             EXECUTE format('DROP SCHEMA %I CASCADE', s); END LOOP; END \$\$"
    signalled INT 6 "$dibs" run "${many[@]}" --live --store "$DIBS_TEST_POSTGRES"
    # On a busy machine the second that a signal leaves may be over before the summary is written.
    grep -q "stopped before all of it was written" err || break
  done
  sql "ALTER ROLE CURRENT_USER RESET ALL"
  ends 130 "an interrupted run on PostgreSQL"
  says out "Leases were kept in" "an interrupted run on PostgreSQL"
  check "an interrupted run leaves no schema" test \
    "$(sql "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'dibs\_%'")" = 0
fi
if [[ -n ${DIBS_TEST_REDIS:-} ]]; then
  port=${DIBS_TEST_REDIS##*:}
  redis() { redis-cli -p "${port%%/*}" "$@"; }
  "$dibs" run "$small" "${short[@]}" --live --speed 40 --store "$DIBS_TEST_REDIS" >out 2>err &
  pid=$!
  sleep 2
  check "connections are cut" test "$(redis client kill type normal)" -ge 8
  status=0
  wait $pid || status=$?
  check "a run whose connections broke ends" test "$status" = 0 -o "$status" = 99
  check "it leaves no keys" test "$(redis dbsize)" = 0
fi

# With job control each command is a group of its own, as it is in a terminal.
# struck SIGNAL PID STORE WHAT: a server is stopped, or killed, in the middle of a run.
struck() {
  local signal=$1 server=$2
  "$dibs" run "$small" "${short[@]}" --live --speed 40 --store "$3" >out 2>err &
  local pid=$!
  sleep 2
  kill -s "$signal" "$server"
  sleep 1
  [[ $signal == KILL ]] || kill -s CONT "$server"
  status=0
  wait $pid || status=$?
}
if [[ -n ${DIBS_TEST_POSTGRES:-} ]]; then
  "$dibs" run "$small" "${short[@]}" --live --speed 40 --store "$DIBS_TEST_POSTGRES" >out 2>err &
  pid=$!
  # A server that goes away before the first lease is one that cannot be reached.
  for ((i = 0; i < 200; ++i)); do
    clients=$(psql "$DIBS_TEST_POSTGRES" -Atqc \
      "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'")
    ((clients < 2)) || break
    sleep 0.1
  done
  sleep 2
  server=$(head -n 1 "$DIBS_TEST_POSTGRES_PID")
  # shellcheck disable=SC2046
  kill -s KILL "$server" $(grep -l "^PPid:[[:space:]]*$server$" /proc/[0-9]*/status 2>/dev/null | cut -d / -f 3)
  sleep 0.5
  bash "$DIBS_TEST_POSTGRES_AGAIN"
  status=0
  wait $pid || status=$?
  check "a PostgreSQL that is killed and comes back: the run ends and breaks nothing" \
    test "$status" = 0 -o "$status" = 99
  says out "THE STORE WAS AWAY" "a PostgreSQL that is killed and comes back"
  says out "Promises of fenced" "a PostgreSQL that is killed and comes back"
fi
if [[ -n ${DIBS_TEST_REDIS:-} ]]; then
  struck STOP "$DIBS_TEST_REDIS_PID" "$DIBS_TEST_REDIS"
  check "a store that stands still for a second: the run ends and breaks nothing" \
    test "$status" = 0 -o "$status" = 99
  says out "Leases were kept in Redis" "a store that stands still"
  struck KILL "$DIBS_TEST_REDIS_PID" "$DIBS_TEST_REDIS"
  check "a store that is gone: the run ends and breaks nothing" test "$status" = 0 -o "$status" = 99
  says out "THE STORE WAS AWAY" "a store that is gone"
fi
if [[ -n ${DIBS_TEST_ETCD:-} ]]; then
  "$dibs" run "$small" "${short[@]}" --set clock.duration=90s --live --speed 7 --store "$DIBS_TEST_ETCD" >out 2>err &
  pid=$!
  sleep 3
  kill -s KILL "$(<"$DIBS_TEST_ETCD_PID")"
  sleep 1
  bash "$DIBS_TEST_ETCD_AGAIN"
  status=0
  wait $pid || status=$?
  check "an etcd that is killed and comes back: the run ends and breaks nothing" \
    test "$status" = 0 -o "$status" = 99
  says out "THE STORE WAS AWAY" "an etcd that is killed and comes back"
fi
finish
