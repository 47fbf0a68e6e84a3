"""dibs from Python: runs, sweeps and comparisons as data frames of pandas.

    import dibs

    one = dibs.run("scenarios/first-run.yaml", seeds=10, set={"lease.ttl": "15s"})
    one.figures.loc["supply.hidden_share"]

    swept = dibs.sweep("scenarios/first-run.yaml", {"lease.ttl_s": [5, 15, 45]}, seeds=10)
    swept.table("supply.hidden_share", "accepts.missed_rate")

    dibs.compare("scenarios/first-run.yaml", set_b={"lease.ttl_s": 30}).figures

The program is `$DIBS`, else `tools/dibs` of the checkout that holds this package, else `dibs` of the path.
What is in each frame, with units, is on the page `scenarios/FORMATS.md`.
"""

try:
    import pandas as _pandas  # noqa: F401
except ImportError as _missing:
    import sys as _sys

    raise ImportError(
        f"dibs needs pandas, and {_sys.executable} has none: apt install python3-pandas (for /usr/bin/python3), or "
        f"{_sys.executable} -m pip install pandas") from _missing

from .frames import formats
from .program import (DibsError, Inconclusive, InvalidInput, PromiseBroken, ThresholdMissed, UsageError, program_path)
from .studies import (Choice, Comparison, Region, Run, Sweep, compare, events, metrics, read_run, read_sweep,
                      region, run, scenarios, survive, sweep, tune)

__all__ = ["Choice", "Comparison", "DibsError", "Inconclusive", "InvalidInput", "PromiseBroken", "Region", "Run",
           "Sweep", "ThresholdMissed", "UsageError", "compare", "events", "formats", "metrics", "program_path",
           "read_run", "read_sweep", "region", "run", "scenarios", "survive", "sweep", "tune"]
