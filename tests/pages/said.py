"""What a page of a run says in words and figures, against the run's files: every text that holds a
number is taken from the page and worked out anew, with code of our own."""
import json
import math
import re


def plain(text):
    return float(text.replace(",", ""))


def seconds_of(text):
    """`1 h 2 min`, `4 min 40 s`, `49.5 s`, `120 ms`."""
    units = {"h": 3600, "min": 60, "s": 1, "ms": 1e-3, "us": 1e-6}
    return sum(plain(n) * units[u] for n, u in re.findall(r"([\d.,]+) (h|min|ms|us|s)\b", text))


def reads_as(text, value):
    """Whether what people read is the value, but for the digits that were left away."""
    if value is None:
        return text == "-"
    number = re.split(r" \u00b1 | \((?=[-\d.,]+\.\.)", text)
    head = number[0].strip()
    scale = 100 if text.rstrip().endswith("%") else 1 / 3600 if text.endswith("-h") else 1
    if len(number) > 1:  # 953 (0..27,884) ms
        scale = next((per for unit, per in ((" ms", 1e3), (" us", 1e6)) if text.endswith(unit)), scale)
    if re.search(r"\d (h|min|ms|us|s)\b", text) and len(number) == 1:
        read = seconds_of(text)
    else:
        read = plain(re.match(r"-?[\d.,]+", head)[0]) / scale
    decimals = len(head.split(" ")[0].partition(".")[2])
    room = 0.5000001 * 10 ** -decimals / scale if len(number) > 1 else 0
    return abs(read - value) <= max(room, 0.0055 * abs(value) if value != round(value) or abs(value) > 120 and ("min" in text or text.endswith("-h")) else 1e-9)


def significant(value, digits=3):
    if abs(value - round(value)) <= 1e-12 * abs(value):
        return f"{round(value):,}"
    decimals = min(max(digits - 1 - math.floor(math.log10(abs(value))), 0), 12)
    if decimals and float(f"{abs(value):.{decimals}f}") >= 10 ** (math.floor(math.log10(abs(value))) + 1):
        decimals -= 1
    return f"{value:,.{decimals}f}"


def check_texts(check, b, metrics, name):
    """Figures, shares of causes, rates per thousand, sentences."""
    figures, runs = metrics["metrics"], max(metrics["runs_counted"], 1)
    said = b.value("[...document.querySelectorAll('[data-figure]')].map(e => [e.dataset.figure, e.textContent])")
    ends = metrics.get("intervals_95", {})
    lopsided = {f for f, e in ends.items() if "low" in e and abs(e["high"] + e["low"] - 2 * figures[f]) > 0.5 * e["half_width"]}
    even = [(f, t) for f, t in said if f in lopsided and ".." not in t]
    check(not even, f"{name}: an interval that is lopsided is not told as an even one: {even[:3]}")
    unread = [(f, t, figures.get(f)) for f, t in said if not reads_as(t, figures.get(f))]
    check(not unread, f"{name}: what is read is the figure: {unread[:4]}")
    causes = metrics["hidden_s_by_cause"]
    whole = sum(causes.values())
    shares = b.value("[...document.querySelectorAll('[data-cause]')].map(e => [e.dataset.cause, Number(e.dataset.value), e.textContent])")
    check({c for c, _, _ in shares} == {c for c, s in causes.items() if s > 0}, f"{name}: every cause of hiding")
    check(all(value == causes[c] and reads_as(text, value / whole) for c, value, text in shares), f"{name}: the shares of the causes: {shares}")
    among = {"double.offers": "offers.sent", "double.accepts": "accepts.in_time", "double.commits": "rides.committed", "double.rides": "rides.committed", "promises.broken": "promises.made"}
    rates = dict(b.value("[...document.querySelectorAll('[data-rate]')].map(e => [e.dataset.rate, e.textContent])"))
    for seen, of in among.items():
        n, every = figures.get(seen) or 0, figures.get(of) or 0
        meant = "" if not every else significant(1000 * n / every) if n else f"< {significant(1000 * min(1, 6.908 / (every * runs)))} *"
        check(rates[seen] == meant, f"{name}: {seen} in a thousand: {rates[seen]!r} and {meant!r}")
    check_ranges(check, b, metrics, name)
    sentences = b.value("[...document.querySelectorAll('#glance .answer li')].map(e => e.textContent)")
    check_sentences(check, sentences, metrics, name)
    promises = b.value("[...document.querySelectorAll('.promises li')].map(e => [e.querySelector('b').textContent, e.textContent.includes('broken')])")
    check(promises == [[p["code"], not p["kept"]] for p in metrics["promises"]["judged"]], f"{name}: promises kept and broken")
    bounds = b.value("[...document.querySelectorAll('#glance tr')].map(e => e.textContent).filter(t => /met|missed/.test(t) && /threshold|expected/.test(t))")
    check(len(bounds) == len(metrics["thresholds"]) + len(metrics["expect"]) and all(("\u2713" in row) == bound["met"] and bound["bound"] in row for row, bound in zip(bounds, metrics["thresholds"] + metrics["expect"])), f"{name}: bounds met and missed: {bounds}")


