#!/usr/bin/env bash
# Goal: what is typed wrongly is answered with what was meant; what is asked for is told.
source "$(dirname -- "$0")/common.sh" "$@"

run "$dibs"
ends 2 "no command"
says err "run" "no command"
run "$dibs" rnu
ends 2 "a misspelt command"
says err "did you mean run?" "a misspelt command"
run "$dibs" run x.yaml --sead 1
ends 2 "a misspelt option"
says err "did you mean --seed?" "a misspelt option"
run "$dibs" run
ends 2 "a missing scenario"
says err "SCENARIO" "a missing scenario"
for bad in "--seed x" "--seed 0x" "--seed -1" "--seed 18446744073709551616" "--runs 0" "--runs x" \
  "--jobs 0" "--format xml" "--out" "--events --runs 2" "--events --no-out" "--no-out --out y" "extra"; do
  # shellcheck disable=SC2086
  run "$dibs" run "$small" $bad
  ends 2 "dibs run $bad"
  check "dibs run $bad says why" test -s err
done
check "nothing was written" test ! -e runs

# What simulates starts itself anew in large pages, with the same words, and leaves nothing open.
# Sanitizers bring an allocator of their own.
if ! grep -qE '__[at]san_init' "$dibs"; then
  run env -i "$dibs" run /proc/self/environ
  ends 3 "an environment is no scenario"
  says err "GLIBC_TUNABLES=glibc.malloc.hugetlb=1" "large pages"
fi
run env -i GLIBC_TUNABLES=glibc.malloc.hugetlb=0 "$dibs" run /proc/self/environ
says err "GLIBC_TUNABLES=glibc.malloc.hugetlb=0" "no large pages where they are not wanted"
run "$dibs" run "no such  file"
says err "no such  file" "words with spaces"
run "$dibs" run /dev/fd/3 3<&-
says err "there is no such file" "nothing is left open"

run "$dibs" --version
ends 0 "--version"
says out "dibs 0." "--version"
for command in "" run sweep compare check survive replay validate schema reference init list metrics formats economics shrink conform torment serve load explore node \
  completion; do
  # shellcheck disable=SC2086
  run "$dibs" $command --help
  ends 0 "$command --help"
  says out "Examples:" "$command --help"
done
run "$dibs" run --help
says out "130, 143" "run --help lists exit codes"
run "$dibs" help run
says out "Exit codes:" "help run"

run "$dibs" validate "$small"
ends 0 "validate"
says out "small.yaml: ok" "validate"
printf 'version: 1\nname: bad\nlease: {ttl: 15}\nmatchers: {count: 0}\n' >bad.yaml
run "$dibs" validate "$small" bad.yaml
ends 3 "validate a bad one too"
says out "small.yaml: ok" "validate goes on"
says err "bad.yaml:" "validate names the place"
printf 'version: 1\ndemand: [{kind: trace, file: t.csv}]\ndrivers: {count: 9, classes: [{name: a, response: 2s}]}\n' >traced.yaml
printf 'time,lat,lon,to_lat,to_lon,trip\n5,40.75,-73.98,40.71,-73.95,soon\n' >t.csv
for command in validate "run --no-out"; do
  # shellcheck disable=SC2086
  run "$dibs" $command traced.yaml
  ends 3 "$command: a trace with a bad row"
  says err "traced.yaml:2:30: error[E-FILE] demand.1.file:" "$command names field and place"
  says err "line 2: trip:" "$command names the line of the trace"
done

run "$dibs" schema
ends 0 "schema"
check "the schema is JSON" json out 'j["$schema"].endswith("2020-12/schema")'
run "$dibs" reference
ends 0 "reference"
says out "lease.ttl" "reference"
run "$dibs" metrics
ends 0 "metrics"
says out "supply.hidden_share" "metrics"
says out "without interpolation" "metrics"
says out "writes taken after the lease was over: assignments" "metrics: plain words before the definition"
run "$dibs" metrics accepts.lost
ends 0 "metrics NAME"
says out "accepts.lost.unfinished" "metrics NAME"
check "metrics NAME lists that alone" bash -c '! grep -q supply out'
run "$dibs" metrics acepts
says err "did you mean accepts?" "metrics of a misspelt group"
run "$dibs" metrics ttm.p59x
ends 2 "metrics of no such name"
run "$dibs" metrics --format json
check "the catalogue is JSON" json out 'any(m["name"] == "double.commits" for m in j)'

run "$dibs" init mine.yaml
ends 0 "init"
run "$dibs" validate mine.yaml
ends 0 "what init writes is valid"
run "$dibs" init mine.yaml
ends 2 "init overwrites nothing"

