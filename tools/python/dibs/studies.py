"""Runs, sweeps, comparisons and searches, as data frames."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Union

import pandas as pd

from . import frames
from .program import (INCONCLUSIVE, PROMISE_BROKEN, THRESHOLD_MISSED, Ended, Progress, axis, call, error_of,
                      settings)

File = Union[str, "os.PathLike[str]"]
Settings = Union[Mapping[str, Any], None]

# The lines of a summary that say what is wrong.
_AMISS = re.compile(r".*\b(BROKEN|MISSED|STUCK)\b")

_HELD = (PROMISE_BROKEN, INCONCLUSIVE, THRESHOLD_MISSED)


class Result:
    """What came of a command that ran to its end.

    `code` is 0, or that of PromiseBroken, Inconclusive or ThresholdMissed; `check()` raises that. `words` is what
    the program said besides: fields that changed nothing, and such.
    """

    def __init__(self, ended: Ended) -> None:
        self.code = ended.code
        self.words = ended.words
        self.command = ended.command

    @property
    def ok(self) -> bool:
        """No promise was broken, no threshold missed, and the answer is sure."""
        return self.code == 0

    def check(self) -> "Result":
        """Itself if it is ok, else the exception that says why not."""
        if not self.ok:
            told = [line.strip() for line in self.text.splitlines() if _AMISS.match(line)]
            raise error_of(self.code, "\n".join(told) or self.words, self.command)
        return self

    text = ""
    """What the program prints for people, of a run or a sweep."""


class Kept(Result):
    """A result with a directory. One that nobody named goes when this object goes."""

    def __init__(self, ended: Ended, directory: File, scratch: str | None = None) -> None:
        super().__init__(ended)
        self.text = ended.output
        self.directory = pathlib.Path(directory)
        if scratch is not None:
            weakref.finalize(self, shutil.rmtree, scratch, ignore_errors=True)


class Run(Kept):
    """One run, or several on different seeds."""

    def __init__(self, ended: Ended, directory: File, scratch: str | None = None) -> None:
        super().__init__(ended, directory, scratch)
        self.metrics: dict[str, Any] = json.loads((self.directory / "metrics.json").read_text(encoding="utf-8"))
        """All of `metrics.json`."""

    @property
    def figures(self) -> pd.DataFrame:
        """A row for each metric: `unit`, `value`, and its 95 % interval where there is one."""
        done = call(["report", self.directory, "--format", "csv", "--quiet"], progress=False)
        return frames.table("figures of a run", done.output).set_index("metric")

    @property
    def replications(self) -> pd.DataFrame:
        """A row for each run, a column for each metric."""
        return frames.replications_of(self.metrics)

    @property
    def series(self) -> pd.DataFrame:
        """Supply and demand over time, of each run."""
        return frames.table("series.csv", self.directory / "series.csv")

    @property
    def notables(self) -> pd.DataFrame:
        """Harms worth a look: of which ride, when, and what happened."""
        return pd.DataFrame(self.metrics["notables"], columns=["seed", "harm", "t_s", "ride", "severity", "what"])

    @property
    def thresholds(self) -> pd.DataFrame:
        """What the scenario asks for and expects, and whether it was met."""
        both = [{"kind": kind, **each} for kind in ("thresholds", "expect") for each in self.metrics[kind]]
        return pd.DataFrame(both, columns=["kind", "metric", "bound", "value", "met"])

    def events(self, facts: str | Iterable[str] | None = None) -> pd.DataFrame:
        """See `dibs.events`."""
        return events(self, facts)

    def __repr__(self) -> str:
        return f"<dibs runs of {self.metrics['scenario']}, {self.metrics['runs']} from seed {self.metrics['seed']} on>"


class Sweep(Kept):
    """Points, each run on the same seeds."""

    @property
    def points(self) -> pd.DataFrame:
        """A row for each run: the fields of its point, its seed, and a column for each metric."""
        return frames.table("points.csv", self.directory / "points.csv")

    @property
    def summary(self) -> pd.DataFrame:
        """A row for each point and metric: the figure over the runs, with its 95 % interval."""
        return frames.table("summary.csv", self.directory / "summary.csv")

    @property
    def fields(self) -> list[str]:
        """The columns of the fields that were varied."""
        columns = list(self.summary.columns)
        return columns[columns.index("point") + 1:columns.index("metric")]

    def table(self, *metrics: str) -> pd.DataFrame:
        """Figures side by side: a row for each point, a column for each metric; all without a name."""
        long = self.summary
        known = list(long["metric"].unique())
        if unknown := [metric for metric in metrics if metric not in known]:
            raise KeyError(f"no point has a value of {', '.join(unknown)}")
        fields = long.drop_duplicates("point").set_index("point")[self.fields]
        wide = long.pivot(index="point", columns="metric", values="value")[list(metrics) or known]
        return fields.join(wide)

    def __repr__(self) -> str:
        return f"<dibs sweep in {self.directory}>"


class Comparison(Result):
    """Two sets of runs on the same seeds."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(ended)
        self.figures: pd.DataFrame = frames.table("a comparison", ended.output)
        """A row for each metric, what changed most first: both figures, and B - A with its 95 % interval."""


