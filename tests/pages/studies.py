"""Pages of many runs: sweeps, tuning, regions, runs side by side and the survival table."""
import collections
import csv
import io
import json
import pathlib
import re
import shlex

import said as saying
from kit import check, close, folder, model_of, run

def look_at_sweep(b, file, name):
    b.open(file)
    points = model_of(file)["sweep"]["points"]
    said = b.value("[...document.querySelectorAll('#points td[data-metric]')].map(e => [Number(e.parentElement.dataset.point), e.dataset.metric, Number(e.dataset.value)])")
    wrong = [each for each in said if points[each[0] - 1]["figures"][each[1]][0] != each[2]]
    check(len(said) == 5 * len(points) and not wrong, f"{name}: the table of points: {wrong[:2]}")
    marks = b.value("[...document.querySelectorAll('#curve-ttm\\\\.p95 [data-point]')].map(e => Number(e.dataset.value)).sort()")
    check(marks == sorted(p["figures"]["ttm.p95"][0] for p in points), f"{name}: a mark for each point: {marks}")
    lines = {tuple(v for f, v in p["fields"].items() if f != "lease.ttl") for p in points} if len(points) > 1 else set()
    keys = b.value("[...document.querySelectorAll('#curve-key li')].length")
    check(keys == (len(lines) if len(lines) > 1 else 0), f"{name}: a key to each line of the curves: {keys} of {lines}")
    heat = b.value("[...document.querySelectorAll('#heat td[data-point]')].map(e => [Number(e.dataset.point), Number(e.dataset.value), e.firstChild.textContent])")
    check(len(heat) == len(points) and all(points[n - 1]["figures"]["supply.hidden_share"][0] == v and saying.reads_as(text, v) for n, v, text in heat), f"{name}: a cell for each point, with its figure: {heat}")
    scale = b.value("[...document.querySelectorAll('#heat-scale li')].map(e => [Number(e.dataset.low), Number(e.dataset.high)])")
    values = [p["figures"]["supply.hidden_share"][0] for p in points]
    check(scale == [[min(values), max(values)]], f"{name}: the scale of the heat map: {scale}")
    marked = b.value("[...document.querySelectorAll('#curves .chart svg.drawn')].map(e => [...e.querySelectorAll('text')].map(t => t.textContent)).map(all => [all.filter(t => t.endsWith('not from 0')).length, all.some(t => t === '0' || t.startsWith('0 '))])")
    check(len(marked) > 3 and all(bool(n) != zero for n, zero in marked), f"{name}: an axis that does not begin at 0 says so: {marked}")
    trade = b.value("[document.querySelectorAll('#trade-off .intervals').length, document.querySelectorAll('#trade-off [data-point]').length]")
    check(trade == [len(points)] * 2, f"{name}: the trade-off has every point, with its intervals: {trade}")
    holds = lambda v: v >= 0.85
    ends = [[holds(p["figures"]["rides.match_rate"][0] + sign * (p["figures"]["rides.match_rate"][1] or 0)) for sign in (-1, 1)] for p in points]
    meant = ["safe" if all(e) else "not safe" if not any(e) else "unsure" for e in ends]
    out = b.value("document.querySelectorAll('#trade-off .out').length")
    check(out == meant.count("not safe") and bool(out) == ("misses a threshold" in b.value("document.getElementById('trade-key').textContent")), f"{name}: a cross is a threshold missed, and nothing else: {out} of {meant}")
    verdicts = b.value("[...document.querySelectorAll('#points tbody tr')].map(e => e.lastChild.textContent.replace(/[^a-z ]/g, '').trim())")
    check(verdicts == meant, f"{name}: what is safe: {verdicts} and {meant}")
    saying.check_no_slips(check, b, name)
    read_charts(b, file, name)


def read_charts(b, file, name):
    """No text of a chart lies over another, on a laptop or a phone."""
    for width in (1400, 400):
        b.open(file, width=width)
        over = b.value("""[...document.querySelectorAll('svg.figure, .chart svg.drawn')].flatMap(f => {
          const texts = [...f.querySelectorAll('text')].map(e => [e.textContent, e.getBoundingClientRect()]);
          return texts.flatMap(([one, a], i) => texts.slice(i + 1).filter(([, c]) => Math.min(a.right, c.right) - Math.max(a.left, c.left) > 2 && Math.min(a.bottom, c.bottom) - Math.max(a.top, c.top) > 4).map(([other]) => f.id + ': ' + one + ' / ' + other));
        })""")
        check(not over, f"{name}: at {width} px texts of charts lie over each other: {over[:4]}")


