#!/usr/bin/env bash
# Runs a command beside a PostgreSQL, a Redis and an etcd of its own, and ends them.
#
#   tests/store/with_servers.sh COMMAND [ARGUMENT ...]
#
# The servers listen on free ports of loopback. DIBS_TEST_POSTGRES, DIBS_TEST_REDIS and
# DIBS_TEST_ETCD say where, DIBS_TEST_POSTGRES_PID (a file that begins with it), DIBS_TEST_REDIS_PID
# and DIBS_TEST_ETCD_PID which process it is. DIBS_TEST_POSTGRES_AGAIN and DIBS_TEST_ETCD_AGAIN are
# scripts that start one again after it was killed. One whose package is not there is left out, and
# said. DIBS_TEST_SERVERS names those that are wanted, if not all are. Files go into a folder that is
# removed at the end: in TMPDIR if it is set, else in memory, since a kill loses nothing there either and
# no test waits for a disk that others keep busy.
set -euo pipefail

in_memory=/dev/shm
[[ -w $in_memory && $(df --output=avail "$in_memory" | tail -1) -gt 2000000 ]] || in_memory=/tmp
here=$(mktemp -d "${TMPDIR:-$in_memory}/dibs-stores-XXXXXX")
pids=()
finish() {
  if [[ -f $here/postgres/data/postmaster.pid ]]; then
    pids+=("$(head -n 1 "$here/postgres/data/postmaster.pid")")
  fi
  if [[ -f $here/etcd.pid ]]; then
    pids+=("$(<"$here/etcd.pid")")
  fi
  if ((${#pids[@]})); then
    kill "${pids[@]}" 2>/dev/null || true
    # Not children that bash waits for any more.
    for ((i = 0; i < 100; ++i)); do
      kill -0 "${pids[@]}" 2>/dev/null || break
      sleep 0.05
    done
  fi
  rm -rf "$here"
}
trap finish EXIT

# PostgreSQL does not run as root.
as_user() {
  if ((EUID == 0)); then
    setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME="$here" "$@"
  else
    "$@"
  fi
}

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

until_it_answers() { # NAME COMMAND...
  local name=$1
  shift
  for ((i = 0; i < 200; ++i)); do
    if "$@" >/dev/null 2>&1; then
      return
    fi
    sleep 0.05
  done
  echo "$name did not begin to answer within 10 s:" >&2
  cat "$here/$name.log" >&2
  exit 1
}

start_postgres() {
  local programs port
  programs=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -1)
  if [[ -z $programs ]]; then
    echo "no PostgreSQL here (package postgresql): its tests are skipped" >&2
    return
  fi
  port=$(free_port)
  mkdir "$here/postgres"
  if ((EUID == 0)); then
    chmod 711 "$here"
    chown nobody:nogroup "$here/postgres"
  fi
  # Trust, since only this machine can reach it.
  as_user "$programs/initdb" -D "$here/postgres/data" -A trust -U dibs --no-sync \
    >"$here/postgres.log" 2>&1
  cat >"$here/postgres.again" <<AGAIN
$(declare -f as_user)
here=$here
rm -f "$here/postgres/data/postmaster.pid"
as_user "$programs/postgres" -D "$here/postgres/data" -p "$port" -k '' \
  -c listen_addresses=127.0.0.1 -c recovery_init_sync_method=syncfs >>"$here/postgres.log" 2>&1 &
AGAIN
  bash "$here/postgres.again"
  until_it_answers postgres "$programs/pg_isready" -h 127.0.0.1 -p "$port" -q
  export DIBS_TEST_POSTGRES=postgres://dibs@127.0.0.1:$port/postgres \
    DIBS_TEST_POSTGRES_PID=$here/postgres/data/postmaster.pid DIBS_TEST_POSTGRES_AGAIN=$here/postgres.again
}

start_redis() {
  local port
  if ! command -v redis-server >/dev/null; then
    echo "no Redis here (package redis-server): its tests are skipped" >&2
    return
  fi
  port=$(free_port)
  mkdir "$here/redis"
  redis-server --bind 127.0.0.1 --port "$port" --dir "$here/redis" --save '' \
    >"$here/redis.log" 2>&1 &
  pids+=($!)
  disown  # so that bash says nothing when a test kills it
  until_it_answers redis redis-cli -p "$port" ping
  export DIBS_TEST_REDIS=redis://127.0.0.1:$port DIBS_TEST_REDIS_PID=${pids[-1]}
}

start_etcd() {
  local port peers
  if ! command -v etcd >/dev/null; then
    echo "no etcd here (package etcd-server): its tests are skipped" >&2
    return
  fi
  port=$(free_port)
  peers=$(free_port)
  cat >"$here/etcd.again" <<AGAIN
etcd --data-dir "$here/etcd" --listen-client-urls http://127.0.0.1:$port \
  --advertise-client-urls http://127.0.0.1:$port --listen-peer-urls http://127.0.0.1:$peers \
  --initial-advertise-peer-urls http://127.0.0.1:$peers \
  --initial-cluster default=http://127.0.0.1:$peers >>"$here/etcd.log" 2>&1 &
echo \$! >"$here/etcd.pid"
AGAIN
  bash "$here/etcd.again"
  until_it_answers etcd bash -c "exec 3<>/dev/tcp/127.0.0.1/$port &&
    printf 'GET /health HTTP/1.0\r\n\r\n' >&3 && grep -q true <&3"
  export DIBS_TEST_ETCD=etcd://127.0.0.1:$port DIBS_TEST_ETCD_PID=$here/etcd.pid \
    DIBS_TEST_ETCD_AGAIN=$here/etcd.again
}

for server in ${DIBS_TEST_SERVERS:-postgres redis etcd}; do
  "start_$server"
done
"$@"