# Requests of one's own.
mkdir -p trips elsewhere
python3 - <<'PYTHON'
import gzip
rows = ["tpep_pickup_datetime;tpep_dropoff_datetime;pickup_latitude;pickup_longitude"]
for i in range(60):
    rows.append(f"2015-01-{15 + i % 2} 07:{i:02}:00;2015-01-{15 + i % 2} 07:{i:02}:50;40,7{i % 10};-73,9{i % 10}")
gzip.open("trips/mine.csv.gz", "wt").write("\n".join(rows) + "\n")
PYTHON
run "$dibs" init trips/mine.yaml --requests trips/mine.csv.gz
ends 0 "init --requests"
says err "60 rows of 2 days" "init --requests"
says err "tpep_dropoff_datetime" "init --requests says what it took for what"
run "$dibs" run trips/mine.yaml --no-out --format json
ends 0 "what init makes of requests is run"
check "the mean of two days" json out '20 <= j["metrics"]["rides.requested"] <= 40'
run "$dibs" run trips/mine.yaml --no-out --format json --set demand.1.day=2015-01-16
check "one of two days" json out 'j["metrics"]["rides.requested"] == 30'
run "$dibs" validate trips/mine.yaml --set demand.1.day=2015-01-17
ends 3 "a day that the file does not have"
says err "its days are 2015-01-15, 2015-01-16" "a day that the file does not have"
run "$dibs" init elsewhere/mine.yaml --requests trips/mine.csv.gz
ends 0 "requests from elsewhere"
check "they are copied beside the scenario" cmp trips/mine.csv.gz elsewhere/mine.csv.gz
run "$dibs" validate elsewhere/mine.yaml
ends 0 "a scenario with its copy"
run "$dibs" init elsewhere/again.yaml --requests "$PWD/trips/mine.csv.gz"
ends 0 "the same copy serves again"
echo other >elsewhere/mine.csv.gz
run "$dibs" init elsewhere/third.yaml --requests trips/mine.csv.gz
ends 2 "a copy overwrites no other file"
says err "elsewhere/mine.csv.gz is another file" "a copy overwrites no other file"
check "nothing is written then" test ! -e elsewhere/third.yaml
rm elsewhere/mine.csv.gz
run "$dibs" validate elsewhere/mine.yaml --set "demand.1.file=$PWD/trips/mine.csv.gz"
ends 0 "an absolute path on the command line"
run "$dibs" validate elsewhere/mine.yaml --set demand.1.file=../trips/mine.csv.gz
ends 0 "a parent's path on the command line"
sed "s|file: .*|file: '$PWD/trips/mine.csv.gz'|" trips/mine.yaml >elsewhere/absolute.yaml
run "$dibs" validate elsewhere/absolute.yaml
ends 3 "an absolute path in a scenario"

# Rates between zones, and cells of H3.
printf 'id;lat;lon\nA;40,70;-74,00\nB;40,75;-73,95\n' >trips/zones.csv
printf 'origin,destination,hour,trips\nA,B,7,40\nB,A,7,20\nA,B,8,40\nB,A,8,20\n' >trips/od.csv
run "$dibs" init trips/rates.yaml --requests trips/od.csv --zones trips/zones.csv
ends 0 "init --requests of a matrix"
says err "busiest from 07:00 on: 60 rides/h" "init --requests of a matrix"
says err "its period" "init says of which time the numbers are"
run "$dibs" run trips/rates.yaml --no-out --format json
ends 0 "what init makes of a matrix is run"
check "two hours of 60 rides each" json out '70 <= j["metrics"]["rides.requested"] <= 170'
cp out first.json
run "$dibs" run trips/rates.yaml --no-out --format json
check "the same seed gives the same rides" json out 'j["metrics"] == json.load(open("first.json"))["metrics"]'
run "$dibs" validate trips/rates.yaml --set demand.1.scale=0.5 --set demand.1.jitter.place=300m
ends 0 "rates may be scaled and spread"
printf 'A,B,7,1\n' >>trips/od.csv
run "$dibs" validate trips/rates.yaml
ends 3 "two rows of one pair and period"
says err "lines 2 and 6 both say how many rides go from 'A' to 'B'" "two rows of one pair and period"
run "$dibs" init trips/no.yaml --requests trips/od.csv
ends 3 "a matrix without middles"
says err "as in \`--zones zones.csv\`" "a matrix without middles"
printf 'time,pickup_h3,dropoff_h3\n07:00,8a2a1072b59ffff,882a100d2bfffff\n' >trips/cells.csv
run "$dibs" init trips/cells.yaml --requests trips/cells.csv
ends 0 "cells of H3 need no middles"
run "$dibs" validate trips/cells.yaml
ends 0 "what init makes of cells is valid"
run "$dibs" init -
ends 0 "init -"
check "init - prints" test -s out

