#!/usr/bin/env python3
"""Goal: a change that was to change no output changed none.
Method: the commands and formats, on three scenarios; each output, with what depends on the clock and
on the machine left out, has the hash that stands in outputs.txt.

  outputs_test.py DIBS CHECKOUT [--keep FOLDER]    also keeps the outputs, to compare two programs
  outputs_test.py DIBS CHECKOUT --renew            writes outputs.txt anew; the commit says why
"""
import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SCENARIOS = ["first-run.yaml", "no-lease.yaml", "incidents/03-expire-while-deciding.yaml"]
# What a clock or a machine decides.
MASKS = [(re.compile(pattern), by) for pattern, by in [
    (rb"\bin [\d.,]+ (ns|us|\xc2\xb5s|ms|s|min( \d+ s)?)(?=, [\d,]+ events)", b"in TIME"),
    (rb"[\d.]+ [kM]? ?events/s", b"SPEED"),
    (rb'"(wall_s|events_per_s|cpu_s|wall_ns|started|began|ended|created|seconds|peak_memory|host|cores'
     rb'|jobs|elapsed_s|processor_s)": ?("[^"]*"|[\d.e+-]+)', rb'"\1": MASKED'),
    (rb'"(seal|binary_xxh3_128|kind)": "(?!run|story)\w+"', rb'"\1": MASKED'),
    (rb"(?m)( events,)(?: |\n  )[\d.]+ (min|m?s)( [\d.]+ s)?$", rb"\1 TIME"),
    (rb"(?m)^(  [\d,]+ runs: .*;\s+)[\d.]+ (min|m?s)( [\d.]+ s)?$", rb"\1TIME"),
    (rb"(?m)^(.*(?:runs|cells|points|replications)[^\n]*?),? in [\d.]+ (?:ms|s|min)(?: \d+ s)?", rb"\1 in TIME"),
    (rb"(?m)^(.* in [\d,]+ runs and )[\d.]+ (?:ms|s|min)(?: \d+ s)?$", rb"\1TIME"),
    (rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?", b"DATE"),
]]


def commands_of(scenario, name):
    """What is typed for one scenario, in order: later ones read what earlier ones kept."""
    kept, swept = f"kept-{name}", f"swept-{name}"
    yield ["run", scenario, "--no-out"]
    yield ["run", scenario, "--no-out", "--format", "json"]
    yield ["run", scenario, "--no-out", "--runs", "4"]
    yield ["run", scenario, "--no-out", "--runs", "4", "--format", "json"]
    yield ["run", scenario, "--events", "--quiet", "--out", kept]
    yield ["explain", kept]
    yield ["explain", kept, "breach", "1"]
    yield ["explain", kept, "ride", "3", "--quick", "--all"]
    yield ["explain", kept, "breach", "1", "--quick", "--html", "--out", "-"]
    yield ["replay", kept]
    for form in ["html", "trace", "md", "csv", "json", "svg"]:
        yield ["report", kept, "--format", form, "--out", "-"]
    yield ["sweep", scenario, "--grid", "lease.ttl=15s,20s,45s", "--seeds", "4", "--out", swept]
    for form in ["html", "md", "csv", "json", "svg"]:
        yield ["report", swept, "--format", form, "--out", "-"]
    yield ["compare", f"{swept}:1", f"{swept}:3"]
    yield ["check", scenario, "--cause", "8", "--cause", "15", "--quiet"]
    for form in ["text", "csv", "json"]:
        yield ["compare", scenario, scenario, "--set-b", "lease.ttl=20s", "--seeds", "4", "--format", form]
    for form in ["text", "csv", "json"]:
        yield ["region", scenario, "--x", "lease.ttl=15s,20s", "--y", "lease.grace=0s,2s", "--seeds", "2",
               "--format", form]
    for form in ["text", "json"]:
        yield ["tune", scenario, "--search", "lease.ttl=12s..60s", "--budget", "250", "--format", form]
    for study in ["region", "tune"]:
        for form in ["html", "md", "csv", "svg"]:
            yield ["report", f"{study}-{name}.json", "--format", form, "--out", "-"]


def commands_for_all():
    for form in ["text", "md", "csv", "json"]:
        yield ["survive", "3", "6", "--runs", "2", "--format", form]
    for form in ["html", "md", "csv", "json", "svg"]:
        yield ["report", "survive.json", "--format", form, "--out", "-"]
    yield ["hunt", "hunt.yaml", "--runs", "60"]
    yield ["shrink", "no-lease.yaml", "--while", "double.commits >= 1"]
    economics = ["economics", "--operation", "5s", "--rtt", "50ms", "--failures", "2/h",
                 "--false-positive-cost", "10", "--unavailability-cost", "1"]
    yield economics
    yield [*economics, "--format", "json"]
    for form in ["text", "json"]:
        yield ["list", "--format", form]
        yield ["metrics", "--format", form]
        yield ["torment", "--list", "--format", form]
    yield ["reference"]
    for form in ["md", "json"]:
        yield ["formats", "--format", form]
    yield ["schema"]
    yield ["init", "-"]
    yield ["completion", "bash"]
    yield ["validate", "wrong.yaml"]


def masked(output):
    for pattern, by in MASKS:
        output = pattern.sub(by, output)
    return output


def run(dibs, folder, words):
    """Standard output, then standard error where the command failed, and the exit code."""
    environment = {"PATH": f"{folder}/bin", "HOME": str(folder), "LC_ALL": "C", "COLUMNS": "100"}
    done = subprocess.run(["dibs", *words], executable=dibs, cwd=folder, env=environment, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=300, check=False)
    if words[-2:] == ["--format", "json"] and words[0] in ("region", "tune", "survive"):
        name = pathlib.Path(words[1]).stem if words[0] != "survive" else ""
        (folder / f"{words[0]}{'-' + name if name else ''}.json").write_bytes(done.stdout)
    said = done.stdout if done.returncode in (0, 7, 99) else done.stdout + done.stderr
    return said + f"\n(ended with {done.returncode})\n".encode()


def files_of(folder):
    """What a run or a sweep kept, but for its database, whose pages are not laid out by its rows."""
    return {str(file.relative_to(folder)): file.read_bytes()
            for kind in ("kept-*", "swept-*") for kept in sorted(folder.glob(kind))
            for file in sorted(kept.rglob("*")) if file.is_file() and file.suffix != ".sqlite"}


def outputs(dibs, checkout, folder):
    """Of each command and each kept file: its name and what it says."""
    (folder / "incidents").mkdir()
    for file in [*SCENARIOS, "hunt.yaml"]:
        (folder / file).write_bytes((checkout / "scenarios" / file).read_bytes())
    (folder / "scenarios").symlink_to(checkout / "scenarios")
    (folder / "wrong.yaml").write_text(
        "version: 1\nname: wrong\nclock: {duration: 20, durations: 1h}\nlease: {ttl: -3s}\n")

    def in_turn(commands):
        return [(" ".join(words), run(dibs, folder, words)) for words in commands]

    everything = [commands_of(file, pathlib.Path(file).stem) for file in SCENARIOS] + [commands_for_all()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = [pair for chain in pool.map(in_turn, everything) for pair in chain]
    return {name: masked(text.replace(str(folder).encode(), b"."))
            for name, text in [*said, *files_of(folder).items()]}


def main():
    arguments = argparse.ArgumentParser(description=__doc__,
                                        formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("dibs", type=pathlib.Path)
    arguments.add_argument("checkout", type=pathlib.Path)
    arguments.add_argument("--keep", type=pathlib.Path)
    arguments.add_argument("--renew", action="store_true")
    asked = arguments.parse_args()
    checkout = asked.checkout.resolve()
    listed = checkout / "tests" / "cli" / "outputs.txt"
    with tempfile.TemporaryDirectory() as folder:
        found = outputs(asked.dibs.resolve(), checkout, pathlib.Path(folder))
    if asked.keep:
        asked.keep.mkdir(parents=True, exist_ok=True)
        for number, (name, text) in enumerate(found.items()):
            file = f"{number:03} " + re.sub(r"[^\w.=-]+", "_", name)[:100]
            (asked.keep / file).write_bytes(text)
    hashes = {name: hashlib.sha256(text).hexdigest()[:16] for name, text in found.items()}
    if asked.renew:
        listed.write_text("".join(f"{h} {name}\n" for name, h in hashes.items()))
        return 0
    known = {name: h for h, name in (line.split(" ", 1) for line in listed.read_text().splitlines())}
    differ = [name for name in {**known, **hashes} if known.get(name) != hashes.get(name)]
    for name in differ:
        print(f"FAILED: not as in {listed.name}: {name}")
    print(f"{len(hashes)} outputs, {len(differ)} not as listed")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
