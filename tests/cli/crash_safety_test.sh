#!/usr/bin/env bash
# Goal: after kill -9 at any instant there are whole files, or partial ones that dibs refuses.
# Method: kill a run at many instants over its whole life; judge what is left each time.
source "$(dirname -- "$0")/common.sh" "$@"
kills=${DIBS_KILLS:-40}

"$dibs" run "$small" --quiet --events --out reference || fail "the undisturbed run"
begun=$(date +%s%N)
"$dibs" run "$small" --quiet --events --out timed
took=$((($(date +%s%N) - begun) / 1000))

finished=0
unfinished=0
for ((i = 0; i < kills; ++i)); do
  directory=killed-$i
  "$dibs" run "$small" --quiet --events --out $directory 2>/dev/null &
  pid=$!
  # Spread over the run and a little beyond it.
  micros=$((took * 12 * i / (10 * kills)))
  sleep "$(printf '%d.%06d' $((micros / 1000000)) $((micros % 1000000)))"
  kill -KILL $pid 2>/dev/null
  wait $pid 2>/dev/null
  [[ -d $directory ]] || continue
  for file in scenario.effective.yaml events.jsonl series.csv metrics.json; do
    if [[ -e $directory/$file ]] && ! cmp -s reference/$file $directory/$file; then
      fail "kill $i left $file half written"
    fi
  done
  run "$dibs" replay --quiet $directory
  if [[ -e $directory/manifest.json ]]; then
    finished=$((finished + 1))
    ends 0 "kill $i: a directory with a manifest is whole"
  else
    unfinished=$((unfinished + 1))
    ends 3 "kill $i: a directory without a manifest is refused"
  fi
  run "$dibs" run "$small" --quiet --out $directory
  ends 2 "kill $i: what is left is not overwritten"
  rm -rf -- "$directory"
done 2>/dev/null
echo "$kills kills: $finished finished, $unfinished unfinished, the others before the directory"
((unfinished > 0)) || fail "no kill met a run at work; this test proves nothing"
run "$dibs" replay reference
ends 0 "the undisturbed run is intact"
finish