def check_sweep(name):
    """Against summary.csv, which a test of its own proves."""
    rows = [line.split(",") for line in (folder / name / "summary.csv").read_text().splitlines()]
    head = rows[0]
    points = {p["n"]: p["figures"] for p in model_of(folder / name / "report.html")["sweep"]["points"]}
    for row in (dict(zip(head, r)) for r in rows[1:]):
        value, half, *sides = points[int(row["point"])][row["metric"]]
        check(value == float(row["value"]), f"{name}: {row['metric']} of point {row['point']}")
        if half:
            check(close(value - (sides[0] if sides else half), float(row["low_95"]), 1e-9 * (1 + abs(value))) and close(value + (sides[1] if sides else half), float(row["high_95"]), 1e-9 * (1 + abs(value))), f"{name}: the interval of {row['metric']}")


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
    check(sorted(drawn) == sorted([r["objective"]["value"], r["standing"]] for r in tuned["rows"] if r["objective"]), f"{name}: the curve has a mark for each value")
    steps = b.value("[...document.querySelectorAll('#objective .line line')].map(e => [Number(e.getAttribute('x1')), Number(e.getAttribute('x2'))])")
    band = b.value("document.querySelector('#objective .band path').getAttribute('d').match(/[\\d.]+(?= )/g).map(Number)")
    xs = [step[0] for step in steps] + [steps[-1][1]]
    check(all(left < right for left, right in steps) and xs[1:-1] == [step[1] for step in steps[:-1]] and len(xs) == len(drawn) and band == xs + xs[::-1], f"{name}: the curve and its band only go on to the right, and back: {steps}, {band}")
    check(b.value("document.querySelectorAll('#objective .band').length") == 1, f"{name}: the curve has a band")
    check(b.value("document.querySelectorAll('#objective .set rect').length") == (1 if tuned.get("within_delta") else 0), f"{name}: the set that is not worse by delta")
    marks = b.value("document.querySelectorAll('#tuning-front [data-standing]').length")
    check(marks == sum(bool(r["metrics"]["supply.hidden_share"] and r["metrics"]["accepts.missed_rate"]) for r in tuned["rows"]), f"{name}: one harm against the other")
    crosses = b.value("[...document.querySelectorAll('#objective .out, #tuning-front .out')].map(e => e.dataset.standing)")
    crossed = b.value("[...document.querySelectorAll('#values-table tbody tr')].filter(r => r.children[1].textContent.includes('\u2717')).map(r => r.dataset.standing)")
    check(set(crosses + crossed) <= {"unusable"} and len(crossed) == sum(r["standing"] == "unusable" for r in tuned["rows"]), f"{name}: a cross is what cannot be chosen, and nothing else: {crosses}, {crossed}")
    keys = b.value("document.querySelector('#front .legend').querySelectorAll('[data-key]').length")
    check(keys == len({r["standing"] for r in tuned["rows"]}) + 1, f"{name}: a key to each mark: {keys}")
    check(b.value("document.querySelectorAll('#exchanges tbody tr').length") == len(tuned["trade_off"]), f"{name}: every exchange")
    read_charts(b, file, name)


SIGNS = {("holds", "true"): "#", ("holds", "false"): "+", ("misses", "true"): "!", ("misses", "false"): "."}


def seconds(value):
    return float(str(value).removesuffix("s"))


