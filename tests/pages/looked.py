"""Pages of one run and stories, in a browser: every chart's marks, tables, keys and clicks."""
import collections
import json
import pathlib
import re

import said as saying
from kit import check, close, events_of, folder, model_of, run

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
    struck = collections.Counter(["drop", "delay", "duplicate", "error"][k] for k in model_of(file)["strikes"]["what"])
    check(set(drawn["strikes"]) == set(struck) == {"drop", "delay", "duplicate", "error"}, f"{name}: the lanes show every kind of strike: {drawn['strikes']}")
    check(all(drawn["strikes"][k] <= n for k, n in struck.items()) and "which struck" in b.value("document.querySelector('#faults summary').textContent"), f"{name}: strikes are counted: {drawn['strikes']} of {struck}")
    check({"matcher/1", "matcher/2", "matcher/3"} & set(drawn["clocks"]) == {"matcher/1"}, f"{name}: clocks that timers run on and that are off are said: {drawn['clocks']}")
    check(set(drawn["calls"]) == {"acquire", "confirm", "renew", "release", "write"}, f"{name}: the lanes show every kind of call: {drawn['calls']}")


SEEN = "[...document.querySelectorAll('#supply .chart')].map(e => e.dataset.window.split(' ').map(Number))"


def look_at_zoom(b, file, name):
    """What is dragged out of any chart over time is what all of them show, with the faults of just that time."""
    b.open(file)
    model = model_of(file)
    end, faults = model["scenario"]["end_s"], model["faults"]
    whole = b.value(SEEN)
    check(len(whole) == 3 and all(w == [0, end] for w in whole), f"{name}: at first all charts show the whole run: {whole}")
    firsts = b.value("document.getElementById('chart-supply').dataset.faults")
    for i, chart in enumerate(("chart-supply", "chart-leased", "chart-riders")):
        b.value(f"document.getElementById('{chart}').scrollIntoView({{block: 'center', behavior: 'instant'}})")
        left, wide, y = b.value(f"(() => {{ const r = document.querySelector('#{chart} .u-over').getBoundingClientRect(); return [r.left, r.width, r.top + r.height / 2]; }})()")
        share = (0.3 + 0.1 * i, 0.5 + 0.1 * i)
        b.drag(left + share[0] * wide, left + share[1] * wide, y)
        b.wait(f"Math.abs(Number(document.getElementById('{chart}').dataset.window.split(' ')[0]) - {share[0] * end}) < {0.02 * end}", tries=60)
        seen = b.value(SEEN)
        check(all(w == seen[0] for w in seen) and abs(seen[0][1] - share[1] * end) < 0.02 * end, f"{name}: a stretch of {chart} is that of every chart: {seen}")
        meant = sorted(f["sign"] for f in faults if f["from"] <= seen[0][1] and f["until"] >= seen[0][0])
        told = b.value("document.getElementById('chart-supply').dataset.faults")
        check(sorted(told.split()) == meant, f"{name}: faults outside the stretch are not drawn: {told} and {meant}")
        b.value("document.getElementById('supply-all').click()")
        b.wait(f"Number(document.getElementById('{chart}').dataset.window.split(' ')[0]) === 0", tries=60)
        check(b.value(SEEN) == whole, f"{name}: all of it again: {b.value(SEEN)}")
    check(b.value("document.getElementById('chart-supply').dataset.faults") == firsts and b.value("document.getElementById('supply-all').hidden"), f"{name}: with all faults")


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
    b.open(file, width=400)
    read_on_a_phone(b, name)


def read_on_a_phone(b, name):
    hidden = b.value("(() => { const t = document.getElementById('theme').getBoundingClientRect(); return [...document.querySelectorAll('nav a')].filter(a => { const e = a.getBoundingClientRect(); return e.right > innerWidth || (e.right > t.left && e.left < t.right && e.bottom > t.top && e.top < t.bottom); }).map(a => a.textContent); })()")
    check(not hidden, f"{name}: at 400 px nothing lies over the parts of the page: {hidden}")
    cut = b.value("[...document.querySelectorAll('.bounds td')].filter(e => { const c = e.getBoundingClientRect(), card = e.closest('.card').getBoundingClientRect(); return !c.width || c.right > card.right; }).map(e => e.textContent)")
    check(not cut, f"{name}: at 400 px every bound can be read: {cut}")


