#!/usr/bin/env python3
"""http_test.py DIBS CHECKOUT

Goal: `dibs explore` answers who has its address, tells of a place what `dibs run` would, drops what nobody
waits for, and ends when it is told to.
Method: the program on a free port of loopback, and requests that are right, wrong and broken. Nothing is timed.
"""
import contextlib
import socket
import subprocess

from served import Served, check, dibs, figures_of, finish, scratch


def refusals(s):
    check(s.ask("/")[0] == 200, "the address that was printed")
    for token in (None, "", "x", s.token[:-1], s.token + "0", s.token.upper() + "x", s.token[::-1] + "!"):
        check(s.ask("/", token=token)[0] == 403, f"the token {token}")
    for path in ("/look", "/scenario.yaml", "/nothing", "/../etc/passwd"):
        check(s.ask(path, token=None)[0] == 403, f"{path} without a token")
    for host in ("example.com", f"example.com:{s.port}", f"127.0.0.1:{s.port + 1}", "127.0.0.1", f"localhost.example.com:{s.port}", ""):
        status, _, text = s.ask("/", headers={"Host": host})
        check(status == 403 and s.token not in text, f"the host {host}: {status}")
    check(s.ask("/", headers={"Host": f"localhost:{s.port}"})[0] == 200, "localhost")
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "HEAD", "POST"):
        length = {} if method in ("OPTIONS", "HEAD") else {"Content-Length": "0"}
        status, headers, _ = s.ask("/", method, length)
        check(status == 405 and headers["Allow"] == "GET", f"{method}: {status}")
    check(s.ask("/nothing")[0] == 404, "no such page")


def headers_of(s):
    _, headers, text = s.ask("/")
    check(headers["Cache-Control"] == "no-store" and headers["X-Frame-Options"] == "DENY" and headers["Referrer-Policy"] == "no-referrer", "nobody keeps, frames or passes on the page")
    check("Access-Control-Allow-Origin" not in headers, "no other page may read it")
    check("default-src 'none'" in text and "connect-src 'self'" in text, "the page's policy")
    check(s.token not in text, "the page does not hold its token")


