#!/usr/bin/env bash
# Goal: `dibs sweep` keeps, ends and resumes as it says, also after kill -9.
# Method: a grid of small runs, undisturbed, on other threads, interrupted and killed.
source "$(dirname -- "$0")/common.sh" "$@"
kills=${DIBS_KILLS:-8}
grid=(--grid lease.ttl=5s,10s,15s --grid matchers.count=1,3 --seeds 4)

run "$dibs" sweep "$small" "${grid[@]}" --out whole
ends 0 "a first sweep"
says out "6 points on 4 seeds from seed 42" "a first sweep"
says out "kept in whole" "a first sweep"
# What takes longer than 10 s, as on a busy machine, says how far it is.
check "stderr says nothing but progress without a terminal" bash -c '! grep -qvE "^dibs: [0-9]+ %" err'
check "24 runs and a header" test "$(wc -l <whole/points.csv)" == 25
check "a row tells its point, seed and figures" grep -qE '^1,5,1,1,42,[0-9a-f]{16},0,false,' whole/points.csv
check "a summary has intervals" grep -qE '^6,15,3,ttm.p95,s,[0-9.]+,[0-9.]+,[0-9.]+,4$' whole/summary.csv
check "nothing but the results is left" test "$(ls -A whole | tr '\n' ' ')" == "points.csv summary.csv sweep.sqlite "
python3 - whole/points.csv <<'EOF' >out 2>err || fail "the table is tidy"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
seeds = {}
for row in rows:
    seeds.setdefault(row["replication"], set()).add(row["seed"])
assert all(len(s) == 1 for s in seeds.values()), "one seed for each replication at all points"
assert all(None not in row and None not in row.values() for row in rows), "every row has every cell"
EOF

# The same figures as `dibs run --runs`.
run "$dibs" run "$small" --set lease.ttl=10s --set matchers.count=3 --runs 4 --format json --no-out
cp out run.json
python3 - whole/summary.csv run.json <<'EOF' >out 2>err || fail "a point has the figures of dibs run"
import csv, json, sys
want = json.load(open(sys.argv[2]))
rows = {r["metric"]: r for r in csv.DictReader(open(sys.argv[1])) if r["point"] == "4"}
for name in ("supply.hidden_share", "rides.match_rate", "ttm.p95", "ttm.mean", "double.offers"):
    value, half = want["metrics"][name], want["intervals_95"][name]["half_width"]
    assert abs(float(rows[name]["value"]) - value) <= 1e-9 * abs(value), (name, rows[name], value)
    width = (float(rows[name]["high_95"]) - float(rows[name]["low_95"])) / 2
    assert abs(width - half) <= 1e-6 * abs(half) + 1e-12, (name, width, half)
EOF