def read_tables(b, model, name):
    """What the drawings show, as tables: opened as a person would, and recomputed from the model."""
    opened = lambda part: b.value(f"(() => {{ const d = document.getElementById('{part}-data'); d.querySelector('summary').click(); return new Promise(r => setTimeout(() => r([...d.querySelectorAll('tbody tr')].map(row => [...row.children].map(c => c.dataset.value === undefined ? c.textContent : Number(c.dataset.value)))), 60)); }})()")
    begins, spent = model["supply"]["begins"], model["supply"]["spent_s"]
    widths = [later - t for t, later in zip(begins, begins[1:] + [model["scenario"]["end_s"]])]
    rows = opened("supply")
    held = sum(width * sum(v for v in row[1:] if not isinstance(v, str)) for width, row in zip(widths, rows))
    check(len(rows) == len(begins) and close(held, sum(map(sum, spent.values())), 1e-6 * held + 1e-6), f"{name}: the table of drivers adds up to every second: {held}")
    s = model["series"]
    rows = opened("waiting")
    check([row[-1] for row in rows] == s["waiting_high"] and [row[1] for row in rows] == s["waiting_low" if s["samples"] > 1 else "waiting_high"], f"{name}: the table of riders")
    riders = b.value("(() => { const e = document.getElementById('chart-riders'); return [e.tabIndex, Number(e.dataset.peak), document.getElementById('riders-step').textContent]; })()")
    check(riders[:2] == [0, max(s["waiting_high"])] and "counted every" in riders[2], f"{name}: riders by key, with their peak and their step: {riders}")
    b.value("document.getElementById('chart-riders').focus()")
    b.key("ArrowRight")
    check("wait" in b.value("document.getElementById('supply-readout').textContent"), f"{name}: an arrow key reads the riders")
    r = model["responses"]
    rows = opened("offers")
    check([sum(row[i] for row in rows) for i in (2, 3, 4)] == [sum(r[kind]) for kind in ("accepted", "declined", "late")], f"{name}: the table of answers")
    if model["map"]:
        rows = opened("cells")
        for what, cells in (("supply hidden", "hidden"), ("riders blocked", "starved")):
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
        events = events_of(name)
        if model["map"]:
            saying.check_map(check, b, events, model["sample"]["every"], name)
        if model["breaches"]:
            typed = b.value("document.querySelector('.breaches code').textContent")
            program = model["scenario"]["command"].split(" run ")[0]
            word = model["run"] if model["run"].isidentifier() else "$'"
            check(typed.startswith(f"{program} explain {word}") and typed.endswith(" breach 1"), f"{name}: a command as it was typed: {typed}")
            b.value("document.querySelector('#breaches button').click()")
            saying.check_lease_by_lease(check, b, model, events, name)


def print_it(b, file, name):
    b.open(file, dark=True)
    b.value("addEventListener('afterprint', () => { document.body.dataset.printed = 'yes'; })")
    b.value("addEventListener('beforeprint', () => { document.body.dataset.print = JSON.stringify({ theme: document.documentElement.dataset.theme, wide: Math.max(...[...document.querySelectorAll('canvas')].map(c => c.clientWidth)) }); })")
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    b.call("Emulation.setEmulatedMedia", media="print", features=dark)
    b.value("dispatchEvent(new Event('beforeprint'))")
    tall = b.value("[...document.querySelectorAll('main *')].filter(e => getComputedStyle(e).breakInside === 'avoid' && e.getBoundingClientRect().height > 680).map(e => e.tagName + '.' + e.className + ' in ' + e.closest('section').id)")
    check(not tall, f"{name}: on paper nothing that stays together leaves most of a page blank: {tall}")
    b.value("dispatchEvent(new Event('afterprint'))")
    b.value("delete document.body.dataset.printed")
    b.call("Emulation.setEmulatedMedia", media="", features=dark)
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
    check(b.value("document.getElementById('map-time').getAttribute('aria-valuetext')") == "40:10", f"{name}: the slider says its time")
    drawn = lambda: json.loads(b.value("document.getElementById('map-canvas').dataset.drawn"))
    told = lambda: b.value("document.querySelector('#map .readout').textContent")
    for layer in ("hidden", "starved"):
        b.value(f"(() => {{ const e = document.getElementById('map-{layer}'); if (!e.checked) e.click(); }})()")
    west, south, east, north = drawn()["view"]
    size = model["map"]["cell_m"]
    left_out = sum((i + 1) * size < west or i * size > east or (j + 1) * size < south or j * size > north
                   for cells in ("hidden", "starved") for i, j, *_ in model["map"][cells])
    said = re.search(r"([\d,]+) cells? of hidden supply or blocked riders lies? outside the view", told())
    check(drawn()["outside"] == left_out and (int(said[1].replace(",", "")) if said else 0) == left_out, f"{name}: cells outside the view are told: {left_out}, {drawn()}, {told()}")
    check(name != "peak" or left_out > 0, f"{name}: there are cells outside the first view")
    rides = model["rides"]
    for _ in range(40):
        b.key("-")
    check(drawn()["outside"] == 0 and "outside" not in told(), f"{name}: a smaller map has all cells: {drawn()}")
    west, south, east, north = drawn()["view"]
    check(all(west <= x <= east and south <= y <= north for x, y in zip(rides["x"], rides["y"])), f"{name}: and every ride")


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
    for n in range(min(2, len(model["breaches"])))[::-1]:
        breach = model["breaches"][n]
        tries = [row for row in breach["tries"] if row >= 0]
        meant = {"try": tries[-1]} if tries else {"ride": breach["ride"]}
        b.value(f"document.querySelectorAll('#breaches button')[{n}].click()")
        check((b.value("document.getElementById('lanes-breach').value"), of()) == (str(n), meant), f"{name}: breach {n + 1} is named above its lanes, and told beside them: {of()}")
        b.value(f"(() => {{ const e = document.getElementById('lanes-breach'); e.value = '{1 - n}'; if (e.value) e.dispatchEvent(new Event('change')); e.value = '{n}'; e.dispatchEvent(new Event('change')); }})()")
        check(of() == meant, f"{name}: breach {n + 1}, chosen above its lanes, is told beside them: {of()}")
    walk_by_key(b, model, name)
    b.value("document.getElementById('lanes-canvas').focus()")
    b.key("ArrowRight")
    moved = json.loads(b.value("document.getElementById('lanes-canvas').dataset.drawn"))
    check(moved["from"] > 0, f"{name}: the arrow key moves the lanes")


