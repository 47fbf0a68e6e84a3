#!/usr/bin/env python3
"""redraw_times.py DIBS CHECKOUT [SCENARIO...]

From the press of a key to the figures of that place on the page, in a headless Chromium: for each scenario 21
steps of `lease.ttl`, none of which was run before. Prints median, largest, and the time until all runs are in.
"""
import statistics
import sys
import time

from served import Served, checkout

sys.path.insert(0, str(checkout / "tests" / "pages"))
import browser  # noqa: E402

STEPS = 21


def measured(b, scenario):
    with Served(checkout, scenario, "--field", "lease.ttl=10s..31s:lin:22") as s:
        b.may_ask += (s.url.split("?", 1)[0],)
        b.open(s.url)
        b.wait("document.getElementById('page').dataset.runs === '20'")
        b.value("document.getElementById('slider-0').focus()")
        b.key("Home")
        b.wait("document.getElementById('page').dataset.at === '0' && document.getElementById('page').dataset.runs === '20'")
        first, whole = [], []
        for step in range(1, STEPS + 1):
            b.value("delete document.getElementById('page').dataset.latency")
            began = time.monotonic()
            b.key("ArrowRight")
            b.wait("document.getElementById('page').dataset.latency")
            first.append(int(b.value("document.getElementById('page').dataset.latency")))
            b.wait(f"document.getElementById('page').dataset.at === '{step}' && document.getElementById('page').dataset.runs === '20'")
            whole.append(1000 * (time.monotonic() - began))
        print(f"{scenario}: first figures after {statistics.median(first):.0f} ms (largest {max(first)}), "
              f"20 runs after {statistics.median(whole):.0f} ms", flush=True)


def main():
    with browser.Browser() as b:
        for scenario in sys.argv[3:] or ["scenarios/first-run.yaml", "scenarios/evening-peak.yaml"]:
            measured(b, scenario)


main()