# All rows, but for the words by which the scenario was asked for.
dump() { python3 -c 'import sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).iterdump()
print("\n".join(sorted(row for row in rows if "asked.file" not in row)))' "$1/sweep.sqlite"; }
same_as_whole() {  # DIRECTORY WHAT
  check "$2: the same points.csv" cmp "$1/points.csv" whole/points.csv
  check "$2: the same summary.csv" cmp "$1/summary.csv" whole/summary.csv
  check "$2: the same rows" cmp <(dump "$1") <(dump whole)
}
run "$dibs" sweep "$small" "${grid[@]}" --out threads --jobs 3 --quiet
ends 0 "on three threads"
check "--quiet is silent" bash -c '! test -s out && ! test -s err'
same_as_whole threads "on three threads"
run "$dibs" sweep "$small" "${grid[@]}" --out json --quiet --format json
ends 0 "--quiet with JSON"
check "--quiet leaves the JSON that was asked for" python3 -m json.tool out
check "--quiet tells nothing else" test ! -s err

# The same from a file.
cat >grid.sweep.yaml <<EOF
scenario: small.yaml
grid:
  lease.ttl: [5s, 10s, 15s]
  matchers.count: 1, 3
seeds: 4
EOF
cp "$small" small.yaml
run "$dibs" sweep grid.sweep.yaml --out file
ends 0 "a sweep file"
same_as_whole file "a sweep file"

# Not the first point and not the last is the one that memory cannot hold.
run "$dibs" sweep "$small" --grid lease.protocol=lease,none,fenced --set matchers.count=10000 \
  --set matchers.offers.broadcast=10000 --set clock.duration=1000h --set output.series=100h --seeds 1 --out large
ends 3 "a point that memory cannot hold"
says err "--force" "a point that memory cannot hold"
says err "with lease.protocol=" "a point that memory cannot hold is named"

# Kill -9 at any instant.
begun=$(date +%s%N)
"$dibs" sweep "$small" "${grid[@]}" --out timed --quiet
took=$((($(date +%s%N) - begun) / 1000))
unfinished=0
for ((i = 0; i < kills; ++i)); do
  for jobs in 1 2; do
    "$dibs" sweep "$small" "${grid[@]}" --out killed-$i-$jobs --jobs $jobs --quiet 2>/dev/null &
    pid=$!
    micros=$((took * i / kills))
    sleep "$(printf '%d.%06d' $((micros / 1000000)) $((micros % 1000000)))"
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    [[ -e killed-$i-$jobs/summary.csv ]] || unfinished=$((unfinished + 1))
    mkdir -p killed-$i-$jobs  # where the kill came before everything
    run "$dibs" sweep "$small" "${grid[@]}" --out killed-$i-$jobs --resume --jobs $((3 - jobs))
    ends 0 "kill $i, $jobs threads, resumed"
    same_as_whole killed-$i-$jobs "kill $i, $jobs threads"
    check "kill $i: nothing partial is left" bash -c "! ls -A killed-$i-$jobs | grep -E 'partial|lock|journal'"
    rm -rf -- killed-$i-$jobs
  done
done 2>/dev/null
((unfinished > 0)) || fail "no kill met a sweep at work; this test proves nothing"

# Ctrl-C.
set -m
"$dibs" sweep "$small" "${grid[@]}" --set clock.duration=200h --set output.series=1h --force --out stopped >out 2>err &
pid=$!
for _ in {1..100}; do
  [[ -s stopped/sweep.sqlite ]] && break
  sleep 0.1
done
kill -s INT $pid
status=0
wait $pid || status=$?
set +m
ends 130 "Ctrl-C"
says err "go on with --resume" "Ctrl-C"
check "no table of a part" test ! -e stopped/summary.csv

# What is refused, before anything runs.
run "$dibs" sweep "$small" "${grid[@]}" --out whole
ends 2 "a directory that is there"
says err "never overwritten" "a directory that is there"
run "$dibs" sweep "$small" "${grid[@]}" --set lease.grace=1s --out whole --resume
ends 3 "a changed scenario"
says err "scenario was changed" "a changed scenario"
run "$dibs" sweep "$small" --grid lease.ttl=5s,10s --seeds 4 --out whole --resume
ends 3 "a changed grid"
cp "$dibs" other-build && printf ' ' >>other-build
run ./other-build sweep "$small" "${grid[@]}" --out whole --resume
ends 3 "another build"
says err "another build" "another build"
run "$dibs" sweep "$small" "${grid[@]}" --out whole --resume
ends 0 "a finished sweep, resumed"
says err "24 of 24 runs are there already" "a finished sweep, resumed"
same_as_whole threads "after all this"
mkdir corrupt && head -c 5000 /dev/zero >corrupt/sweep.sqlite
run "$dibs" sweep "$small" "${grid[@]}" --out corrupt --resume
ends 3 "a corrupt journal"
says err "no database" "a corrupt journal"
mkdir foreign && python3 -c 'import sqlite3; sqlite3.connect("foreign/sweep.sqlite").execute("create table t (x)")'
run "$dibs" sweep "$small" "${grid[@]}" --out foreign --resume
ends 3 "a foreign journal"
says err "not of a sweep of dibs" "a foreign journal"
run "$dibs" sweep "$small" --grid lease.ttl=5s,6s --seeds 2 --out hwole --resume
ends 2 "a directory that is not there, resumed"
says err "there is no sweep hwole to go on with, did you mean whole?; without --resume it begins" \
  "a directory that is not there, resumed"
check "nothing was begun" test ! -e hwole
mkdir empty
run "$dibs" sweep "$small" --grid lease.ttl=5s,6s --seeds 2 --out empty --resume
ends 0 "a directory that a kill left empty, resumed"
says err "empty is new: nothing to go on with, the sweep begins" "a directory that a kill left empty, resumed"
mkdir mine && echo x >mine/letter
run "$dibs" sweep "$small" "${grid[@]}" --out mine --resume
ends 3 "somebody's folder"
before=$(find . | sort | md5sum)
run "$dibs" sweep "$small" --grid lease.ttl=5s,10s --set lease.ttl=7s
ends 2 "a field that is varied and set"
says err "lease.ttl is varied and set to 7s" "a field that is varied and set"
run "$dibs" sweep "$small" --grid lease.ttl=5s,5000ms
ends 2 "one value in two ways"
run "$dibs" sweep "$small" --grid lease.tll=5s,10s
ends 3 "a path that is no field"
says err "did you mean \`ttl\`" "a path that is no field"
run "$dibs" sweep "$small" --grid lease.ttl=3s..60s:lin:1000000
ends 2 "a grid of a million points"
says err "20,000,000 runs" "a grid of a million points"
says err "--yes" "a grid of a million points"
for bad in "--grid lease.ttl=" "--grid lease.ttl=60s..3s:log:5" "--grid lease.ttl=3s..60s" "" \
  "--grid lease.ttl=5s --where lease.ttl>1h" "--grid lease.ttl=5s --derive lease.margin=lease.tll/2" \
  "--grid lease.ttl=5s --derive lease.margin=matchers.count" "--zip lease.ttl=5s,6s --zip matchers.count=1" \
  "--grid seed=1,2" "--grid question=a,b" "--grid lease.ttl=5s --seeds 0" "--grid lease.ttl=5s --jobs 0" "--grd x=1"; do
  # shellcheck disable=SC2086
  run "$dibs" sweep "$small" $bad
  [[ $status == 2 || $status == 3 ]] || fail "dibs sweep $bad should be refused"
  check "dibs sweep $bad says why" test -s err
done
printf 'scenario: small.yaml\ngird: {a: [1]}\n' >bad.sweep.yaml
before=$(find . | sort | md5sum)
run "$dibs" sweep bad.sweep.yaml
ends 3 "a bad sweep file"
says err "bad.sweep.yaml:2:1" "a bad sweep file names the place"
check "nothing was written" test "$before" = "$(find . | sort | md5sum)"

# A file's own mistakes are the file's.
printf 'scenario: small.yaml\ngrid: {lease.ttl: [5s, 6s]}\nderive: {lease.margin: lease.tll/2}\n' >tll.sweep.yaml
run "$dibs" sweep tll.sweep.yaml
ends 3 "an expression in a sweep file that names no field"
says err "did you mean \`lease.ttl\`" "an expression in a sweep file that names no field"
says err "tll.sweep.yaml" "an expression in a sweep file that names no field"
printf 'scenario: small.yaml\ngrid: {lease.ttl: [5s, 6s]}\n' >fine.sweep.yaml
run "$dibs" sweep fine.sweep.yaml --derive lease.margin=lease.tll/2
ends 2 "the same on the command line"

run "$dibs" sweep "$small" --grid 'network.`matcher->driver`.loss=0%,4%' --where 'network.`matcher->driver`.loss < 50%' \
  --where '`network.matcher->driver.loss` < 50%' --seeds 1 --out quoted
ends 0 "a path in backquotes"
check "the column has the path itself" grep -q '^point,network.matcher->driver.loss,' quoted/points.csv

# Groups of zipped fields, each with each other.
run "$dibs" sweep "$small" --zip 'matchers.count=1,2; drivers.count=20,40' --zip 'lease.ttl=5s,9s; lease.grace=0s,1s' --seeds 1 --out groups
ends 0 "two groups of zipped fields"
check "two by two points" test "$(wc -l <groups/points.csv)" == 5
check "groups change together, and apart from each other" grep -qE '^2,1,20,9,1,' groups/points.csv
printf 'scenario: small.yaml\nzip: [{matchers.count: [1, 2], drivers.count: [20, 40]}, {lease.ttl: [5s, 9s], lease.grace: [0s, 1s]}]\nseeds: 1\n' >groups.sweep.yaml
run "$dibs" sweep groups.sweep.yaml --out groups-2
ends 0 "the same from a file"
check "the same table" cmp groups/points.csv groups-2/points.csv

# Thresholds, JSON, width, warm-up.
run "$dibs" sweep "$small" --grid lease.ttl=5s,15s --seeds 2 --set 'thresholds={ttm.p95: "<= 1s"}' --out missed
ends 99 "a threshold that every point misses"
says out "MISSED at 2 of 2 points: ttm.p95 <= 1s" "a threshold that every point misses"
# A bound just below the figure, which two seeds do not know so well.
mean_ttm=$(awk -F, '$1 == 1 && /,ttm.mean,/ {print $(NF - 3) - 0.0001}' missed/summary.csv)
run "$dibs" sweep "$small" --grid lease.ttl=5s --seeds 2 --set "thresholds={ttm.mean: \"<= ${mean_ttm}s\"}" --out near
ends 99 "a threshold that is just missed"
says out "MISSED at 1 of 1 points, 1 of them unsure: ttm.mean <= " "a threshold within the interval"
run "$dibs" sweep "$small" --grid lease.ttl=5s,15s --seeds 2 --format json --out for-programs
ends 0 "JSON"
check "JSON has points and intervals" json out 'len(j["points"]) == 2 and j["points"][1]["fields"]["lease.ttl"] == "15s" and j["points"][0]["metrics"]["ttm.mean"]["half_width_95"] > 0 and j["points"][0]["metrics"]["ttm.p50"]["low_95"] < j["points"][0]["metrics"]["ttm.p50"]["value"] < j["points"][0]["metrics"]["ttm.p50"]["high_95"]'
run "$dibs" sweep "$small" --grid lease.ttl=5s,15s --grid matchers.offers.cooldown_after_decline=1min,2min --grid drivers.classes.all.accept=0.6,0.7 --grid matchers.look_again=1s,2s --seeds 2 --out wide
ends 0 "many fields"
says out "+/-" "a pipe has no edge, so intervals stay"
run "$dibs" sweep "$small" --grid lease.ttl=5s,15s --seeds 2 --set clock.duration=3h --warmup auto --out settled
ends 0 "a warm-up that pilots find"
says err "by MSER-5, from 10 pilot runs" "a warm-up that pilots find"
run "$dibs" sweep "$small" --grid lease.ttl=5s,40s --seeds 5 --precision 5% --of ttm.mean --out precise
ends 0 "a wanted precision"
says out "seeds each, until ttm.mean is known to 5 %" "a wanted precision"
python3 - precise/summary.csv <<'END' >out 2>err || fail "every point is as precise as wanted, and has more runs than the first look"
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["metric"] == "ttm.mean"]
assert len(rows) == 2
for r in rows:
    assert (float(r["high_95"]) - float(r["low_95"])) / 2 <= 0.05 * float(r["value"]), r
