"""Figures and tables of pages, worked out anew from events.jsonl and metrics.json."""
import collections
import json
import pathlib
import re
import statistics
import sys

from kit import check, close, events_of, folder, model_of

sys.path.append(str(pathlib.Path(__file__).parent.parent / "metrics"))
import accepts_fold  # noqa: E402: it lies beside the tests of metrics


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
    events = events_of(name)
    check_responses(name, model, events, start, until)
    check_tables(name, model, events)
    check_percentiles(name, figures, events, start, until)
    check_starved(name, model, figures)
    check_beliefs(name, model, events)
    check_calls(name, model, events)
    check_strikes(name, model, events)
    check_within(name, model, events, metrics)


def check_percentiles(name, figures, events, start, until):
    """The smallest value that at least N % of all values do not exceed, to the last digit."""
    begun, ended = collections.defaultdict(dict), collections.defaultdict(dict)
    for e in events:
        token = (str(e.get("token")), e.get("driver"))
        for fact, figure, key, ends in (("ride_requested", "ttm", e.get("ride"), False), ("trip_committed", "ttm", e.get("ride"), True),
                                        ("lease_granted", "leases.hold", token, False), ("trip_committed", "leases.hold", token, True),
                                        ("lease_ended", "leases.hold", token, True)):
            if e["fact"] == fact:
                (ended if ends else begun)[figure].setdefault(key, e["t"])
    until_of = {"ttm": float("inf"), "leases.hold": until * 1e9}
    for figure, starts in begun.items():
        lengths = sorted(ended[figure][key] - t for key, t in starts.items()
                         if start * 1e9 <= t < until * 1e9 and ended[figure].get(key, float("inf")) < until_of[figure])
        for n in (50, 90, 95, 99) if lengths else ():
            exact = lengths[-(-n * len(lengths) // 100) - 1] / 1e9
            check(figures[f"{figure}.p{n}"] == exact, f"{name}: {figure}.p{n} is {exact}: {figures[f'{figure}.p{n}']}")


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
    folded = accepts_fold.fold(events, start * 1e9, until * 1e9)
    measured = accepts_fold.measured_in(figures)
    check(measured == folded, f"{name}: accepts: {measured} and {folded}")
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


def check_beliefs(name, model, events):
    """Until when each matcher meant to have a driver: until it closed the try, or crashed."""
    of_try = lambda e: (e["driver"], e["ride"], str(e["token"]))
    sent, closed, crashes = {}, {}, collections.defaultdict(list)
    for e in events:
        if e["fact"] == "offer_sent":
            sent.setdefault(of_try(e), (e["t"], e["matcher"]))
        elif e["fact"] == "try_closed":
            closed.setdefault(of_try(e), e["t"])
        elif e["fact"] == "node_crashed":
            crashes[e["node"]].append(e["t"])
    meant = collections.Counter()
    for key, (t, matcher) in sent.items():
        last = min([closed.get(key, float("inf")), *(c for c in crashes[f"matcher/{matcher}"] if c >= t)])
        meant[key[0], key[1], t // 1_000_000, last // 1_000_000 if last < float("inf") else None] += 1
    t, begin, said = model["tries"], 0, collections.Counter()
    for i in range(t["rows"]):
        begin += t["begin"][i]
        if t["sent"][i] >= 0 and t["believed"][i] >= 0:
            said[t["driver"][i], t["ride"][i], begin + t["sent"][i], begin + t["believed"][i]] += 1
    check(sum(said.values()) > 10 and None not in [key[3] for key in meant], f"{name}: there are beliefs: {len(said)}")
    apart = [(key, n) for key, n in (meant - said).items() if key[3] > key[2]] + list((said - meant).items())
    check(not apart, f"{name}: beliefs end with the try or a crash: {apart[:3]}")
    crossed = sum(any(c // 1_000_000 == key[3] for c in sum(crashes.values(), [])) for key in said)
    check((crossed > 0) == any(crashes.values()), f"{name}: crashes end beliefs: {crossed}")


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
    check(bands["partition"] == [(150, 170, "matcher/3 - lease manager"), (250, 270, "lease manager -> matcher/1"), (300, 360, "matcher/1, matcher/2 - ledger")], f"{name}: partitions: {bands['partition']}")
    check(bands["slow link"] == [(380, 420, "matcher/* - driver/*")], f"{name}: slow link: {bands['slow link']}")
    check(bands["clock off"] == [(120, end, "matcher/1")] and bands["clock strobe"] == [(240, 300, "matcher/3")], f"{name}: clocks: {bands['clock off']}, {bands['clock strobe']}")
    check(bands["clock step"] == [(180, 180, "matcher/2"), (360, 360, "matcher/2")], f"{name}: clock steps: {bands['clock step']}")
    check(bands["drop"] == [(0, end, "anyone -> anyone")] and bands["delay"] == [(120, 480, "anyone -> anyone")] and bands["duplicate"] == [(0, end, "anyone -> lease manager")] and bands["error"] == [(0, end, "matcher/*")], f"{name}: what lies in wait: {bands}")
    crashes = [who for _, _, who in bands["crash"]]
    check(crashes == ["matcher/2", "matcher/3"], f"{name}: planned and triggered crashes: {crashes}")


def check_strikes(name, model, events):
    """Every strike of a fault that lay in wait, at its time, on its message."""
    kinds, nodes = ["drop", "delay", "duplicate", "error"], ["driver", "rider", "matcher", "lease_manager", "ledger", "demand", "sweeper"]
    done = {"dropped": 0, "delayed": 1, "doubled": 2}
    def number(node):
        kind, _, nth = node.partition("/")
        return nodes.index(kind) + 8 * (int(nth or 1) - 1)
    meant = []
    for e in events:
        if e["fact"] == "message_tampered":
            meant.append((e["t"] // 1_000_000, done[e["tampering"]], number(e["from"]), number(e["to"]), e["message"], e["by"] // 1_000_000, e["ride"] or -1))
        elif e["fact"] == "work_failed":
            meant.append((e["t"] // 1_000_000, 3, number(e["node"]), number(e["node"]), None, 0, e["ride"] or -1))
    k, t, said = model["strikes"], 0, []
    for i in range(k["rows"]):
        t += k["t"][i]
        said.append((t, k["what"][i], k["from"][i], k["to"][i], model["message_words"][k["message"][i]] if k["message"][i] >= 0 else None, k["by"][i], k["ride"][i]))
    check(said == meant, f"{name}: strikes: {len(said)} and {len(meant)}: {said[:2]} {meant[:2]}")
    counts = {kinds[i]: n for i, n in collections.Counter(m[1] for m in meant).items()}
    check(model["strike_counts"] == counts, f"{name}: how many strikes: {model['strike_counts']} and {counts}")


def check_within(name, model, events, metrics):
    """Intervals of one run out of ten stretches of it: of the match rate, with code of our own."""
    start, until = metrics["measured_from_s"], metrics["measured_until_s"]
    asked = {e["ride"]: e["t"] for e in events if e["fact"] == "ride_requested"}
    gone, got = {}, {}
    for e in events:
        if e["fact"] in ("ride_abandoned", "ride_cancelled"):
            gone.setdefault(e["ride"], e["t"])
        elif e["fact"] == "trip_committed" and e["ride"] not in gone:
            got.setdefault(e["ride"], e["t"])
    check_accepts_within(name, model, events, start, until)
    stretches = [[0, 0] for _ in range(10)]
    for ride, t in asked.items():
        if start * 1e9 <= t < until * 1e9:
            s = stretches[int((t / 1e9 - start) / (until - start) * 10)]
            s[0] += 1
            s[1] += ride in got
    if min(s[0] for s in stretches) < 20:
        check("rides.match_rate" not in model["within"], f"{name}: too few rides for an interval")
        return
    half = 2.2622 * statistics.stdev(b / a for a, b in stretches) / 10 ** 0.5
    said = model["within"].get("rides.match_rate", 0)  # none where all stretches are alike
    check(close(said, half, 2e-3 * half), f"{name}: the interval of the match rate: {said} and {half}")


def check_accepts_within(name, model, events, start, until):
    """The same of accepts that were lost, and of those that were late and became no trip."""
    stretches = [collections.Counter() for _ in range(10)]
    for t, fate, _ in accepts_fold.fates(events):
        if start * 1e9 <= t < until * 1e9:
            stretches[int((t / 1e9 - start) / (until - start) * 10)].update(["all", fate])
    for figure, kinds in (("accepts.lost_rate", ("lost",)), ("accepts.missed_rate", ("lost", "late"))):
        enough = min(s["all"] for s in stretches) >= 20
        half = 2.2622 * statistics.stdev(sum(s[k] for k in kinds) / s["all"] for s in stretches) / 10 ** 0.5 if enough else 0
        check(close(model["within"].get(figure, 0), half, 2e-3 * half), f"{name}: the interval of {figure}: {model['within'].get(figure)} and {half}")
    check(name != "peak" or {"accepts.lost_rate", "accepts.missed_rate", "supply.starved_share"} <= set(model["within"]), f"{name}: every figure that it bounds has an interval: {list(model['within'])}")


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
