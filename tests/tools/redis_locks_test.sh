#!/usr/bin/env bash
# tools/redis_locks.py measures a Redis of its own and ends it, or says that there is none.
groups="build test store"
# shellcheck source=tests/tools/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

python=$(python3 -c "import sys; print(sys.executable)")
run env PATH="$scratch" "$python" "$checkout/tools/redis_locks.py"
complains "without Redis" "redis-server is not installed"

if command -v redis-server >/dev/null && command -v redis-benchmark >/dev/null; then
  run env TMPDIR="$scratch" "$checkout/tools/redis_locks.py" --drivers 100 --requests 20000
  passes "with Redis"
  [[ $output =~ \"lock\":\ [1-9].*\"tokened\":\ [1-9] ]] || fail "should tell both rates"
  # A server works in its directory.
  at_work=$(readlink /proc/[0-9]*/cwd 2>/dev/null)
  [[ $at_work != *"$scratch/"* ]] || fail "should leave no server behind"
  [[ -z $(ls "$scratch") ]] || fail "should leave nothing behind"
else
  echo "redis-server or redis-benchmark is not installed: only its absence was tried"
fi

finish
