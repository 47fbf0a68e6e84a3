#!/usr/bin/env python3
"""Goal: each call of `dibs serve leases` answers as its description says, and nothing breaks it.
Method: the client beside this file; each answer held against /openapi.json; malformed requests, drawn.

  calls_test.py URL BEARER PID
"""
import http.client
import json
import os
import random
import re
import socket
import sys
import threading
import time

from client import Client, Refused

url, bearer, pid = sys.argv[1:4]
failures = []
seen = set()
description = None


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def misfit(value, schema, where):
    """Why a value is not of a schema; None if it is."""
    if "$ref" in schema:
        return misfit(value, description["components"]["schemas"][schema["$ref"].split("/")[-1]], where)
    if value is None and schema.get("nullable"):
        return None
    kinds = {"object": dict, "array": list, "string": str, "integer": int}
    kind = schema.get("type")
    if kind and (not isinstance(value, kinds[kind]) or isinstance(value, bool)):
        return f"{where} is no {kind}: {value!r}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is {value!r}"
    if "minimum" in schema and value < schema["minimum"]:
        return f"{where} is {value}"
    if schema.get("format") == "date-time" and not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", value):
        return f"{where} is {value!r}"
    if kind == "array":
        return next(filter(None, (misfit(each, schema["items"], where + "[]") for each in value)), None)
    if kind == "object":
        lacks = set(schema.get("required", ())) - value.keys()
        known = schema.get("properties", {})
        more = value.keys() - known.keys() if schema.get("additionalProperties") is False else set()
        if lacks or more:
            return f"{where} lacks {lacks}, has {more}"
        return next(filter(None, (misfit(value[k], known[k], f"{where}.{k}") for k in value if k in known)), None)
    return None


def operation_of(method, path):
    parts = path.split("?")[0].split("/")
    for pattern, operations in description["paths"].items():
        wanted = pattern.split("/")
        if len(wanted) == len(parts) and all(w == p or (w[:1] == "{" and p.isdigit()) for w, p in zip(wanted, parts)):
            if method.lower() in operations:
                return pattern, operations[method.lower()]
    return None, None


class Checked(Client):
    """A client that holds each answer against the description."""

    def call(self, method, path, body=None):
        status, headers, found = super().call(method, path, body)
        pattern, operation = operation_of(method, path) if description else (None, None)
        if operation:
            told = operation["responses"].get(str(status))
            seen.add((method, pattern, status))
            check(told is not None, f"{method} {path}: {status} is not described")
            for kind, content in (told or {}).get("content", {}).items():
                check(headers["Content-Type"].startswith(kind), f"{method} {path} {status}: {headers['Content-Type']}")
                if "json" in kind:
                    wrong = misfit(found, content["schema"], pattern)
                    check(wrong is None, f"{method} {path} {status}: {wrong}")
            for header in (told or {}).get("headers", {}):
                check(header in headers, f"{method} {path} {status}: no {header}")
        return status, headers, found


def refused(status, act, what):
    try:
        act()
        check(False, f"{what}: not refused")
    except Refused as why:
        check(why.status == status, f"{what}: {why}")


def walk_leases(c):
    first = c.create("door", "ann", 60_000, "r1")
    again = c.create("door", "ann", 60_000, "r1")
    check({**again, "remaining_ms": 60_000} == {**first, "remaining_ms": 60_000}, "a repeated request")
    check(c.call("POST", "/v1/leases", {"resource": "door", "holder": "ann", "ttl_ms": 1, "request": "r1"})[0] == 200,
          "a repeated request is 200")
    refused(409, lambda: c.create("door", "bob", 1000), "a leased resource")
    refused(409, lambda: c.create("window", "ann", 1000, "r1"), "a request of another resource")
    refused(403, lambda: c.renew(first["token"], "bob", 1000), "another's lease")
    refused(404, lambda: c.renew(999, "ann", 1000), "no lease to renew")
    check(c.renew(first["token"], "ann", 90_000)["remaining_ms"] == 90_000, "a renewal")
    refused(404, lambda: c.release(first["token"], "bob"), "a release by another")
    c.release(first["token"], "ann")
    refused(404, lambda: c.release(first["token"], "ann"), "a second release")
    check(c.get(first["token"])["state"] == "released", "it is released")
    second = c.create("door", "bob", 30)
    check(second["token"] > first["token"], "tokens grow")
    time.sleep(0.04)
    refused(409, lambda: c.renew(second["token"], "bob", 1000), "a lease that ran out")
    check(c.get(second["token"])["state"] == "expired", "it is expired")
    with c.held("door", "ann", 1000) as token:
        check(token > second["token"], "tokens grow after an expiry")
    made = [c.create(f"room {i}", "ann", 60_000)["token"] for i in range(7)]
    check([each["token"] for each in c.leases("active", limit=3)] == made, "pages of leases")
    check({each["state"] for each in c.leases()} == {"active", "released", "expired"}, "leases of all states")
    status, headers, _ = c.call("POST", "/v1/leases", {"resource": "hall", "holder": "ann", "ttl_ms": 5})
    check(status == 201 and c.call("GET", headers["Location"])[0] == 200, "Location leads to the lease")


