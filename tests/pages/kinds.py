"""Every format of every kind of report: tables that programs and papers take, pictures that are whole,
and a clear word where a format is meaningless."""
import csv
import io
import json
import re
import xml.etree.ElementTree as ET

from kit import HOSTILE, check, folder, model_of, run

SOURCES = ("sweep", "tuned.json", "mapped.json", "survival.json")


def rows_of(source):
    rows = list(csv.reader(io.StringIO(run("report", source, "--format", "csv"))))
    check(len(rows) > 1 and all(len(row) == len(rows[0]) for row in rows), f"{source}: rows of csv are alike: {rows[0]}")
    return rows


def check_markdown(source):
    lines = [line for line in run("report", source, "--format", "md").splitlines() if line.startswith("|")]
    bars = {len(re.findall(r"(?<!\\)\|", line)) for line in lines}
    check(len(lines) > 2 and len(bars) == 1, f"{source}: one table of Markdown: {bars}")


def check_picture(source, words):
    tree = ET.fromstring(run("report", source, "--format", "svg"))
    texts = [e.text or "" for e in tree.iter("{http://www.w3.org/2000/svg}text")]
    check(all(any(word in text for text in texts) for word in words), f"{source}: the picture says {words}: {texts}")
    _, _, width, height = map(float, tree.get("viewBox").split())
    spots = [(float(e.get("x")), float(e.get("y"))) for e in tree.iter() if e.get("x") and e.get("y")]
    check(all(0 <= x <= width and 0 <= y <= height for x, y in spots), f"{source}: all of the picture is on it")
    check(not [e for e in tree.iter() if e.tag.endswith("script")], f"{source}: no script in a picture")
    return tree


def check_formats_of_studies():
    for source in SOURCES:
        check_markdown(source)
        told = run("report", source, "--format", "trace", codes=(2,))
        check(told == "", f"{source}: no trace of it")
    own = list(csv.reader((folder / "sweep/summary.csv").open()))
    check(rows_of("sweep") == own, "the csv of a sweep is its summary.csv")
    tree = check_picture("sweep", ["Drivers' time hidden for nothing", "Riders matched", "matchers.count 2", "matchers.count 4", "lease.ttl"])
    dots = [e for e in tree.iter("{http://www.w3.org/2000/svg}rect") if e.get("rx") == "3.5"]
    points = model_of(folder / "sweep/report.html")["sweep"]["points"]
    check(len(dots) == 4 * len(points), f"a mark of each point in each curve: {len(dots)}")
    tuning = model_of(folder / "tuned.html")["tuning"]
    rows = rows_of("tuned.json")[1:]
    said = {(float(row[0]), row[2]): float(row[4]) for row in rows if row[4]}
    for row in tuning["rows"]:
        value = float(next(iter(row["values"].values())).removesuffix("s"))
        check(said[value, "objective"] == row["objective"]["value"], f"the objective of {value}")
        for metric, figure in row["metrics"].items():
            check(figure is None or figure["value"] is None or said[value, metric] == figure["value"], f"{metric} of {value}")
    check_picture("tuned.json", ["best: " + tuning["best"]["lease.ttl"], "lease.ttl", "drivers' time hidden for nothing"])
    rows_of("mapped.json")
    tree = check_picture("mapped.json", ["where everything holds", "30s", "4s"])
    cells = model_of(folder / "mapped.html")["region"]["cells"]
    drawn = [e for e in tree.iter("{http://www.w3.org/2000/svg}rect") if e.get("rx") == "3" and e.get("width") != "26.0"]
    check(len(drawn) == len(cells), f"every cell is drawn: {len(drawn)} of {len(cells)}")
    survival = model_of(folder / "survival.html")["survival"]
    rows = rows_of("survival.json")[1:]
    expected = [(row["incident"], c["protocol"], c["verdict"], w["metric"], w["with_cause"]) for row in survival for c in row["cells"] for w in c["all"]]
    check([(r[0], r[1], r[2], r[3], float(r[5])) for r in rows if r[3]] == expected, "the csv of the survival table")
    outcomes = {c["verdict"]: model_of(folder / "survival.html")["outcomes"][c["verdict"]] for row in survival for c in row["cells"]}
    check_picture("survival.json", [survival[0]["incident"], *(f"{name}: {each['says']}" for name, each in outcomes.items()), *(each["sign"] for each in outcomes.values())])
    broken = folder / "broken.json"
    broken.write_text('[{"incident": "x", "cells": [{"protocol": "none", "verdict": "breaks", "worse": [{"metric": 7}]}]}]')
    for form in ("md", "csv"):
        run("report", "broken.json", "--format", form, codes=(3,))
    check_hostile_words()
    check_formulas()
    check_stretches("peak")
    check_lopsided("many")