def walk_by_key(b, model, name):
    """Without a mouse: from link to link, and from bar to bar."""
    b.value("document.querySelector('#breaches button').focus()")
    b.key("Enter")
    check(b.value("document.activeElement.id") == "lanes-canvas", f"{name}: Enter on a breach goes on in its lanes")
    has_links = b.value("(() => { const first = document.querySelector('#inspector button'); if (first) first.focus(); return first !== null; })()")
    check(has_links or not any(r >= 0 for r in model["breaches"][0]["tries"]), f"{name}: what is selected has links")
    for _ in range(2 if has_links else 0):
        before = b.value("document.getElementById('inspector').dataset.of")
        b.key("Enter")
        after = b.value("[document.getElementById('inspector').dataset.of, document.activeElement.tagName + ' ' + (document.activeElement.closest('#inspector') ? 'inside' : 'outside')]")
        check(after[0] != before and after[1] == "H3 inside", f"{name}: Enter follows a link, and the focus stays in the card: {after}")
        b.key("Tab")
        check(b.value("document.activeElement.tagName === 'BUTTON' && document.activeElement.closest('#inspector') !== null"), f"{name}: the next Tab goes to the first link of what is shown")
    b.value("document.getElementById('lanes-canvas').focus()")
    told = lambda: b.value("document.getElementById('lanes-readout').textContent")
    seen = []
    if not json.loads(b.value("document.getElementById('lanes-canvas').dataset.drawn"))["bars"]:
        b.key("ArrowDown")
        check(told() == "No bar in this stretch.", f"{name}: where there is no bar, it says so: {told()}")
        return
    for _ in range(3):
        b.key("ArrowDown")
        seen.append(told())
    bars = json.loads(b.value("document.getElementById('lanes-canvas').dataset.drawn"))["bars"]
    check(len(set(seen)) == min(3, bars) and all(", from " in each for each in seen), f"{name}: an arrow key goes from bar to bar: {seen}")
    check(b.value("document.getElementById('lanes-readout').getAttribute('aria-live')") == "polite", f"{name}: what the bar is, is read out")
    b.key("Enter")
    row = json.loads(b.value("document.getElementById('inspector').dataset.of")).get("try")
    check(row is not None and f"ride {model['tries']['ride'][row]}" in seen[2], f"{name}: Enter opens the bar: {row}, {seen[2]}")
    b.key("ArrowUp")
    check(told() == seen[1], f"{name}: and back: {told()}")
    drawn = json.loads(b.value("document.getElementById('lanes-canvas').dataset.drawn"))
    for _ in range(drawn["bars"] + sum(drawn["strikes"].values()) + 2):  # what struck a message is stepped on as well
        b.key("ArrowDown")
    check("last bar" in told(), f"{name}: the last bar says so: {told()}")


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
    check_remedies(b, file, model["story"], name)
    check(b.value("document.querySelectorAll('.story li.harm').length") == 1, f"{name}: the harm is marked once")
    drawn = json.loads(b.value("document.getElementById('lanes-canvas').dataset.drawn"))
    check(drawn["bars"] > 0 and drawn["marks"].get("the harm") == "here", f"{name}: its lanes, with the harm: {drawn['marks']}")
    check(model["scenario"]["leases"] or drawn["stale"] >= 1, f"{name}: who offers without a lease believes what is false once she is on a trip: {drawn['stale']}")
    marked = any(s["mark"] == "unavoidable" for s in model["story"]["steps"])
    check(("unavoidable" in drawn["marks"]) == marked, f"{name}: the lanes mark what the story marks: {drawn['marks']}")


