#!/usr/bin/env python3
"""Goal: the page of formats and what the commands write say the same.
Method: each command that writes data is run once on a small scenario. The first line of each table has the
columns that the page lists, in their order; each cell holds what the page says; and each member of each
document is on the page.

  written_test.py DIBS CHECKOUT
"""
import csv
import io
import json
import math
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

dibs, checkout = sys.argv[1], pathlib.Path(sys.argv[2])
small = checkout / "tests/cli/small.yaml"
failed = []


def check(holds, what):
    if not holds:
        failed.append(what)
        print("FAILED:", what)


def run(*words, codes=(0,)):
    done = subprocess.run([dibs, *map(str, words)], capture_output=True, text=True, timeout=300)
    check(done.returncode in codes, f"{words}: ended with {done.returncode}: {done.stderr[:400]}")
    return done.stdout


# -- tables ---------------------------------------------------------------------------------------


def is_of(kind, text):
    if text == "":
        return True
    if kind == "`true` or `false`":
        return text in ("true", "false")
    if kind == "whole number":
        return re.fullmatch(r"\d+", text) is not None
    if kind == "number":
        return math.isfinite(float(text)) if re.fullmatch(r"-?[\d.]+(e[+-]?\d+)?", text) else False
    return True


def check_table(name, text, fields):
    """`fields`: the columns of those that are varied, each with what it holds."""
    told = next(t for t in said["tables"] if t["table"] == name)["columns"]
    metrics = [(m["column"], "number") for m in said["metrics"]]
    columns = []
    for c in told:
        columns += {"<field>": fields, "<metric>": metrics}.get(c["column"], [(c["column"], c["type"])])
    rows = list(csv.reader(io.StringIO(text)))
    check(rows[0] == [c for c, _ in columns], f"{name}: its columns are {rows[0]}, not {columns}")
    check(len(rows) > 1, f"{name}: it has rows")
    for row in rows[1:]:
        wrong = [(c, cell) for (c, kind), cell in zip(columns, row, strict=True) if not is_of(kind, cell)]
        check(not wrong, f"{name}: {wrong}")


# -- documents ------------------------------------------------------------------------------------

def as_pattern(path):
    """Of a member's path: `<...>` stands for a name, which may have dots."""
    parts = re.split(r"(<\w+>)", path)
    return "".join(r"[^\[\]]+" if part.startswith("<") else re.escape(part) for part in parts)


def members_of(value, path=""):
    if isinstance(value, dict):
        for key, each in value.items():
            here = f"{path}.{key}" if path else key
            yield here, each
            yield from members_of(each, here)
    elif isinstance(value, list):
        for each in value:
            yield from members_of(each, path + "[]")


def holds(kind, value):
    return value is None or {
        "text": lambda: isinstance(value, str),
        "whole number": lambda: isinstance(value, int) and not isinstance(value, bool),
        "number": lambda: isinstance(value, (int, float)) and not isinstance(value, bool),
        "`true` or `false`": lambda: isinstance(value, bool),
        "list": lambda: isinstance(value, list),
        "object": lambda: isinstance(value, dict),
    }[kind]()


def check_document(name, text):
    told = next(d for d in said["documents"] if d["document"] == name)["members"]
    patterns = [(re.compile(as_pattern(m["member"])), m["type"]) for m in told]
    seen = set()
    for path, value in members_of(json.loads(text)):
        if name == "a choice" and path.startswith("holdout."):
            continue  # as of the document itself
        fits = [kind for pattern, kind in patterns if pattern.fullmatch(path)]
        if path not in seen:
            check(fits, f"{name}: the page has no {path}")
            seen.add(path)
        check(not fits or any(holds(kind, value) for kind in fits), f"{name}: {path} is {value!r:.60}, not {fits}")
    check(seen, f"{name}: it has members")


def check_events(path):
    facts = {f["fact"]: {m["member"] for m in f["members"]} for f in said["facts"]}
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    check(set(lines[0]) == {"events", "schema"}, "the first line of events.jsonl")
    wrong = [e for e in lines[1:] if set(e) - {"t", "local", "fact"} != facts.get(e["fact"])]
    check(len(lines) > 100 and not wrong, f"events.jsonl: {wrong[:3]}")


