#!/usr/bin/env python3
"""browser_test.py DIBS CHECKOUT

Goal: the page of `dibs explore` shows what `dibs run` finds, follows the hand, and can be used by keyboard, on a
phone and in the dark.
Method: a headless Chromium that presses keys and drags; every figure on the page is compared with that of the
command on the page. Nothing is timed. Without a Chromium it says so.
"""
import sys
import time

from served import Served, check, checkout, dibs, figures_of, finish, scratch

sys.path.insert(0, str(checkout / "tests" / "pages"))
import browser  # noqa: E402

TEXT = "document.getElementById('{}').textContent"
AT = "document.getElementById('page').dataset.at"
RUNS = "Number(document.getElementById('page').dataset.runs)"
FIGURES = "[...document.querySelectorAll('[data-figure]')].filter(e => e.dataset.value).map(e => [e.dataset.figure, Number(e.dataset.value), e.textContent])"
FOCUSED = "document.activeElement.id || document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
LISTED = "[...document.querySelectorAll('#points-table tr[data-key]')].map(e => e.dataset.key)"


def settled(b, at, runs=6):
    b.wait(f"{AT} === '{at}' && {RUNS} === {runs}")


def text(b, part):
    return b.value(TEXT.format(part))


def listed(b, at):
    """It takes the slider a while to rest."""
    b.wait(f"{LISTED}.includes('{at}')")


def repeated(b, folder, what):
    """Every figure on the page is what the command on the page gives; how many there are of each."""
    shown = b.value(FIGURES)
    there = figures_of(folder, text(b, "command"))
    wrong = [(n, v, there.get(n)) for n, v, _ in shown if v != there.get(n)]
    check(len({n for n, _, _ in shown}) > 15 and not wrong, f"{what}: {wrong}")
    return {n: v for n, v, _ in shown}


def by_keyboard(b, folder, url):
    b.open(url)
    settled(b, "2.1.1")
    before = repeated(b, folder, "the scenario as it is")
    check(" --set" not in text(b, "command"), "nothing is set at first")
    check(text(b, "of") == "Figures of the scenario as it is, 6 runs, with 95 % intervals", f"which figures: {text(b, 'of')}")
    # From the top of the page by Tab: the theme, then each slider with what it is.
    reached = []
    for _ in range(7):
        b.key("Tab")
        reached.append(b.value(FOCUSED))
    check(reached == ["theme", "what lease.ttl is", "slider-0", "what lease.offer_window is", "slider-1", "what matchers.count is", "slider-2"], f"the order of Tab: {reached}")
    b.value("document.getElementById('slider-0').focus()")
    b.key("ArrowRight")
    settled(b, "3.1.1")
    after = repeated(b, folder, "a step to the right")
    check(before["supply.hidden_share"] != after["supply.hidden_share"] and before["ttm.p95"] != after["ttm.p95"], "the figures change")
    check(text(b, "slider-0-value") == "40s was 15s", f"the value at the slider: {text(b, 'slider-0-value')}")
    check(b.value("document.getElementById('slider-0').getAttribute('aria-valuetext')") == "40s", "the value for who hears it")
    listed(b, "3.1.1")
    check(b.value(LISTED) == ["2.1.1", "3.1.1"], "where the slider rested is listed")
    check("lease.ttl=40s: " in text(b, "said"), f"what is said of it: {text(b, 'said')}")
    b.key("Home")
    settled(b, "0.1.1")
    check("--set lease.ttl=13s" in text(b, "command"), "the end of the slider")
    repeated(b, folder, "the other end")
    b.value("document.getElementById('back').focus()")
    b.key("Enter")
    settled(b, "2.1.1")
    check(repeated(b, folder, "back again") == before, "the same figures as at first")
    b.value("document.querySelector('[data-go=\"3.1.1\"]').focus()")
    b.key("Enter")
    settled(b, "3.1.1")
    check(repeated(b, folder, "from the list") == after, "the point of the list again")


def objections(b):
    """A setting that cannot be is said at its slider, and the figures before it are not taken for its own."""
    b.value("document.getElementById('back').click()")
    settled(b, "2.1.1")
    b.value("document.getElementById('slider-1').focus()")
    b.key("ArrowRight")
    b.wait("!document.getElementById('slider-1-no').hidden")
    check("lease.offer_window" in text(b, "slider-1-no"), f"why not: {text(b, 'slider-1-no')}")
    check(b.value("document.getElementById('slider-1').getAttribute('aria-invalid')") == "true", "the slider says so")
    check(b.value("document.getElementById('cards').classList.contains('old')") and "nothing to run" in text(b, "of"), "the figures are dimmed")
    b.key("ArrowLeft")
    settled(b, "2.1.1")
    check(b.value("document.getElementById('slider-1-no').hidden && !document.getElementById('cards').classList.contains('old')"), "all is well again")
    b.value("document.getElementById('slider-2').focus()")
    b.key("ArrowLeft")
    b.wait("!document.getElementById('slider-2-no').hidden")
    check("matcher/2" in text(b, "slider-2-no"), "what is of no slider alone is said at the one that was moved")
    b.key("ArrowRight")
    settled(b, "2.1.1")