def poisson_interval(n):
    """The 95 % interval of a count, by bisecting the sums of Poisson's terms."""
    def at_most(k, mean):
        return math.exp(-mean) * math.fsum(math.exp(i * math.log(mean) - math.lgamma(i + 1)) for i in range(k + 1)) if mean < 600 else 0.5 * math.erfc(-(k + 0.5 - mean) / math.sqrt(2 * mean))
    def solve(k, share):
        low, high = 1e-9, 4.0 * n + 30
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if at_most(k, middle) > share else (low, middle)
        return low
    return solve(n - 1, 0.975), solve(n, 0.025)


def ends_of(metrics, name):
    its, value = metrics["intervals_95"][name], metrics["metrics"][name]
    return (its["low"], its["high"]) if "low" in its else (value - its["half_width"], value + its["half_width"])


def check_ranges(check, b, metrics, name):
    """Every count that is not 0 has its interval: of one run by Poisson, else over its replications."""
    figures, runs = metrics["metrics"], metrics["runs_counted"]
    ranges = dict(b.value("[...document.querySelectorAll('[data-range]')].map(e => [e.dataset.range, e.textContent])"))
    among = {"double.offers": "offers.sent", "double.accepts": "accepts.in_time", "double.commits": "rides.committed", "double.rides": "rides.committed", "promises.broken": "promises.made"}
    rates = {"double.offers": ("double.offers_per_1000", 1), "double.accepts": ("double.accepts_per_1000", 1), "double.commits": ("double.commits_per_million", 1e-3), "promises.broken": ("promises.broken_rate", 1e3)}
    for seen, of in among.items():
        n, every = figures.get(seen) or 0, figures.get(of) or 0
        text = ranges.get(seen, "")  # none of them, and there is no column
        if not n or not every:
            check(text == "", f"{name}: no interval of {seen}: {text!r}")
            continue
        low, high = map(plain, text.split(" to "))
        check(low < 1000 * n / every < high or low == 0, f"{name}: the interval of {seen} holds it: {text}")
        if runs == 1:
            meant = [1000 * end / every for end in poisson_interval(round(n))]
        else:
            rate, scale = rates.get(seen, (seen, 1000 / every))
            meant = [scale * end for end in ends_of(metrics, rate)]
        check(abs(low - meant[0]) <= 0.012 * meant[0] + 0.01 and abs(high - meant[1]) <= 0.012 * meant[1], f"{name}: the interval of {seen}: {text} and {meant}")


def said_count(metrics, name, value, one, many):
    """A count of one run as it is; of several runs their mean, which need not be whole."""
    if metrics["runs_counted"] <= 1:
        return f"{value:,} {one if value == 1 else many} "
    half = metrics.get("intervals_95", {}).get(name, {}).get("half_width")
    decimals = min(max(1 - math.floor(math.log10(half)), 0), 12) if half else 0
    if decimals and float(f"{half:.{decimals}f}") >= 10 ** (math.floor(math.log10(half)) + 1):
        decimals -= 1
    mean = significant(value) if value else "0"
    if half:
        low, high = ends_of(metrics, name)
        is_even = abs(high - value - (value - low)) <= 2 * 10 ** -decimals
        spell = lambda x: f"{x:,.{decimals}f}" if x else "0"
        mean = f"{value:,.{decimals}f} \u00b1 {half:,.{decimals}f}" if is_even else f"{spell(value)} ({spell(low)}..{spell(high)})"
    return f"n average {mean} {many} a run"


