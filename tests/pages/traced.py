"""The Chrome trace, against the format and against what Perfetto's importer does with it.

The importer's rules (its JSON tokenizer and parser, its slice and flow trackers) are told here as a
small machine of our own, which counts what it would count as an error."""
import collections
import json
import re
import xml.etree.ElementTree

from kit import check, events_of, folder, model_of, run


# Where the importer puts what has an id of the whole trace: among no process's tracks.
GLOBAL = "Global Legacy Events"


class Importer:
    """Takes events by time, in file order at one instant, and keeps what became of them."""

    def __init__(self):
        self.errors = collections.Counter()
        self.example = {}
        self.threads = {}                                # thread number -> its one process
        self.names = {}
        self.stacks = collections.defaultdict(list)      # thread -> ends of open slices
        self.open = {}                                   # (process or GLOBAL, category, id) -> (begin, name)
        self.rows = {}                                   # the same -> its row: the name that it had first
        self.slices = []                                 # (process or GLOBAL, row, id, begin, end)
        self.flows = {}                                  # id -> instant of its last slice; None: over
        self.arrows = []                                 # (id, from, to)
        self.counters = collections.defaultdict(list)
        self.moments = []                                # (process, instant, name)

    def wrong(self, what, e):
        self.errors[what] += 1
        self.example.setdefault(what, e)

    def take(self, e):
        kind, process, thread = e["ph"], e["pid"], e["tid"]
        if not (isinstance(process, int) and isinstance(thread, int) and 0 < process < 2**32 and 0 < thread < 2**32):
            self.wrong("a process and a thread are numbers, and not 0", e)
        # A thread is renamed by its number alone: one number in two processes mixes up their names.
        if self.threads.setdefault(thread, process) != process:
            self.wrong("a thread's number is its own in the whole trace", e)
        if any(isinstance(v, list) for v in e.values()):
            self.wrong("no list in an event", e)
        act = {"M": self.metadata, "b": self.begin, "e": self.end, "X": self.slice, "C": self.counter}.get(kind)
        if act is None:
            self.wrong(f"a kind of event that is read: {kind}", e)
        else:
            act(e)

    def metadata(self, e):
        if e["name"] not in ("process_name", "thread_name") or not e["args"].get("name"):
            self.wrong("metadata names a process or a thread", e)
        self.names[e["name"], e["pid"]] = e["args"]["name"]

    def key_of(self, e):
        """A plain id counts before id2, and a global one before a local one; only with a local one
        does a slice stay with its process."""
        ids = e.get("id2", {})
        for home, found in ((GLOBAL, e.get("id")), (GLOBAL, ids.get("global")), (e["pid"], ids.get("local"))):
            if found is not None:
                return home, e["cat"], found
        self.wrong("what begins and ends has an id", e)
        return GLOBAL, e["cat"], None

    def begin(self, e):
        key = self.key_of(e)
        if key in self.open:
            self.wrong("an id is open once: a second begin would be nested in the first", e)
        self.open[key] = (e["ts"], e["name"])

    def end(self, e):
        key = self.key_of(e)
        found = self.open.pop(key, None)
        if found is None or found[1] != e["name"]:
            self.wrong("an end has its begin, of the same name", e)
            return
        home, _, number = key
        self.slices.append((home, self.rows.setdefault(key, e["name"]), number, found[0], e["ts"]))

    def slice(self, e):
        stack = self.stacks[e["tid"]]
        while stack and stack[-1] <= e["ts"]:
            stack.pop()
        end = e["ts"] + e["dur"]
        if stack and end > stack[-1]:
            self.wrong("slices of a thread nest", e)
        stack.append(end)
        self.moments.append((e["pid"], e["ts"], e["name"]))
        if "bind_id" in e:
            self.flow(int(e["bind_id"], 16), bool(e.get("flow_in")), bool(e.get("flow_out")), e)

    def flow(self, number, comes_in, goes_out, e):
        if not comes_in and not goes_out:
            self.wrong("a flow has a direction", e)
        if comes_in and self.flows.get(number) is None:
            self.wrong("a flow begins before it goes on, and not after its end", e)
            return
        if not comes_in and number in self.flows:
            self.wrong("a flow begins once", e)
        if comes_in:
            self.arrows.append((number, self.flows[number], e["ts"]))
        self.flows[number] = e["ts"] if goes_out else None

    def counter(self, e):
        if not all(isinstance(v, (int, float)) for v in e["args"].values()):
            self.wrong("a counter counts", e)
        self.counters[e["pid"], e["name"]].append((e["ts"], *e["args"].values()))


def imported(name, text):
    trace = json.loads(text)
    check(list(trace) == ["traceEvents", "otherData"], f"{name}: the events come first: {list(trace)}")
    # The importer looks for the instant first, and reads no escape on its way to it.
    begin = re.compile(r'\{"ph":"(?:[beXC]","pid":\d+,"tid":\d+,"ts":[\d.]+,|M",[^\\]*\},?$)')
    late = [line for line in text.splitlines() if line.startswith('{"ph"') and not begin.match(line)]
    check(not late, f"{name}: the instant comes before any text: {late[:2]}")
    importer = Importer()
    for e in sorted(trace["traceEvents"], key=lambda e: e.get("ts", 0)):
        importer.take(e)
    check(not importer.errors, f"{name}: an importer has nothing to complain of: {dict(importer.errors)} {list(importer.example.items())[:1]}")
    check(not importer.open, f"{name}: every begin has its end: {list(importer.open)[:2]}")
    return importer


