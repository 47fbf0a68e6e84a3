# shellcheck shell=bash
# For end-to-end tests: NAME.sh DIBS CHECKOUT. Runs in a scratch folder of its own.
set -uo pipefail
dibs=$(readlink -f -- "$1")
# shellcheck disable=SC2034
checkout=$(readlink -f -- "$2")
scratch=$(mktemp -d)
# A script that forgets to `finish` fails.
trap 'rm -rf -- "$scratch"; ((finished)) || { echo "the script ended without finish"; exit 1; }' EXIT
cd "$scratch" || exit 1
# shellcheck disable=SC2034
small=$checkout/tests/cli/small.yaml
unset NO_COLOR DIBS_SCENARIOS
failures=0
finished=0

# run COMMAND...: its standard output in `out`, standard error in `err`, exit code in $status.
run() {
  status=0
  "$@" >out 2>err </dev/null || status=$?
}

# signalled SIGNAL SECONDS COMMAND...: the same, of a command that gets the signal after so long.
signalled() {
  local signal=$1 seconds=$2 pid
  shift 2
  "$@" >out 2>err </dev/null &
  pid=$!
  sleep "$seconds"
  kill -s "$signal" $pid
  status=0
  wait $pid || status=$?
}

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n--- status %s, stdout:\n%s\n--- stderr:\n%s\n---\n' \
    "$1" "$status" "$(head -c 2000 out)" "$(head -c 2000 err)"
}

ends() {  # CODE WHAT
  [[ $status == "$1" ]] || fail "$2: should end with $1"
}

says() {  # out|err TEXT WHAT
  grep -qF -- "$2" "$1" || fail "$3: $1 should say \"$2\""
}

check() {  # WHAT COMMAND...
  local what=$1
  shift
  "$@" >/dev/null 2>&1 || fail "$what"
}

json() {  # FILE EXPRESSION-OF-j: must be true
  python3 -c 'import json,sys
j = json.load(open(sys.argv[1]))
sys.exit(0 if eval(sys.argv[2]) else 1)' "$1" "$2"
}

finish() {
  finished=1
  ((failures == 0)) || exit 1
  echo "all as expected"
  exit 0
}