assert min(int(r["runs"]) for r in rows) >= 20, rows
END
run "$dibs" sweep "$small" --grid lease.ttl=5s,40s --seeds 5 --precision 5% --of ttm.mean --out precise --resume
says err "runs are there already" "a precise sweep, resumed"
run "$dibs" compare precise:1 precise:2
ends 0 "points with different numbers of runs"
run "$dibs" sweep "$small" --grid lease.ttl=5s,40s --seeds 5 --out precise --resume
ends 3 "going on without the precision"
says err "it was begun with --precision 0.05 of ttm.mean, and now it is without --precision" \
  "going on without the precision"
run "$dibs" sweep "$small" --grid lease.ttl=5s,15s --precision 5% --of ttm.men
ends 2 "precision of an unknown metric"
run "$dibs" sweep "$small" --grid lease.ttl=5s,15s --precision 10% --of double.commits_bound --out never
ends 2 "precision of a bound"
says err "double.commits_bound is a bound, which has no interval" "precision of a bound"
check "precision of a bound: nothing ran" test ! -e never
run "$dibs" sweep "$small" --grid lease.ttl=5s,15s --precision 10% --of writes.stale_refused --out unseen
ends 7 "precision of what never happens"
says out "was seen, and of 0 no share is ever known" "precision of what never happens"
check "precision of what never happens: 45 runs each" test "$(wc -l <unseen/points.csv)" == 91
run "$dibs" sweep "$small" --grid lease.ttl=5s,15s --warmup soon
ends 2 "another warm-up than auto"