# What comes before a double assignment, and what one and several of them are called.
NEAR = [
    ("double.offers", "offer", "offers"),
    ("double.accepts", "accept", "accepts"),
    ("confirms.stale_accepted", "late confirm", "late confirms"),
    ("writes.stale_refused", "write with an old token", "writes with an old token"),
]


def check_sentences(check, sentences, metrics, name):
    figures, runs = metrics["metrics"], max(metrics["runs_counted"], 1)
    doubles, commits = figures.get("double.commits") or 0, figures.get("rides.committed") or 0
    meant = []
    if doubles:
        broken = figures.get("promises.broken") or 0
        meant.append([said_count(metrics, "double.commits", doubles, "pair of trips", "pairs of trips"), f"{significant(1000 * doubles / commits)} for every 1,000", said_count(metrics, "promises.broken", broken, "rider", "riders")])
    elif commits:
        meant.append([f"{round(commits * runs):,} assignments", f"fewer than {significant(1000 * min(1, 6.908 / (commits * runs)))} in 1,000"])
    near = [said_count(metrics, seen, figures[seen], *words).strip() for seen, *words in NEAR if figures.get(seen)]
    if near:
        meant.append(["Steps towards a double assignment", *near])
    if figures.get("supply.hidden_share"):
        meant.append([f"{significant(100 * figures['supply.hidden_share'])} %"])
    for bound in metrics["thresholds"] + metrics["expect"]:
        if bound["met"] is False:
            meant.append([bound["metric"], bound["bound"]])
    violations = metrics["promises"]["violation_count"]
    check(len(sentences) == len(meant) + (violations > 0), f"{name}: as many sentences as findings: {sentences}")
    for parts in meant:
        check(any(all(p in s for p in parts) for s in sentences), f"{name}: a sentence with {parts}: {sentences}")


def check_offers(check, b, model, name):
    r = model["responses"]
    counts = {"accepted": sum(r["accepted"]), "declined": sum(r["declined"]), "late": sum(r["late"]), "unanswered": r["unanswered"], "undelivered": r["undelivered"]}
    tiles = {kind: (plain(n), label) for kind, n, label in b.value("[...document.querySelectorAll('[data-count]')].map(e => [e.dataset.count, e.textContent, e.nextSibling.textContent])")}
    check({k: n for k, (n, _) in tiles.items()} == counts, f"{name}: the tiles of the offers: {tiles}")
    check(all(reads_as(label.rsplit(", ", 1)[1], counts[k] / sum(counts.values())) for k, (_, label) in tiles.items()), f"{name}: their shares: {tiles}")


def check_header(check, b, run_folder, model, metrics, name):
    chips = b.value("[...document.querySelectorAll('header .chips li')].map(e => e.textContent)")
    scenario = (run_folder / "scenario.effective.yaml").read_text(encoding="utf-8")
    drivers = re.search(r"^drivers:\n  count: (\d+)", scenario, re.M)[1]
    matchers = re.search(r"^matchers:\n  count: (\d+)", scenario, re.M)[1]
    first = metrics["replications"][0]
    for meant in (metrics["promises"]["protocol"], f"{int(drivers):,} drivers", f"{int(matchers):,} matchers", f"seed {first['seed']}", f"history {first['history']}"):
        check(meant in chips, f"{name}: {meant} in {chips}")
    check(any(reads_as(c.removeprefix("measured "), metrics["measured_until_s"] - metrics["measured_from_s"]) for c in chips if c.startswith("measured")), f"{name}: the measured time: {chips}")


def check_breaches(check, b, metrics, name):
    said = b.value("[...document.querySelectorAll('ol.breaches button')].map(e => e.textContent)")
    first = metrics["replications"][0]["seed"]
    violations = [v for v in metrics["promises"]["violations"] if v.get("seed", first) == first]
    harms = [f"ride {n['ride']}: {n['what']}" for n in metrics["notables"] if n["seed"] == first]
    check(len(said) >= len(violations) and all(h in said for h in harms), f"{name}: every harm worth a look: {harms[:2]} {said[:2]}")