def check_journal(path):
    journal = sqlite3.connect(path)
    found = {(table, column[1]) for (table,) in journal.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
             for column in journal.execute(f"PRAGMA table_info({table})")}
    page = run("formats")
    page = page[page.index("## A sweep's directory"):page.index("## Events")]
    told = set(re.findall(r"(?m)^\| `(\w+)` \| `(\w+)` \|", page))
    check(found == told, f"sweep.sqlite and the page differ in {found ^ told}")


said = json.loads(run("formats", "--format", "json"))
with tempfile.TemporaryDirectory() as folder:
    here = pathlib.Path(folder)
    one, several, swept = here / "one", here / "several", here / "swept"
    run("run", small, "--events", "--out", one, "-q")
    run("run", small, "--runs", 3, "--out", several, "-q")
    check_table("series.csv", (several / "series.csv").read_text(), [])
    check_events(one / "events.jsonl")
    for directory in (one, several):
        check_document("metrics.json", (directory / "metrics.json").read_text())
        check_document("manifest.json", (directory / "manifest.json").read_text())
    check_table("figures of a run", run("report", one, "--format", "csv", "-q"), [])
    check_table("figures of a run", run("report", several, "--format", "csv", "-q"), [])
    check_table("figures of several runs", run("report", one, several, "--format", "csv", "-q"), [])

    fields = [("lease.ttl_s", "number"), ("lease.offer_window_s", "number"), ("lease.offer_window_word", "text"),
              ("lease.protocol", "text")]
    json_of_sweep = run("sweep", small, "--grid", "lease.ttl=5s,9s", "--grid", "lease.offer_window=4s,ttl", "--grid",
                        "lease.protocol=lease,fenced", "--seeds", 3, "--out", swept, "-q", "--format", "json")
    check_document("a sweep", json_of_sweep)
    check_table("points.csv", (swept / "points.csv").read_text(), fields)
    check_table("summary.csv", (swept / "summary.csv").read_text(), fields)
    check(run("report", swept, "--format", "csv") == (swept / "summary.csv").read_text(), "the csv of a sweep is its summary.csv")
    check_journal(swept / "sweep.sqlite")

    sides = (small, "--set-b", "lease.ttl=5s", "--seeds", 3, "-q", "--format")
    check_table("a comparison", run("compare", *sides, "csv"), [])
    check_document("a comparison", run("compare", *sides, "json"))
    search = (small, "--search", "lease.ttl=3s..40s", "--seeds", 12, "--holdout", checkout / "scenarios/first-run.yaml", "-q",
              "--format")
    check_table("a choice", run("tune", *search, "csv", codes=(0, 4, 7)), fields[:1])
    check_document("a choice", run("tune", *search, "json", codes=(0, 4, 7)))
    map_of = (small, "--x", "lease.ttl=4s,15s", "--y", "lease.grace=0s,1s", "--require", "ttm.p95 <= 30s", "--seeds", 3, "-q",
              "--format")
    axes = [("lease.ttl_s", "number"), ("lease.grace_s", "number")]
    check_table("a region", run("region", *map_of, "csv", codes=(0, 99)), axes)
    check_document("a region", run("region", *map_of, "json", codes=(0, 99)))
    incident = (1, "--runs", 2, "-q", "--format")
    check_table("a survival table", run("survive", *incident, "csv"), [])
    check_document("a survival table", run("survive", *incident, "json"))
    check_document("a check", run("check", small, "--cause", 15, "--cause", 18, "--runs", 2, "-q", "--format", "json", codes=(0, 4, 99)))

    check_document("scenarios", run("list", "--format", "json"))
    check_document("metrics", run("metrics", "--format", "json"))
    check_document("this page", json.dumps(said))
    check_document("cases of real stores", run("torment", "--list", "--format", "json"))
    check_document("costs of a lease", run("economics", "--operation", "5s", "--rtt", "50ms", "--failures", "2/h",
                                           "--false-positive-cost", 10, "--unavailability-cost", 1, "--format", "json"))
    check_document("metrics.json", run("run", small, "--live", "--speed", 200, "--no-out", "-q", "--format", "json"))

sys.exit(f"{len(failed)} checks failed" if failed else 0)