def check_trace(name):
    trace = imported(name, run("report", name, "--format", "trace", "--out", "-"))
    events = events_of(name)
    end = json.loads((folder / name / "metrics.json").read_text())["ends_s"] * 1e6
    used = {s[0] for s in trace.slices} | {m[0] for m in trace.moments} | {pid for pid, _ in trace.counters}
    astray = collections.Counter(s[1] for s in trace.slices if s[0] == GLOBAL)
    check(not astray, f"{name}: what lasts is with its node: {dict(astray)}")
    unnamed = [pid for pid in used if ("process_name", pid) not in trace.names or ("thread_name", pid) not in trace.names]
    check(not unnamed, f"{name}: every track has a name: {unnamed[:3]}")
    check(all(0 <= s[3] <= s[4] <= end + 1e-3 for s in trace.slices), f"{name}: nothing ends before it begins, or after the run")
    for what, fact in (("lease", "lease_granted"), ("trip", "trip_committed")):
        meant = collections.Counter((f"driver {e['driver']}", e["t"]) for e in events if e["fact"] == fact)
        drawn = collections.Counter((trace.names.get(("process_name", pid), pid), round(begin * 1000)) for pid, kind, _, begin, _ in trace.slices if kind == what)
        check(meant == drawn, f"{name}: every {what} is a bar on its driver's track, whether it overlaps others or not: {list((meant - drawn) + (drawn - meant))[:3]}")
    rows = collections.defaultdict(set)
    for pid, what, *_ in trace.slices:
        rows[pid].add(what)
    check(max(map(len, rows.values())) <= 14, f"{name}: a track has a row for each kind of thing, not for each thing")
    check_flows(name, trace, events)
    check_counters(name, trace)
    bands = {f["what"] for f in model_of(folder / name / "report.html")["faults"]}
    check(bands <= {what for _, what, *_ in trace.slices}, f"{name}: every kind of fault is in the trace")
    strikes = sum(e["fact"] in ("message_tampered", "work_failed") for e in events)
    check(sum(bool(re.match("(drop|delay|duplicate|error): ", m[2])) for m in trace.moments) == strikes, f"{name}: every strike is a moment: {strikes}")


def check_flows(name, trace, events):
    """From each ride's asking by way of every offer that was seen to its trips."""
    moments = collections.Counter(e["ride"] for e in events if e["fact"] in ("ride_requested", "offer_shown", "trip_committed"))
    seen = collections.Counter(number for number, _, _ in trace.arrows)
    apart = {ride: (n, seen[ride]) for ride, n in moments.items() if n - 1 != seen[ride]}
    check(len(seen) > 10 and not apart, f"{name}: flows join every moment of a ride: {list(apart.items())[:3]}")
    check(all(begin <= end for _, begin, end in trace.arrows), f"{name}: flows lead forward")


def check_counters(name, trace):
    head, *rows = [line.split(",") for line in (folder / name / "series.csv").read_text().splitlines()]
    column = {n: head.index(n) for n in ("replication", "t_s", "available", "leased", "on_trip", "waiting")}
    rows = [r for r in rows if r[column["replication"]] == "1"]
    for counter, of in (("available", "available"), ("leased", "leased"), ("on trip", "on_trip"), ("riders waiting", "waiting")):
        drawn = next(values for (_, what), values in trace.counters.items() if what == counter)
        meant = [(round(float(r[column["t_s"]]) * 1e6), int(r[column[of]])) for r in rows]
        check([(round(t), n) for t, n in drawn] == meant, f"{name}: the counter {counter} is the series")


def check_formats(name):
    check_trace(name)
    metrics = json.loads((folder / name / "metrics.json").read_text())["metrics"]
    rows = [line.split(",") for line in run("report", name, "--format", "csv").splitlines()[1:]]
    check({r[0]: float(r[2]) for r in rows} == metrics, f"{name}: csv has every figure")
    check("| drivers on 2 trips |" in run("report", name, "--format", "md"), f"{name}: md")
    picture = run("report", name, "--format", "svg")
    check(picture.startswith("<svg") and picture.count("<text") > 10 and "<script" not in picture, f"{name}: svg")
    check_lost(name, xml.etree.ElementTree.fromstring(picture))


def check_lost(name, picture):
    """A message that was lost sets out from its sender's lane and ends just short of its receiver's."""
    of = lambda e, *keys: [float(e.get(k)) for k in keys]
    elements = [(e.tag.rpartition("}")[2], e) for e in picture.iter()]
    lanes = sorted(of(e, "y", "height") for tag, e in elements if tag == "rect" and e.get("fill") == "#eeece6")
    names = sorted((of(e, "y")[0], e.text.replace("driver ", "driver/").replace(" ", "_")) for tag, e in elements if tag == "text" and e.get("font-size") == "13" and e.get("text-anchor") == "end")
    check(len(lanes) == len(names), f"{name}: svg: each lane has a name: {names}")
    ends = [of(e, "y1", "y2") for tag, e in elements if tag == "line" and e.get("stroke-dasharray") == "4 3"]
    drawn = set()
    for begin, end in (each for each in ends if each[0] != each[1]):
        sender = next((n for (y, h), (_, n) in zip(lanes, names) if y <= begin <= y + h), None)
        receiver = next((n for (y, h), (_, n) in zip(lanes, names) if 0 < (y - end if end > begin else end - y - h) < 5), None)
        drawn.add((sender, receiver))
    lost = {(e["from"], e["to"]) for e in events_of(name) if e["fact"] == "message_lost" or e.get("tampering") == "dropped"}
    check(drawn <= lost and (drawn or name != "peak"), f"{name}: svg: what was lost ends at whom it was meant for: {drawn}")