def check_lopsided(name):
    """Percentiles of several runs: both ends as in metrics.json, in every format."""
    metrics = json.loads((folder / name / "metrics.json").read_text())
    ends = {k: e for k, e in metrics["intervals_95"].items() if "low" in e}
    for source in (name, (name, "races")):
        rows = list(csv.reader(io.StringIO(run("report", *([source] if source == name else source), "--format", "csv", "-q"))))
        at = [rows[0].index(c) for c in ("metric", "low_95", "high_95")]
        own = {r[at[0]]: (float(r[at[1]]), float(r[at[2]])) for r in rows[1:] if r[at[1]] and (source == name or r[0] == name)}
        wrong = {k: own.get(k) for k, e in ends.items() if k not in own or abs(own[k][0] - e["low"]) + abs(own[k][1] - e["high"]) > 1e-9 * e["high"]}
        check(ends and not wrong, f"{source}: csv has both ends: {wrong}")


def check_stretches(name):
    """Of a single run md and csv have the intervals that its page has."""
    within = model_of(folder / name / "report.html")["within"]
    rows = list(csv.DictReader(io.StringIO(run("report", name, "--format", "csv", "-q"))))
    said = {r["metric"]: (float(r["high_95"]) - float(r["low_95"])) / 2 for r in rows if r["interval"] == "stretches"}
    apart = [k for k, half in within.items() if abs(said.get(k, -1) - half) > 1e-6 * max(half, 1e-6)]
    check(len(within) > 4 and not apart and set(said) == set(within), f"{name}: csv has the page's intervals: {apart}")
    told = run("report", name, "--format", "md", "-q")
    marked = [k for k, half in within.items() if half > 0 and re.search(rf"\| `{re.escape(k)}` \| [^|]*(±|\.\.)", told)]
    check(len(marked) == sum(half > 0 for half in within.values()) and "stretches of this one run" in told, f"{name}: md has the page's intervals: {marked}")


def check_formulas():
    """A cell that a spreadsheet would take for a formula is text, and a number is a number."""
    words = ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "-3", "-12s"]
    rows = json.loads((folder / "survival.json").read_text())
    for word in words:
        rows[0]["incident"] = word
        (folder / "formula.json").write_text(json.dumps(rows))
        first = rows_of("formula.json")[1][0]
        check(first == (word if re.fullmatch(r"-\d+s?", word) else "'" + word), f"in a cell of csv: {word} is {first}")


# Ink for a terminal, and a turn of the direction of what follows.
UNRULY = HOSTILE + "\x1b[31m\u202e"


def hostile(value):
    """The same with every word that a person may have written replaced by a hostile one."""
    keep = {"kind", "found", "verdict", "standing", "metric", "unit", "protocol", "objective"}
    if isinstance(value, dict):
        return {UNRULY if k in ("lease.ttl", "lease.grace") else k: v if k in keep and isinstance(v, str) else hostile(v) for k, v in value.items()}
    if isinstance(value, list):
        return [hostile(v) for v in value]
    return UNRULY + "\n" + value if isinstance(value, str) else value


def check_hostile_words():
    for source in SOURCES[1:]:
        name = "hostile-" + source
        (folder / name).write_text(json.dumps(hostile(json.loads((folder / source).read_text()))))
        check_markdown(name)
        rows_of(name)
        loud = [form for form in ("md", "csv", "svg") if set(run("report", name, "--format", form)) & {"\x1b", "\u202e"}]
        check(not loud, f"{name}: no control reaches a terminal: {loud}")
        text = run("report", name, "--format", "svg")
        check("<img" not in text and "<script" not in text and ET.fromstring(text) is not None, f"{name}: no word of a file is part of the picture's own")
