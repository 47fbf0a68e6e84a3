#!/usr/bin/env bash
# Goal: a study that several processes share comes to the same bytes as one that none shares,
# whatever becomes of the processes and of the server.
# Method: a PostgreSQL of the test's own, which tests/store/with_servers.sh starts and names.
source "$(dirname -- "$0")/common.sh" "$@"

run "$dibs" sweep "$small" --grid lease.ttl=5s --journal mysql://db
ends 2 "a journal of another kind"
run "$dibs" sweep "$small" --grid lease.ttl=5s --journal postgres://me:secret@db
ends 2 "a password in --journal"
check "a password in --journal is not shown" bash -c '! grep -q secret err'
run "$dibs" sweep "$small" --grid lease.ttl=5s --journal postgres://127.0.0.1:1
ends 6 "a journal that cannot be reached"
check "a journal that cannot be reached leaves nothing behind" test ! -e sweeps
run "$dibs" worker --journal postgres://127.0.0.1:1
ends 6 "a worker whose journal cannot be reached"
run "$dibs" sweep "$small" --grid lease.ttl=5s --only-decide
ends 2 "--only-decide without --journal"

# In a file, for the processes of one machine.
run "$dibs" tune "$small" --search lease.ttl=5s..20s --budget 200 --format json -q
cp out tuned
for each in first again; do
  run "$dibs" tune "$small" --search lease.ttl=5s..20s --budget 200 --format json -q --journal sqlite:file.sqlite
  check "tune, $each over a file" cmp <(sed 's/"[a-z_]*\(wall\|seconds\)[a-z_]*": *[0-9.e+-]*//' tuned) \
    <(sed 's/"[a-z_]*\(wall\|seconds\)[a-z_]*": *[0-9.e+-]*//' out)
done
check "what is there is not run again" python3 -c '
import sqlite3
tries = [n for n, in sqlite3.connect("file.sqlite").execute("SELECT tries FROM run")]
assert tries and max(tries) == 1'
echo something >other.sqlite
run "$dibs" worker --journal sqlite:other.sqlite
ends 3 "a journal that is another file"
[[ -n ${DIBS_TEST_POSTGRES:-} ]] || finish

journal=(--journal "$DIBS_TEST_POSTGRES" --lease 1s)
grid=(--grid lease.ttl=5s,10s,15s --seeds 20)
asks() { # SQL
  psql "$DIBS_TEST_POSTGRES" -Atq -c "$1"
}
same() { # DIRECTORY NAME
  check "$2: the same tables" cmp plain/points.csv "$1/points.csv"
  check "$2: the same summary" cmp plain/summary.csv "$1/summary.csv"
}
run "$dibs" sweep "$small" "${grid[@]}" -q --out plain
ends 0 "a sweep that nobody shares"

# Alone, then with all results there, then by a worker alone.
run "$dibs" sweep "$small" "${grid[@]}" -q --out alone "${journal[@]}"
ends 0 "without workers"
same alone "without workers"
before=$(asks "SELECT sum(tries) FROM dibs_study.run")
run "$dibs" sweep "$small" "${grid[@]}" -q --out again "${journal[@]}"
same again "elsewhere, with all results there"
check "what is there is not run again" test "$before" = "$(asks "SELECT sum(tries) FROM dibs_study.run")"
asks "DELETE FROM dibs_study.run"
"$dibs" worker "${journal[@]}" --idle 1s --batch 5 2>worker.err &
worker=$!
run "$dibs" sweep "$small" "${grid[@]}" -q --out left "${journal[@]}" --only-decide
ends 0 "by a worker alone"
same left "by a worker alone"
status=0
wait $worker || status=$?
ends 0 "the worker"
says worker.err "60 runs handed in" "the worker"

# A precision decides by the results, wherever they come from.
precise=(--grid lease.ttl=5s,15s --seeds 20 --precision 5% --of ttm.mean)
run "$dibs" sweep "$small" "${precise[@]}" -q --out precise
run "$dibs" sweep "$small" "${precise[@]}" -q --out precise-shared "${journal[@]}"
check "--precision: the same tables" cmp precise/points.csv precise-shared/points.csv