mkdir scenarios && cp "$small" scenarios/
run "$dibs" list
ends 0 "list"
says out "Three matchers share forty drivers" "list shows questions"
rm -r scenarios
DIBS_SCENARIOS=$checkout/tests/cli run "$dibs" list --format json
ends 0 "list elsewhere"
check "list as JSON" json out 'j[0]["name"] == "small"'
DIBS_SCENARIOS=/nowhere run "$dibs" list
ends 3 "list nowhere"

for shell in bash zsh fish; do
  run "$dibs" completion $shell
  ends 0 "completion $shell"
  cp out completion.$shell
  says out "seed" "completion $shell"
done
check "the bash script is bash" bash -n completion.bash
# shellcheck disable=SC2016
check "it completes options" bash -c 'source completion.bash; COMP_WORDS=(dibs run --see); COMP_CWORD=2; _dibs
  [[ ${COMPREPLY[*]} == --seed ]]'
# shellcheck disable=SC2016
check "it completes commands" bash -c 'source completion.bash; COMP_WORDS=(dibs re); COMP_CWORD=1; _dibs
  [[ " ${COMPREPLY[*]} " == *" replay "* ]]'
run "$dibs" completion csh
ends 2 "an unknown shell"

# All that is wrong is told, or how much more there is.
{ cat "$small"; for i in {1..25}; do printf 'zebra%d: 1\n' "$i"; done; } >many.yaml
run "$dibs" validate many.yaml
ends 3 "25 errors"
says err "5 more errors are not shown" "25 errors"

# Guesses are near, or there are none.
cp "$small" good.yaml
run "$dibs" validate goood.yaml
ends 3 "a misspelt file"
says err 'did you mean `good.yaml`?' "a misspelt file"
run "$dibs" validate good
says err 'did you mean `good.yaml`?' "a file without its ending"
run "$dibs" validate xylophone.yaml
check "no wild guess of a file" bash -c '! grep -q "did you mean" err'
run "$dibs" run good.yaml --set qqq=1
check "no wild guess of a field" bash -c '! grep -q "did you mean" err'
printf 'thresholds: {zzz.yyy: "<= 1"}\n' | cat good.yaml - >metric.yaml
run "$dibs" validate metric.yaml
says err "there is no such metric" "a metric that nobody means"
check "no wild guess of a metric" bash -c '! grep -q "did you mean" err'

# Quantities.
run "$dibs" run good.yaml --set 'lease.ttl=15 s'
ends 3 "a space before the unit"
says err "hint: without a space: 15s" "a space before the unit"
run "$dibs" run good.yaml --set lease.ttl=.inf
says err "expected a duration that is finite, such as 15s (got .inf)" ".inf"
says err 'such as `never`' ".inf"
run "$dibs" validate good.yaml --set 'faults=[{id: gc, kind: pause, node: matcher/1, rate: 0/h, for: 9s}]'
ends 0 "a rate of 0 switches a fault off"

# Standard input.
status=0
"$dibs" validate - <good.yaml >out 2>err || status=$?
ends 0 "validate -"
says out "<stdin>: ok" "validate -"
status=0
printf 'lease: {ttl: 15}\n' | cat good.yaml - | "$dibs" run - --no-out >out 2>err || status=$?
ends 3 "a mistake in standard input"
says err "<stdin>:" "a mistake in standard input"
status=0
"$dibs" run - --out piped <good.yaml >out 2>err || status=$?
ends 0 "run -"
run "$dibs" replay piped
ends 0 "a run of standard input is repeated from its directory"

# What was asked for and changed nothing.
run "$dibs" run good.yaml --no-out --set lease.margin=1s
ends 0 "a set field without effect"
says out 'NO EFFECT: lease.margin changed nothing: no holder judges its lease; see `lease.judge`.' "a set field"
run "$dibs" run good.yaml --no-out --set lease.margin=1s --format json
check "as JSON" json out 'j["notes"][0].startswith("lease.margin changed nothing")'
ttl=$(sed -n 's/.*ttl: *\([0-9a-z.]*\).*/\1/p' good.yaml | head -n 1)
run "$dibs" run good.yaml --no-out --set "lease.ttl=$ttl"
says out "lease.ttl changed nothing: the scenario has this value without it" "a value that is there already"
run "$dibs" run good.yaml --no-out --runs 3 --set riders.no_show_after=2min
says out "riders.no_show_after changed nothing: all runs are the same without it" "a field without effect in any run"
run "$dibs" run good.yaml --no-out --runs 3 --set lease.ttl=4s
check "nothing is said of a field that counts in some run" bash -c '! grep -q "NO EFFECT" out'
run "$dibs" run good.yaml --no-out --set lease.ttl=4s
check "nothing is said of a field that counts" bash -c '! grep -q "NO EFFECT" out'
finish
