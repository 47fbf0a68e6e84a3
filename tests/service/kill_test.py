#!/usr/bin/env python3
"""Goal: kill -9 loses nothing that was answered, on a file of SQLite.
Method: callers who create, renew, release and complete; a kill at an instant that is drawn; the next
service on the same file is asked for all that they were told.

  kill_test.py DIBS FOLDER [KILLS]
"""
import http.client
import pathlib
import random
import subprocess
import sys
import threading
import time

from client import Client, Refused

CALLERS = 4


def started(dibs, file):
    """A service that answers, and its address."""
    service = subprocess.Popen([dibs, "serve", "leases", "--listen", "127.0.0.1:0", "--store", f"sqlite:{file}"],
                               stdout=subprocess.PIPE, text=True)
    return service, service.stdout.readline().split()[-1]


class Caller(threading.Thread):
    """Does what it may until nobody answers, and keeps what it was told."""

    def __init__(self, url, name):
        super().__init__()
        self.client, self.called = Client(url), name
        self.leases, self.done = {}, {}  # token: the last answer about it; id of a task: its output
        self.draw = random.Random(name)

    def run(self):
        try:
            for i in range(10**9):
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
        except (OSError, http.client.HTTPException):
            pass  # it was killed


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


def main():
    dibs, folder, kills = sys.argv[1], pathlib.Path(sys.argv[2]), int((sys.argv[3:] or ["10"])[0])
    draw, lost, answered = random.Random(48), [], 0
    for kill in range(kills):
        file = folder / f"leases{kill}.sqlite"
        service, url = started(dibs, file)
        callers = [Caller(url, f"{kill}.{i}") for i in range(CALLERS)]
        for each in callers:
            each.start()
        time.sleep(draw.uniform(0.02, 0.6))
        service.kill()
        service.wait()
        for each in callers:
            each.join()
        service, url = started(dibs, file)
        client = Client(url)
        answered += sum(len(each.leases) + len(each.done) for each in callers)
        lost += losses(client, callers)
        greatest = max((t for each in callers for t in each.leases), default=0)
        if client.create("next", "x", 1000)["token"] <= greatest:
            lost.append(f"a token up to {greatest} was given again")
        try:
            for told in (t for each in callers for t in each.leases.values() if t and t["state"] == "active"):
                client.create(told["resource"], "thief", 1000)
                lost.append(f"{told['resource']} was leased twice")
                break
        except Refused as why:
            if why.status != 409:
                lost.append(str(why))
        service.terminate()
        service.wait()
    print("\n".join(lost[:20]))
    print(f"{kills} kills, {answered} answers, {len(lost)} lost")
    sys.exit(1 if lost or answered < kills else 0)


if __name__ == "__main__":
    main()