def walk_ranges(c):
    """Answers are whole: what was done is not hidden behind 416, nor cut."""
    for part in ("bytes=5000-6000", "bytes=0-9", "bytes=0-1,5-6"):
        c.headers["Range"] = part
        made = c.create(f"part {part}", "ann", 60_000)
        check(made["holder"] == "ann", f"a lease with Range: {part}")
        check("paths" in c.call("GET", "/openapi.json")[2], f"the description with Range: {part}")
    del c.headers["Range"]


def walk_tasks(c):
    check(c.next_task("w") is None, "no task")
    began = time.monotonic()
    check(c.next_task("w", wait_ms=200) is None and 0.19 < time.monotonic() - began < 1, "a wait for a task")
    threading.Timer(0.1, lambda: Client(url, bearer).create_task({"n": 1})).start()
    task = c.next_task("w", wait_ms=5000)
    check(task and task["data"] == {"n": 1}, "a task that came in the meantime")
    check(c.heartbeat(task)["state"] == "taken", "a heartbeat")
    refused(409, lambda: c.complete(task | {"token": task["token"] + 1}), "a token that was never given")
    check(c.complete(task, "done")["output"] == "done", "a completion")
    check(c.complete(task, "again")["output"] == "done", "a repeated completion")
    c.create_task("slow")
    slow = c.next_task("w", ttl_ms=20)
    again = c.next_task("w", wait_ms=2000)
    check(again["id"] == slow["id"] and again["attempts"] == 2, "a task that comes back")
    refused(409, lambda: c.complete(slow, 1), "the token of before, from the same worker")
    refused(409, lambda: c.heartbeat(slow), "a heartbeat with the token of before")
    c.complete(again, None)
    check(c.get_task(again["id"])["state"] == "done", "it is done")
    refused(404, lambda: c.complete({"id": 999, "token": 1}), "no task to complete")
    refused(404, lambda: c.heartbeat({"id": 999, "token": 1}), "no task to keep")
    refused(404, lambda: c.get_task(999), "no task")


def walk_refusals(c):
    for body in ({}, {"resource": 5, "holder": "a", "ttl_ms": 1}, {"resource": "r", "holder": "", "ttl_ms": 1},
                 {"resource": "r", "holder": "a", "ttl_ms": 0}, {"resource": "r", "holder": "a", "ttl_ms": 1.5},
                 {"resource": "r", "holder": "a", "ttl_ms": True}, {"resource": "r", "holder": "a", "ttl_ms": 10**30},
                 {"resource": "r", "holder": "a", "ttl_ms": 1, "reqest": "x"},
                 {"resource": "r" * 257, "holder": "a", "ttl_ms": 1}, {"resource": "r", "holder": None, "ttl_ms": 1}):
        status, _, problem = c.call("POST", "/v1/leases", body)
        check(status == 422 and problem["errors"], f"{str(body)[:80]}: {status}")
    for query in ("state=foo", "limit=0", "limit=1001", "after=-1", "what=1"):
        check(c.call("GET", f"/v1/leases?{query}")[0] == 422, query)
    check(c.call("DELETE", "/v1/leases/1")[0] == 422, "a release without a holder")
    check(c.call("GET", "/v1/nothing")[0] == 404, "an unknown path")
    check(c.call("GET", "/v1/leases/99999999999999999999")[0] == 404, "a number that is too large")
    status, headers, _ = c.call("PATCH", "/v1/leases")
    check(status == 405 and headers["Allow"] == "GET, POST", "a method of another path")
    check(c.call("POST", "/v1/tasks", {"data": "x" * 70_000})[0] == 413, "a body that is too long")
    nested = []
    for _ in range(80):
        nested = [nested]
    check(c.call("POST", "/v1/tasks", {"data": nested})[0] == 400, "a body that is too deep")
    for stranger in (Checked(url), Checked(url, "x" * 20), Checked(url, bearer[:-1]), Checked(url, bearer + "x")):
        status, headers, _ = stranger.call("GET", "/v1/leases")
        check(status == 401 and headers["WWW-Authenticate"] == "Bearer", "a stranger")
        check(stranger.call("GET", "/healthz")[0] == 200, "a stranger may ask for health")
    check('dibs_service_requests_total{route="/v1/leases",status="201"}' in c.call("GET", "/metrics")[2], "metrics")


def sent(raw):
    """The status of an answer to these bytes; None if the connection was closed without one."""
    host, port = url.split("//")[1].split(":")
    with socket.create_connection((host, int(port)), timeout=10) as s:
        s.sendall(raw)
        with s.makefile("rb") as answer:
            line = answer.readline()
    return int(line.split()[1]) if line else None


