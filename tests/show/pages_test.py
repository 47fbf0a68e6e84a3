"""Goal: what a page shows is what the run's files say, and a person can use it without an error.
Method: keep runs of each kind, recompute the pages' figures from events.jsonl and metrics.json with
code of our own, then open each page in headless Chromium, read every chart's marks, click from a
breach to its lease, ride and driver, move the map, and collect whatever the page complains about.

  pages_test.py DIBS CHECKOUT [FOLDER]     FOLDER: keep pages and screenshots there

Without a Chromium the part that needs one is skipped, and said to be."""
import collections
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import browser
import said as saying

dibs, checkout = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
scratch = tempfile.TemporaryDirectory(prefix="dibs-pages-")
folder = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else scratch.name).resolve()
folder.mkdir(parents=True, exist_ok=True)
failures = []
HOSTILE = "</script><img src=x onerror=alert(1)>| `x` \"'&"
HOSTILE_FOLDER = "<img src=x onerror=alert(2)>|*`'"


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


# -- figures, recomputed from the run's files ------------------------------------------------------

def check_figures(name):
    """The page's numbers against metrics.json and a fold of our own over events.jsonl."""
    run_folder = folder / name
    model = model_of(run_folder / "report.html")
    metrics = json.loads((run_folder / "metrics.json").read_text())
    check(model["metrics"] == metrics, f"{name}: the page holds metrics.json as it is")
    figures, begins = metrics["metrics"], model["supply"]["begins"]
    start, until = metrics["measured_from_s"], metrics["measured_until_s"]
    for layer, figure in [("available", "supply.available_s"), ("on_trip", "supply.trip_s"), ("converting", "supply.converted_s")] + [
            (part, "supply.hidden_s." + part) for part in metrics["hidden_s_by_cause"]]:
        spent = sum(s for t, s in zip(begins, model["supply"]["spent_s"][layer]) if start <= t < until)
        if figure in figures:
            check(close(spent, figures[figure], 1e-3 * len(begins) * 0.01 + 1e-3), f"{name}: {layer} adds up to {figure}: {spent} and {figures[figure]}")
    events = [json.loads(line) for line in (run_folder / "events.jsonl").open()][1:]
    check_responses(name, model, events, start, until)
    check_tables(name, model, events)
    check_starved(name, model, figures)
    check_calls(name, model, events)


def check_responses(name, model, events, start, until):
    sent, shown, answer = {}, {}, {}
    for e in events:
        key = (str(e.get("token")), e.get("driver"))
        if e["fact"] == "offer_sent":
            sent.setdefault(key, e["t"])
        elif e["fact"] == "offer_shown":
            shown.setdefault(key, e["t"])
        elif e["fact"] == "offer_answered":
            answer.setdefault(key, e)
    kinds = collections.Counter()
    steps = collections.Counter()
    r = model["responses"]
    for key, t in sent.items():
        if not start * 1e9 <= (answer[key]["t"] if key in shown and key in answer else t) < until * 1e9:
            continue
        if key not in shown:
            kinds["undelivered"] += 1
        elif key not in answer:
            kinds["unanswered"] += 1
        else:
            e = answer[key]
            kind = "declined" if e["answer"] == "declined" else "accepted" if e["in_time"] else "late"
            kinds[kind] += 1
            steps[kind, min(int((e["t"] - shown[key]) / 1e9 / r["step_s"] + 1e-9), len(r["accepted"]) - 1)] += 1
    for kind in ("accepted", "declined", "late"):
        check(sum(r[kind]) == kinds[kind], f"{name}: offers {kind}: {sum(r[kind])} and {kinds[kind]}")
        apart = sum(abs(n - steps[kind, i]) for i, n in enumerate(r[kind]))
        check(apart <= 2, f"{name}: response times {kind} by step")
    for kind in ("unanswered", "undelivered"):
        check(r[kind] == kinds[kind], f"{name}: offers {kind}: {r[kind]} and {kinds[kind]}")


    figures = model["metrics"]["metrics"]
    for kind, figure in (("accepted", "accepts.in_time"), ("late", "accepts.late")):
        check(sum(r[kind]) == figures[figure], f"{name}: answers {kind} are {figure}: {sum(r[kind])} and {figures[figure]}")