def check_region(b, file, name):
    """Cell by cell the map and the closed form say what `dibs region` printed as JSON and as CSV."""
    mapped = json.loads((folder / f"{name}.json").read_text())
    text = (folder / f"{name}.csv").read_text()
    check(run("report", f"{name}.json", "--format", "csv") == text, f"{name}: one table, whoever prints it")
    conditions = list(csv.DictReader(io.StringIO(text)))  # of each cell one after the other
    rows = conditions[::len(mapped["required"])]
    b.open(file)
    saying.check_no_slips(check, b, name)
    cells = b.value("Object.fromEntries([...document.querySelectorAll('#region-map td')].map(e => [e.dataset.cell, e.dataset.sign]))")
    verdicts = b.value("Object.fromEntries([...document.querySelectorAll('#region-map td')].map(e => [e.dataset.cell, e.dataset.verdict]))")
    across = len(mapped["x"]["values"])
    check(len(rows) == len(mapped["cells"]) == len(cells), f"{name}: a row for each cell")
    at = lambda i: f"{i % across},{i // across}"
    for i, (cell, row) in enumerate(zip(mapped["cells"], rows)):
        x, y = (seconds(row.get(mapped[axis]["path"] + "_s") or row[mapped[axis]["path"]]) for axis in "xy")
        valid = row["verdict"] != "invalid"
        check([seconds(cell["x"]), seconds(cell["y"]), cell["verdict"], cell["found"]] == [x, y, row["verdict"], row["found"]], f"{name}: json and csv of {x}, {y}")
        check(row["verdict"] == verdicts[at(i)] == (row["found"] if row["sure"] != "false" else "unsure"), f"{name}: the verdict on {x}, {y}: {row} and {verdicts[at(i)]}")
        check(cells[at(i)] == (SIGNS.get((row["verdict"], row["bound_holds"])) or {"unsure": "?", "breaks": "X", "invalid": "-"}[row["verdict"]]), f"{name}: the sign of {x}, {y}")
        check([row["sure"], row["bound_holds"], row["differs"]] == ([str(cell[k]).lower() for k in ("sure", "long_enough", "differs")] if valid else [""] * 3), f"{name}: what is said of {x}, {y}: {row}")
        if valid:
            check(close(cell["bound"]["ttl_s"], float(row["bound_s"]), 1e-9), f"{name}: the bound of {x}, {y}")
            check(close(sum(cell["bound"][part] for part in ("decision_s", "latency_s", "skew_s", "cleanup_s")), cell["bound"]["ttl_s"], 1e-9), f"{name}: the bound adds up")
    counts = b.value("Object.fromEntries([...document.querySelectorAll('#region-counts li')].map(e => [e.dataset.sign, Number(e.dataset.n)]))")
    check(counts == dict(collections.Counter(cells.values())) and len(counts) > 1, f"{name}: the legend counts the cells: {counts}")
    for k, (condition, unit) in enumerate(zip(mapped["required"], mapped["units"])):
        b.value(f"(() => {{ const s = document.getElementById('region-show'); s.value = '{k}'; s.dispatchEvent(new Event('change')); }})()")
        shown = b.value("Object.fromEntries([...document.querySelectorAll('#region-map td')].map(e => [e.dataset.cell, [e.dataset.room, e.dataset.half, e.querySelector('small').textContent]]))")
        for i, row in enumerate(rows):
            room, half, text = shown[at(i)]
            own = conditions[i * len(mapped["required"]) + k]
            check([own["condition"], own["unit"]] == [condition, unit], f"{name}: the row of {condition}: {own}")
            meant = [own["room"], own["high_95"] and (float(own["high_95"]) - float(own["low_95"])) / 2]
            check(all(close(float(v), float(w), 1e-9) if v and w else not v and not w for v, w in zip((room, half), meant)), f"{name}: the room of {condition} at {at(i)}: {room}, {half} and {meant}")
            check(text == "-" if not room else (text.endswith(" points") if unit == "share" else "%" not in text), f"{name}: the unit of the room of {condition}: {text}")
    said = b.value("[...document.querySelectorAll('#bound tbody tr')].map(r => [...r.querySelectorAll('[data-value]')].map(e => Number(e.dataset.value)))")
    lines = [mapped["cells"][i * across:(i + 1) * across] for i in range(len(mapped["y"]["values"]))]
    firsts = [next((c for c in line if c["found"] != "invalid"), None) for line in lines]
    check(said == [list(c["bound"].values()) for c in firsts if c], f"{name}: the table of the closed form")


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
        wrong = [c for c in cells if c[0] in of and (float(c[1]) != of[c[0]]["difference"] or (float(c[2]) if c[2] else None) != of[c[0]]["half_width_95"])]
        check(len(cells) > 90 and not wrong, f"runs side by side: differences of {name}: {wrong[:3]}")
    of_shares = {e["name"] for e in model_of(file)["catalogue"] if e["unit"] == "share"}
    texts = b.value("[...document.querySelectorAll('td[data-difference]')].map(e => [e.dataset.difference, e.firstChild.textContent])")
    torn = [(name, text) for name, text in texts if (name in of_shares) != text.endswith(" points")]
    check(not torn, f"runs side by side: shares differ by points: {torn[:3]}")
    marks = b.value("[...document.querySelectorAll('#whiskers-ttm\\\\.p95 [data-run]')].map(e => Number(e.dataset.value))")
    check(marks == [m["metrics"]["ttm.p95"] for m in all_metrics], f"runs side by side: marks of ttm.p95: {marks}")
    saying.check_no_slips(check, b, "runs side by side")
    b.open(file, width=400)
    over = b.value("[...document.querySelectorAll('tbody tr')].filter(r => { const c = [...r.children].map(e => e.getBoundingClientRect()).filter(e => e.width); return c.some((e, i) => c.slice(i + 1).some(f => Math.min(e.right, f.right) - Math.max(e.left, f.left) > 1 && Math.min(e.bottom, f.bottom) - Math.max(e.top, f.top) > 1)); }).length")
    check(over == 0, f"runs side by side: at 400 px {over} rows print one cell over another")
    narrow = b.value("Math.min(...[...document.querySelectorAll('.beside tbody td:first-child')].map(e => e.getBoundingClientRect().width))")
    check(narrow > 100, f"runs side by side: at 400 px a name has {narrow} px")
    b.open(file)
    links = b.value("[...document.querySelectorAll('#runs-table a')].map(e => e.href)")
    check(links == [(folder / names[0] / "report.html").as_uri()], f"runs side by side: a link to the page that is there: {links}")
    commands = b.value("[...document.querySelectorAll('#runs-table [data-makes]')].map(e => e.textContent)")
    check(commands == [f"dibs report {pathlib.Path(name).name}" for name in names[1:]], f"runs side by side: the commands that make the other pages, typed beside this one: {commands}")


