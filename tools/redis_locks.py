#!/usr/bin/env python3
"""How many leases a second a Redis on this machine gives, as a yardstick for the lease manager.

  tools/redis_locks.py [--requests N] [--drivers N] prints a line of JSON

Starts a redis-server of its own on a free port of the loopback, which keeps nothing, asks it with
redis-benchmark by four clients with 128 requests each under way, as `dibs bench lease` asks the
lease manager's actor, and ends it. A lease lasts as long as there, 0.15 s, and drivers are as many.

  lock     SET driver NX PX: who gets her is decided, by a single command without a token
  tokened  the same and a token that only grows, by a script: what an acquire of dibs does
"""
import argparse
import contextlib
import csv
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

LEASE_MS = 150
CLIENTS = 4
PIPELINED = 128
LOCK = ["SET", "driver:__rand_int__", "matcher", "NX", "PX", str(LEASE_MS)]
TOKENED = ["EVAL",
           "if redis.call('EXISTS', KEYS[1]) == 1 then return false end "
           "local token = redis.call('INCR', 'token') "
           f"redis.call('SET', KEYS[1], token, 'PX', {LEASE_MS}) return token",
           "1", "driver:__rand_int__"]
STARTS_WITHIN_S = 10
PROGRAMS = ["redis-server", "redis-benchmark"]


class Problem(Exception):
    """Why Redis cannot be measured."""


def missing():
    """The first program that is not installed, or nothing."""
    return next((one for one in PROGRAMS if not shutil.which(one)), None)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_answer(server, port):
    until = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < until and server.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as line:
            line.settimeout(1)
            line.sendall(b"PING\r\n")
            if line.recv(16).startswith(b"+PONG"):
                return
        time.sleep(0.02)
    raise Problem("redis-server did not start")


@contextlib.contextmanager
def served():
    """A server that keeps nothing, for as long as it is needed; its port."""
    with tempfile.TemporaryDirectory() as place:
        port = free_port()
        server = subprocess.Popen(
            ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "",
             "--appendonly", "no", "--dir", place],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            await_answer(server, port)
            yield port
        finally:
            server.terminate()
            server.wait()


def requests_per_s(port, command, drivers, requests):
    done = subprocess.run(
        ["redis-benchmark", "-h", "127.0.0.1", "-p", str(port), "-n", str(requests),
         "-c", str(CLIENTS), "-P", str(PIPELINED), "-r", str(drivers), "--csv", *command],
        capture_output=True, text=True)
    rows = list(csv.DictReader(line for line in done.stdout.splitlines() if line.startswith('"')))
    if done.returncode != 0 or len(rows) != 1:
        raise Problem(f"redis-benchmark failed:\n{done.stderr or done.stdout}")
    return float(rows[0]["rps"])


def version():
    told = subprocess.run(["redis-server", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"v=(\S+)", told)
    return found[1] if found else "unknown"


def measure(drivers, requests):
    """Requests a second, of a server that has just started."""
    with served() as port:
        return {name: requests_per_s(port, command, drivers, requests)
                for name, command in [("lock", LOCK), ("tokened", TOKENED)]}


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--drivers", type=int, default=100_000)
    options.add_argument("--requests", type=int, default=1_000_000)
    asked = options.parse_args()
    if missing():
        raise Problem(f"{missing()} is not installed: as root, run apt-get install redis-server")
    print(json.dumps({"redis": version(), **measure(asked.drivers, asked.requests)}))


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"redis_locks: {problem}")