class Choice(Result):
    """What `tune` found."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(ended)
        self.tuning: dict[str, Any] = json.loads(ended.output)
        """All that `dibs tune --format json` says."""
        self.answer: str = self.tuning["answer"]
        self.best: dict[str, str] = self.tuning["best"]
        """The best values, ready for `set=`; empty if there are none."""

    @property
    def rows(self) -> pd.DataFrame:
        """A row for each metric at each value that was tried."""
        return frames.table("a choice", _table_of(self.tuning))


class Region(Result):
    """Where everything holds, over two fields."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(ended)
        self.conditions: pd.DataFrame = frames.table("a region", ended.output)
        """A row for each condition in each cell."""

    @property
    def map(self) -> pd.DataFrame:
        """The verdict of each cell: one field down, the other across."""
        columns = list(self.conditions.columns)
        across, down = columns[:columns.index("verdict")][:2]
        return self.conditions.drop_duplicates([across, down]).pivot(index=down, columns=across, values="verdict")


def _table_of(printed: dict[str, Any]) -> str:
    """The CSV of what a command printed as JSON."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(printed, file)
        file.flush()
        return call(["report", file.name, "--format", "csv"], progress=False).output


@contextlib.contextmanager
def _place(out: File | None) -> Iterator[tuple[File, str | None]]:
    """Where a run goes, and what is to be taken away with its result; where there is none, at once."""
    if out is not None:
        yield out, None
        return
    scratch = tempfile.mkdtemp(prefix="dibs-")
    try:
        yield pathlib.Path(scratch) / "kept", scratch
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise


def _options(**values: Any) -> list[str]:
    """`--seed 7` for what is not None, `--resume` for what is True; `_` is `-`."""
    words: list[str] = []
    for name, value in values.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [option, str(value)]
    return words


def _each(option: str, values: str | Sequence[str] | None) -> list[str]:
    """An option that may be repeated."""
    some = [values] if isinstance(values, str) else values or []
    return [word for value in some for word in (option, value)]


def _axes(option: str, values: Mapping[str, Any] | None) -> list[str]:
    return [word for path, each in (values or {}).items() for word in (option, axis(path, each))]


def run(scenario: File, *, seeds: int = 1, seed: int | None = None, set: Settings = None, events: bool = False,
        out: File | None = None, jobs: int | None = None, progress: Progress = None) -> Run:
    """Runs a scenario on `seeds` seeds, from `seed` on (else the scenario's).

    `set` has fields with their values: `{"lease.ttl": "15s"}` as `--set` takes them, or by the name of a
    column, `{"lease.ttl_s": 15}`. `events` keeps every event. `out` is a directory to make; without it the run
    is kept for as long as the result.

    Raises DibsError. A broken promise or a missed threshold raises nothing: see `Result.check`.
    """
    with _place(out) as (directory, scratch):
        done = call(["run", scenario, *settings("--set", set),
                     *_options(runs=seeds, seed=seed, events=events, jobs=jobs), "--out", directory],
                    may_end_with=_HELD, progress=progress)
        return Run(done, directory, scratch)


def sweep(scenario: File, grid: Mapping[str, Any] | None = None, *, zip: Mapping[str, Any] | None = None,
          derive: Mapping[str, str] | None = None, where: str | Sequence[str] | None = None,
          seeds: int | None = None, seed: int | None = None, set: Settings = None, precision: str | None = None,
          of: str | None = None, out: File | None = None, resume: bool = False, yes: bool = False,
          jobs: int | None = None, progress: Progress = None) -> Sweep:
    """Runs each value of `grid` with each of all others, on the same seeds.

    `grid` and `zip` have fields with lists of values, or with a range as text: `{"lease.ttl_s": [5, 15],
    "lease.grace": "0s..4s:lin:5"}`. Those of `zip` change together. `derive` has fields with expressions,
    `where` conditions. `out`, with `resume`, goes on where a sweep was stopped.

    Raises DibsError; a broken promise or a missed threshold raises nothing, as of `run`.
    """
    derived = [word for path, formula in (derive or {}).items() for word in ("--derive", f"{path}={formula}")]
    with _place(out) as (directory, scratch):
        done = call(["sweep", scenario, *_axes("--grid", grid), *_axes("--zip", zip), *derived,
                     *_each("--where", where), *settings("--set", set),
                     *_options(seeds=seeds, seed=seed, precision=precision, of=of, resume=resume, yes=yes, jobs=jobs),
                     "--out", directory], may_end_with=_HELD, progress=progress)
        return Sweep(done, directory, scratch)


def compare(a: File | Run | Sweep, b: File | Run | Sweep | None = None, *, set: Settings = None,
            set_a: Settings = None, set_b: Settings = None, seeds: int | None = None, seed: int | None = None,
            precision: str | None = None, of: str | None = None, jobs: int | None = None,
            progress: Progress = None) -> Comparison:
    """Two scenarios, or kept runs, on the same seeds, metric by metric.

    Without `b`, `a` is compared with itself as `set_b` says.
    """
    sides = [_side(each) for each in (a, b) if each is not None]
    done = call(["compare", *sides, *settings("--set", set), *settings("--set-a", set_a), *settings("--set-b", set_b),
                 *_options(seeds=seeds, seed=seed, precision=precision, of=of, jobs=jobs), "--format", "csv"], may_end_with=(PROMISE_BROKEN, INCONCLUSIVE), progress=progress)
    return Comparison(done)


def tune(scenario: File, search: Mapping[str, Any], *, objective: str | None = None, missed: str | None = None,
         constraint: str | Sequence[str] | None = None, holdout: File | None = None, seeds: int | None = None,
         seed: int | None = None, set: Settings = None, budget: str | int | None = None, jobs: int | None = None,
         progress: Progress = None) -> Choice:
    """The best value of one to three fields: `{"lease.ttl": "3s..60s"}`."""
    done = call(["tune", scenario, *_axes("--search", search), *_each("--constraint", constraint),
                 *settings("--set", set),
                 *_options(objective=objective, missed=missed, holdout=holdout, seeds=seeds, seed=seed, budget=budget,
                           jobs=jobs), "--format", "json"], may_end_with=_HELD, progress=progress)
    return Choice(done)


def region(scenario: File, x: Mapping[str, Any] | str, y: Mapping[str, Any] | str, *,
           require: str | Sequence[str] | None = None, seeds: int | None = None, set: Settings = None,
           jobs: int | None = None, progress: Progress = None) -> Region:
    """Where all thresholds, and the conditions of `require`, hold: `{"lease.ttl_s": [5, 15]}` across, `y` down."""
    sides = [word for option, side in (("--x", x), ("--y", y))
             for word in ([option, side] if isinstance(side, str) else _axes(option, side))]
    done = call(["region", scenario, *sides, *_each("--require", require), *settings("--set", set),
                 *_options(seeds=seeds, jobs=jobs), "--format", "csv"],
                may_end_with=(PROMISE_BROKEN, INCONCLUSIVE), progress=progress)
    return Region(done)


def survive(*incidents: File | int, runs: int | None = None, jobs: int | None = None,
            progress: Progress = None) -> pd.DataFrame:
    """Which protocol survives which incident: a row for each metric that was looked at."""
    done = call(["survive", *incidents, *_options(runs=runs, jobs=jobs), "--format", "csv"],
                progress=progress)
    return frames.table("a survival table", done.output)


def read_run(directory: File) -> Run:
    """A run that is kept in a directory."""
    return Run(_none(), directory)


def read_sweep(directory: File) -> Sweep:
    """A sweep that is kept in a directory, finished."""
    return Sweep(_none(), directory)


def events(of: Run | File, facts: str | Iterable[str] | None = None) -> pd.DataFrame:
    """The events of a run that kept them (`events=True`), all or those of one or more facts.

    A row for each, in the order in which they became true: `t_s` in true time, `local_s` by the clock of the
    node, and what the fact says besides. `dibs.formats()["facts"]` has their meanings.
    """
    directory = of.directory if isinstance(of, Run) else pathlib.Path(of)
    file = directory / "events.jsonl"
    if not file.exists():
        raise FileNotFoundError(f"{directory} has no events.jsonl; dibs.run(..., events=True) keeps it")
    return frames.events_of(file, facts)


def metrics() -> pd.DataFrame:
    """All metrics, by name: the column of `points.csv`, the unit, and what each of them is."""
    return pd.DataFrame(frames.formats()["metrics"]).set_index("metric")


def scenarios() -> pd.DataFrame:
    """The scenarios that ship, each with its question."""
    return pd.DataFrame(json.loads(call(["list", "--format", "json"], progress=False).output))


def _side(of: File | Run | Sweep) -> File:
    return of.directory if isinstance(of, Kept) else of


def _none() -> Ended:
    return Ended("", "", 0, [])

