#!/usr/bin/env python3
"""Goal: kill -9 loses nothing that was answered, of the service or of the PostgreSQL that keeps it.
Method: callers who create, renew, release and complete; a kill at an instant that is drawn; the next
service on the same store is asked for all that they were told.

  kill_test.py DIBS FOLDER [KILLS]              of the service, on a file of SQLite each
  kill_test.py DIBS FOLDER KILLS postgres://... of the service, on PostgreSQL
  kill_test.py DIBS FOLDER KILLS postgres://... PIDFILE AGAIN
      of PostgreSQL, which the script AGAIN starts again, under one service
"""
import atexit
import contextlib
import glob
import http.client
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import threading
import time

from client import Client, Refused

CALLERS = 4


def started(dibs, store):
    """A service that answers, and its address."""
    service = subprocess.Popen([dibs, "serve", "leases", "--listen", "127.0.0.1:0", "--store", store],
                               stdout=subprocess.PIPE, text=True)
    atexit.register(service.kill)  # a test that fails leaves none behind
    return service, service.stdout.readline().split()[-1]


class Caller(threading.Thread):
    """Does what it may until nobody answers, and keeps what it was told."""

    def __init__(self, url, name):
        super().__init__()
        self.client, self.called = Client(url), name
        self.leases, self.done = {}, {}  # token: the last answer about it; id of a task: its output
        self.draw = random.Random(name)
        self.is_over, self.away, self.wrong = threading.Event(), 0, []

    def run(self):
        with contextlib.suppress(OSError, http.client.HTTPException):  # it was killed
            for i in range(10**9):
                if self.is_over.is_set():
                    return
                try:
                    self.act(i)
                except Refused as why:  # nobody knows what became of it
                    if why.status != 503:
                        self.wrong.append(f"{self.called}/{i}: {why}")
                    self.away += 1
                    time.sleep(0.02)

    def act(self, i):
        made = self.client.create(f"{self.called}/{i}", self.called, 600_000, f"{self.called}/{i}")
        self.leases[made["token"]] = made
        what = self.draw.randrange(4)
        if what == 0:
            made = self.client.renew(made["token"], self.called, 900_000)
            self.leases[made["token"]] = made
        elif what == 1:
            self.leases[made["token"]] = None  # until it is answered nobody knows
            self.client.release(made["token"], self.called)
            self.leases[made["token"]] = {**made, "state": "released"}
        elif what == 2:
            self.client.create_task(i)
            task = self.client.next_task(self.called)
            if task:
                self.client.complete(task, f"{self.called}/{i}")
                self.done[task["id"]] = f"{self.called}/{i}"


class PatientClient(Client):
    """One that asks again while the service says 503, as Retry-After would have it: a busy server
    may be away once more."""

    def asked(self, method, path, body=None):
        until = time.monotonic() + 60
        while True:
            try:
                return super().asked(method, path, body)
            except Refused as why:
                if why.status != 503 or time.monotonic() > until:
                    raise
            time.sleep(0.1)


def losses(client, callers):
    """What does not stand as it was told."""
    now = {each["token"]: each for each in client.leases(limit=1000)}
    for caller in callers:
        for token, told in caller.leases.items():
            found = now.get(token)
            if found is None:
                yield f"lease {token} is gone"
            elif told and (found["resource"] != told["resource"] or found["state"] != told["state"]
                           or found["expires_at"] < told["expires_at"]):
                yield f"lease {token}: {told} is now {found}"
        for number, output in caller.done.items():
            if client.get_task(number).get("output") != output:
                yield f"task {number} is not done"


def check(client, callers, kill):
    """What is lost of all that the callers were told, and what should not be possible after it."""
    lost = list(losses(client, callers)) + [each for caller in callers for each in caller.wrong]
    greatest = max((t for each in callers for t in each.leases), default=0)
    if client.create(f"next {kill}", "x", 1000)["token"] <= greatest:
        lost.append(f"a token up to {greatest} was given again")
    for told in (t for each in callers for t in each.leases.values() if t and t["state"] == "active"):
        try:
            client.create(told["resource"], "thief", 1000)
            lost.append(f"{told['resource']} was leased twice")
        except Refused as why:
            if why.status != 409:
                lost.append(str(why))
        break
    return lost


def answers_of(callers):
    return sum(len(each.leases) + len(each.done) for each in callers)


def begin(url, kill):
    callers = [Caller(url, f"{os.getpid()}.{kill}.{i}") for i in range(CALLERS)]
    for each in callers:
        each.start()
    return callers


def kill_services(dibs, folder, kills, store):
    draw, lost, answered = random.Random(48), [], 0
    for kill in range(kills):
        kept = store or f"sqlite:{folder / f'leases{kill}.sqlite'}"
        service, url = started(dibs, kept)
        callers = begin(url, kill)
        time.sleep(draw.uniform(0.02, 0.6))
        service.kill()
        service.wait()
        for each in callers:
            each.join()
        service, url = started(dibs, kept)
        answered += answers_of(callers)
        lost += check(PatientClient(url), callers, kill)
        service.terminate()
        service.wait()
    return lost, answered


def processes_of(server):
    """A server and its children, which are those that write."""
    children = [int(re.search(r"/proc/(\d+)/", file)[1]) for file in glob.glob("/proc/[0-9]*/status")
                if f"\nPPid:\t{server}\n" in read(file)]
    return [server, *children]


def read(file):
    try:
        return pathlib.Path(file).read_text(encoding="utf-8")
    except OSError:
        return ""


def kill_postgres(dibs, kills, store, pidfile, again):
    draw, lost, answered, away = random.Random(48), [], 0, 0
    service, url = started(dibs, store)
    for kill in range(kills):
        callers = begin(url, kill)
        time.sleep(draw.uniform(0.1, 0.8))
        for process in processes_of(int(read(pidfile).split()[0])):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(draw.uniform(0, 0.3))
        subprocess.run(["bash", again], check=True)
        before = answers_of(callers)
        until = time.monotonic() + 60
        while answers_of(callers) == before and time.monotonic() < until:
            time.sleep(0.05)
        if answers_of(callers) == before:
            lost.append("the service did not go on after PostgreSQL came back")
        for each in callers:
            each.is_over.set()
        for each in callers:
            each.join()
        answered, away = answered + answers_of(callers), away + sum(each.away for each in callers)
        lost += check(PatientClient(url), callers, kill)
    if service.poll() is not None:
        lost.append("the service has ended")
    if away == 0:
        lost.append("PostgreSQL was never away")
    service.terminate()
    service.wait()
    return lost, answered


def main():
    dibs, folder, kills = sys.argv[1], pathlib.Path(sys.argv[2]), int((sys.argv[3:] or ["10"])[0])
    store, server = (sys.argv[4:5] or [None])[0], sys.argv[5:7]
    lost, answered = kill_postgres(dibs, kills, store, *server) if server else kill_services(dibs, folder, kills, store)
    print("\n".join(lost[:20]))
    print(f"{kills} kills, {answered} answers, {len(lost)} lost")
    sys.exit(1 if lost or answered < kills else 0)


if __name__ == "__main__":
    main()
