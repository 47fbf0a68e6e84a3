#!/usr/bin/env python3
"""How fast a store answers whom it was made for, beside `dibs bench lease --store`.

  TMPDIR=/var/tmp tests/store/with_servers.sh tools/store_yardsticks.py DIBS [--seconds N]

PostgreSQL is asked by pgbench, with the same functions and as many sessions: acquire, confirm and
release of a driver at random, each a transaction of its own. Redis is asked by redis-benchmark, with
the same script and as many requests under way: acquire, with leases that are over at once, so that
each is granted; its keys stay. A line for each store: commands a second, and dibs's share of the yardstick's.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

CONNECTIONS = 8
UNDER_WAY = 256
DRIVERS = 10_000
SCRIPTS = pathlib.Path(__file__).resolve().parent.parent / "src/store/scripts"
SCHEMA = "dibs_yardstick"
CYCLE = r"""\set d random(0, {last})
SELECT coalesce(a, 0) AS token FROM acquire(:d, 1, 0, 0, 15000000, 0, 0, NULL) \gset
\if :token > 0
SELECT code FROM confirm(:d, :token, 30000000, 0, NULL) \gset
SELECT code FROM release(:d, :token, NULL) \gset
\endif
"""


def output_of(words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, timeout=300, **more).stdout


def dibs_rate(dibs, address, seconds):
    """Commands a second by name of the store."""
    said = output_of([dibs, "bench", "lease", "--store", address, "--drivers", str(DRIVERS),
                      "--connections", str(CONNECTIONS), "--in-flight", str(UNDER_WAY),
                      "--seconds", str(seconds), "--repeats", "3", "--format", "json", "-q"])
    return {one["store"]: one["commands_per_s"]["median"] for one in json.loads(said)}


def pgbench_rate(where, seconds, waits_for_disk, clients):
    environment = dict(os.environ, PGHOST=where.hostname, PGPORT=str(where.port),
                       PGUSER=where.username or "", PGDATABASE=where.path.strip("/"),
                       PGOPTIONS=f"-c search_path={SCHEMA} "
                                 f"-c synchronous_commit={'on' if waits_for_disk else 'off'}")
    sql = (f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE; CREATE SCHEMA {SCHEMA};"
           + (SCRIPTS / "leases.sql").read_text(encoding="utf-8")
           + f"INSERT INTO lease (driver) SELECT * FROM generate_series(0, {DRIVERS - 1});")
    output_of(["psql", "-q", "-v", "ON_ERROR_STOP=1"], input=sql, env=environment)
    try:
        with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
            script.write(CYCLE.format(last=DRIVERS - 1))
            script.flush()
            said = output_of(["pgbench", "-n", "-M", "prepared", "-c", str(clients), "-j", "1",
                              "-T", str(seconds), "-f", script.name], env=environment)
    finally:
        output_of(["psql", "-q", "-c", f"DROP SCHEMA {SCHEMA} CASCADE"], env=environment)
    found = re.search(r"tps = ([0-9.]+)", said)
    if found is None:
        sys.exit("pgbench said: " + said)
    return 3 * float(found[1])


def redis_rate(where, seconds):
    ask = ["redis-cli", "-h", where.hostname, "-p", str(where.port)]
    script = "".join((SCRIPTS / f"{name}.lua").read_text(encoding="utf-8")
                     for name in ("common", "acquire"))
    name = output_of(ask + ["SCRIPT", "LOAD", script]).strip()
    said = output_of(["redis-benchmark", "-h", where.hostname, "-p", str(where.port),
                      "-c", str(CONNECTIONS), "-P", str(UNDER_WAY // CONNECTIONS),
                      "-r", str(DRIVERS), "-n", str(int(40_000 * seconds)), "--csv",
                      "EVALSHA", name, "2", "{yardstick}d:__rand_int__", "{yardstick}token",
                      "1", "0", "0", "1", "0", "0", ""])
    return float(list(csv.reader(said.splitlines()))[-1][1])


def tell(store, yardstick, there, here):
    print(f"{store:<40} {yardstick:<32} {there:>9,.0f}/s   dibs {here:>9,.0f}/s   {here / there:.2f}",
          flush=True)


def main():
    ask = argparse.ArgumentParser(usage=__doc__)
    ask.add_argument("dibs")
    ask.add_argument("--seconds", type=float, default=3)
    given = ask.parse_args()
    if "DIBS_TEST_POSTGRES" in os.environ:
        address = os.environ["DIBS_TEST_POSTGRES"]
        mine = dibs_rate(given.dibs, address, given.seconds)
        for name, waits in (("PostgreSQL", True), ("PostgreSQL, unsafe", False)):
            for clients in (CONNECTIONS, 4 * CONNECTIONS):
                rate = pgbench_rate(urllib.parse.urlsplit(address), int(given.seconds), waits, clients)
                tell(name, f"pgbench, {clients} sessions", rate, mine[name])
    if "DIBS_TEST_REDIS" in os.environ:
        address = os.environ["DIBS_TEST_REDIS"]
        rate = redis_rate(urllib.parse.urlsplit(address), given.seconds)
        tell("Redis", f"redis-benchmark -P {UNDER_WAY // CONNECTIONS}", rate,
             dibs_rate(given.dibs, address, given.seconds)["Redis"])


if __name__ == "__main__":
    sys.exit(main())