def malformed(draw):
    """A request that nobody should send, most often after a good one was changed."""
    body = draw.choice([b"", b"{", b"[]", b"null", b'{"resource":1}', b'{"data":' + b"[" * 5000, b"\xff\xfe{}", b"\0" * 50,
                        b'{"resource":"a","holder":"b","ttl_ms":-1}', b'{"token":1e99,"output":0}', bytes(draw.randbytes(200))])
    path = draw.choice([b"/v1/leases", b"/v1/leases/1/renew", b"/v1/tasks/next", b"/v1/tasks/1/complete", b"/v1/tasks",
                        b"/%", b"/v1/leases/%00", b"//", b"/" + b"a" * 5000, b"*", b"http://x/", b"/v1/leases?state=%ff"])
    method = draw.choice([b"POST", b"PUT", b"PATCH", b"DELETE", b"BREW", b"post"])
    length = draw.choice([str(len(body)).encode()] * 4 + [b"-1", b"abc", b"99999999999999999999", b"70000"])
    headers = draw.choice([b"", b"Transfer-Encoding: chunked\r\n", b"Content-Type: multipart/form-data; boundary=x\r\n",
                           b"Content-Type: multipart/form-data\r\n", b"Content-Encoding: gzip\r\n", b"Content-Encoding: br\r\n",
                           b"X: " + b"y" * 9000 + b"\r\n", b": \r\n", b"Range: bytes=5-1\r\n", b"Expect: 100-continue\r\n",
                           b"Content-Type: application/x-www-form-urlencoded\r\n"])
    raw = bytearray(method + b" " + path + b" HTTP/1.1\r\nAuthorization: Bearer " + bearer.encode() + b"\r\n" + headers +
                    b"Content-Length: " + length + b"\r\nConnection: close\r\n\r\n" + body)
    for _ in range(draw.choice([0, 0, 1, 5])):
        raw[draw.randrange(len(raw))] = draw.randrange(256)
    return bytes(raw)


def torment(count):
    answers, lock = {}, threading.Lock()

    def some(seed):
        draw = random.Random(seed)
        for _ in range(count // 32):
            raw = malformed(draw)
            try:
                status = sent(raw)
            except OSError:  # it does not read on after it has answered
                status = None
            with lock:
                answers[status] = answers.get(status, 0) + 1
                if status is not None and not (200 <= status < 300 or 400 <= status < 500 or status == 100):
                    check(False, f"{status} to {raw[:300]!r}")

    threads = [threading.Thread(target=some, args=(seed,)) for seed in range(32)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    print("malformed requests:", dict(sorted(answers.items(), key=str)))
    check(sum(n for status, n in answers.items() if status and status >= 400) > count // 2, "most are refused")


def stay_idle(c, count):
    """So many connections that are open and never finish what they say, after one answer or none:
    others are answered all the same. What is said of them, now and then, keeps them open."""
    host, port = url.split("//")[1].split(":")

    def opened(i):
        s = socket.create_connection((host, int(port)), timeout=60)
        if i % 2:
            s.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        s.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ")
        return s

    idle = [opened(i) for i in range(count)]
    is_over = threading.Event()

    def keep_open():
        while not is_over.wait(0.5):
            for i, s in enumerate(idle):
                try:
                    s.sendall(b"x")
                except OSError:
                    idle[i] = opened(i)

    keeper = threading.Thread(target=keep_open)
    keeper.start()
    slowest = 0
    for _ in range(50):
        began = time.monotonic()
        fresh = Client(url, bearer)
        check(fresh.call("GET", "/v1/leases/1")[0] == 200, "an answer beside idle connections")
        slowest = max(slowest, time.monotonic() - began)
    print(f"beside {count} idle connections the slowest of 50 answers took {slowest * 1000:.0f} ms")
    is_over.set()
    keeper.join()
    for s in idle:
        s.close()


def main():
    global description
    # Both ends of each idle connection are files, of two processes; a shell's limit may be 1,024.
    import resource
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    c = Checked(url, bearer)
    status, _, found = c.call("GET", "/openapi.json")
    check(status == 200, "/openapi.json")
    description = found
    check(c.call("GET", "/openapi.json")[2] == description, "/openapi.json again")
    walk_leases(c)
    walk_ranges(c)
    walk_tasks(c)
    walk_refusals(c)
    missing = {(m.upper(), p, int(s)) for p, operations in description["paths"].items()
               for m, o in operations.items() if isinstance(o, dict)
               for s in o["responses"] if s in ("200", "201", "204", "403", "404", "409")} - seen
    check(not missing, f"described, and never seen: {sorted(missing)}")
    torment(int(os.environ.get("DIBS_TEST_MALFORMED", "2000")))
    stay_idle(c, 1000)
    check(os.path.exists(f"/proc/{pid}"), "the service lives")
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
