#!/usr/bin/env python3
"""Goal: workers in C++ complete every task, whatever is killed, and hold a lease one at a time.
Method: the worker beside this file, three of it; one is killed, and so is the service, which comes
back on the same file of SQLite.

  worker_test.py DIBS WORKER FOLDER-OF-CLIENT.PY
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

dibs, worker, folder = map(os.path.abspath, sys.argv[1:4])
sys.path.insert(0, folder)
from client import Client  # noqa: E402

TASKS = 40
BEARER = "a-token-of-the-test"
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def started(listen):
    words = [dibs, "serve", "leases", "--listen", listen, "--store", "sqlite:leases.sqlite", "--token-file", "token"]
    service = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = service.stdout.readline()
    if not line:
        why = service.stderr.read()
        print(why)
        print("built without a server for HTTP: its tests are skipped" if "libcpp-httplib-dev" in why else "FAILED")
        sys.exit("libcpp-httplib-dev" not in why)
    return service, line.split()[-1]


def all_done(client):
    return sum(client.get_task(n)["state"] == "done" for n in range(1, TASKS + 1))


def until(holds, what):
    """Bounded far above what it takes."""
    end = time.monotonic() + 120
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    check(holds(), what)


def main():
    pathlib.Path("token").write_text(BEARER + "\n", encoding="utf-8")
    service, url = started("127.0.0.1:0")
    client = Client(url, BEARER)
    for n in range(1, TASKS + 1):
        client.create_task({"n": n})

    no_token = subprocess.run([worker, url, "stranger", "lines"], timeout=120, capture_output=True, check=False,
                              env={**os.environ, "DIBS_SERVICE_TOKEN": ""})
    check(no_token.returncode == 6 and b"bearer token" in no_token.stderr, "a worker without a token says so")

    environment = {**os.environ, "DIBS_SERVICE_TOKEN": BEARER}
    workers = [subprocess.Popen([worker, url, f"worker {i}", "lines"], env=environment) for i in range(3)]
    until(lambda: all_done(client) >= 5, "tasks are done")
    workers[0].kill()
    service.kill()
    service.wait()
    time.sleep(0.3)
    service, _ = started(url.removeprefix("http://"))
    client = Client(url, BEARER)
    for each in workers[1:]:
        check(each.wait(timeout=120) == 0, "a worker ends when no task is left")
    workers[0].wait()
    # What the killed one had comes back when its time is over.
    last = subprocess.Popen([worker, url, "last", "lines"], env=environment)
    until(lambda: all_done(client) == TASKS or last.poll() is not None, "the last worker ends")
    last.wait(timeout=120)
    while all_done(client) < TASKS and not failures:
        time.sleep(0.1)
        check(subprocess.run([worker, url, "again", "lines"], env=environment, timeout=120, check=False).returncode == 0,
              "a worker that begins again")
    outputs = {n: client.get_task(n).get("output") for n in range(1, TASKS + 1)}
    check(outputs == {n: n * n for n in outputs}, f"every task has its output: {outputs}")
    lines = [[int(each) for each in line.split()] for line in pathlib.Path("lines").read_text(encoding="utf-8").splitlines()]
    tokens = [token for token, _ in lines]
    check(tokens == sorted(set(tokens)), f"one holder of the file at a time: {tokens}")
    check({n for _, n in lines} == set(outputs), "every number was written down")
    until(lambda: not list(client.leases("active")), "leases were given back, or ran out")
    service.terminate()
    service.wait()
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    main()
