#!/usr/bin/env python3
"""Studies whose processes are killed at random instants, held against the same studies undisturbed.

  killed_studies.py DIBS CHECKOUT [--kills N] [--journal postgres|sqlite|both] [--seed K] [STUDY ...]

Each study is run alone first. Then it is run over a journal, by a deciding process and two workers;
at random instants one of the three, or the server, is killed (or a process stands still for longer
than its lease), and started again, until the study has had its share of N kills and is done. What it
prints and its tables must be the same, byte for byte, but for the time that it took.

DIBS_TEST_POSTGRES, _PID and _AGAIN name a PostgreSQL, as tests/store/with_servers.sh does.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LEASE = "500ms"
TIME = re.compile(r"\d[\d,.]* (s|ms|min|h)\b|\"(wall|seconds)[a-z_]*\": [\d.e+-]+")

# Of a second or two each on one core, so that dozens of kills meet them.
STUDIES = {
    "sweep": ["sweep", "{small}", "--grid", "lease.ttl=5s,10s,15s", "--seeds", "150"],
    "zip": ["sweep", "{small}", "--zip", "lease.ttl=8s,12s; lease.offer_window=4s,6s",
            "--grid", "matchers.count=2,4", "--seeds", "100"],
    "precision": ["sweep", "{small}", "--grid", "lease.ttl=5s,15s", "--precision", "2%", "--of",
                  "ttm.mean", "--seeds", "20"],
    "tune": ["tune", "{small}", "--search", "lease.ttl=4s..30s", "--budget", "600"],
    "objective": ["tune", "{small}", "--search", "lease.protocol=lease,fenced,hold", "--objective",
                  "ttm.mean", "--budget", "400"],
    "region": ["region", "{small}", "--x", "lease.ttl=5s,8s,12s,18s", "--y",
               "lease.grace=0s,2s,4s", "--seeds", "25", "--format", "csv"],
    "survive": ["survive", "{scenarios}/incidents/01-naive-race.yaml", "--runs", "10", "--format",
                "csv"],
    "hunt": ["hunt", "{scenarios}/hunt.yaml", "--runs", "150", "--controls", "0", "--chance",
             "10%"],
}


def output_of(folder, finished):
    """What a study came to: its output and its tables."""
    text = TIME.sub("", finished.stdout.decode())
    tables = [path.read_bytes() for path in sorted(folder.glob("out/*.csv"))]
    return finished.returncode, text.replace(str(folder), ""), tables


class Study:
    def __init__(self, options, name, words, kind, chance):
        self.options = options
        self.name = name
        self.kind = kind
        self.chance = chance
        self.words = [word.format(small=options.checkout / "tests/cli/small.yaml",
                                  scenarios=options.checkout / "scenarios") for word in words]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dibs-killed-"))
        self.journal = (os.environ["DIBS_TEST_POSTGRES"] if kind == "postgres"
                        else f"sqlite:{self.folder}/journal.sqlite")
        self.kills = 0
        self.round = 0

    def command(self, out, extra=()):
        kept = ["--out", str(out / "out")] if self.words[0] == "sweep" else []
        # The incidents' seeds stand in their files.
        seed = [] if self.words[0] == "survive" else ["--seed", str(self.options.seed + self.round)]
        return [str(self.options.dibs), *self.words, *seed, "--jobs", "1", *kept, *extra]

    def alone(self):
        folder = self.folder / f"alone-{self.round}"
        folder.mkdir()
        done = subprocess.run(self.command(folder), stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=120, check=False)
        return output_of(folder, done)

    def worker(self):
        return subprocess.Popen([str(self.options.dibs), "worker", "--journal", self.journal,
                                 "--jobs", "1", "--lease", LEASE, "--idle", "60s", "-q"],
                                stderr=subprocess.DEVNULL)

    def decider(self, folder):
        out = folder / "out"
        # Where it began, or elsewhere: what the journal has is the same.
        resumed = out.exists() and self.chance.random() < 0.5
        if out.exists() and not resumed:
            shutil.rmtree(out)
        extra = ["--journal", self.journal, "--lease", LEASE] + (["--resume"] if resumed else [])
        return subprocess.Popen(self.command(folder, extra), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def strike_server(self):
        pid = int(pathlib.Path(os.environ["DIBS_TEST_POSTGRES_PID"]).read_text().split()[0])
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for each in [pid, *map(int, children)]:
            try:
                os.kill(each, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.3)
        subprocess.run(["bash", os.environ["DIBS_TEST_POSTGRES_AGAIN"]], check=True,
                       stdin=subprocess.DEVNULL)

    def strike(self, decider, workers, folder):
        """Kills one; returns what decides from now on."""
        self.kills += 1
        drawn = self.chance.random()
        if drawn < 0.1 and self.kind == "postgres":
            self.strike_server()
        elif drawn < 0.45:
            decider.kill()
            decider.communicate()
            return self.decider(folder)
        elif drawn < 0.55:
            still = self.chance.choice([decider, *workers])
            still.send_signal(signal.SIGSTOP)
            time.sleep(0.8)
            still.send_signal(signal.SIGCONT)
        else:
            i = self.chance.randrange(len(workers))
            workers[i].kill()
            workers[i].wait()
            workers[i] = self.worker()
        return decider

    def forget(self):
        """Takes what an earlier round left."""
        if self.kind == "postgres":
            subprocess.run(["psql", self.journal, "-qc", "DROP SCHEMA IF EXISTS dibs_study CASCADE"],
                           stderr=subprocess.DEVNULL, check=True)
        else:
            for each in self.folder.glob("journal.sqlite*"):
                each.unlink()

    def disturbed(self, kills):
        folder = self.folder / f"killed-{self.round}"
        folder.mkdir()
        workers = [self.worker(), self.worker()]
        decider = self.decider(folder)
        ends = time.monotonic() + 300
        try:
            while time.monotonic() < ends:
                try:
                    out, err = decider.communicate(timeout=self.chance.uniform(0.02, 0.5))
                    done = subprocess.CompletedProcess([], decider.returncode, out)
                    return output_of(folder, done), err.decode()
                except subprocess.TimeoutExpired:
                    if self.kills < kills:
                        decider = self.strike(decider, workers, folder)
            raise TimeoutError(f"{self.name} on {self.kind} did not end within 300 s")
        finally:
            for each in [decider, *workers]:
                each.send_signal(signal.SIGCONT)
                each.kill()
                each.communicate()

    def try_it(self, kills):
        """Rounds with other seeds until it was killed often enough; what differed, or nothing."""
        while self.kills < kills:
            self.round += 1
            self.forget()
            wanted = self.alone()
            found, err = self.disturbed(kills)
            if found != wanted:
                return (f"{self.name} on {self.kind}, round {self.round}: exit {found[0]} and not "
                        f"{wanted[0]}, or other tables\n{err[-2000:]}\n--- alone\n"
                        f"{wanted[1][-1500:]}\n--- killed\n{found[1][-1500:]}")
        return None


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("dibs", type=lambda s: pathlib.Path(s).resolve())
    p.add_argument("checkout", type=lambda s: pathlib.Path(s).resolve())
    p.add_argument("studies", nargs="*", metavar="STUDY", choices=[*STUDIES, []])
    p.add_argument("--kills", type=int, default=200)
    p.add_argument("--journal", choices=["postgres", "sqlite", "both"], default="both")
    p.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1, 1_000_000))
    options = p.parse_args()
    kinds = ["postgres", "sqlite"] if options.journal == "both" else [options.journal]
    if "DIBS_TEST_POSTGRES" not in os.environ and "postgres" in kinds:
        kinds.remove("postgres")
        print("no PostgreSQL is named: sqlite alone")
    pairs = [(name, kind) for name in options.studies or STUDIES for kind in kinds]
    print(f"--seed {options.seed}", flush=True)
    failed = all_kills = 0
    for i, (name, kind) in enumerate(pairs):
        share = options.kills * (i + 1) // len(pairs) - options.kills * i // len(pairs)
        study = Study(options, name, STUDIES[name], kind, random.Random(f"{options.seed} {name} {kind}"))
        begun = time.monotonic()
        problem = study.try_it(share)
        shutil.rmtree(study.folder)
        all_kills += study.kills
        failed += problem is not None
        print(problem or f"{name} on {kind}: {study.kills} kills in {study.round} studies, the same "
              f"bytes each time; {time.monotonic() - begun:.0f} s", flush=True)
    print(f"{all_kills} kills, {failed} of {len(pairs)} failed")
    return 1 if failed or all_kills == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