# Derived, zipped and conditional axes, without --out.
run "$dibs" sweep "$small" --grid lease.ttl=6s..24s:log:3 --zip matchers.count=1,2 --zip drivers.count=20,40 \
  --derive 'lease.offer_window=lease.ttl-3s' --where 'lease.offer_window >= 5s' --seeds 2
ends 0 "derived and zipped"
says out "kept in sweeps/small" "derived and zipped"
check "the condition drops the first TTL" test "$(wc -l <sweeps/small/points.csv)" == 9
check "derived fields are columns" grep -qE '^1,12,1,20,9,1,42,' sweeps/small/points.csv
run "$dibs" sweep "$small" --grid lease.ttl=6s,7s --seeds 2
says out "kept in sweeps/small-2" "a second sweep of a name"
run "$dibs" sweep "$small" --grid lease.ttl=6s,7s --seeds 2 --resume
ends 0 "--resume without --out takes the last"
says out "kept in sweeps/small-2" "--resume without --out takes the last"
# Tables that are not what the journal says are made anew.
cp -r whole mended
truncate -s 100 mended/points.csv
sed -i 's/ttm.p95/ttm.p96/' mended/summary.csv
run "$dibs" sweep "$small" "${grid[@]}" --out mended --resume
ends 0 "damaged tables"
same_as_whole mended "damaged tables"
check "nothing else is left" test "$(ls -A mended | tr '\n' ' ')" == "points.csv summary.csv sweep.sqlite "
# Damage is found before anything runs.
damaged() {  # WHAT TEXT
  run "$dibs" sweep "$small" --grid lease.ttl=6s,7s --seeds 2 --out hurt --resume
  ends 3 "$1"
  says err "$2" "$1"
  check "$1: nothing was run" bash -c '! grep -q "runs in" out'
}
cp -r sweeps/small-2 hurt && : >hurt/sweep.sqlite
damaged "an empty journal" "it is empty"
rm -r hurt && cp -r sweeps/small-2 hurt
python3 -c 'import sqlite3; d = sqlite3.connect("hurt/sweep.sqlite"); d.execute("DELETE FROM runs WHERE point = 2 AND replication = 1"); d.commit()'
damaged "a deleted run" "figures of a run that it does not have"
rm -r hurt && cp -r sweeps/small-2 hurt
python3 -c 'import sqlite3; d = sqlite3.connect("hurt/sweep.sqlite"); d.execute("INSERT INTO runs SELECT 7, replication, seed, scenario_hash, build, history, facts, events, violations, breach, result_hash FROM runs WHERE point = 1"); d.commit()'
damaged "a run too many" "runs of a point that it does not have"
rm -r hurt && cp -r sweeps/small-2 hurt
python3 -c '
d = bytearray(open("hurt/sweep.sqlite", "rb").read())
for i in range(5000, len(d), 97): d[i] ^= 0x55
open("hurt/sweep.sqlite", "wb").write(d)'
damaged "pages of nonsense" "is damaged"
check "in words of dibs" bash -c '! grep -qE "\*\*\*|On tree page" err'