def check_remedies(b, file, story, name):
    """Each remedy with what came of it in a word and a sentence, as the terminal tells it."""
    b.open(file)
    file = pathlib.Path(file)
    told = " ".join(run("explain", file.parent, *file.stem.split("-"), "-q").split()).replace("->", "\u2192")
    page = " ".join(b.value("document.getElementById('why').textContent").split())
    tried = b.value("[...document.querySelectorAll('#why li')].filter(e => e.querySelector('[data-after]')).map(e => [e.querySelector('.pill').textContent, e.querySelector('[data-after]').className, e.textContent])")
    check(len(tried) == sum(r["after"] is not None for r in story["remedies"]), f"{name}: every remedy that was tried has its word: {tried}")
    prevents = "What would have prevented it" in told
    for word, colour, text in tried:
        check((word == "\u2713 prevents it") == prevents and (word[0] == "\u2717") == (not prevents), f"{name}: the word is that of the heading: {word} in {text}")
        check(colour == ("good-text" if prevents and "a threshold is missed" not in text else "warn-text"), f"{name}: only what prevents the harm without a price is green: {colour} of {text}")
    own = re.findall(r"(?:tried on the same seed|besides): .*?(?= besides: | a threshold | \S*dibs run )", told)
    check(own and all(each in page for each in own), f"{name}: the page tells of remedies what the terminal tells: {[each for each in own if each not in page]}")
    check(re.findall(r"ride \d+ gets driver \d+ at [\d:.]+", told) == re.findall(r"ride \d+ gets driver \d+ at [\d:.]+", page), f"{name}: what becomes of the ride")


def look_at_calm(b, run_folder):
    """A run in which nobody was hurt: its lanes begin where something happens, and nothing is offered to be chosen that is not there."""
    b.open(run_folder / "report.html")
    model = model_of(run_folder / "report.html")
    drawn = lambda: json.loads(b.value("document.getElementById('lanes-canvas').dataset.drawn"))
    check(not model["breaches"] and drawn()["bars"] > 0, f"a calm run: its lanes show something: {drawn()}")
    check(b.value("document.getElementById('lanes-breach') === null && !document.getElementById('inspector').textContent.includes('breach')"), "a calm run: no breach is to be chosen")
    check("no promise was broken" in b.value("document.getElementById('calm').textContent"), "a calm run: it says that nobody was hurt")
    b.open(run_folder / "ride-1.html")
    check(model_of(run_folder / "ride-1.html")["story"]["breach"] is None and drawn()["bars"] > 0 and not drawn()["marks"], f"a ride that was not hurt: its lanes, without a mark: {drawn()}")
    check(b.value("document.getElementById('why') === null"), "a ride that was not hurt: nothing to prevent")
    b.open(run_folder / "driver-2.html")
    check(b.value("document.getElementById('lanes') === null && document.querySelector('nav').textContent.includes('Story') && !document.querySelector('nav').textContent.includes('lanes')"), "a driver without an offer: no lanes of nothing")


def look_at_clocks(b, file, name):
    """A story in which a wall clock is wrong: the story, the lanes and the cause say so."""
    b.open(file)
    model = model_of(file)
    off = {s["who"]: s["off_ms"] for s in model["story"]["steps"] if s["off_ms"]}
    check(off.get("matcher/2") == -12000, f"{name}: the clock of matcher/2 is 12 s behind: {off}")
    drawn = json.loads(b.value("document.getElementById('lanes-canvas').dataset.drawn"))
    check("matcher/2" in drawn["clocks"] and drawn["stale"] > 0, f"{name}: the lanes say so, and mark its false belief: {drawn['clocks']}, {drawn['stale']}")
    check("12 s later than the lease manager" in b.value("document.getElementById('because').textContent"), f"{name}: the cause is the clock: {model['story']['because']}")
    rows = b.value("(() => { const d = document.getElementById('lanes-data'); d.open = true; return new Promise(r => setTimeout(() => r([...d.querySelectorAll('tbody tr')].map(e => [...e.children].map(c => c.textContent))), 60)); })()")
    check(any(row[3] for row in rows), f"{name}: the table of the lanes has own clocks")
