"""What the tests of pages share: where they work, how they run dibs, and what has failed."""
import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

dibs, checkout = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
_scratch = tempfile.TemporaryDirectory(prefix="dibs-pages-")
folder = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else _scratch.name).resolve()
folder.mkdir(parents=True, exist_ok=True)
failures = []
HOSTILE = "</script><img src=x onerror=alert(1)>| `x` \"'&"
HOSTILE_FOLDER = "<img src=x onerror=alert(2)>|*`'\u202e\u061c\U000e0041"


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def run(*words, codes=(0, 4, 99)):
    done = subprocess.run([str(dibs), *map(str, words)], cwd=folder, capture_output=True, text=True)
    check(done.returncode in codes, f"{words}: ended with {done.returncode}: {done.stderr[-400:]}")
    return done.stdout


def model_of(page):
    text = pathlib.Path(page).read_text(encoding="utf-8")
    return json.loads(re.search(r'id="model">(.*?)</script>', text, re.S)[1])


def close(a, b, slack):
    return abs(a - b) <= slack


@functools.lru_cache(maxsize=1)  # asked for one run after the other, several times for each
def events_of(name):
    return [json.loads(line) for line in (folder / name / "events.jsonl").open()][1:]
