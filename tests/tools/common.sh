# shellcheck shell=bash
# For tests of the scripts: a scratch folder, and expectations that say what they met.
set -uo pipefail
# shellcheck disable=SC2034
checkout=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
failures=0

# The lines of standard input, as a file of the scratch folder.
file() {  # PATH
  mkdir -p -- "$(dirname -- "$scratch/$1")"
  cat >"$scratch/$1"
}

run() {  # COMMAND...
  output=$("$@" 2>&1)
  status=$?
}

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n--- status %s, output:\n%s\n---\n' "$1" "$status" "$output"
}

passes() { ((status == 0)) || fail "$1: should pass"; }

# complains WHAT TEXT: the last run failed and its output holds TEXT.
complains() {
  if ((status == 0)) || [[ $output != *"$2"* ]]; then fail "$1: should fail and say \"$2\""; fi
}

finish() {
  ((failures == 0)) || exit 1
  echo "all as expected"
  exit 0
}