def decided(verdicts):
    n = collections.Counter(verdicts)
    text = f"{n['breaks']} of {n['breaks'] + n['degrades'] + n['survives']} decided"
    text += f", {n['undecided']} undecided" if n["undecided"] else ""
    return text + (f", {n['untouched']} {'does' if n['untouched'] == 1 else 'do'} not apply" if n["untouched"] else "")


def check_titles(b, file, name):
    """Headings, axes, keys and choices of figures are in plain words; names of metrics are for who points at them."""
    b.open(file)
    names = [e["name"].replace("<stat>", "") for e in model_of(file)["catalogue"]]
    said = b.value("[...document.querySelectorAll('h1, h2, h3, th, .legend li, svg.figure text, select:not(#region-show) option')].map(e => e.textContent)")
    riddles = [text for text in said if any(re.search(rf"(?<![\w.]){re.escape(n)}", text) for n in names)]
    check(len(said) > 8 and not riddles, f"{name}: headings are words: {riddles[:5]}")


def look_at_survival(b, file, name):
    b.open(file)
    rows = model_of(file)["survival"]
    shown = b.value("[...document.querySelectorAll('td[data-verdict]')].map(e => e.dataset.verdict)")
    check(shown == [c["verdict"] for r in rows for c in r["cells"]], f"{name}: every cell")
    b.value("document.querySelector('td[data-verdict] button').click()")
    first = rows[0]["cells"][0]
    check(b.value("document.getElementById('cell').dataset.of") == f"{rows[0]['incident']}/{first['protocol']}", f"{name}: a cell opens")
    titles = {e["name"]: e["title"] for e in model_of(file)["catalogue"]}
    worse = b.value("[...document.querySelectorAll('#cell tbody tr')].map(e => [...e.children].map(c => c.textContent))")
    check(len(worse) == len(first["worse"]) and all(row[0] == titles[d["metric"]] and saying.reads_as(row[1], d["with_cause"]) and saying.reads_as(row[2], d["without"]) for row, d in zip(worse, first["worse"])), f"{name}: what was worse: {worse}")
    broke = b.value("[...document.querySelectorAll('table.survival tbody tr:last-child td')].map(e => e.textContent)")
    check(broke == [decided(r["cells"][i]["verdict"] for r in rows) for i in range(len(rows[0]["cells"]))], f"{name}: how many break each: {broke}")
    commands = b.value("[...document.querySelectorAll('#cell .commands code')].map(e => e.textContent)")
    check(commands == first["commands"] and len(commands) == 3, f"{name}: a cell's commands: {commands}")
    check(b.value("[...document.querySelectorAll('a.runs')].map(e => e.getAttribute('href'))") == [first["page"]] * 2, f"{name}: a link to the runs of the one cell that has a page, in table and cell")
    b.open(file, width=400)
    b.value("document.querySelector('td[data-verdict] button').click()")
    wide = b.value("document.documentElement.scrollWidth")
    check(wide <= 400, f"{name}: with a cell open no wider than 400: {wide}")


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


def walk_to_story(b, pages):
    """From the survival table to a cell, to its story, and by way of its runs to the same."""
    b.open(pages / "index.html")
    rows = model_of(pages / "index.html")["survival"]
    cells = [(r["incident"], c) for r in rows for c in r["cells"]]
    told = [c for _, c in cells if c["story"]]
    check(told and all(c["verdict"] != "survives" for c in told), f"a story of what does not survive: {[(c['protocol'], c['verdict']) for c in told]}")
    check(all(c["story"] for _, c in cells if c["verdict"] == "breaks"), "every cell that breaks has a story")
    b.value("document.querySelector('td[data-verdict=\"breaks\"] button').click()")
    story = b.value("document.querySelector('#cell a.story').href")
    first = next(c for c in told if (pages / c["story"]).as_uri() == story)
    b.open(pages / first["page"])
    note = b.value("document.getElementById('note').textContent")
    check(f"says {first['verdict']}: {first['worse'][0]['metric']}" in note and "no difference seen" in note, f"the runs of a cell say what the table says: {note}")
    check(b.value("document.querySelector('#note a.story').href") == story, "the runs lead to the story")
    b.open(pages / first["story"])
    drawn = json.loads(b.value("document.getElementById('lanes-canvas').dataset.drawn"))
    check(drawn["bars"] > 0 and drawn["marks"].get("the harm") == "here", f"the story of a cell has its swim-lanes, with the harm: {drawn['marks']}")