def by_mouse(b, folder):
    b.value("document.getElementById('slider-0').scrollIntoView({block: 'center', behavior: 'instant'})")
    left, right, y = b.value("(() => { const r = document.getElementById('slider-0').getBoundingClientRect(); return [r.left, r.right, r.top + r.height / 2]; })()")
    b.drag((left + right) / 2 + 30, right - 2, y)
    settled(b, "3.1.1")
    marks = b.value("[...document.querySelectorAll('#trade-off-chart .mark')].map(e => e.dataset.at)")
    check({"2.1.1", "3.1.1", "0.1.1"} <= set(marks), f"a mark for each point: {marks}")
    b.value("document.querySelector('#trade-off-chart [data-at=\"0.1.1\"]').dispatchEvent(new MouseEvent('click'))")
    settled(b, "0.1.1")
    listed(b, "0.1.1")
    for axis, metric in (("x", "ttm.p95"), ("y", "rides.match_rate")):
        b.value(f"(() => {{ const s = document.getElementById('axis-{axis}'); s.value = '{metric}'; s.dispatchEvent(new Event('change')); }})()")
    check("Riders matched against time to match" in b.value("document.getElementById('trade-off-chart').getAttribute('aria-label')"), "other axes")
    b.value("document.querySelector('#points-table [aria-label^=remove]').click()")
    check(b.value(LISTED) == ["2.1.1", "0.1.1"], f"a point can be removed: {b.value(LISTED)}")


def kept(b, folder):
    """What one found: the command, the scenario, and the page after a reload."""
    b.value("document.getElementById('show').click()")
    b.wait("!document.getElementById('file').hidden")
    (folder / "found.yaml").write_text(b.value("document.getElementById('file').textContent"))
    shown = {n: v for n, v, _ in b.value(FIGURES)}
    there = figures_of(folder, f"{dibs} run found.yaml --runs 6")
    check(all(v == there[n] for n, v in shown.items()), "the scenario that is shown gives the figures")
    check(b.value("fetch(document.getElementById('download').href).then(r => r.text()).then(t => t === document.getElementById('file').textContent)"), "the same to download")
    before, at = b.value(LISTED), b.value(AT)
    b.call("Page.reload")
    b.wait("document.getElementById('page') && document.getElementById('page').dataset.ready === 'yes'")
    settled(b, at)
    check(b.value(LISTED) == before, f"a reload brings the list back: {b.value(LISTED)}")


def everywhere(b, url, folder):
    for width in (1400, 820, 360):
        for dark in (False, True):
            b.open(url, width=width, dark=dark)
            settled(b, "2.1.1")
            wide = b.value("document.documentElement.scrollWidth")
            check(wide <= width, f"no wider than {width}: {wide}")
            cut = b.value("[...document.querySelectorAll('#cards [data-figure], #strip [data-figure], .slider output')].filter(e => { const c = e.getBoundingClientRect(), card = e.closest('.card, #strip').getBoundingClientRect(); return e.textContent && (!c.width || c.right > card.right + 1); }).map(e => e.textContent)")
            check(not cut, f"at {width} every figure can be read: {cut}")
            check(b.value("document.documentElement.dataset.theme") == ("dark" if dark else "light"), "the theme of the system")
    unnamed = b.value("[...document.querySelectorAll('input, button, select, progress')].filter(e => !(e.labels && e.labels.length) && !e.getAttribute('aria-label') && !e.textContent.trim()).map(e => e.outerHTML.slice(0, 80))")
    check(not unnamed, f"every control has a name: {unnamed}")


def dragged_far(b):
    """While a point takes too long, the next one is there all the same."""
    b.value("document.getElementById('slider-0').focus()")
    b.key("ArrowRight")
    time.sleep(1)
    check(b.value("document.getElementById('cards').classList.contains('old')") and "running" in text(b, "of"), f"it is said what runs: {text(b, 'of')}")
    b.key("ArrowLeft")
    settled(b, "0", runs=2)
    check(not b.value("document.getElementById('cards').classList.contains('old')"), "the figures of the slider's place")


def main():
    if browser.program() is None:
        print("no Chromium here: skipped")
        return
    with scratch() as folder, browser.Browser() as b:
        with Served(folder, "small.yaml", "--field", "lease.ttl=13s,14s,40s", "--field", "lease.offer_window=6s,12s,50s",
                    "--field", "matchers.count=1..2", "--seeds", 6) as s:
            b.may_ask += (s.url.split("?", 1)[0],)
            by_keyboard(b, folder, s.url)
            objections(b)
            by_mouse(b, folder)
            kept(b, folder)
            everywhere(b, s.url, folder)
            check(not b.complaints, f"nothing to complain about: {b.complaints}")
            s.end()
            b.value("document.getElementById('slider-0').focus()")
            b.key("ArrowLeft")  # to a place that was not seen
            b.wait("!document.getElementById('lost').hidden")
            check("does not answer any more" in text(b, "lost"), "it is said that dibs has ended")
        with Served(folder, "small.yaml", "--field", "clock.duration=60s,900h", "--seeds", 2, "--force") as s:
            b.may_ask += (s.url.split("?", 1)[0],)
            b.open(s.url)
            settled(b, "0", runs=2)
            dragged_far(b)


main()
finish()