# Complaints name where the value comes from.
printf 'scenario: small.yaml\ngrid:\n  lease.ttl: [5s, 0s]\n' >low.sweep.yaml
run "$dibs" sweep low.sweep.yaml
ends 3 "a value of a sweep file that the field cannot have"
says err "low.sweep.yaml:3:" "a value of a sweep file that the field cannot have"
sed 's/ttl: 15s/ttl: 15s, offer_window: 12s/' "$small" >windowed.yaml
run "$dibs" sweep windowed.yaml --grid lease.ttl=5s,15s --grid matchers.count=2,3 --seeds 2 --out windowed
ends 0 "a TTL below the offer window"
says err "lease.offer_window follows lease.ttl, as max(" "which window is taken, and why"
check "the window at each point" grep -qE '^1,5,2,2,' windowed/points.csv
check "a derived field names no point in the verdict" \
  test 0 = "$(sed '/^ *point/,$d' out | grep -c 'lease.offer_window=')"
"$dibs" report windowed --format svg --out windowed.svg >out 2>err
check "nor a line of the picture" test 0 = "$(grep -c 'offer_window' windowed.svg)"
check "whose title is the scenario's name" grep -q '>small<' windowed.svg
run "$dibs" sweep windowed.yaml --grid lease.ttl=15s,20s --seeds 2 --out fits
check "a window that would fit follows as well, as in tune" grep -qE '^2,20,17,' fits/points.csv
run "$dibs" sweep windowed.yaml --set lease.offer_window=12s --grid lease.ttl=15s,20s --seeds 2 --out stays
check "one that was set stays" test 0 = "$(grep -c 'follows lease.ttl' err)"
run "$dibs" sweep "$small" --grid lease.ttl=5s,9s --derive 'lease.offer_window=lease.margin+1s' --derive 'lease.margin=lease.offer_window-1s'
ends 2 "a circle of derived fields"
says err "follows from lease.margin" "a circle of derived fields"