class Drivers:
    """Who was on line, on a trip or under a lease at an instant (ns), from the events alone."""

    def __init__(self, events):
        self.events = events

    def at(self, t):
        online, leases, trips = set(), {}, {}
        for e in self.events:
            if e["t"] > t:
                break
            fact, driver, token = e["fact"], e.get("driver"), str(e.get("token"))
            if fact == "driver_came_online":
                online.add(driver)
            elif fact == "driver_went_offline":
                online.discard(driver)
            elif fact == "lease_granted":
                leases[driver, token] = True
            elif fact == "lease_ended":
                leases.pop((driver, token), None)
            elif fact == "trip_committed":
                leases.pop((driver, token), None)
                trips[driver, token] = True
            elif fact in ("trip_ended", "assignment_revoked"):
                trips.pop((driver, token), None)
        on_trip = {driver for driver, _ in trips}
        leased = {driver for driver, _ in leases} - on_trip
        return online, on_trip, leased


def check_map(check, b, events, every, name):
    """The map's drivers by state at several instants; only where everyone is drawn."""
    if every != 1:
        return
    drivers = Drivers(events)
    for t in (900, 1800, 3000):
        b.value(f"(() => {{ const s = document.getElementById('map-time'); s.value = {t}; s.dispatchEvent(new Event('input')); }})()")
        drawn = json.loads(b.value("document.getElementById('map-canvas').dataset.drawn"))
        online, on_trip, leased = drivers.at(t * 10**9)
        found = (drawn["drivers"], drawn.get("on_trip", 0), drawn.get("converting", 0) + drawn.get("wasted", 0), drawn.get("available", 0))
        meant = (len(online), len(on_trip & online), len(leased & online), len(online - on_trip - leased))
        check(found == meant, f"{name}: drivers, on a trip, leased, available at {t} s: {found} and {meant}")


