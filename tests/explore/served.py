"""A page that `dibs explore` serves, for tests: the program with its address, and plain requests to it."""
import contextlib
import http.client
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import urllib.parse

dibs, checkout = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
failures = []

SMALL = """version: 1
name: small
seed: 42
clock: {warmup: 10s, duration: 60s, drain: 30s}
world: {geography: none, trip: {dist: exponential, mean: 30s}}
demand:
  - {kind: poisson, rate: 0.5/s}
drivers:
  count: 20
  classes:
    - {name: all, share: 1, response: {dist: exponential, mean: 6s}, accept: 0.7, ignore: 0.1}
matchers: {count: 2, policy: {kind: random}, view_lag: 1s}
lease: {protocol: lease, judge: holder, ttl: 15s, offer_window: 12s}
network:
  - {link: matcher->driver, latency: {dist: constant, value: 200ms}}
clocks:
  - {id: behind, node: matcher/2, offset: -12s}
"""


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def finish():
    print("all as expected" if not failures else f"{len(failures)} failed")
    sys.exit(1 if failures else 0)


@contextlib.contextmanager
def scratch():
    """A folder with the small scenario."""
    with tempfile.TemporaryDirectory(prefix="dibs-explore-") as name:
        folder = pathlib.Path(name)
        (folder / "small.yaml").write_text(SMALL)
        yield folder


class Served:
    """`dibs explore` with so many words; ends with it."""

    def __init__(self, folder, *words):
        self.process = subprocess.Popen([str(dibs), "explore", *map(str, words)], cwd=folder, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise RuntimeError("it did not start: " + self.process.stderr.read())
        parts = urllib.parse.urlsplit(self.url)
        self.port, self.token = parts.port, urllib.parse.parse_qs(parts.query)["token"][0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def end(self, number=signal.SIGINT):
        """The exit code, and what it said beside its address."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out + err

    def begin(self, path, method="GET", headers=None, **query):
        """A connection with a request under way, and its answer. A query value of None leaves `token` out."""
        query = {"token": self.token, **query}
        words = urllib.parse.urlencode({k: v for k, v in query.items() if v is not None})
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path + ("?" + words if words else ""), headers=headers or {})
        return connection, connection.getresponse()

    def ask(self, path, method="GET", headers=None, **query):
        """Status, headers and text of an answer."""
        connection, answer = self.begin(path, method, headers, **query)
        with contextlib.closing(connection):
            return answer.status, answer.headers, answer.read().decode()

    def model(self):
        return json.loads(re.search(r'id="model">(.*?)</script>', self.ask("/")[2], re.S)[1])

    def look(self, at, page="test"):
        """All that is told of a place, in its order."""
        status, _, text = self.ask("/look", at=at, page=page)
        check(status == 200, f"look at {at}: {status}")
        return [json.loads(line) for line in text.splitlines() if line]


def figures_of(folder, command):
    """The figures of a command that the page shows."""
    done = subprocess.run(command + " --no-out --format json --quiet", shell=True, cwd=folder, capture_output=True, text=True)
    check(done.returncode in (0, 4, 99), f"{command}: ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["metrics"]