run "$dibs" sweep "$small" --grid lease.ttl=9s --seeds 1 --out single
says out "1 point on 1 seed from" "one of each"
says out "1 run in" "one of each"
run "$dibs" sweep "$small" --grid matchers.count=1,2 --grid drivers.count=20,40 --grid matchers.offers.cooldown_after_decline=1min,2min --grid drivers.classes.all.accept=0.6,0.7 --seeds 2 --out wide-2
says out "matchers.count  drivers.count" "short names are told apart"
says out "+/-" "a pipe has no edge, so intervals stay"

# A field that does nothing says so, with the reason where the table of fields knows.
cat >skew.yaml <<'EOF'
version: 1
clock: {duration: 3m, drain: 1m}
world: {geography: none, trip: 2m}
demand: [{kind: poisson, rate: 0.3/s}]
drivers: {count: 40, classes: [{name: d, response: {dist: lognormal, median: 8s, sigma: 0.5}, accept: 0.8, ignore: 0.1}]}
matchers: {count: 3}
lease: {protocol: lease, ttl: 15s}
clocks: [{id: ntp, node: matcher/*, offset: {dist: normal, mean: 0s, sd: 200ms}}]
EOF
why='clocks.ntp.offset.sd changed nothing: no deadline is read off a wall clock; see `lease.deadline`, `lease.judge`'
run "$dibs" sweep skew.yaml --grid clocks.ntp.offset.sd=0s,200ms,5s --seeds 2 --out skew
ends 0 "a field without effect"
says out "$why" "a field without effect"
run "$dibs" sweep skew.yaml --grid clocks.ntp.offset.sd=0s,5s --grid lease.ttl=5s,15s --seeds 2 --out skews --format json
check "a field without effect, as JSON" json out \
  '[x["fields"] for x in j["without_effect"]] == [["clocks.ntp.offset.sd"]] and "wall clock" in j["without_effect"][0]["why"]'
run "$dibs" sweep skew.yaml --set lease.deadline=absolute --grid clocks.ntp.offset.sd=0s,5s --seeds 2 --out skewed
ends 0 "a field with an effect"
check "nothing is said of a field with an effect" bash -c '! grep -q "changed nothing" out'
run "$dibs" compare skew.yaml --set-b clocks.ntp.offset.sd=5s --seeds 2
says out "clocks.ntp.offset.sd changed nothing: no deadline is read off a wall clock" "compare"
run "$dibs" compare skew.yaml --set-b clocks.ntp.offset.sd=5s --seeds 2 --format json
check "compare as JSON" json out 'j["comparisons"][0]["without_effect"][0]["fields"] == ["clocks.ntp.offset.sd"]'
run "$dibs" tune skew.yaml --search clocks.ntp.offset.sd=0s,1s,5s --budget 200 --quiet
says out "clocks.ntp.offset.sd changed nothing: no deadline is read off a wall clock" "tune"
run "$dibs" region skew.yaml --x clocks.ntp.offset.sd=0s,5s --y lease.ttl=5s,15s --seeds 2 --quiet
says out "clocks.ntp.offset.sd changed nothing: no deadline is read off a wall clock" "region"
run "$dibs" region skew.yaml --x clocks.ntp.offset.sd=0s,5s --y lease.ttl=5s,15s --seeds 2 --quiet --format json
check "region as JSON" json out 'j["without_effect"][0]["fields"] == ["clocks.ntp.offset.sd"]'
# What is read by a program says it to who looks on too.
study() { run "$dibs" "$@" --seeds 2; says err "$why" "$1, as data"; }
study sweep skew.yaml --grid clocks.ntp.offset.sd=0s,5s --out skewed-data --format json
study compare skew.yaml --set-b clocks.ntp.offset.sd=5s --format json
for form in csv json; do
  study region skew.yaml --x clocks.ntp.offset.sd=0s,5s --y lease.ttl=5s,15s --format "$form"
done
run "$dibs" region skew.yaml --x clocks.ntp.offset.sd=0s,5s --y lease.ttl=5s,15s --seeds 2 --quiet --format csv
check "region: quiet" bash -c '! grep -q "changed nothing" err'

# Standard input is a scenario too.
run_in() {
  status=0
  "$@" >out 2>err <skew.yaml || status=$?
}
run_in "$dibs" sweep - --grid lease.ttl=5s,15s --seeds 2 --out piped
ends 0 "a sweep of standard input"
says out "stdin   2 points" "a sweep of standard input"
run_in "$dibs" compare - --set-b lease.ttl=5s --seeds 2
ends 0 "both sides from standard input"
# Parts that are run apart, and merged.
whole=("$small" --grid lease.ttl=5s,10s,15s --seeds 5)
run "$dibs" sweep "${whole[@]}" -q --out undivided
for part in 1 2 3 4; do
  run "$dibs" sweep "${whole[@]}" --shard $part/4 --out parts-$part
  ends 0 "part $part"
  says out "of 15 runs" "part $part"
done
run "$dibs" sweep merge parts-3 parts-1 parts-4 parts-2 -q --out merged
ends 0 "merge"
check "parts that are merged: the same tables" cmp undivided/points.csv merged/points.csv
check "parts that are merged: the same summary" cmp undivided/summary.csv merged/summary.csv
run "$dibs" sweep "${whole[@]}" -q --out merged --resume
ends 0 "a merged sweep is a sweep"
run "$dibs" sweep merge parts-1 parts-2 parts-3 parts-4 --seeds 7 --out other
ends 2 "merge: what the parts have said"
says err "--seeds does not go with merge" "merge: what the parts have said"
run "$dibs" sweep merge parts-1 parts-2 parts-4 --out lacking
ends 3 "a part that is missing"
says err "part 3/4 is missing" "a part that is missing"
check "a part that is missing leaves nothing" test ! -e lacking
run "$dibs" sweep merge parts-1 undivided --out lacking
ends 3 "a whole sweep among parts"
run "$dibs" sweep "$small" --grid lease.ttl=5s,10s,16s --seeds 5 -q --shard 3/4 --out strange
run "$dibs" sweep merge parts-1 parts-2 strange parts-4 --out lacking
ends 3 "a part of another sweep"
cp -r parts-3 unfinished
python3 - unfinished/sweep.sqlite <<'PYTHON'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as d:
    point, k = d.execute("SELECT point, replication FROM runs LIMIT 1").fetchone()
    for table in ("runs", "metrics", "spreads"):
        d.execute(f"DELETE FROM {table} WHERE point = ? AND replication = ?", (point, k))
PYTHON
run "$dibs" sweep merge parts-1 parts-2 unfinished parts-4 --out lacking
ends 3 "a part that is not finished"
says err "one run is missing" "a part that is not finished"
run "$dibs" sweep "${whole[@]}" -q --shard 3/4 --out unfinished --resume
ends 0 "a part that goes on"
for once in begins again; do
  run "$dibs" sweep "${whole[@]}" -q --shard 3/4 --out engine/3 --resume
  ends 0 "a part that an engine $once"
done
check "a part that an engine begins: the same runs" cmp <(dump engine/3) <(dump parts-3)
run "$dibs" sweep "${whole[@]}" -q --out engine/whole --resume
ends 2 "a sweep that is not there to go on with"
run "$dibs" sweep "${whole[@]}" -q --shard 2/4 --out unfinished --resume
ends 3 "another part in its directory"
run "$dibs" sweep "${whole[@]}" --shard 5/4
ends 2 "no such part"
run "$dibs" sweep "${whole[@]}" --shard 1/4 --precision 1%
ends 2 "a part of an unknown number of runs"
run "$dibs" sweep merge
ends 2 "nothing to merge"
finish
