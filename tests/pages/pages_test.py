"""Goal: what a page shows is what the run's files say, and a person can use it without an error.
Method: keep runs of each kind, recompute the pages' figures from events.jsonl and metrics.json with
code of our own, then open each page in headless Chromium, read every chart's marks, click from a
breach to its lease, ride and driver, move the map, and collect whatever the page complains about.

  pages_test.py DIBS CHECKOUT [FOLDER]     FOLDER: keep pages and screenshots there

Without a Chromium the part that needs one is skipped, and said to be."""
import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import browser
from kit import HOSTILE, HOSTILE_FOLDER, check, checkout, failures, folder, model_of, run
from formatted import check_formats_of_script
from fitted import check_bounds, check_fits, check_lists, check_nothing_happened
from looked import check_remedies, look_at_calm, look_at_clocks, look_at_faults, look_at_run, look_at_story, look_at_zoom, print_it, ready_after, shots
from recomputed import check_faults, check_figures, check_page_text
from kinds import check_formats_of_studies
from said import check_same_story
from studies import check_region, check_runs, check_sweep, check_titles, check_tuning, look_at_survival, look_at_sweep, make_runs_of_cell, walk_to_story
from traced import check_formats


def main():
    scenarios = checkout / "scenarios"
    run("run", scenarios / "evening-peak.yaml", "--events", "--quiet", "--out", "peak")
    run("run", scenarios / "no-lease.yaml", "--events", "--quiet", "--out", "unleased")
    run("run", checkout / "tests/cli/small.yaml", "--events", "--quiet", "--out", HOSTILE_FOLDER, "--set", "question=" + HOSTILE)
    run("run", checkout / "tests/cli/small.yaml", "--quiet", "--out", "many", "--runs", "3")
    run("run", scenarios / "first-run.yaml", "--quiet", "--out", "rare", "--runs", "4")
    run("run", checkout / "tests/cli/small.yaml", "--quiet", "--out", "races", "--runs", "3", "--set", "lease.protocol=none")
    come_and_go = ("world.geography=map", "clock.duration=1h", "drivers.shifts.dist=exponential", "drivers.shifts.mean=4min",
                   "drivers.drop_out.share=40%", "drivers.drop_out.after=1s", "drivers.drop_out.back_after=3min")
    run("run", checkout / "tests/cli/small.yaml", "--quiet", "--events", "--out", "shifts", *(word for each in come_and_go for word in ("--set", each)))
    run("run", checkout / "tests/pages/every_fault.yaml", "--events", "--quiet", "--out", "faults")
    run("run", checkout / "tests/cli/accepts/late-within-grace.yaml", "--events", "--quiet", "--out", "grace", "--set", "lease.grace=20s")
    nobody = ("drivers.count=1", "matchers.count=1", "demand.1.rate=0.01/s", "clock.duration=1min")
    run("run", checkout / "tests/cli/small.yaml", "--quiet", "--events", "--out", "nobody", *(word for each in nobody for word in ("--set", each)))
    still = ("lease.protocol=none", "demand.1.rate=0.02/s", "clock.duration=3min")
    run("run", checkout / "tests/cli/small.yaml", "--quiet", "--events", "--out", "still", *(word for each in still for word in ("--set", each)))
    long_word = ("--set", "question=" + 290 * "w", "--set", "name=" + 60 * "n")
    run("run", checkout / "tests/cli/small.yaml", "--quiet", "--events", "--out", "wide", *long_word)
    run("run", scenarios / "evening-peak.yaml", "--quiet", "--out", "long", "--set", "clock.duration=7h")
    run("report", "long")
    size = check_page_text(folder / "long/report.html")
    events = json.loads((folder / "long/metrics.json").read_text())["replications"][0]["events"]
    check(events > 1_000_000 and size < 10_000_000, f"a run of {events:,} events: below 10 MB: {size}")
    print(f"long: {size / 1e6:.2f} MB, {events:,} events")
    for name in ("peak", "unleased", "faults", "grace", "shifts", HOSTILE_FOLDER, "many", "races", "rare", "nobody", "still", "wide"):
        run("report", name)
        size = check_page_text(folder / name / "report.html")
        check(size < 3_000_000, f"{name}: below 3 MB: {size}")
        print(f"{name!a}: {size / 1e6:.2f} MB")
    check_faults("faults")
    for name in ("peak", "unleased", "faults", "grace", HOSTILE_FOLDER):
        check_figures(name)
        if name != "peak":  # half a million events say no more of the formats than a tenth of them
            check_formats(name)
    picture = (scenarios / "pictures/no-lease.svg").read_text(encoding="utf-8")
    check(run("report", "unleased", "--format", "svg") == picture, "the picture in the README: dibs report RUN --format svg > scenarios/pictures/no-lease.svg")
    run("explain", "unleased", "breach", "1", "--html")
    for n in ("1", "4"):
        run("explain", "peak", "breach", n, "--html")
    run("explain", "still", "ride", "1", "--html")
    run("explain", "still", "driver", "2", "--html")
    run("run", scenarios / "first-run.yaml", "--events", "--quiet", "--out", "first")
    run("explain", "first", "breach", "1", "--html")
    for name, ride in (("first", "36"), ("peak", "1563"), ("unleased", "2503")):
        run("explain", name, "ride", ride, "--quick", "-q", "--html")
        told = run("explain", name, "ride", ride, "--quick", "-q")
        check_same_story(check, told, model_of(folder / f"{name}/ride-{ride}.html")["story"], f"{name}, ride {ride}")
    told = run("explain", "peak", "breach", "1", "-q")
    check("Unavoidable from" in told, "where the turn of a harm is told")
    check(run("explain", "first", "breach", "1", "-q") == run("explain", "first", "breach", "1", "-q"), "the turn of a harm is the same each time")
    check_page_text(folder / "unleased/breach-1.html")
    run("sweep", checkout / "tests/cli/small.yaml", "--grid", "lease.ttl=6s,15s", "--grid", "matchers.count=2,4", "--seeds", "3", "--out", "sweep", "-q", "--set", "thresholds.rides.match_rate=>= 0.85", *long_word)
    run("report", "sweep")
    check_sweep("sweep")
    check_page_text(folder / "sweep/report.html")
    (folder / "survival.json").write_text(run("survive", scenarios / "incidents/01-naive-race.yaml", "--runs", "2", "--format", "json", "-q"))
    run("report", "survival.json")
    make_runs_of_cell(folder / "survival.html")
    run("survive", scenarios / "incidents/15-gc-pause-holder.yaml", "--runs", "2", "--pages", folder / "walk", "-q")
    beside = ["many", "beside/short", "beside/long"]
    for name, ttl in zip(beside[1:], ("5s", "40s")):
        run("run", checkout / "tests/cli/small.yaml", "--quiet", "--out", name, "--runs", "3", "--set", "lease.ttl=" + ttl)
    run("report", *beside, "--out", "beside/page.html", "-q")
    check_page_text(folder / "beside/page.html")
    run("explain", "wide", "breach", "1", "--html")
    run("report", "wide", "many", "peak", HOSTILE_FOLDER, "--out", "wide.html", "-q")
    run("report", "unleased", "peak", HOSTILE_FOLDER)
    check_page_text(folder / "comparison.html")
    check(all(each["from_first"] is None for each in model_of(folder / "comparison.html")["runs"]), "single runs differ without an interval")
    tune = ("tune", checkout / "tests/cli/small.yaml", "--search", "lease.ttl=4s,8s,12s,20s,40s", "--budget", "300", "-q", "--format", "json")
    (folder / "tuned.json").write_text(run(*tune, codes=(0, 7, 99)))
    region = ("region", checkout / "tests/cli/small.yaml", "--x", "lease.ttl=6s..30s:lin:5", "--y", "lease.grace=0s..4s:lin:3", "--require", "accepts.missed_rate <= 15%", "--seeds", "2", "-q")
    gaps = ("region", checkout / "tests/cli/small.yaml", "--x", "lease.ttl=4s,15s", "--y", "matchers.count=0,2", "--require", "ttm.p95 <= 30s", "--require", "rides.match_rate >= 80%", "--seeds", "3", "-q")
    for name, asked in (("mapped", region), ("gaps", gaps)):
        for suffix in ("json", "csv"):
            (folder / f"{name}.{suffix}").write_text(run(*asked, "--format", suffix))
    for name in ("tuned", "mapped", "gaps"):
        run("report", name + ".json")
        check_page_text(folder / f"{name}.html")
    check_formats_of_studies()
    if not browser.program():
        print("SKIPPED: what needs a browser; there is no Chromium here (apt-get install chromium)")
    else:
        with browser.Browser() as b:
            check_formats_of_script(b)
            look_at_faults(b, folder / "faults/report.html", "faults")
            for name in ("faults", "peak"):
                look_at_zoom(b, folder / name / "report.html", name)
            ready = min(ready_after(b, folder / "peak/report.html") for _ in range(3))
            print(f"the page of the evening peak is ready after {ready:.0f} ms")
            for name in ("peak", "unleased", "faults", "shifts", HOSTILE_FOLDER, "many", "races"):
                look_at_run(b, folder / name / "report.html", name)
            print_it(b, folder / "peak/report.html", "peak")
            for name in ("unleased", "peak"):
                look_at_story(b, folder / name / "breach-1.html", name + "-story")
            spared = folder / "peak/breach-4.html"  # its remedy helps others: the ride leaves all the same
            check_remedies(b, spared, model_of(spared)["story"], "spared")
            look_at_calm(b, folder / "still")
            look_at_clocks(b, folder / "first/breach-1.html", "clocks-story")
            look_at_sweep(b, folder / "sweep/report.html", "sweep")
            look_at_survival(b, folder / "survival.html", "survival")
            check_runs(b, folder / "beside/page.html", beside)
            walk_to_story(b, folder / "walk")
            b.open(folder / "comparison.html")
            linked = b.value("[...document.querySelectorAll('#runs-table a')].map(e => e.href)")
            check(linked == [(folder / each / "report.html").as_uri() for each in ("unleased", "peak", HOSTILE_FOLDER)], f"links to pages in folders of any name: {linked}")
            check_tuning(b, folder / "tuned.html", "tuned")
            for name in ("mapped", "gaps"):
                check_region(b, folder / f"{name}.html", name)
            for name in ("sweep/report", "tuned", "mapped", "survival", "beside/page"):
                check_titles(b, folder / f"{name}.html", name)
            pages = [folder / name / "report.html" for name in ("peak", "faults", "many", "nobody", "still", "wide", HOSTILE_FOLDER, "sweep")]
            for page in (*pages, *(folder / f"{name}.html" for name in ("wide/breach-1", "unleased/breach-1", "still/ride-1", "still/driver-2", "wide", "beside/page", "tuned", "mapped", "gaps", "survival"))):
                check_fits(b, page, str(page.relative_to(folder)))
            for page, table in (("tuned", "#values-table"), ("wide", "#every-figure"), ("survival", ".survival")):
                check_lists(b, folder / f"{page}.html", table)
            check_bounds(b, folder / "peak/report.html", "peak")
            check_nothing_happened(b, folder / "nobody/report.html", "nobody")
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
