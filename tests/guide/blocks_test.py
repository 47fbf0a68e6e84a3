#!/usr/bin/env python3
"""Goal: what pages show is what the program prints.
Method: each fenced block of a page that begins with `$ tools/dibs ...` is typed, in a folder where
the page's earlier ones were, and its output compared line by line. A line of three dots stands for
lines that are left out; times and speeds, which no two runs share, are masked. And each link to a
file of the checkout leads to one.

  blocks_test.py DIBS CHECKOUT [--whole]    --whole: also what takes minutes
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```\w*\n(\$ .*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
# Too long for every test run; tools/check guide types them.
LONG = re.compile(r"^tools/dibs (tune|survive|bench|region scenarios/evening|hunt .*--runs \d{4,}|run bench/)|--live")
# What depends on the machine: in these lines, times and speeds.
TIMED = re.compile(r"events/s|^\s+\d+ min \d+ s$|leases, [\d,]+ events|\d runs in \d|in [\d,]+ runs and [\d.]+ s")
AMOUNT = re.compile(r"\d[\d,.]*( [kMG])? (ns|us|ms|s|min|h|events/s)\b( \d+ (min|s)\b)?")


def blocks_of(page):
    """(line number, command, lines of output) of each."""
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        lines = found[1].rstrip("\n").split("\n")
        command = lines.pop(0)[2:]
        while command.endswith("\\"):
            command = command[:-1] + lines.pop(0).strip()
        if command.startswith("tools/dibs"):
            yield text.count("\n", 0, found.start()) + 2, command, lines


def masked(line):
    return AMOUNT.sub("#", line.rstrip()) if TIMED.search(line) else line.rstrip()


def first_difference(shown, printed):
    """The first line that is shown and not printed there; None if there is none."""
    at, may_skip = 0, False
    for line in shown:
        if line.strip() == "...":
            may_skip = True
            continue
        if may_skip:
            while at < len(printed) and printed[at] != line:
                at += 1
        if at >= len(printed) or printed[at] != line:
            return line
        at, may_skip = at + 1, False
    return None if may_skip or at >= len(printed) else f"(more: {printed[at]})"


def check_page(page, checkout, folder, whole):
    """How many blocks were typed, and what is wrong with each."""
    typed, wrong = 0, []
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    for line, command, shown in blocks_of(page):
        if LONG.search(command) and not whole:
            continue
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, check=False,
                              capture_output=True, stdin=subprocess.DEVNULL, text=True)
        typed += 1
        printed = [masked(each) for each in done.stdout.rstrip("\n").split("\n")]
        differs = first_difference([masked(each) for each in shown], printed)
        if differs is not None:
            wrong.append(f"{page.relative_to(checkout)}:{line}: {command}\n  shows    {differs}\n"
                         f"  which is not printed there; status {done.returncode}\n{done.stderr[-500:]}")
    return typed, wrong


def broken_links(page, checkout):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in LINK.findall(text):
        if not (page.parent / link).exists():
            yield f"{page.relative_to(checkout)}: the link to {link} leads nowhere"


def main():
    arguments = argparse.ArgumentParser(description=__doc__,
                                        formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("dibs", type=pathlib.Path)
    arguments.add_argument("checkout", type=pathlib.Path)
    arguments.add_argument("--whole", action="store_true")
    asked = arguments.parse_args()
    checkout = asked.checkout.resolve()
    pages = [page for page in sorted(checkout.rglob("*.md"))
             if not {"build", ".git", "node_modules"} & set(page.relative_to(checkout).parts)]
    typed, wrong = 0, []
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("scenarios", "bench"):
                (pathlib.Path(folder) / name).symlink_to(checkout / name)
            (pathlib.Path(folder) / "tools").mkdir()
            (pathlib.Path(folder) / "tools" / "dibs").symlink_to(asked.dibs.resolve())
            count, found = check_page(page, checkout, pathlib.Path(folder), asked.whole)
        typed += count
        wrong += [*found, *broken_links(page, checkout)]
    print("\n".join(wrong))
    print(f"{typed} blocks typed, {len(wrong)} things not as shown")
    return 1 if wrong or typed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
