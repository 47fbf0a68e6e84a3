"""A client of `dibs serve leases`, with Python's own library only.

    leases = Client("http://127.0.0.1:8080", bearer=None)
    with leases.held("door", "ann", ttl_ms=5000) as token:
        write(token)                    # and refuse there what is smaller than one seen before

    for task in leases.tasks("worker 1"):
        leases.complete(task, output=work(task["data"]))
"""
import contextlib
import http.client
import json
import urllib.parse
import uuid


class Refused(Exception):
    """An answer of 4xx or 5xx: `status`, and the problem as the service tells it."""

    def __init__(self, status, problem):
        super().__init__(f"{status}: {problem.get('detail')}")
        self.status, self.problem = status, problem


class Client:
    """One connection, for one thread. A call whose answer was lost raises OSError or HTTPException."""

    def __init__(self, url, bearer=None, timeout=70):
        parts = urllib.parse.urlsplit(url)
        self.address, self.timeout, self.connection = (parts.hostname, parts.port), timeout, None
        self.headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}

    def call(self, method, path, body=None):
        """Status, headers and body of the answer; JSON is read."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection(*self.address, timeout=self.timeout)
        try:
            self.connection.request(method, path, None if body is None else json.dumps(body), self.headers)
            answer = self.connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.connection = None
            raise
        is_json = "json" in answer.headers.get("Content-Type", "")
        return answer.status, answer.headers, json.loads(text) if is_json else text.decode()

    def asked(self, method, path, body=None):
        status, _, found = self.call(method, path, body)
        if status >= 400:
            raise Refused(status, found)
        return found or None

    def create(self, resource, holder, ttl_ms, request=None):
        """A lease. Asked again once with the same request if the answer was lost."""
        wish = {"resource": resource, "holder": holder, "ttl_ms": ttl_ms,
                "request": request or str(uuid.uuid4())}
        try:
            return self.asked("POST", "/v1/leases", wish)
        except (OSError, http.client.HTTPException):
            return self.asked("POST", "/v1/leases", wish)

    def renew(self, token, holder, ttl_ms):
        return self.asked("PUT", f"/v1/leases/{token}/renew", {"holder": holder, "ttl_ms": ttl_ms})

    def release(self, token, holder):
        self.asked("DELETE", f"/v1/leases/{token}?{urllib.parse.urlencode({'holder': holder})}")

    def get(self, token):
        return self.asked("GET", f"/v1/leases/{token}")

    def leases(self, state=None, limit=100):
        """All of them, page by page."""
        after = 0
        while after is not None:
            wish = {"after": after, "limit": limit, **({"state": state} if state else {})}
            page = self.asked("GET", f"/v1/leases?{urllib.parse.urlencode(wish)}")
            yield from page["leases"]
            after = page["next"]

    @contextlib.contextmanager
    def held(self, resource, holder, ttl_ms):
        token = self.create(resource, holder, ttl_ms)["token"]
        try:
            yield token
        finally:
            with contextlib.suppress(Refused):  # over by itself
                self.release(token, holder)

    def create_task(self, data):
        return self.asked("POST", "/v1/tasks", {"data": data})

    def next_task(self, worker, ttl_ms=30_000, wait_ms=0):
        """A task with its token; None if none came."""
        return self.asked("POST", "/v1/tasks/next", {"worker": worker, "ttl_ms": ttl_ms, "wait_ms": wait_ms})

    def tasks(self, worker, ttl_ms=30_000, wait_ms=0):
        while task := self.next_task(worker, ttl_ms, wait_ms):
            yield task

    def heartbeat(self, task, ttl_ms=30_000):
        return self.asked("PUT", f"/v1/tasks/{task['id']}/heartbeat", {"token": task["token"], "ttl_ms": ttl_ms})

    def complete(self, task, output=None):
        return self.asked("PUT", f"/v1/tasks/{task['id']}/complete", {"token": task["token"], "output": output})

    def get_task(self, number):
        return self.asked("GET", f"/v1/tasks/{number}")