def check_tables(name, model, events):
    grants = sum(e["fact"] == "lease_granted" for e in events)
    leased = sum(flags & 1 for flags in model["tries"]["flags"])
    commits = sum(e["fact"] == "trip_committed" for e in events)
    drawn = sum(t >= 0 for t in model["tries"]["committed"])
    requests = {e["ride"]: e["t"] // 1_000_000 for e in events if e["fact"] == "ride_requested"}
    if model["sample"]["every"] == 1:
        check(leased == grants, f"{name}: as many leases as grants: {leased} and {grants}")
        check(drawn == commits, f"{name}: as many trips as commits: {drawn} and {commits}")
        check(dict(zip(model["rides"]["ride"], model["rides"]["requested"])) == requests, f"{name}: every ride, at its time")
    crashes = sum(e["fact"] == "node_crashed" for e in events)
    check(crashes == sum(f["what"] == "crash" for f in model["faults"]), f"{name}: every crash is marked")
    places = sum(e["fact"] in ("driver_came_online", "trip_ended", "rider_picked_up") for e in events)
    if model.get("map") and model["sample"]["every"] == 1:
        check(model["places"]["rows"] == places, f"{name}: every place of a driver")


def check_calls(name, model, events):
    """The arrows' calls against the clients' own facts: which try, when, how long, what answer."""
    asked, granted, meant = collections.defaultdict(list), {}, collections.Counter()
    for e in events:
        acquires = e.get("call") == "acquire"
        key = (e.get("client"), e.get("call"), e.get("driver"), e.get("ride"), None if acquires else str(e.get("token")), e.get("request"))
        if e["fact"] == "call_made":
            asked[key].append([e["t"], None, None, None if acquires else str(e["token"])])
        elif e["fact"] == "call_answered":
            first = next((call for call in asked[key] if call[1] is None), None)
            if first:
                first[1:] = [e["t"], e["answer"], str(e["token"])]
    for key, calls in asked.items():
        for made, answered, answer, token in calls:
            if token is not None and (key[1] != "acquire" or answer == "yes"):
                meant[key[1], key[2], token, made // 1_000_000, -1 if answered is None else (answered - made) // 1_000_000, answer] += 1
    t, c = model["tries"], model["calls"]
    said, made, row = collections.Counter(), 0, 0
    for i in range(c["rows"]):
        made, row = made + c["made"][i], row + c["try"][i]
        what = ["acquire", "confirm", "renew", "release", "write"][c["what"][i] % 5]
        said[what, t["driver"][row], (t["token"][row], t["matcher"][row]), made, c["took"][i], ["yes", "no", "heard", None][c["what"][i] // 5 % 4]] += 1
    of_token = lambda token: (int(token), None) if "/" not in token else None
    check(sum(said.values()) > 0 or not any(meant), f"{name}: there are calls")
    leased = lambda counts: collections.Counter({(what, driver, str(token if isinstance(token, str) else token[0]), *rest): n for (what, driver, token, *rest), n in counts.items()})
    if model["scenario"]["leases"]:
        apart = (leased(said) - leased(meant)) + (leased(meant) - leased(said))
        check(not apart, f"{name}: calls: {list(apart.items())[:4]}")
    refused = sum(answered is None or answer == "no" for key, calls in asked.items() if key[1] == "acquire" for _, answered, answer, _ in calls)
    check(model["denials"]["rows"] == refused, f"{name}: acquires that brought no lease: {model['denials']['rows']} and {refused}")


def check_faults(name):
    """Every kind of fault has its band, at its time."""
    bands = collections.defaultdict(list)
    for f in model_of(folder / name / "report.html")["faults"]:
        bands[f["what"]].append((round(f["from"], 6), round(f["until"], 6), f["who"]))
    end = 690
    check(bands["pause"] == [(100, 125, "matcher/1")], f"{name}: pause: {bands['pause']}")
    check(bands["partition"] == [(150, 170, "matcher/3 - lease_manager"), (250, 270, "lease_manager -> matcher/1"), (300, 360, "matcher/1, matcher/2 - ledger")], f"{name}: partitions: {bands['partition']}")
    check(bands["slow link"] == [(380, 420, "matcher/* - driver/*")], f"{name}: slow link: {bands['slow link']}")
    check(bands["clock off"] == [(120, end, "matcher/1")] and bands["clock strobe"] == [(240, 300, "matcher/3")], f"{name}: clocks: {bands['clock off']}, {bands['clock strobe']}")
    check(bands["clock step"] == [(180, 180, "matcher/2"), (360, 360, "matcher/2")], f"{name}: clock steps: {bands['clock step']}")
    check(bands["drop"] == [(0, end, "anyone -> anyone")] and bands["delay"] == [(120, 480, "anyone -> anyone")] and bands["duplicate"] == [(0, end, "anyone -> lease_manager")] and bands["error"] == [(0, end, "matcher/*")], f"{name}: what lies in wait: {bands}")
    crashes = [who for _, _, who in bands["crash"]]
    check(crashes == ["matcher/2", "matcher/3"], f"{name}: planned and triggered crashes: {crashes}")


def look_at_faults(b, file, name):
    b.open(file)
    faults = model_of(file)["faults"]
    said = collections.Counter(b.value("[...document.querySelectorAll('#faults li')].map(e => e.dataset.what)"))
    check(said == collections.Counter(f["what"] for f in faults), f"{name}: the list of faults")
    b.value("[...document.querySelectorAll('#lanes .controls button')].find(e => e.textContent.startsWith('Others')).click()")
    for _ in range(12):
        b.value("document.querySelector('#lanes .controls button[aria-label=farther]').click()")
    drawn = json.loads(b.value("document.getElementById('lanes-canvas').dataset.drawn"))
    check(set(drawn["faults"]) == {f["what"] for f in faults}, f"{name}: the lanes show every kind of fault: {drawn['faults']}")
    check(set(drawn["calls"]) == {"acquire", "confirm", "renew", "release", "write"}, f"{name}: the lanes show every kind of call: {drawn['calls']}")


def check_starved(name, model, figures):
    if model["map"] is None:
        return
    starved = sum(cell[2] for cell in model["map"]["starved"])
    check(close(starved, figures["supply.starved_s"], 0.001 * (1 + len(model["map"]["starved"]))), f"{name}: starved seconds on the map: {starved}")
    hidden = sum(cell[2] for cell in model["map"]["hidden"])
    check(close(hidden, figures["supply.hidden_s"], 0.001 * (1 + len(model["map"]["hidden"]))), f"{name}: hidden seconds on the map: {hidden}")


def check_page_text(file):
    text = pathlib.Path(file).read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    check(policy and "default-src 'none'" in policy[1] and "unsafe" not in policy[1], f"{file}: a strict policy")
    check(text.count("<script") == 3, f"{file}: three script elements, ours: {text.count('<script')}")
    check("src=" not in re.sub(r"<script.*?</script>", "", text, flags=re.S), f"{file}: loads nothing")
    return len(text.encode())


# -- in a browser ----------------------------------------------------------------------------------

def shots(b, file, name):
    for width in (1400, 400):
        for dark in (False, True):
            b.open(file, width=width, dark=dark)
            wide = b.value("document.documentElement.scrollWidth")
            check(wide <= width, f"{name}: no wider than {width}: {wide}")
            b.screenshot(folder / f"{name.replace('/', '-')}-{width}-{'dark' if dark else 'light'}.png")


def ready_after(b, file):
    """Milliseconds from the start of loading to the page's word that it is ready, rounded up by the wait for it."""
    b.open(file)
    return b.value("performance.now()")


def look_at_run(b, file, name):
    b.open(file)
    model = model_of(file)
    check(b.value("document.title") == model["scenario"]["name"], f"{name}: its title")
    said = b.value("[...document.querySelectorAll('[data-figure]')].map(e => [e.dataset.figure, e.dataset.value])")
    figures = model["metrics"]["metrics"]
    wrong = [(n, v) for n, v in said if n in figures and figures[n] is not None and float(v) != figures[n]]
    check(len(said) > 90 and not wrong, f"{name}: figures are those of metrics.json: {wrong[:3]}")
    used = [n for n, values in model["supply"]["spent_s"].items() if any(values)]
    check(b.value("Number(document.getElementById('chart-supply').dataset.drawn)") == len(used), f"{name}: a layer for each state that there was")
    b.value("document.getElementById('chart-supply').focus()")
    b.key("ArrowRight")
    check("available" in b.value("document.getElementById('supply-readout').textContent"), f"{name}: an arrow key reads the supply")
    marks = b.value("[...document.querySelectorAll('#chart-offers rect[data-n]')].reduce((s, e) => s + Number(e.dataset.n), 0)")
    r = model["responses"]
    check(marks == sum(r["accepted"]) + sum(r["declined"]) + sum(r["late"]), f"{name}: the histogram shows every answer")
    if model["map"]:
        move_map(b, model, name)
    if model["breaches"]:
        click_through(b, model, name)
    read_tables(b, model, name)
    check_said(b, model, name)
    b.value("document.getElementById('theme').click()")


def read_tables(b, model, name):
    """What the drawings show, as tables: opened as a person would, and recomputed from the model."""
    opened = lambda part: b.value(f"(() => {{ const d = document.getElementById('{part}-data'); d.querySelector('summary').click(); return new Promise(r => setTimeout(() => r([...d.querySelectorAll('tbody tr')].map(row => [...row.children].map(c => c.dataset.value === undefined ? c.textContent : Number(c.dataset.value)))), 60)); }})()")
    begins, spent = model["supply"]["begins"], model["supply"]["spent_s"]
    widths = [later - t for t, later in zip(begins, begins[1:] + [model["scenario"]["end_s"]])]
    rows = opened("supply")
    held = sum(width * sum(v for v in row[1:] if not isinstance(v, str)) for width, row in zip(widths, rows))
    check(len(rows) == len(begins) and close(held, sum(map(sum, spent.values())), 1e-6 * held + 1e-6), f"{name}: the table of drivers adds up to every second: {held}")
    check([row[1] for row in opened("waiting")] == model["series"]["waiting"], f"{name}: the table of riders")
    r = model["responses"]
    rows = opened("offers")
    check([sum(row[i] for row in rows) for i in (2, 3, 4)] == [sum(r[kind]) for kind in ("accepted", "declined", "late")], f"{name}: the table of answers")
    if model["map"]:
        rows = opened("cells")
        for what, cells in (("supply hidden", "hidden"), ("riders starved", "starved")):
            check(close(sum(row[3] for row in rows if row[0] == what), sum(c[2] for c in model["map"][cells]), 1e-6), f"{name}: the table of cells: {what}")
        rows = opened("map")
        t = json.loads(b.value("document.getElementById('map-canvas').dataset.drawn"))["t"]
        check(sum("waiting" in row[1] for row in rows) == waiting_at(model, t), f"{name}: the table of an instant")
    if model["breaches"]:
        lanes = json.loads(b.value("document.getElementById('lanes-canvas').dataset.drawn"))
        rows = opened("lanes")
        calls = sum(" asks the " in row[2] for row in rows)
        check(len(rows) >= lanes["bars"] + lanes["bands"] and calls <= sum(lanes["calls"].values()), f"{name}: the table of a stretch: {len(rows)} rows, {calls} calls, {lanes}")


def check_said(b, model, name):
    run_folder = folder / name
    metrics = json.loads((run_folder / "metrics.json").read_text())
    saying.check_texts(check, b, metrics, name)
    saying.check_offers(check, b, model, name)
    saying.check_header(check, b, run_folder, model, metrics, name)
    saying.check_breaches(check, b, metrics, name)
    saying.check_series(check, run_folder, model, name)
    saying.check_no_slips(check, b, name)
    if (run_folder / "events.jsonl").exists():
        events = [json.loads(line) for line in (run_folder / "events.jsonl").open()][1:]
        if model["map"]:
            saying.check_map(check, b, events, model["sample"]["every"], name)
        if model["breaches"]:
            b.value("document.querySelector('#breaches button').click()")
            saying.check_lease_by_lease(check, b, model, events, name)


def print_it(b, file, name):
    b.open(file, dark=True)
    b.value("addEventListener('afterprint', () => { document.body.dataset.printed = 'yes'; })")
    b.value("addEventListener('beforeprint', () => { document.body.dataset.print = JSON.stringify({ theme: document.documentElement.dataset.theme, wide: Math.max(...[...document.querySelectorAll('canvas')].map(c => c.clientWidth)) }); })")
    b.call("Page.printToPDF", printBackground=True)
    paper = json.loads(b.value("document.body.dataset.print"))
    check(paper["theme"] == "light" and 100 < paper["wide"] <= 700, f"{name}: on paper: {paper}")
    back = b.value("[document.documentElement.dataset.theme, document.documentElement.className, document.body.dataset.printed]")
    check(back == ["dark", "", "yes"], f"{name}: after printing: {back}")


def waiting_at(model, t):
    r = model["rides"]
    return sum(0 <= asked <= t * 1000 and (got < 0 or t * 1000 < got) and (gone < 0 or t * 1000 < gone)
               for asked, got, gone in zip(r["requested"], r["committed"], r["gone"]))


def move_map(b, model, name):
    for t in (600, 2400):
        b.value(f"(() => {{ const s = document.getElementById('map-time'); s.value = {t}; s.dispatchEvent(new Event('input')); }})()")
        drawn = json.loads(b.value("document.getElementById('map-canvas').dataset.drawn"))
        check(drawn["t"] == t and drawn["drivers"] > 0, f"{name}: the map shows {t} s: {drawn}")
        check(drawn["riders"] == waiting_at(model, t), f"{name}: riders who wait at {t} s: {drawn['riders']} and {waiting_at(model, t)}")
    b.value("document.getElementById('map-canvas').focus()")
    b.key("ArrowRight")
    check(json.loads(b.value("document.getElementById('map-canvas').dataset.drawn"))["t"] == 2410, f"{name}: the arrow key moves time by 10 s")


def click_through(b, model, name):
    b.value("document.querySelector('#breaches button').click()")
    lanes = json.loads(b.value("document.getElementById('lanes-canvas').dataset.drawn"))
    first = model["breaches"][0]
    check(lanes["bars"] > 0 and (lanes["arrows"] > 0 or first["kind"] == "starved_ride"), f"{name}: lanes of the first breach: {lanes}")
    check(lanes["from"] <= first["t"] <= lanes["until"], f"{name}: the lanes show the breach's time")
    check(all(f"driver/{model['tries']['driver'][row]}" in lanes["lanes"] for row in first["tries"] if row >= 0), f"{name}: a lane for each driver of the breach")
    of = lambda: json.loads(b.value("document.getElementById('inspector').dataset.of"))
    follow = lambda word: b.value(f"[...document.querySelectorAll('#inspector button')].find(e => e.textContent.startsWith('{word}')).click()")
    if "try" in of():
        row = of()["try"]
        follow("ride")
        check(of() == {"ride": model["tries"]["ride"][row]}, f"{name}: from a lease to its ride: {of()}")
        follow("lease" if model["scenario"]["leases"] else "try")
        check("try" in of(), f"{name}: from a ride to its lease")
        driver = model["tries"]["driver"][of()["try"]]
        follow("driver")
        check(of() == {"driver": driver}, f"{name}: from a lease to its driver")
    b.value("document.getElementById('lanes-canvas').focus()")
    b.key("ArrowRight")
    moved = json.loads(b.value("document.getElementById('lanes-canvas').dataset.drawn"))
    check(moved["from"] > 0, f"{name}: the arrow key moves the lanes")


def look_at_story(b, file, name):
    b.open(file)
    model = model_of(file)
    events = [json.loads(line) for line in (pathlib.Path(file).parent / "events.jsonl").open()][1:]
    saying.check_story(check, b, model, events, name)
    saying.check_no_slips(check, b, name)
    check(b.value("document.querySelectorAll('.story li').length") == len(model["story"]["steps"]), f"{name}: every step")
    tried = b.value("[...document.querySelectorAll('[data-after]')].map(e => [Number(e.dataset.before), Number(e.dataset.after)])")
    check(tried and tried[0][1] < tried[0][0], f"{name}: a remedy was tried, and helped: {tried}")
    check(model["story"]["runs"] > 5 and b.value("Number(document.getElementById('turn').dataset.runs)") == model["story"]["runs"], f"{name}: from when on it was unavoidable was looked for")
    check(b.value("[...document.querySelectorAll('[data-happens]')].map(e => e.dataset.happens)").count("false") > 0, f"{name}: a remedy keeps this very harm from happening")
    check(b.value("document.querySelectorAll('.story li.harm').length") == 1, f"{name}: the harm is marked once")
    check(json.loads(b.value("document.getElementById('lanes-canvas').dataset.drawn"))["bars"] > 0, f"{name}: its lanes")


def look_at_sweep(b, file, name):
    b.open(file)
    points = model_of(file)["sweep"]["points"]
    said = b.value("[...document.querySelectorAll('#points td[data-metric]')].map(e => [Number(e.parentElement.dataset.point), e.dataset.metric, Number(e.dataset.value)])")
    wrong = [each for each in said if points[each[0] - 1]["figures"][each[1]][0] != each[2]]
    check(len(said) == 5 * len(points) and not wrong, f"{name}: the table of points: {wrong[:2]}")
    marks = b.value("[...document.querySelectorAll('#curve-ttm\\\\.p95 circle')].map(e => Number(e.dataset.value)).sort()")
    check(marks == sorted(p["figures"]["ttm.p95"][0] for p in points), f"{name}: a mark for each point: {marks}")
    heat = b.value("[...document.querySelectorAll('#heat td[data-point]')].map(e => [Number(e.dataset.point), Number(e.dataset.value), e.firstChild.textContent])")
    check(len(heat) == len(points) and all(points[n - 1]["figures"]["supply.hidden_share"][0] == v and saying.reads_as(text, v) for n, v, text in heat), f"{name}: a cell for each point, with its figure: {heat}")
    trade = b.value("[document.querySelectorAll('#trade-off rect').length, document.querySelectorAll('#trade-off circle, #trade-off path').length]")
    check(trade == [len(points)] * 2, f"{name}: the trade-off has every point, with its rectangle: {trade}")
    holds = lambda v: v >= 0.85
    ends = [[holds(p["figures"]["rides.match_rate"][0] + sign * (p["figures"]["rides.match_rate"][1] or 0)) for sign in (-1, 1)] for p in points]
    meant = ["safe" if all(e) else "not safe" if not any(e) else "unsure" for e in ends]
    verdicts = b.value("[...document.querySelectorAll('#points tbody tr')].map(e => e.lastChild.textContent.replace(/[^a-z ]/g, '').trim())")
    check(verdicts == meant, f"{name}: what is safe: {verdicts} and {meant}")
    saying.check_no_slips(check, b, name)


def check_sweep(name):
    """Against summary.csv, which a test of its own proves."""
    rows = [line.split(",") for line in (folder / name / "summary.csv").read_text().splitlines()]
    head = rows[0]
    points = {p["n"]: p["figures"] for p in model_of(folder / name / "report.html")["sweep"]["points"]}
    for row in (dict(zip(head, r)) for r in rows[1:]):
        value, half = points[int(row["point"])][row["metric"]]
        check(value == float(row["mean"]), f"{name}: {row['metric']} of point {row['point']}")
        if half:
            check(close(value - half, float(row["low_95"]), 1e-9 * (1 + abs(value))), f"{name}: the interval of {row['metric']}")


def check_tuning(b, file, name):
    """Every number on the page against what `dibs tune --format json` printed."""
    tuned = json.loads((folder / f"{name}.json").read_text())
    b.open(file)
    saying.check_no_slips(check, b, name)
    rows = b.value("[...document.querySelectorAll('#values-table tbody tr')].map(r => [r.dataset.standing, ...[...r.querySelectorAll('[data-of]')].map(e => [e.dataset.of, e.dataset.value, e.dataset.half])])")
    check(len(rows) == len(tuned["rows"]) > 3, f"{name}: every value")
    for said, row in zip(rows, tuned["rows"]):
        check(said[0] == row["standing"], f"{name}: {row['values']} is {row['standing']}")
        meant = {"objective": row["objective"], "regret": row["regret"], **row["metrics"]}
        for of, value, half in said[1:]:
            f = meant[of]
            check((f is None and value == "") or (float(value) == f["value"] and float(half) == f["half_width_95"]), f"{name}: {of} of {row['values']}: {value} +- {half} and {f}")
    drawn = b.value("[...document.querySelectorAll('#objective [data-value]')].map(e => [Number(e.dataset.value), e.dataset.standing])")
    check(drawn == [[r["objective"]["value"], r["standing"]] for r in tuned["rows"] if r["objective"]], f"{name}: the curve has a mark for each value")
    check(b.value("document.querySelectorAll('#objective polygon.band').length") == 1, f"{name}: the curve has a band")
    check(b.value("document.querySelectorAll('#objective rect.set').length") == (1 if tuned.get("within_delta") else 0), f"{name}: the set that is not worse by delta")
    marks = b.value("document.querySelectorAll('#tuning-front [data-standing]').length")
    check(marks == sum(bool(r["metrics"]["supply.hidden_share"] and r["metrics"]["accepts.missed_rate"]) for r in tuned["rows"]), f"{name}: one harm against the other")
    check(b.value("document.querySelectorAll('#exchanges tbody tr').length") == len(tuned["trade_off"]), f"{name}: every exchange")


def check_region(b, file, name):
    """The map and the closed form against what `dibs region --format json` and `csv` printed."""
    mapped = json.loads((folder / f"{name}.json").read_text())
    rows = (folder / f"{name}.csv").read_text().splitlines()[1:]
    b.open(file)
    saying.check_no_slips(check, b, name)
    cells = b.value("Object.fromEntries([...document.querySelectorAll('#region-map td')].map(e => [e.dataset.cell, e.dataset.sign]))")
    sign = {("holds", True): "#", ("holds", False): "+", ("misses", True): "!", ("misses", False): ".", ("breaks", True): "X", ("breaks", False): "X"}
    across = len(mapped["x"]["values"])
    for i, (cell, row) in enumerate(zip(mapped["cells"], rows)):
        x, y, found, bound, holds = row.split(",")[:5]
        check([cell["x"], cell["y"], cell["found"], cell["long_enough"]] == [x, y, found, holds == "yes"], f"{name}: json and csv of {x}, {y}")
        check(close(cell["bound"]["ttl_s"], float(bound), 1e-9), f"{name}: the bound of {x}, {y}")
        check(close(sum(cell["bound"][part] for part in ("decision_s", "latency_s", "skew_s", "cleanup_s")), cell["bound"]["ttl_s"], 1e-9), f"{name}: the bound adds up")
        check(cells[f"{i % across},{i // across}"] == sign[found, holds == "yes"], f"{name}: the sign of {x}, {y}")
    counts = b.value("Object.fromEntries([...document.querySelectorAll('#region-counts li')].map(e => [e.dataset.sign, Number(e.dataset.n)]))")
    check(counts == dict(collections.Counter(cells.values())) and len(counts) > 1, f"{name}: the legend counts the cells: {counts}")
    b.value("(() => { const s = document.getElementById('region-show'); s.value = '0'; s.dispatchEvent(new Event('change')); })()")
    rooms = b.value("Object.fromEntries([...document.querySelectorAll('#region-map td')].map(e => [e.dataset.cell, e.dataset.room]))")
    check(all(float(rooms[f"{i % across},{i // across}"]) == cell["room"][0] for i, cell in enumerate(mapped["cells"])), f"{name}: the room of the first condition")
    said = b.value("[...document.querySelectorAll('#bound tbody tr')].map(r => [...r.querySelectorAll('[data-value]')].map(e => Number(e.dataset.value)))")
    check(said == [list(mapped["cells"][i * across]["bound"].values()) for i in range(len(mapped["y"]["values"]))], f"{name}: the table of the closed form")


def check_runs(b, file, names):
    """Every figure against each run's metrics.json, every difference against `dibs compare`."""
    b.open(file)
    all_metrics = [json.loads((folder / name / "metrics.json").read_text()) for name in names]
    said = b.value("[...document.querySelectorAll('td[data-figure]')].map(e => [Number(e.dataset.run), e.dataset.figure, e.dataset.value, e.dataset.half])")
    wrong = []
    for i, metric, value, half in said:
        meant = all_metrics[i]["metrics"].get(metric)
        width = all_metrics[i].get("intervals_95", {}).get(metric, {}).get("half_width")
        if value != ("" if meant is None else value) or (meant is not None and float(value) != meant) or (float(half) if half else None) != width:
            wrong.append((i, metric, value, half))
    check(len(said) > 300 and not wrong, f"runs side by side: figures: {wrong[:3]}")
    for i, name in enumerate(names[1:], 1):
        of = {d["metric"]: d for d in json.loads(run("compare", names[0], name, "--format", "json", "-q"))["comparisons"][0]["metrics"]}
        cells = b.value(f"[...document.querySelectorAll('#every-figure td[data-difference][data-run=\"{i}\"]')].map(e => [e.dataset.difference, e.dataset.mean, e.dataset.half])")
        wrong = [c for c in cells if c[0] in of and (float(c[1]) != of[c[0]]["difference"] or float(c[2]) != of[c[0]]["half_width_95"])]
        check(len(cells) > 90 and not wrong, f"runs side by side: differences of {name}: {wrong[:3]}")
    marks = b.value("[...document.querySelectorAll('#whiskers-ttm\\\\.p95 circle')].map(e => Number(e.dataset.value))")
    check(marks == [m["metrics"]["ttm.p95"] for m in all_metrics], f"runs side by side: marks of ttm.p95: {marks}")
    saying.check_no_slips(check, b, "runs side by side")
    links = b.value("[...document.querySelectorAll('#runs-table a')].map(e => e.href)")
    check(links == [(folder / names[0] / "report.html").as_uri()], f"runs side by side: a link to the page that is there: {links}")


def look_at_survival(b, file, name):
    b.open(file)
    rows = model_of(file)["survival"]
    shown = b.value("[...document.querySelectorAll('td[data-verdict]')].map(e => e.dataset.verdict)")
    check(shown == [c["verdict"] for r in rows for c in r["cells"]], f"{name}: every cell")
    b.value("document.querySelector('td[data-verdict] button').click()")
    first = rows[0]["cells"][0]
    check(b.value("document.getElementById('cell').dataset.of") == f"{rows[0]['incident']}/{first['protocol']}", f"{name}: a cell opens")
    worse = b.value("[...document.querySelectorAll('#cell tbody tr')].map(e => [...e.children].map(c => c.textContent))")
    check(len(worse) == len(first["worse"]) and all(row[0] == d["metric"] and saying.reads_as(row[1], d["with_cause"]) and saying.reads_as(row[2], d["without"]) for row, d in zip(worse, first["worse"])), f"{name}: what was worse: {worse}")
    broke = b.value("[...document.querySelectorAll('table.survival tbody tr:last-child td')].map(e => e.textContent)")
    check(broke == [f"{sum(r['cells'][i]['verdict'] == 'breaks' for r in rows)} of {len(rows)}" for i in range(len(rows[0]["cells"]))], f"{name}: how many break each: {broke}")
    commands = b.value("[...document.querySelectorAll('#cell .commands code')].map(e => e.textContent)")
    check(commands == first["commands"] and len(commands) == 3, f"{name}: a cell's commands: {commands}")
    check(b.value("[...document.querySelectorAll('a.runs')].map(e => e.getAttribute('href'))") == [first["page"]] * 2, f"{name}: a link to the runs of the one cell that has a page, in table and cell")


def make_runs_of_cell(file):
    """Types what a cell of the survival table says, and has the table made again."""
    first = model_of(file)["survival"][0]["cells"][0]
    check(first["page"] is None, "a cell has no page before its runs are there")
    for command in first["commands"]:
        words = shlex.split(command)
        check(words[0] == "dibs", f"a command of dibs: {command}")
        run(*words[1:], *(["-q"] if words[1] == "run" else []))
    run("report", "survival.json")
    made = model_of(file)["survival"][0]["cells"][0]["page"]
    check(made and (folder / made).is_file(), f"the page of a cell is there: {made}")
    runs = model_of(folder / made)["runs"]
    for side, metric in ((0, "with_cause"), (1, "without")):
        for worse in first["worse"]:
            # The table's mean of the runs' values is that of the kept runs, where the figure is a count.
            if worse["metric"] in ("double.commits", "double.offers", "double.accepts", "promises.broken"):
                check(close(runs[side]["metrics"]["metrics"][worse["metric"]], worse[metric], 1e-6), f"{worse['metric']} {metric} in the runs of the cell")


# -- the whole -------------------------------------------------------------------------------------

def check_trace(name):
    """Google's "Trace Event Format", 2016: what each kind of event must have, and how they fit together."""
    trace = json.loads(run("report", name, "--format", "trace", "--out", "-"))
    events = [json.loads(line) for line in (folder / name / "events.jsonl").open()][1:]
    end = json.loads((folder / name / "metrics.json").read_text())["ends_s"] * 1e6
    named, used, begun, ended, flows = {}, set(), {}, {}, collections.defaultdict(lambda: ([], []))
    counters = collections.Counter()
    wrong = []
    for e in trace["traceEvents"]:
        kind, track = e.get("ph"), (e.get("pid"), e.get("tid"))
        if not all(isinstance(part, int) for part in track):
            wrong.append(e)
        elif kind == "M":
            named[e["name"], *(track if e["name"] == "thread_name" else track[:1])] = e["args"]["name"]
            continue
        elif not (isinstance(e.get("ts"), (int, float)) and 0 <= e["ts"] <= end and e.get("name")):
            wrong.append(e)
        elif kind in "be":
            at = begun if kind == "b" else ended
            # An id that is not local to a process holds in the whole trace, within its category.
            if not (e.get("cat") and isinstance(e.get("id"), str)) or (e["cat"], e["id"]) in at:
                wrong.append(e)
            at[e["cat"], e["id"]] = (e["ts"], e["name"], track)
        elif kind == "X":
            if not e.get("dur", -1) >= 0:
                wrong.append(e)
            if "bind_id" in e:
                int(e["bind_id"], 16)
                for side, what in enumerate(("flow_out", "flow_in")):
                    if e.get(what):
                        flows[e["bind_id"]][side].append(e["ts"])
        elif kind == "C":
            counters[e["name"]] += all(isinstance(v, (int, float)) for v in e["args"].values())
        else:
            wrong.append(e)
        used.add(track)
    check(not wrong, f"{name}: trace events as the format has them: {wrong[:3]}")
    check(begun.keys() == ended.keys() and all(begun[k][0] <= ended[k][0] and begun[k][1:] == ended[k][1:] for k in begun), f"{name}: every async event has an end, later, of its own name and track")
    check(all(("process_name", pid) in named for pid, _ in used), f"{name}: every process has a name")
    unnamed = [t for t in used if ("thread_name", *t) not in named and t[1] != 0]
    check(not unnamed, f"{name}: every track has a name: {unnamed[:3]}")
    check(all(outs and min(outs) <= min(ins, default=end) for outs, ins in flows.values()), f"{name}: every flow comes from a request")
    commits = sum(e["fact"] == "trip_committed" for e in events)
    reached = sum(e["ph"] == "X" and e["name"].endswith("committed") for e in trace["traceEvents"])
    check(reached == commits, f"{name}: flows reach every trip: {reached} and {commits}")
    check(len(counters) == 4 and len(set(counters.values())) == 1, f"{name}: counters: {counters}")
    grants = sum(e["fact"] == "lease_granted" for e in events)
    check(sum(kind == "lease" for kind, _ in begun) == grants, f"{name}: every lease is in the trace")
    bands = {f["what"] for f in model_of(folder / name / "report.html")["faults"]}
    check({named_as.split(" of ")[0] for (kind, _), (_, named_as, _) in begun.items() if kind == "fault"} == bands, f"{name}: every kind of fault is in the trace")


def check_formats(name):
    check_trace(name)
    metrics = json.loads((folder / name / "metrics.json").read_text())["metrics"]
    rows = [line.split(",") for line in run("report", name, "--format", "csv").splitlines()[1:]]
    check({r[0]: r[2] for r in rows} == {k: json.dumps(v) for k, v in metrics.items()}, f"{name}: csv has every figure")
    check("| drivers on 2 trips |" in run("report", name, "--format", "md"), f"{name}: md")
    picture = run("report", name, "--format", "svg")
    check(picture.startswith("<svg") and picture.count("<text") > 10 and "<script" not in picture, f"{name}: svg")
    import xml.etree.ElementTree
    xml.etree.ElementTree.fromstring(picture)


def main():
    scenarios = checkout / "scenarios"
    run("run", scenarios / "evening-peak.yaml", "--events", "--quiet", "--out", "peak")
    run("run", scenarios / "no-lease.yaml", "--events", "--quiet", "--out", "unleased")
    run("run", checkout / "tests/cli/small.yaml", "--events", "--quiet", "--out", HOSTILE_FOLDER, "--set", "question=" + HOSTILE)
    run("run", checkout / "tests/cli/small.yaml", "--quiet", "--out", "many", "--runs", "3")
    come_and_go = ("world.geography=map", "clock.duration=1h", "drivers.shifts.dist=exponential", "drivers.shifts.mean=4min",
                   "drivers.drop_out.share=40%", "drivers.drop_out.after=1s", "drivers.drop_out.back_after=3min")
    run("run", checkout / "tests/cli/small.yaml", "--quiet", "--events", "--out", "shifts", *(word for each in come_and_go for word in ("--set", each)))
    run("run", checkout / "tests/show/every_fault.yaml", "--events", "--quiet", "--out", "faults")
    run("run", scenarios / "evening-peak.yaml", "--quiet", "--out", "long", "--set", "clock.duration=7h")
    run("report", "long")
    size = check_page_text(folder / "long/report.html")
    events = json.loads((folder / "long/metrics.json").read_text())["replications"][0]["events"]
    check(events > 1_000_000 and size < 10_000_000, f"a run of {events:,} events: below 10 MB: {size}")
    print(f"long: {size / 1e6:.2f} MB, {events:,} events")
    for name in ("peak", "unleased", "faults", "shifts", HOSTILE_FOLDER, "many"):
        run("report", name)
        size = check_page_text(folder / name / "report.html")
        check(size < 3_000_000, f"{name}: below 3 MB: {size}")
        print(f"{name}: {size / 1e6:.2f} MB")
    check_faults("faults")
    for name in ("peak", "unleased", "faults", HOSTILE_FOLDER):
        check_figures(name)
        check_formats(name)
    picture = (scenarios / "pictures/no-lease.svg").read_text(encoding="utf-8")
    check(run("report", "unleased", "--format", "svg") == picture, "the picture in the README: dibs report RUN --format svg > scenarios/pictures/no-lease.svg")
    run("explain", "unleased", "breach", "1", "--html")
    run("explain", "peak", "breach", "1", "--html")
    told = run("explain", "peak", "breach", "1", "-q")
    check("Unavoidable from" in told and told == run("explain", "peak", "breach", "1", "-q"), "the turn of a harm is the same each time")
    check_page_text(folder / "unleased/breach-1.html")
    run("sweep", checkout / "tests/cli/small.yaml", "--grid", "lease.ttl=6s,15s", "--grid", "matchers.count=2,4", "--seeds", "3", "--out", "sweep", "-q", "--set", "thresholds.rides.match_rate=>= 0.85")
    run("report", "sweep")
    check_sweep("sweep")
    check_page_text(folder / "sweep/report.html")
    (folder / "survival.json").write_text(run("survive", scenarios / "incidents/01-naive-race.yaml", "--runs", "2", "--format", "json", "-q"))
    run("report", "survival.json")
    make_runs_of_cell(folder / "survival.html")
    beside = ["many", "beside/short", "beside/long"]
    for name, ttl in zip(beside[1:], ("5s", "40s")):
        run("run", checkout / "tests/cli/small.yaml", "--quiet", "--out", name, "--runs", "3", "--set", "lease.ttl=" + ttl)
    run("report", *beside, "--out", "beside/page.html", "-q")
    check_page_text(folder / "beside/page.html")
    run("report", "unleased", "peak", HOSTILE_FOLDER)
    check_page_text(folder / "comparison.html")
    check(all(each["from_first"] is None for each in model_of(folder / "comparison.html")["runs"]), "single runs differ without an interval")
    tune = ("tune", checkout / "tests/cli/small.yaml", "--search", "lease.ttl=4s,8s,12s,20s,40s", "--budget", "300", "-q", "--format", "json")
    (folder / "tuned.json").write_text(run(*tune, codes=(0, 7, 99)))
    region = ("region", checkout / "tests/cli/small.yaml", "--x", "lease.ttl=6s..30s:lin:5", "--y", "lease.grace=0s..4s:lin:3", "--require", "accepts.missed_rate <= 15%", "--seeds", "2", "-q")
    for suffix in ("json", "csv"):
        (folder / f"mapped.{suffix}").write_text(run(*region, "--format", suffix))
    for name in ("tuned", "mapped"):
        run("report", name + ".json")
        check_page_text(folder / f"{name}.html")
    if not browser.program():
        print("SKIPPED: what needs a browser; there is no Chromium here (apt-get install chromium)")
    else:
        with browser.Browser() as b:
            look_at_faults(b, folder / "faults/report.html", "faults")
            ready = min(ready_after(b, folder / "peak/report.html") for _ in range(3))
            check(ready < 2000, f"the page of the evening peak is ready within 2 s: {ready} ms")
            for name in ("peak", "unleased", "faults", "shifts", HOSTILE_FOLDER, "many"):
                look_at_run(b, folder / name / "report.html", name)
            print_it(b, folder / "peak/report.html", "peak")
            for name in ("unleased", "peak"):
                look_at_story(b, folder / name / "breach-1.html", name + "-story")
            look_at_sweep(b, folder / "sweep/report.html", "sweep")
            look_at_survival(b, folder / "survival.html", "survival")
            check_runs(b, folder / "beside/page.html", beside)
            b.open(folder / "comparison.html")
            linked = b.value("[...document.querySelectorAll('#runs-table a')].map(e => e.href)")
            check(linked == [(folder / each / "report.html").as_uri() for each in ("unleased", "peak", HOSTILE_FOLDER)], f"links to pages in folders of any name: {linked}")
            check_tuning(b, folder / "tuned.html", "tuned")
            check_region(b, folder / "mapped.html", "mapped")
            if len(sys.argv) > 3:
                for name in ("peak", "unleased"):
                    shots(b, folder / name / "report.html", name)
                shots(b, folder / "unleased/breach-1.html", "story")
                shots(b, folder / "sweep/report.html", "sweep")
                for name in ("survival", "tuned", "mapped", "comparison", "beside/page"):
                    shots(b, folder / f"{name}.html", name)
            check(not b.complaints, f"the pages complain: {b.complaints[:3]}")
    sys.exit(1 if failures else 0)


main()
