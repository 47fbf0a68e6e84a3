#!/usr/bin/env python3
"""A lease service that breaks one promise, for the test of `dibs load`.

  broken_service.py FLAW    says `serving leases on URL`, and serves until it is killed

Flaws: none, twice (now and then grants what is leased), short (a lease is over after half its time),
again (tokens are given again), keeps (a release frees nothing), refuses (renewals, now and then),
denies (what is free, now and then), fails (every call, with 500), garbles (now and then answers
what nobody can read, and does nothing).
"""
import http.server
import json
import re
import sys
import threading
import time

FLAW = sys.argv[1]
EVERY = 7  # now and then
lock = threading.Lock()
leases, by_resource, by_request, calls = {}, {}, {}, [0, 0]


def is_now_and_then(flaw):
    calls[0] += FLAW == flaw
    return FLAW == flaw and calls[0] % EVERY == 0


def is_active(lease):
    return lease is not None and not lease["released"] and time.monotonic() < lease["until"]


def until(ttl_ms):
    return time.monotonic() + ttl_ms / 1000 / (2 if FLAW == "short" else 1)


def create(wish):
    key = (wish["holder"], wish.get("request"))
    if key in by_request and is_active(leases.get(by_request[key])):
        return 200, leases[by_request[key]]
    is_leased = is_active(leases.get(by_resource.get(wish["resource"])))
    if (is_leased and not is_now_and_then("twice")) or (not is_leased and is_now_and_then("denies")):
        return 409, None
    calls[1] += 1
    token = calls[1] % 9 + 1 if FLAW == "again" else calls[1]
    leases[token] = {"token": token, "resource": wish["resource"], "holder": wish["holder"], "released": False,
                     "until": until(wish["ttl_ms"])}
    by_resource[wish["resource"]] = by_request[key] = token
    return 201, leases[token]


def renew(token, wish):
    lease = leases.get(token)
    if not is_active(lease) or lease["holder"] != wish["holder"] or is_now_and_then("refuses"):
        return 409, None
    lease["until"] = max(lease["until"], until(wish["ttl_ms"]))
    return 200, lease


def release(token):
    if not is_active(leases.get(token)):
        return 404, None
    leases[token]["released"] = FLAW != "keeps"
    return 204, None


class Calls(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, what=None):
        body = b"" if status == 204 else json.dumps(what or {"status": status}).encode()
        if status < 300 and status != 204 and is_now_and_then("garbles"):
            body = b"<html>"
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def act(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if FLAW == "fails":
            return self.answer(500)
        wish = json.loads(body) if body else {}
        token = re.match(r"/v1/leases/(\d+)", self.path)
        with lock:
            if self.command == "POST":
                status, lease = create(wish)
            elif self.command == "PUT":
                status, lease = renew(int(token[1]), wish)
            elif self.command == "DELETE":
                status, lease = release(int(token[1]))
            else:
                status, lease = 200, {"leases": [], "next": None}
        return self.answer(status, lease)

    do_GET = do_POST = do_PUT = do_DELETE = act

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Calls)
server.daemon_threads = True
print(f"serving leases on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
