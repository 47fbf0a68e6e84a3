#!/usr/bin/env bash
# What became of every yes, end to end: each case's figures are known by another way, and a fold of
# its own over the events comes to the same account.
source "$(dirname -- "$0")/common.sh"

# folds NAME SCENARIO [WORDS...]: runs it, and compares its account with that of the fold.
folds() {
  local name=$1 scenario=$2
  shift 2
  run "$dibs" run "$checkout/$scenario" --events --out "$name" "$@"
  ends 0 "$name"
  check "$name: S14 was judged" grep -q '"S14"' "$name/metrics.json"
  check "$name: the fold comes to the same account" \
    python3 "$checkout/tests/metrics/accepts_fold.py" "$name"
}

# gives NAME EXPRESSION: of the figures `f`, in Python.
gives() {
  python3 - "$1/metrics.json" "$2" <<'EOF' >out 2>err || fail "$1: $2"
import collections, json, sys
f = collections.defaultdict(float, {k.removeprefix("accepts."): v for k, v in json.load(open(sys.argv[1]))["metrics"].items()})
print({k: v for k, v in f.items() if "accept" in k or "." not in k})
sys.exit(not eval(sys.argv[2]))
EOF
}

check "histories worked out by hand" python3 "$checkout/tests/metrics/accepts_fold.py"

# The ride is given up because its last try's lease ended, before phones at half speed say yes.
folds last-try tests/cli/accepts/last-try.yaml
# 3,549 accepts in the whole run, 3,533 of them in the measured time.
gives last-try 'f["in_time"] == f["lost"] == 3533 and f["lost_rate"] == f["lost.skew"] == 1'

# Without latency the refusal, and the end of the ride, come in the instant of the yes.
folds zero-latency tests/cli/accepts/zero-latency.yaml
gives zero-latency 'f["lost"] == 56 and f["lost.skew"] == f["lost_rate"]'
gives zero-latency 'f["supply.hidden_s.cancelled"] == 0 and f["supply.hidden_s.lost_accept"] > 0'

# A holder whose clock is ahead gives up what it should wait for.
folds clock-ahead tests/cli/accepts/clock-ahead.yaml
gives clock-ahead '(f["in_time"], f["committed"], f["lost"]) == (204, 51, 153)'
gives clock-ahead 'f["lost.skew"] == f["lost_rate"] == 0.75'
folds less-ahead tests/cli/accepts/clock-ahead.yaml --set clocks.1.offset=12s
gives less-ahead 'f["lost"] > 0 and f["lost.skew"] == f["lost_rate"]'
folds by-duration tests/cli/accepts/clock-ahead.yaml --set lease.deadline=duration
gives by-duration 'f["lost"] == 0'

# The answer to the confirm is lost, the holder gives up, and only then it is paused or crashes.
for fault in pause crash; do
  folds "$fault-after" "tests/cli/accepts/$fault-after.yaml"
  gives "$fault-after" 'f["lost_rate"] == f["lost.loss"] == 1'
  run "$dibs" explain "$fault-after"
  says out "decided at 0:15.000" "$fault-after: the lost word decided"
  says "$fault-after/metrics.json" "a message of the lease manager lost on the way" "$fault-after: whose message it was"
done
# Where the holder is paused before it gives up, that comes before the lost word.
folds pause-before tests/cli/accepts/pause-after.yaml --set faults.2.at=16s --set faults.2.for=8s
gives pause-before 'f["lost_rate"] == f["lost.pause"] == 1'
# What is lost when the holder gives up has no part in it: her yes takes too long.
folds lost-after tests/cli/accepts/lost-after.yaml
gives lost-after 'f["lost_rate"] == f["lost.latency"] == 1'

# A holder that gives up for want of a reply, and gives the lease back, was refused nothing.
folds no-reply tests/cli/accepts/no-reply.yaml
gives no-reply 'f["lost"] > 50 and f["lost_rate"] == f["lost.latency"] and f["confirms.refused"] == 0'
# Where its clock is set forward meanwhile, and the reply comes in its time, that is a wrong clock.
folds cut-short tests/cli/accepts/no-reply.yaml --set matchers.reply_timeout=5s \
  --set "network=[{link: matcher<->lease_manager, latency: 800ms}]" \
  --set "clocks=[{node: matcher/2, timers: wall, strobe: {every: 10s, by: 5s}}]"
gives cut-short 'f["lost"] > 5 and f["lost_rate"] == f["lost.skew"]'

# Whoever is back in the instant of its crash has forgotten all the same, whatever the protocol.
for protocol in none optimistic pessimistic idempotent lease fenced; do
  for away in 0s 1ns; do
    folds "back-at-once-$protocol-$away" tests/cli/accepts/back-at-once.yaml \
      --set "lease.protocol=$protocol" --set "faults.1.restart_after=$away"
    gives "back-at-once-$protocol-$away" 'f["lost"] > 5 and f["lost_rate"] == f["lost.crash"]'
  done
done

# Late and missed are two figures.
folds late-sent tests/cli/accepts/late-sent.yaml
gives late-sent 'f["late_rate"] == 1 and f["missed_rate"] == 0'
gives late-sent 'f["late"] == f["late_committed"] > 3000'
folds no-grace tests/cli/accepts/late-within-grace.yaml
gives no-grace 'f["late_committed"] == 0 and f["missed_rate"] == f["late_rate"] > 0.24'
folds grace tests/cli/accepts/late-within-grace.yaml --set lease.grace=20s
gives grace '0.9 * f["late"] < f["late_committed"] and f["missed_rate"] < 0.03'
run "$dibs" compare "$checkout/tests/cli/accepts/late-within-grace.yaml" --set-b lease.grace=20s --seeds 5
says out "accepts.missed_rate" "compare tells missed accepts"
check "compare: a grace saves most late accepts" grep -Eq 'accepts.missed_rate +2[0-9.]+ % +[0-3][0-9.]* %' out

# Tuning finds nothing to gain where every late yes became a trip.
run "$dibs" tune "$checkout/tests/cli/accepts/late-tuned.yaml" --search lease.offer_window=5s..15s --seeds 5
ends 7 "late-tuned: nothing is better than anything else"
says out "FLAT" "late-tuned: a search over what changes nothing"
finish
