#!/usr/bin/env bash
# tools/scale, with a program that is made up: what it reads from runs, what it says of those that
# fail, and what it draws from a measurement that is written here.
groups="build test draw"
# shellcheck source=tests/tools/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

python=$(python3 -c 'import sys; print(sys.executable)')
says() { [[ $output == *"$2"* ]] || fail "$1: should say \"$2\""; }
keeps_silent() { [[ $output != *"$2"* ]] || fail "$1: should not say \"$2\""; }

# The made-up program: ten events for each driver, and, with --out, four drivers and rides at 0, 10,
# 20 and 30 m to the east. One offer of four goes far, and one trip of two.
file dibs <<'END'
#!/usr/bin/env bash
[[ $1 != --version ]] || { echo "dibs of a test"; exit; }
all="$*"
[[ $all =~ drivers.count=([0-9]+) ]] && drivers=${BASH_REMATCH[1]}
[[ $all =~ --out\ ([^ ]+) ]] && out=${BASH_REMATCH[1]}
if [[ -n ${FAILS_AT:-} && "$all " == *"$FAILS_AT "* ]]; then echo "no such luck" >&2; exit 4; fi
if [[ -n ${BABBLES:-} ]]; then echo "{}"; exit; fi
if [[ -z ${out:-} ]]; then
  echo "{\"replications\": [{\"events\": ${drivers}0}], \"history\": \"abc${WAVERS:+$RANDOM$RANDOM}\",
        \"metrics\": {\"rides.requested\": 7, \"rides.match_rate\": 0.875}}"
  exit
fi
mkdir -p "$out"
for n in 0 1 2 3; do
  echo "{\"fact\":\"driver_came_online\",\"driver\":$n,\"place\":[$((n * 10)),0,0]}"
  echo "{\"fact\":\"ride_requested\",\"ride\":$n,\"origin\":[$((n * 10)),0,0]}"
  echo "{\"fact\":\"offer_sent\",\"driver\":$((n == 3 ? 0 : n)),\"ride\":$n}"
done >"$out/events.jsonl"
echo '{"fact":"trip_ended","driver":0,"ride":0,"place":[30,0,0]}' >>"$out/events.jsonl"
echo '{"fact":"trip_ended","driver":1,"ride":1,"place":[10,0,0]}' >>"$out/events.jsonl"
END
chmod +x "$scratch/dibs"
quick() { run env "$@" "$checkout/tools/scale" --quick --program "$scratch/dibs"; }

quick WAVERS=
passes "a quick measurement"
says "a row of its drivers" "| drivers | 10,000 | 7 | 87.5% | 100,000 |"
says "a row of its matchers" "| matchers | 256 | 7 | 87.5% | 300,000 |"
says "offers and trips over one border" "| 2 | 25.00% | 50.0% |"

quick FAILS_AT=matchers.count=256
complains "a size that fails" "FAILED, so nothing is written: matchers 256"
says "what the program said" "no such luck"
says "the other sizes" "| candidates | 512 | 7 |"
keeps_silent "the size that failed" "| matchers | 256 |"

quick BABBLES=1
complains "a program that tells nothing" "told no figures"

quick WAVERS=1
complains "runs that do not repeat" "runs of one size have several histories"

run "$checkout/tools/scale" --quick --program "$scratch/nowhere"
complains "no program" "tools/dibs --version makes it"

# row AXIS VALUE EVENTS USER SYSTEM MEMORY
row() {
  printf '{"axis": "%s", "value": %s, "events": %s, "user_s": %s, "system_s": %s, "memory_mib": %s,
    "rides": 5, "match_rate": 0.9}' "$@"
}
printf '{"rows": [%s, %s, %s]}' "$(row drivers 1000 500000 0.75 0.25 20)" \
  "$(row drivers 2000000 1000000 2 1 4000)" "$(row matchers 4 1000000 2 1 4000)" | file city.json

# A gnuplot that only keeps what it is told.
mkdir "$scratch/bin"
printf '#!/bin/sh\n/bin/cat >%q\n' "$scratch/told" >"$scratch/bin/gnuplot"
chmod +x "$scratch/bin/gnuplot"
run env PATH="$scratch/bin:$PATH" "$checkout/tools/scale" --draw --data "$scratch/city.json"
passes "drawing"
says "nanoseconds of user and system" "| drivers | 1,000 | 5 | 90.0% | 500,000 | 1.00 s | 2,000 | 20 MiB |"
output=$(cat "$scratch/told")
says "a point of the picture" $'\n2000000 3 4000\n'
says "where the picture goes" "set output '$scratch/city.svg'"
says "short names on the axis" "'1k' 1000, '2M' 2000000"

run env PATH="$scratch/none" "$python" "$checkout/tools/scale" --draw --data "$scratch/city.json"
complains "no gnuplot" "apt-get install --no-install-recommends gnuplot-nox"
says "the table all the same" "| matchers | 4 |"

if command -v gnuplot >/dev/null; then
  run "$checkout/tools/scale" --draw --data "$scratch/city.json"
  passes "drawing with gnuplot itself"
  output=$(cat "$scratch/city.svg")
  says "a picture" "processor, s"
fi

echo '{"rows": [{}]}' | file damaged.json
run "$checkout/tools/scale" --draw --data "$scratch/damaged.json"
complains "a damaged measurement" "not a measurement"
run "$checkout/tools/scale" --draw --data "$scratch/nothing.json"
complains "no measurement" "is not there"

finish
