# shellcheck shell=bash
# For tests of the scripts: a scratch folder, and expectations that say what they met.
set -uo pipefail
# shellcheck disable=SC2034
checkout=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
scratch=$(mktemp -d)
programs=$(mktemp -d)
trap 'rm -rf -- "$scratch" "$programs"' EXIT
failures=0

# A script may call what tools/packages names in these groups, and what a bare Debian has: nothing
# else is there. (Elsewhere than on Debian all is.)
if python3 "$checkout/tests/tools/listed_programs.py" "$programs" ${groups:-build test}; then
  PATH=$programs
fi

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