# Every kind of study, with a worker beside.
"$dibs" worker "${journal[@]}" --idle 20s -q --jobs 1 &
beside=$!
shared() { # NAME COMMAND...: the same output, alone and shared
  local name=$1
  shift
  run "$dibs" "$@"
  local alone=$status
  sed -E 's/[0-9.,]+ (s|ms|min)( |,|\.|$)//g' out >alone.txt
  run "$dibs" "$@" "${journal[@]}"
  ends "$alone" "$name over a journal"
  check "$name over a journal: the same output" cmp alone.txt <(sed -E 's/[0-9.,]+ (s|ms|min)( |,|\.|$)//g' out)
}
shared region region "$small" --x lease.ttl=5s,10s,15s --y lease.grace=0s,2s --seeds 10 --format csv -q
shared tune tune "$small" --search lease.protocol=lease,fenced --objective ttm.mean --budget 200 -q
shared survive survive naive-race --runs 2 --format csv -q
shared hunt hunt "$checkout/scenarios/hunt.yaml" --runs 60 --controls 0 -q --blind
shared controls hunt "$checkout/scenarios/hunt.yaml" --runs 10 --controls 10 -q --blind
kill $beside
status=0
wait $beside || status=$?
ends 143 "a worker that is told to end"

# A second result that differs, and a result that dibs did not write.
asks "UPDATE dibs_study.run SET differs = true WHERE id = (SELECT min(id) FROM dibs_study.run)"
run "$dibs" sweep "$small" "${grid[@]}" -q --out differs "${journal[@]}"
ends 5 "two results of one run"
asks "UPDATE dibs_study.run SET differs = false, result = 'x' WHERE id = (SELECT min(id) FROM dibs_study.run)"
run "$dibs" sweep "$small" "${grid[@]}" -q --out damaged "${journal[@]}"
ends 3 "a result that is none"

# A result that another worker handed in meanwhile is compared.
asks "DELETE FROM dibs_study.run"
asks "CREATE FUNCTION twist() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN
  IF NEW.holder IS NOT NULL AND OLD.token IS DISTINCT FROM NEW.token THEN NEW.result = 'other'; END IF;
  RETURN NEW; END \$\$"
asks "CREATE TRIGGER twist BEFORE UPDATE ON dibs_study.run FOR EACH ROW EXECUTE FUNCTION twist()"
run "$dibs" sweep "$small" --grid lease.ttl=5s --seeds 1 -q --out other "${journal[@]}"
ends 5 "another result than somebody else's"
asks "DROP TRIGGER twist ON dibs_study.run"

# Workers of another build.
asks "DELETE FROM dibs_study.run"
cp "$dibs" other-dibs
printf x >>other-dibs
./other-dibs sweep "$small" "${grid[@]}" -q --out theirs "${journal[@]}" --only-decide &
decider=$!
for ((i = 0; i < 100; ++i)); do
  [[ $(asks "SELECT count(*) FROM dibs_study.run") = 0 ]] || break
  sleep 0.1
done
run timeout 20 "$dibs" worker "${journal[@]}" --idle 1s
ends 3 "a worker of another build"
says err "another build" "a worker of another build"
check "it took nothing" test "$(asks "SELECT sum(tries) FROM dibs_study.run")" = 0
kill -KILL $decider
wait $decider 2>/dev/null
asks "DELETE FROM dibs_study.run"

# A worker that is killed, one that is stopped, and a server that is killed.
long=(--grid lease.ttl=5s,10s,15s --seeds 400)
run "$dibs" sweep "$small" "${long[@]}" -q --out plain-long
"$dibs" worker "${journal[@]}" --idle 5s -q --jobs 1 &
killed=$!
"$dibs" worker "${journal[@]}" --idle 5s -q --jobs 1 &
stopped=$!
"$dibs" sweep "$small" "${long[@]}" --jobs 1 --out struck "${journal[@]}" >out 2>err &
decider=$!
for ((i = 0; i < 200; ++i)); do
  [[ $(asks "SELECT count(result) FROM dibs_study.run") = 0 ]] || break
  sleep 0.05
done
kill -STOP $stopped
kill -KILL $killed
server=$(head -n 1 "$DIBS_TEST_POSTGRES_PID")
# shellcheck disable=SC2046
kill -s KILL "$server" $(grep -l "^PPid:[[:space:]]*$server$" /proc/[0-9]*/status 2>/dev/null | cut -d / -f 3)
sleep 1
bash "$DIBS_TEST_POSTGRES_AGAIN"
sleep 1
kill -CONT $stopped
status=0
wait $decider || status=$?
ends 0 "everything is struck"
says err "is away, waiting for it" "a server that was killed"
says err "is back after" "a server that was killed"
check "everything is struck: the same tables" cmp plain-long/points.csv struck/points.csv
check "everything is struck: the same summary" cmp plain-long/summary.csv struck/summary.csv
status=0
wait $stopped || status=$?
ends 0 "the worker that was stopped"
check "no result differed" test "$(asks "SELECT count(*) FROM dibs_study.run WHERE differs")" = 0
finish
