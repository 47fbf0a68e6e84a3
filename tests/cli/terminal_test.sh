#!/usr/bin/env bash
# Goal: on a terminal no line is wider than the terminal, and the live line says all that it can.
# Method: pseudo-terminals of several widths; a run that takes a few seconds, and short ones of what else
# prints tables and texts.
source "$(dirname -- "$0")/common.sh" "$@"
if ! script -qec true /dev/null >/dev/null 2>&1; then
  echo "no script(1) or no pseudo-terminals here: not tried"
  exit 0
fi
long=(--set clock.duration=60h --set output.series=1h --force --no-out)

cat >judge.py <<'END'
import re, sys
width = int(sys.argv[1])
text = re.sub(r"\x1b\[[0-9;]*m", "", open("out", encoding="utf-8", newline="").read())
lines = [line for line in re.split(r"[\r\n]+", text) if line.strip()]
live = [line for line in lines if re.match(r"(\[#* *\] )?\d+ %(,| of) ", line)]
wide = [line for line in lines if len(line) > width]
poor = [line for line in live if not re.search(r"\d %.* (s|min|h)\b.* events/s.* left", line)]
print("wide:", wide, "live without time, rate or rest:", poor, file=sys.stderr)
sys.exit(1 if wide or poor or not [l for l in live if l.startswith("[")] else 0)
END

for width in 60 80 120; do
  run env -u LANG -u LC_ALL TERM=xterm script -qec \
    "stty cols $width; '$dibs' run '$small' ${long[*]}" /dev/null
  ends 0 "a run on $width columns"
  check "all fits into $width columns, and there is a bar" python3 judge.py $width
done

run env -u LANG -u LC_ALL TERM=xterm script -qec "stty cols 80; '$dibs' sweep '$small' \
  --grid lease.ttl=5s,15s --grid matchers.look_again=1s,2s --seeds 2 --out swept 2>/dev/null" /dev/null
ends 0 "a sweep on 80 columns"
says out "Too wide for intervals" "a table without intervals says so"
check "its table fits into 80 columns" python3 -c 'import re, sys
lines = open("out").read().replace("\r", "").split("\n")
sys.exit(1 if [l for l in lines if l.startswith("point") or re.match(r" +\d", l) if len(l) > 80] else 0)'

# What a table or a text of these commands is made of, on narrow and on usual terminals. A word that is
# wider than the terminal, and a command that is there to be pasted, have lines of their own; in help
# such a command goes on in the next line.
cat >narrow.py <<'END'
import re, sys
width, file, is_help = int(sys.argv[1]), sys.argv[2], sys.argv[3:] == ["help"]
text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", open(file, encoding="utf-8", newline="").read())
command = re.compile(r" +(dibs|tools/dibs|replay:|source|DIBS_\w+=\S+|--[\w-]+|#) ")
wide = [line for line in re.split(r"[\r\n]+", text)
        if len(line) > width and (is_help or not command.match(line)) and len(line.split()) > 1]
print(*wide, sep="\n", file=sys.stderr)
sys.exit(1 if wide or not text.strip() else 0)
END
commands=$("$dibs" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]\+\) .*/\1/p' | tr '\n' ' ')
check "the help lists the commands" test "$(wc -w <<<"$commands")" -ge 19
export DIBS_SCENARIOS=$checkout/scenarios
mkdir bin && ln -s "$dibs" bin/dibs
# shellcheck disable=SC2016  # for the shell on the terminal
all_helps='for each in "" '$commands'; do PATH=$PWD/bin:$PATH dibs $each --help; done'
for width in 60 72 80 100; do
  on() {  # WHAT COMMAND-LINE
    run env -u LANG -u LC_ALL TERM=xterm script -qec "stty cols $width; $2" /dev/null
    check "$1 on $width columns" test -s out
    check "$1 fits into $width columns" python3 narrow.py "$width" out
  }
  on "--help of every command" "$all_helps"
  check "all --help fits into $width columns" python3 narrow.py "$width" out help
  check "every command has --help" test "$(grep -c '^Usage:' out)" = "$(($(wc -w <<<"$commands") + 1))"
  on "dibs list" "cd '$checkout' && env -u DIBS_SCENARIOS '$dibs' list"
  on "dibs survive" "'$dibs' survive 1 5 28 --runs 2"
  on "dibs hunt" "'$dibs' hunt '$checkout/scenarios/hunt.yaml' --runs 40 --controls 2"
  on "dibs sweep" "'$dibs' sweep '$small' --grid lease.ttl=5s,15s --grid matchers.look_again=1s,2s --seeds 2 \
    --set 'thresholds.ttm.p95=<= 1s' --out swept.$width"
  on "dibs compare" "'$dibs' compare '$checkout/scenarios/first-run.yaml' lease fenced --seeds 2 --quiet"
  on "dibs tune" "'$dibs' tune '$small' --search lease.ttl=5s..20s --budget 300 --quiet"
  on "dibs metrics" "'$dibs' metrics"
  [[ $width == 60 || $width == 100 ]] || continue  # of the ends, since these take a while
  on "dibs bench engine" "'$dibs' bench engine --drivers 100,200 --hours 0.01 --repeats 1"
  on "dibs bench lease" "'$dibs' bench lease --drivers 100 --seconds 0.05 --repeats 1"
  on "dibs bench matching" "'$dibs' bench matching --matchers 1,2 --seconds 0.05 --repeats 1 --drivers 100"
done
finish
