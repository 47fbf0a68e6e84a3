#!/usr/bin/env bash
# Goal: every incident that ships shows what it says, and `dibs survive` tells who survives it.
source "$(dirname -- "$0")/common.sh" "$@"
export DIBS_SCENARIOS=$checkout/scenarios

for incident in "$checkout"/scenarios/incidents/*.yaml; do
  run "$dibs" run "$incident" --no-out
  ends 0 "$(basename -- "$incident")"
done

run "$dibs" survive naive-race gc-pause-holder --runs 2
ends 0 "two incidents by name"
says out "naive-race" "two incidents by name"
says out "pessimistic" "two incidents by name"
run "$dibs" survive 1 --runs 2 --format csv
ends 0 "csv"
says out 'naive-race,none,breaks,double.commits,count,' "csv"
check "csv: a line for each metric that was looked at" \
  test "$(grep -c '^naive-race,lease,' <out)" -eq 9
run "$dibs" survive 18 --runs 2 --format csv
ends 0 "a number that three incidents share"
says out 'partition-from-manager,' "a number that three incidents share"
says out 'partition-cannot-renew,' "a number that three incidents share"
sed 's/^  - {id: error, .*/  - {kind: crash, node: lease_manager, at: 20h, restart_after: 1s}/' \
  "$checkout/scenarios/incidents/28-lock-leak-on-exception.yaml" >idle.yaml
run "$dibs" survive idle.yaml --runs 2
ends 7 "an incident whose fault never strikes"
says err "the cause touches nothing" "an incident whose fault never strikes"
naive=$checkout/scenarios/incidents/01-naive-race.yaml
"$dibs" survive - --runs 2 -q --format csv <"$naive" >from-input
"$dibs" survive "$naive" --runs 2 -q --format csv >from-file
check "an incident from standard input" cmp from-input from-file
check "it has its verdicts" grep -q "^naive-race,.*breaks" from-input
run "$dibs" survive 1 --runs 2 --format md
ends 0 "markdown"
says out '| naive-race | **breaks** double.commits' "markdown"
run "$dibs" survive 1 --runs 2 --format json
ends 0 "json"
check "json" json out 'len(j) == 1 and len(j[0]["cells"]) == 7'

# How much was decided is the same in every form: counted here out of the verdicts of the JSON.
cat >decided.py <<'END'
import collections, csv, json, re, sys
rows = json.load(open("three.json"))
meant = {}
for i, cell in enumerate(rows[0]["cells"]):
    n = collections.Counter(r["cells"][i]["verdict"] for r in rows)
    words = f"{n['breaks']} of {n['breaks'] + n['degrades'] + n['survives']} decided"
    words += f", {n['undecided']} undecided" if n["undecided"] else ""
    words += f", {n['untouched']} {'does' if n['untouched'] == 1 else 'do'} not apply" if n["untouched"] else ""
    meant[cell["protocol"]] = words
text = open("three.text").read()
told = dict(re.findall(r"^  (\w+) +(\d+ of \d+ decided.*)$", text.split("Breaks in\n")[1], re.M))
last = [c.strip() for c in open("three.md").read().splitlines()[-1].strip("|").split("|")]
model = json.loads(re.search(r'id="model">(.*?)</script>', open("three/index.html").read(), re.S)[1])
verdicts = {(r["incident"], r["protocol"]): r["verdict"] for r in csv.DictReader(open("three.csv"))}
same = verdicts == {(r["incident"], c["protocol"]): c["verdict"] for r in rows for c in r["cells"]}
print(meant, told, last, model["breaks_in"], same, file=sys.stderr)
sys.exit(0 if told == meant and last == ["breaks in", *meant.values()] and model["breaks_in"] == list(meant.values())
         and same and any("apply" in words for words in meant.values()) else 1)
END
for form in text md csv json; do
  run "$dibs" survive 1 22 25 --runs 2 --format $form -q
  ends 0 "three incidents as $form"
  cp out three.$form
done
run "$dibs" survive 1 22 25 --runs 2 --pages three -q
ends 0 "three incidents as pages"
check "what was decided is counted alike in text, Markdown, CSV, JSON and on the page" python3 decided.py

mkfifo pipe
run "$dibs" survive pipe
ends 3 "survive of a pipe"
says err "expected a file (got a pipe)" "survive of a pipe"
for there in three pipe; do
  run "$dibs" survive --pages $there
  ends 2 "pages in a place that is taken"
  says err "survive: $there is there already" "pages in a place that is taken"
  check "pages in a place that is taken: nothing is run for them" test "$(grep -c cells err)" -eq 0
done

run "$dibs" survive 1 --runs 2 --pages "$scratch/pages"
ends 0 "pages"
says err "pages/index.html" "pages"
check "pages: one for each cell" test "$(find pages/runs -name "*.html" ! -name "*-story.html" | wc -l)" -eq 7
check "pages: a story for each cell that breaks, and for no other" \
  test "$(cd pages/runs && echo *-story.html)" = "naive-race-idempotent-story.html naive-race-none-story.html naive-race-optimistic-story.html"
check "pages: the cells lead to the stories" grep -q '"story":"runs/naive-race-none-story.html"' "$scratch/pages/index.html"
check "pages: the story is that of the figure that decided" \
  grep -q '<title>[^<]*was committed to it and to ride' "$scratch/pages/runs/naive-race-none-story.html"
check "pages: the runs lead to the story" grep -q '"story":"naive-race-none-story.html"' "$scratch/pages/runs/naive-race-none.html"
check "pages: they say what the table says, and by which rule" \
  grep -q 'The survival table says `breaks`: `double.commits` [0-9]* in a run with the cause (A), 0 without (B)' \
  "$scratch/pages/runs/naive-race-none.html"
check "pages: the cells lead to them" grep -q '"page":"runs/naive-race-fenced.html"' "$scratch/pages/index.html"
check "pages: both runs of a cell" grep -q 'naive-race-none-without' "$scratch/pages/runs/naive-race-none.html"
run "$dibs" replay "$scratch/pages/runs/naive-race-lease-without" --quiet
ends 0 "pages: their runs are kept"
run "$dibs" survive 1 --runs 2 --pages "$scratch/pages"
ends 2 "pages are not put into a directory that is there"
says err "is there already" "pages are not put into a directory that is there"

cp "$checkout/scenarios/incidents/01-naive-race.yaml" own.yaml
cp "$dibs" ./dibs
DIBS_SCENARIOS='' run ./dibs survive own.yaml --runs 2 --format csv
ends 0 "an incident of one's own, far from those that ship"
says out 'naive-race,none,breaks,double.commits,' "an incident of one's own"
DIBS_SCENARIOS='' run ./dibs survive own.yaml naive-race
ends 3 "one that ships, far from them"
says err "there is no folder" "one that ships, far from them"
run "$dibs" survive naive-rase
ends 2 "a misspelt incident"
says err "did you mean naive-race?" "a misspelt incident"
run "$dibs" survive 1 --runs 1
ends 2 "one run is too few"
run "$dibs" survive "$checkout/scenarios/first-run.yaml"
ends 3 "no incident"
says err "incident.cause" "no incident"
finish