def clock(seconds, decimals):
    every = round(abs(seconds), decimals)
    h, m, s = int(every // 3600), int(every % 3600 // 60), every % 60
    tail = f"{s:0{3 + decimals}.{decimals}f}"
    return (f"{h}:{m:02}" if h else str(m)) + ":" + tail


def check_lease_by_lease(check, b, model, events, name):
    """The inspector's times of the first breach's lease, and the bars of its lanes, from the events."""
    of = json.loads(b.value("document.getElementById('inspector').dataset.of"))
    if "try" not in of:
        return
    row = of["try"]
    token, driver = model["tries"]["token"][row], model["tries"]["driver"][row]
    mine = [e for e in events if e.get("driver") == driver and str(e.get("token")) == str(token)] if token > 0 else []
    said = b.value("(() => { const d = [...document.querySelectorAll('#inspector dl > *')]; return d.filter(e => e.tagName === 'DT').map(e => [e.textContent, e.nextSibling.textContent]); })()")
    for label, fact in (("granted", "lease_granted"), ("offer sent", "offer_sent"), ("seen", "offer_shown"), ("answered", "offer_answered"), ("written down", "trip_committed"), ("rider told", "rider_promised")):
        at = next((e["t"] for e in mine if e["fact"] == fact), None)
        text = next((value for what, value in said if what == label), None)
        if at is not None:
            check(text is not None and text.split(",")[0] == clock(at // 1_000_000 / 1000, 3), f"{name}: {label}: {text} and {clock(at // 1_000_000 / 1000, 3)}")
    lanes = json.loads(b.value("document.getElementById('lanes-canvas').dataset.drawn"))
    here = {int(lane.split("/")[1]) for lane in lanes["lanes"] if lane.startswith("driver/")}
    rows = b.value("(() => { const d = document.getElementById('lanes-data'); d.open = true; return new Promise(r => setTimeout(() => r([...d.querySelectorAll('tbody tr')].map(e => [...e.children].map(c => c.textContent))), 60)); })()")
    ended = {(e["driver"], str(e["token"])): e["t"] for e in reversed(events) if e["fact"] in ("lease_ended", "trip_committed") and e.get("driver") in here}
    meant = sorted((clock(e["t"] // 1_000_000 / 1000, 3), f"true: lease {e['token']}, ride {e['ride']} held her") for e in events
                   if e["fact"] == "lease_granted" and e["driver"] in here and e["t"] / 1e9 < lanes["until"] and ended.get((e["driver"], str(e["token"])), math.inf) / 1e9 > lanes["from"])
    found = sorted((row[0], row[2].split(",")[0] + "," + row[2].split(",")[1]) for row in rows if row[2].startswith("true: lease"))
    check(found == meant, f"{name}: leases on the lanes: {found[:3]} and {meant[:3]}")
    trips = sorted((clock(e["t"] // 1_000_000 / 1000, 3), f"true: on the trip of ride {e['ride']}") for e in events if e["fact"] == "trip_committed" and e["driver"] in here and e["t"] / 1e9 < lanes["until"]
                   and not any(o["fact"] in ("trip_ended", "assignment_revoked") and o["driver"] == e["driver"] and str(o["token"]) == str(e["token"]) and o["t"] / 1e9 <= lanes["from"] for o in events))
    found = sorted((row[0], row[2]) for row in rows if row[2].startswith("true: on the trip"))
    check(found == trips, f"{name}: trips on the lanes: {found[:3]} and {trips[:3]}")


def check_series(check, run_folder, model, name):
    """Riders who wait, against series.csv."""
    head, *rows = [line.split(",") for line in (run_folder / "series.csv").read_text().splitlines()]
    column = {n: head.index(n) for n in ("replication", "t_s", "waiting", "requested", "committed", "double_commits")}
    kept = [(float(r[column["t_s"]]), int(r[column["waiting"]])) for r in rows if r[column["replication"]] == "1"]
    s = model["series"]
    meant = []
    for i in range(0, len(kept), s["samples"]):
        part = kept[i:i + s["samples"]]
        meant.append((round(part[-1][0], 9), min(n for _, n in part), max(n for _, n in part)))
    drawn = [(round(t, 9), *range_) for t, *range_ in zip(s["t"], s["waiting_low"], s["waiting_high"])]
    check(len(drawn) > 10 and drawn == meant, f"{name}: the series is that of series.csv, with its lowest and highest: {drawn[:2]} {meant[:2]}")
    check(max(s["waiting_high"]) == max(n for _, n in kept), f"{name}: no peak is lost")


def check_story(check, b, model, events, name):
    """Every step of a story is an event of its instant; the harm and the turn are where they are said to be."""
    instants = {e["t"] // 1_000_000 for e in events}
    steps = model["story"]["steps"]
    check(all(math.floor(s["s"] * 1000 + 1e-6) in instants for s in steps if s["who"]), f"{name}: every step is an event's")
    check(all(s["mark"] for s in steps if not s["who"]), f"{name}: a step that is no event's is a mark")
    turn = re.search(r"from ([\d:.]+) on it does", model["story"]["turn"])
    for s in steps:
        if s["mark"] == "unavoidable":
            h, m, rest = ([0] + [float(part) for part in turn[1].split(":")])[-3:]
            check(-0.0015 <= s["s"] - (3600 * h + 60 * m + rest) <= 0.0005, f"{name}: the row that is marked is at the instant of the text: {s['t']} and {turn[1]}")
    said = b.value("[...document.querySelectorAll('.story li .t')].map(e => e.firstChild.textContent)")
    check(said == [s["t"] for s in steps], f"{name}: the times of the steps")


def check_same_story(check, told, story, name):
    """The page tells what the terminal tells: the harm, others, and each step with how often it stands."""
    told = " ".join(told.split())
    check(story["harm"] or story["headline"] in told, f"{name}: has a headline")
    check((f"Harm: {story['harm']}" if story["harm"] else "") in told and ("Harm: " in told) == bool(story["harm"]), f"{name}: the harm: {story['harm']!r}")
    check(story["besides"] in told, f"{name}: who was harmed as well: {story['besides']!r}")
    untold = [s["what"] for s in story["steps"] if " ".join(s["what"].split()) not in told]
    check(not untold, f"{name}: each step: {untold[:2]}")
    repeated = told.count(" times, until ")
    check(sum(" times, until " in s["what"] for s in story["steps"]) == repeated, f"{name}: steps that stand for several: {repeated}")


def check_no_slips(check, b, name):
    text = b.value("document.body.innerText")
    slips = re.findall(r".{0,20}(?:NaN|undefined|\[object|Infinity).{0,20}", text)
    check(not slips, f"{name}: no slips: {slips[:3]}")
    if "alert(" not in text:
        check("`" not in text, f"{name}: no back-ticks: {text[max(text.find('`') - 40, 0):][:80]!r}")
