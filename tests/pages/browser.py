"""A headless Chromium that tests drive: over the two pipes of its DevTools protocol, with nothing
but Python's own library. Whatever the page complains about (exceptions, console errors, refusals of
the content security policy, requests that leave the page) is collected."""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def program():
    """Where a Chromium is, or None."""
    named = os.environ.get("DIBS_CHROMIUM")
    return named or next((found for found in map(shutil.which, NAMES) if found), None)


def spaced(value):
    if isinstance(value, list):
        return [spaced(each) for each in value]
    if isinstance(value, dict):
        return {k: spaced(each) for k, each in value.items()}
    return value.replace("\u00a0", " ") if isinstance(value, str) else value


class Browser:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="dibs-browser-")
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()
        command = [program(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
                   "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars", "--mute-audio",
                   "--disable-background-networking", "--disable-component-update",
                   f"--user-data-dir={self.folder}", "about:blank"]
        # The protocol is spoken over the descriptors 3 and 4.
        shell = f'exec "$@" 3<&{to_read} 4>&{to_write}'
        self.process = subprocess.Popen(["bash", "-c", shell, "bash", *command], pass_fds=(to_read, to_write),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.held, self.next, self.session, self.complaints = b"", 1, None, []
        self.may_ask = ("file:", "data:", "about:")  # what else a page asks for is a complaint
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _message(self):
        while b"\0" not in self.held:
            piece = os.read(self.back, 1 << 20)
            if not piece:
                raise RuntimeError("the browser went away")
            self.held += piece
        text, self.held = self.held.split(b"\0", 1)
        message = json.loads(text)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, method, what):
        if method == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning", "assert"):
            self.complaints.append("console: " + json.dumps(what["args"])[:300])
        elif method == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
            self.complaints.append(what["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = what["request"]["url"]
            if not url.startswith(self.may_ask):
                self.complaints.append("asked the network for " + url)

    def call(self, method, **parameters):
        number, self.next = self.next, self.next + 1
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, file, width=1400, height=900, dark=False):
        """Opens a page, a file or an address, and waits until it says that it is ready."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        address = str(file) if str(file).startswith("http:") else pathlib.Path(file).resolve().as_uri()
        self.call("Page.navigate", url=address)
        self.wait("document.getElementById('page') && document.getElementById('page').dataset.ready === 'yes'")

    def value(self, expression):
        """What an expression comes to on the page, as JSON has it; a space that breaks no line is a space."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']['exception'].get('description')}")
        return spaced(answer["result"].get("value"))

    def wait(self, expression, tries=600):
        for _ in range(tries):
            if self.value(expression):
                return
            time.sleep(0.05)
        raise RuntimeError(f"never came true: {expression}\n{self.complaints}")

    def key(self, name):
        code = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13, "Tab": 9, "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34, "Space": 32}.get(name, ord(name[0]))
        text = {"text": "\r"} if name == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code, **(text if kind == "keyDown" else {}))

    def click_at(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def drag(self, x0, x1, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x0, y=y)
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=x0, y=y, button="left", buttons=1, clickCount=1)
        for x in (x0 + 5, (x0 + x1) / 2, x1):
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=x1, y=y, button="left", buttons=0, clickCount=1)

    def screenshot(self, file, whole=True):
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        pathlib.Path(file).write_bytes(base64.b64decode(shot["data"]))