def malformed(s):
    for at in (None, "", "x", "0", "0.0.0", "99.0", "-1.0", "0.0 ", "0,0"):
        for path in ("/look", "/scenario.yaml"):
            query = {"page": "test", "at": at} if at is not None else {"page": "test"}
            check(s.ask(path, **query)[0] == 400, f"{path} at {at}")
    for page in (None, "", "x" * 65):
        check(s.ask("/look", at="0.0", **({"page": page} if page is not None else {}))[0] == 400, f"the tab {page}")
    for bytes_ in (b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 3000 + b"\r\n",
                   b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", s.port), timeout=60) as raw:
            with contextlib.suppress(OSError):
                raw.sendall(bytes_)
                raw.shutdown(socket.SHUT_WR)
                answer = raw.recv(4096)
                check(not answer or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.0 4")), f"{bytes_[:20]}: {answer[:40]}")
    check(s.ask("/")[0] == 200, "it is there after all that")


def figures(s, folder):
    """What is told of places is what their commands give, to the last digit, at every number of runs."""
    sliders = s.model()["sliders"]
    check([x["path"] for x in sliders] == ["lease.ttl", "drivers.count"], "the sliders that were asked for")
    check(sliders[0]["stops"] == ["6s", "10s", "15s", "40s"] and sliders[0]["own"] == 2, f"the own value is a stop: {sliders[0]}")
    for at, changed in (("2.1", []), ("0.1", ["lease.ttl=6s", "lease.offer_window=3s"]), ("1.0", ["lease.ttl=10s", "drivers.count=10", "lease.offer_window=7s"])):
        told = s.look(at)
        check([t["runs"] for t in told] == sorted({t["runs"] for t in told}), f"{at}: ever more runs: {[t['runs'] for t in told]}")
        check(told[-1]["runs"] == 6, f"{at}: all runs at last")
        check(told[-1]["changed"] == changed, f"{at}: {told[-1]['changed']}")
        for each in (told[0], told[-1]):
            there = figures_of(folder, each["command"])
            differ = {n: (f["v"], there[n]) for n, f in each["figures"].items() if f["v"] != there[n]}
            check(len(each["figures"]) > 15 and not differ, f"{each['command']}: {differ}")
    check(len(s.look("2.1", "another tab")) == 1, "what was seen is told at once, as a whole")


def objections(folder):
    with Served(folder, "small.yaml", "--field", "lease.offer_window=6s,12s,40s", "--field", "matchers.count=1..2") as s:
        told = s.look("2.1")
        check(len(told) == 1 and told[0]["slider"] == 0 and "lease.offer_window" in told[0]["objection"], f"a window beyond the TTL: {told}")
        told = s.look("1.0")
        check(len(told) == 1 and told[0]["slider"] == 1 and "matcher/2" in told[0]["objection"], f"a matcher too few: {told}")
        check(s.ask("/scenario.yaml", at="2.1")[0] == 409, "no file of what cannot be")
        check(s.look("1.1")[-1]["runs"] == 20, "20 runs unless something else is said")


def files(s, folder):
    status, headers, text = s.ask("/scenario.yaml", at="0.0")
    check(status == 200 and 'filename="small-explored.yaml"' in headers["Content-Disposition"], "a file to keep")
    (folder / "kept.yaml").write_text(text)
    told = s.look("0.0")[-1]
    here = figures_of(folder, f"{dibs} run kept.yaml --runs {told['runs']}")
    check(all(f["v"] == here[n] for n, f in told["figures"].items()), "the file gives the same figures")


def cancelled(folder):
    """A point that would take hours keeps nobody waiting: neither its own page nor another."""
    (folder / "endless.yaml").write_text((folder / "small.yaml").read_text().replace("count: 20", "count: 1"))
    with Served(folder, "endless.yaml", "--field", "clock.duration=60s,900h", "--seeds", 2, "--jobs", 1, "--force") as s:
        waiting, answer = s.begin("/look", at="1", page="a")
        check(answer.readline() == b"\n", "a sign of life before there are figures")
        check(s.look("0", "a")[-1]["runs"] == 2, "the same page looks elsewhere")
        check(answer.read().strip() == b"", "the look before ends without figures")
        waiting.close()
        waiting, answer = s.begin("/look", at="1", page="b")
        check(answer.readline() == b"\n", "another page looks")
        waiting.close()
        check(s.look("0", "c")[-1]["runs"] == 2, "who went away leaves its threads")
        waiting, answer = s.begin("/look", at="1", page="d")
        check(answer.readline() == b"\n", "a run is under way when it ends")
        idle = socket.create_connection(("127.0.0.1", s.port))
        code, said = s.end()
        check(code == 130 and "stopped before" not in said, f"Ctrl-C: {code}, {said}")
        idle.close()
        waiting.close()


def usage(folder):
    for words, code, says in ((["small.yaml", "--field", "lease.tll"], 2, "did you mean `lease.ttl`"), (["small.yaml", "--field", "lease.ttl=9s..3s"], 2, "is no range"),
                              (["small.yaml", *["--field=lease.ttl"] * 2], 2, "twice"), (["none.yaml"], 3, "none.yaml"), (["small.yaml", "--set", "lease.ttl=0s"], 3, "lease.ttl"),
                              (["-"], 2, "name a file"), (["small.yaml", "--port", "70000"], 2, "--port"), ([], 2, "SCENARIO"), (["small.yaml", "--seeds", "0"], 2, "--seeds")):
        done = subprocess.run([dibs, "explore", *words], cwd=folder, capture_output=True, text=True, timeout=60)
        check(done.returncode == code and says in done.stderr and not done.stdout, f"{words}: {done.returncode}, {done.stderr}")


def one_port(folder):
    with Served(folder, "small.yaml") as s:
        done = subprocess.run([dibs, "explore", "small.yaml", "--port", str(s.port)], cwd=folder, capture_output=True, text=True, timeout=60)
        check(done.returncode == 1 and "another program listens there" in done.stderr, f"a port in use: {done.stderr}")
        with contextlib.closing(socket.socket()) as elsewhere:
            check(elsewhere.connect_ex((socket.gethostbyname(socket.gethostname()), s.port)) != 0 or socket.gethostbyname(socket.gethostname()).startswith("127."), "it listens on loopback alone")
        code, _ = s.end(15)
        check(code == 143, f"SIGTERM: {code}")


def browser_is_asked(folder):
    """--open starts xdg-open with the address; without it nothing is started."""
    tools = folder / "tools"
    tools.mkdir()
    (tools / "xdg-open").write_text('#!/bin/sh\necho "$1" >opened\n')
    (tools / "xdg-open").chmod(0o755)
    for words in ([], ["--open"]):
        started = subprocess.Popen([dibs, "explore", "small.yaml", *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={"PATH": f"{tools}:/usr/bin:/bin"})
        url = started.stdout.readline()
        started.stderr.readline()
        opened = folder / "opened"
        for _ in range(600 if words else 1):
            if opened.exists() and opened.read_text() == url:
                break
            subprocess.run(["sleep", "0.1"], check=True)
        check(opened.exists() == bool(words) and (not words or opened.read_text() == url), f"{words}: the browser")
        started.terminate()
        started.communicate()


def main():
    with scratch() as folder:
        done = subprocess.run([dibs, "explore", "small.yaml", "--field", "lease.tll"], cwd=folder, capture_output=True, text=True)
        if "libcpp-httplib-dev" in done.stderr:
            print("built without a server for HTTP: skipped")
            return
        usage(folder)
        with Served(folder, "small.yaml", "--field", "lease.ttl=6s,10s,40s", "--field", "drivers.count=10,20", "--seeds", 6) as s:
            refusals(s)
            headers_of(s)
            malformed(s)
            figures(s, folder)
            files(s, folder)
            code, said = s.end()
            check(code == 130, f"Ctrl-C: {code}, {said}")
        objections(folder)
        cancelled(folder)
        one_port(folder)
        browser_is_asked(folder)


main()
finish()
