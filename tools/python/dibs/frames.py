"""Reads what dibs writes into data frames. What a column holds is asked of dibs itself (`dibs formats`)."""

from __future__ import annotations

import functools
import io
import json
import pathlib
from collections.abc import Iterable
from typing import Any

import pandas as pd

from . import program

_DTYPES = {"text": "object", "whole number": "Int64", "`true` or `false`": "boolean"}


@functools.lru_cache(maxsize=None)
def _formats_of(path: str) -> dict[str, Any]:
    del path  # what is remembered is of this program
    return json.loads(program.call(["formats", "--format", "json"], progress=False).output)


def formats() -> dict[str, Any]:
    """Every table, column, fact and document of dibs, with units: `scenarios/FORMATS.md` as an object."""
    return _formats_of(program.program_path())


def table(name: str, text: str | pathlib.Path) -> pd.DataFrame:
    """A table of CSV: one of `formats()["tables"]`, as text or in a file.

    Nothing is taken for something else: a hash of digits stays a text, `none` is a protocol, and an empty
    cell alone is a missing value.
    """
    told = next(t for t in formats()["tables"] if t["table"] == name)
    types = {c["column"]: _DTYPES[c["type"]] for c in told["columns"] if c["type"] in _DTYPES}
    types.pop("<field>", None)
    if "seed" in types:
        types["seed"] = "UInt64"
    source = io.StringIO(text) if isinstance(text, str) else text
    return pd.read_csv(source, dtype=types, keep_default_na=False, na_values=[""], float_precision="round_trip")


@functools.lru_cache(maxsize=None)
def _members_of(path: str) -> dict[tuple[str, str], tuple[str, str]]:
    """The type and unit of each member of each fact."""
    return {(fact["fact"], member["member"]): (member["type"], member["unit"])
            for fact in _formats_of(path)["facts"] for member in fact["members"]}


def events_of(file: pathlib.Path, facts: str | Iterable[str] | None = None) -> pd.DataFrame:
    """`events.jsonl`: a row for each fact. Times are in seconds, and their names say so."""
    wanted = {facts} if isinstance(facts, str) else set(facts) if facts is not None else None
    known = {fact["fact"] for fact in formats()["facts"]}
    if wanted is not None and not wanted <= known:
        raise ValueError(f"there is no fact {', '.join(sorted(wanted - known))}; dibs has {', '.join(sorted(known))}")
    # Most lines of most files are of other facts, and need not be read.
    marks = [f'"fact":"{fact}"' for fact in wanted] if wanted is not None else None
    members = _members_of(program.program_path())
    columns: dict[str, list[Any]] = {"t_s": [], "local_s": [], "fact": []}
    types: dict[str, str] = {}
    rows = 0
    with file.open(encoding="utf-8") as lines:
        next(lines)  # what kind of file it is
        for line in lines:
            if marks is not None and not any(mark in line for mark in marks):
                continue
            event = json.loads(line)
            fact = event["fact"]
            cells = {"t_s": event["t"] / 1e9, "local_s": event["local"] / 1e9, "fact": fact}
            for name, value in event.items():
                if name not in ("t", "local", "fact"):
                    kind, unit = members[fact, name]
                    cells.update(_cells_of(name, value, kind, unit, types))
            for name in cells:
                if name not in columns:
                    columns[name] = [None] * rows
            for name, column in columns.items():
                column.append(cells.get(name))
            rows += 1
    return pd.DataFrame({name: pd.Series(column, dtype=types.get(name)) for name, column in columns.items()})


def _cells_of(name: str, value: Any, kind: str, unit: str, types: dict[str, str]) -> dict[str, Any]:
    if unit == "ns":
        types[f"{name}_s"] = "float64"
        return {f"{name}_s": None if value is None else value / 1e9}
    if unit == "m":
        cells = {f"{name}_{axis}_m": part for axis, part in zip("xyz", value)}
        types.update(dict.fromkeys(cells, "float64"))
        return cells
    if kind == "`true` or `false`":
        types[name] = "boolean"
    elif kind in ("whole number", "whole number from 1, or null"):
        types[name] = "Int64"
    elif value is not None:
        types[name] = "object"
        value = str(value)
    return {name: value}


def replications_of(metrics_json: dict[str, Any]) -> pd.DataFrame:
    """A row for each run of `metrics.json`, with a column for each metric, as in `points.csv`."""
    names = {m["metric"]: m["column"] for m in formats()["metrics"]}
    rows = []
    for run in metrics_json["replications"]:
        row = {key: run[key] for key in ("seed", "history", "status", "reached_s", "facts", "events")}
        figures = run.get("metrics", metrics_json["metrics"])
        rows.append(row | {names.get(metric, metric): value for metric, value in figures.items()})
    frame = pd.DataFrame(rows)
    return frame.astype({"seed": "uint64"})
