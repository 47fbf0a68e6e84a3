"""Pages on a wide and on a narrow screen: nothing lies beyond an edge, no number is torn from its
unit, and names reorder no line."""
from kit import check

# Lines that a text would be in, had it no unit: a number with what it counts stays in one.
TORN = r"""(() => {
  const torn = [], walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    if (n.parentElement.closest('code, svg')) continue;
    for (const m of n.data.matchAll(/[-+]?[\d.,]*\d(?:\s\u00b1\s[\d.,]+)?\s(?:%|(?:s|ms|us|min|h|driver-s|rider-s|points)(?![\w]))/g)) {
      const r = document.createRange();
      r.setStart(n, m.index); r.setEnd(n, m.index + m[0].length);
      if (new Set([...r.getClientRects()].filter((each) => each.width > 0).map((each) => Math.round(each.top))).size > 1) torn.push(m[0]);
    }
  }
  return torn;
})()"""
CUT = "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth).map(e => [(e.closest('section') || {}).id, e.scrollWidth, e.clientWidth])"
CROWDED = "[...document.querySelectorAll('th, td')].filter(e => e.clientWidth > 2 && e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)"
UNRULY = r"(document.title + document.querySelector('main').textContent).match(/[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu)"


def check_fits(b, file, name):
    for width in (1400, 400):
        b.open(file, width=width)
        wide = b.value("document.documentElement.scrollWidth")
        check(wide <= width, f"{name}: no wider than {width}: {wide}")
        cut = b.value(CUT)
        check(not cut, f"{name}: at {width} px no table is cut: {cut}")
        crowded = b.value(CROWDED)
        check(not crowded, f"{name}: at {width} px no cell's text lies over another's: {crowded[:4]}")
        torn = b.value(TORN)
        check(not torn, f"{name}: at {width} px a number and its unit are in one line: {torn[:4]}")
        unruly = b.value(UNRULY)
        check(not unruly, f"{name}: what reorders a line is told as an escape: {unruly}")


def check_lists(b, file, table):
    """What is too wide becomes a list in which every figure has the heading of its column."""
    b.open(file, width=400)
    said = b.value(f"(() => {{ const t = document.querySelector('{table}'), heads = [...t.querySelectorAll('thead th')].map(e => e.textContent); return [t.classList.contains('listed'), [...t.querySelectorAll('tbody tr')].every(r => [...r.children].every((c, i) => !c.textContent || getComputedStyle(c, '::before').content === (heads[i] ? JSON.stringify(heads[i]) : 'none')))]; }})()")
    check(said == [True, True], f"{file.name}: {table} at 400 px: {said}")


def check_bounds(b, file, name):
    """On a phone a bound is told in its parts, each of which is seen whole."""
    b.open(file, width=400)
    rows = b.value("[...document.querySelectorAll('.bounds tr')].map(r => [getComputedStyle(r).display, [...r.children].map(c => { const at = c.getBoundingClientRect(); return at.width > 0 && at.right <= innerWidth && at.left >= 0 && c.scrollWidth <= c.clientWidth; })])")
    check(rows and all(display == "flex" and len(parts) == 5 and all(parts) for display, parts in rows), f"{name}: bounds at 400 px: {rows}")


def check_nothing_happened(b, file, name):
    """A run in which nobody was leased or assigned says so, and nothing that is not true."""
    b.open(file)
    text = b.value("document.querySelector('main').textContent")
    answer = b.value("[document.querySelector('#glance .answer').textContent, document.querySelector('#glance .answer').className]")
    check(answer[0].startswith("No driver was assigned") and answer[1].split() == ["card", "answer"], f"{name}: the answer of an empty run: {answer}")
    check("no leases under this protocol" not in text and "No driver was under a lease in this run" in text, f"{name}: why no lease is drawn")
    check("none seen" not in text, f"{name}: a note refers to a mark that is there")
