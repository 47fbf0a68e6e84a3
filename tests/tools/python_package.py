"""Goal: the Python package gives what the program wrote, and says what the program said.
Method: small runs, read back by other means. python_test.sh starts it."""
import csv
import io
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

import pandas as pd

import dibs
from dibs import frames, program

SMALL = "tests/cli/small.yaml"


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.one = dibs.run(SMALL, events=True)
        cls.several = dibs.run(SMALL, seeds=3, seed=7, set={"lease.ttl_s": 9})

    def test_figures_are_those_of_metrics_json(self):
        for run in (self.one, self.several):
            figures = run.figures
            self.assertEqual(list(figures.index), list(run.metrics["metrics"]))
            for metric, value in run.metrics["metrics"].items():
                if value is not None:
                    self.assertAlmostEqual(figures.loc[metric, "value"], value)
            self.assertEqual(figures.loc["ttm.p95", "unit"], "s")
        self.assertTrue((self.several.figures["interval"].dropna() == "seeds").all())

    def test_a_field_is_set_by_its_column_too(self):
        manifest = json.loads((self.several.directory / "manifest.json").read_text())
        self.assertIn({"path": "lease.ttl", "value": "9s"}, manifest["overrides"])

    def test_replications_have_a_row_for_each_run(self):
        rows = self.several.replications
        self.assertEqual(len(rows), 3)
        self.assertEqual(rows["seed"].dtype, "uint64")
        self.assertEqual(rows["seed"].iloc[0], 7)
        alone = dibs.run(SMALL, seed=int(rows["seed"].iloc[1]), set={"lease.ttl": "9s"})
        self.assertEqual(alone.replications["history"].iloc[0], rows["history"].iloc[1])
        self.assertEqual(alone.replications["ttm.p95_s"].iloc[0], rows["ttm.p95_s"].iloc[1])

    def test_series_and_notables_are_whole(self):
        series = self.several.series
        self.assertEqual(sorted(series["replication"].unique()), [1, 2, 3])
        self.assertEqual(series["online"].dtype, "Int64")
        self.assertEqual(len(self.one.notables), len(self.one.metrics["notables"]))

    def test_events_are_those_of_the_file_in_seconds(self):
        lines = [json.loads(line) for line in (self.one.directory / "events.jsonl").read_text().splitlines()][1:]
        frame = dibs.events(self.one)
        self.assertEqual(list(frame["fact"]), [e["fact"] for e in lines])
        self.assertTrue((frame["t_s"].diff().dropna() >= 0).all())
        granted = dibs.events(self.one, "lease_granted")
        meant = [e for e in lines if e["fact"] == "lease_granted"]
        self.assertEqual(list(granted["driver"]), [e["driver"] for e in meant])
        self.assertEqual(list(granted["ttl_s"]), [e["ttl"] / 1e9 for e in meant])
        self.assertEqual(list(granted["expires_s"]), [e["expires"] / 1e9 for e in meant])
        self.assertEqual(len(dibs.events(self.one.directory, ["offer_sent", "lease_granted"])),
                         sum(e["fact"] in ("offer_sent", "lease_granted") for e in lines))
        came = dibs.events(self.one, "driver_came_online").iloc[0]
        first = next(e for e in lines if e["fact"] == "driver_came_online")
        self.assertEqual([came["place_x_m"], came["place_y_m"], came["place_z_m"]], first["place"])
        with self.assertRaisesRegex(ValueError, "there is no fact lease_grunted"):
            dibs.events(self.one, "lease_grunted")
        with self.assertRaisesRegex(FileNotFoundError, "events=True"):
            dibs.events(self.several)

    def test_a_run_without_a_place_goes_with_its_result(self):
        run = dibs.run(SMALL)
        place = run.directory
        self.assertTrue(place.exists())
        del run
        self.assertFalse(place.exists())

    def test_a_kept_run_is_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            made = dibs.run(SMALL, out=f"{folder}/kept")
            again = dibs.read_run(f"{folder}/kept")
            pd.testing.assert_frame_equal(made.figures, again.figures)


class Studies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.swept = dibs.sweep(SMALL, {"lease.ttl_s": [5, 9.5], "lease.offer_window": ["4s", "ttl"]}, seeds=3)

    def test_points_and_summary_have_the_fields_as_numbers(self):
        points = self.swept.points
        self.assertEqual(len(points), 12)
        self.assertEqual(self.swept.fields, ["lease.ttl_s", "lease.offer_window_s", "lease.offer_window_word"])
        self.assertEqual(sorted(points["lease.ttl_s"].unique()), [5, 9.5])
        self.assertEqual(points["history"].map(type).unique().tolist(), [str])
        self.assertFalse(points["stuck"].any())
        table = self.swept.table("supply.hidden_share", "ttm.p95")
        self.assertEqual(list(table.columns[-2:]), ["supply.hidden_share", "ttm.p95"])
        summary = self.swept.summary  # query() of numbers and words at once asks too much of numexpr
        row = summary[(summary["point"] == 2) & (summary["metric"] == "ttm.p95")].iloc[0]
        self.assertEqual(row["value"], table.loc[2, "ttm.p95"])
        self.assertTrue(row["low_95"] < row["value"] < row["high_95"])
        with self.assertRaisesRegex(KeyError, "hiden"):
            self.swept.table("supply.hiden_share")

    def test_a_range_and_a_list_are_axes(self):
        swept = dibs.sweep(SMALL, {"lease.ttl": "5s..9s:lin:3"}, zip={"matchers.count": [1, 2, 3]},
                           derive={"lease.offer_window": "lease.ttl-3s"}, where="lease.ttl < 9s", seeds=1)
        self.assertEqual(len(swept.points), 6)
        self.assertEqual(sorted(swept.points["lease.offer_window_s"].unique()), [2, 4])

    def test_a_comparison_is_that_of_the_program(self):
        found = dibs.compare(SMALL, set_b={"lease.ttl_s": 5}, seeds=3)
        printed = subprocess.run([dibs.program_path(), "compare", SMALL, "--set-b", "lease.ttl=5s", "--seeds", "3",
                                  "--format", "json"], capture_output=True, check=True).stdout
        meant = json.loads(printed)["comparisons"][0]["metrics"]
        self.assertEqual(list(found.figures["metric"]), [m["metric"] for m in meant])
        self.assertEqual(list(found.figures["difference"]), [m["difference"] for m in meant])
        pair = dibs.compare(dibs.run(SMALL, seeds=2), dibs.run(SMALL, seeds=2, set={"lease.ttl": "5s"}))
        self.assertTrue((pair.figures["pairs"] == 2).all())

    def test_a_choice_can_be_set(self):
        found = dibs.tune(SMALL, {"lease.ttl_s": [3, 9, 15]}, seeds=6)
        self.assertIn(found.code, (0, 7))
        self.assertEqual(set(found.rows["metric"]) >= {"objective", "supply.hidden_share"}, True)
        if found.best:
            self.assertIn("lease.ttl", found.best)
            dibs.run(SMALL, set=found.best)

    def test_a_region_is_a_map(self):
        found = dibs.region(SMALL, {"lease.ttl_s": [5, 15, 25]}, {"lease.grace": ["0s", "1s"]}, seeds=2,
                            require=["ttm.p95 <= 30s", "accepts.missed_rate <= 20%"])
        self.assertEqual(found.map.shape, (2, 3))
        self.assertEqual(len(found.conditions), 12)
        self.assertEqual(found.map.columns.name, "lease.ttl_s")

    def test_survival_has_a_row_for_each_figure(self):
        table = dibs.survive(1, runs=2)
        self.assertEqual(table["protocol"].nunique(), 7)
        self.assertEqual(table.query("protocol == 'none'")["verdict"].unique().tolist(), ["breaks"])


class Errors(unittest.TestCase):
    def test_the_words_and_the_code_are_those_of_the_program(self):
        done = subprocess.run([dibs.program_path(), "run", SMALL, "--set", "lease.tl=3s", "--no-out"], capture_output=True,
                              text=True, check=False)
        with self.assertRaises(dibs.InvalidInput) as raised:
            dibs.run(SMALL, set={"lease.tl": "3s"})
        self.assertEqual(raised.exception.code, done.returncode)
        self.assertEqual(str(raised.exception), done.stderr.strip("\n"))
        with self.assertRaises(dibs.UsageError):
            dibs.sweep(SMALL, {"lease.ttl": "5s..3s:log:0"})
        with self.assertRaises(dibs.InvalidInput):
            dibs.run("no-such.yaml")

    def test_what_is_missed_or_broken_is_a_result_that_can_be_checked(self):
        missed = dibs.run(SMALL, set={"thresholds": '{ttm.p95: "<= 1s"}'})
        self.assertEqual((missed.ok, missed.code), (False, 99))
        self.assertEqual(missed.thresholds.query("kind == 'thresholds'")["met"].tolist(), [False])
        with self.assertRaisesRegex(dibs.ThresholdMissed, "ttm.p95"):
            missed.check()
        fine = dibs.run(SMALL)
        self.assertIs(fine.check(), fine)

    def test_progress_is_shown_and_is_no_part_of_the_words(self):
        lines = []
        dibs.sweep(SMALL, {"lease.ttl_s": [5, 9, 15, 20]}, seeds=40, set={"clock.duration": "2h"}, progress=lines.append)
        self.assertTrue(any("runs" in line for line in lines), lines)
        with self.assertRaises(dibs.InvalidInput) as raised:
            dibs.run(SMALL, set={"lease.tl": "3s"}, progress=lines.append)
        self.assertIn("there is no field tl", str(raised.exception))
        self.assertNotIn("\x1b", str(raised.exception))
        self.assertNotIn("\r", str(raised.exception))
        with self.assertRaisesRegex(ZeroDivisionError, "division"):
            dibs.sweep(SMALL, {"lease.ttl_s": [5, 9, 15, 20]}, seeds=40, set={"clock.duration": "2h"},
                       progress=lambda line: 1 / 0)

    def test_an_interrupt_ends_the_program_whenever_it_comes(self):
        script = textwrap.dedent(f"""
            import dibs
            print("begun", flush=True)
            try:
                dibs.run({SMALL!r}, seeds=20000, jobs=1)
            except KeyboardInterrupt:
                print("interrupted", flush=True)
        """)
        for ticks in (0, 10):  # as soon as it is there, and at work
            child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
            self.assertEqual(child.stdout.readline(), "begun\n")
            while not (own := [pid for pid in children_of(child.pid) if processor_time_of(pid) >= ticks]):
                self.assertIsNone(child.poll(), "it is at work")
            child.send_signal(signal.SIGINT)
            self.assertEqual(child.stdout.readline(), "interrupted\n")
            child.stdout.close()
            child.wait()
            self.assertFalse([pid for pid in own if pathlib.Path(f"/proc/{pid}").exists()])


def processor_time_of(pid):
    """In ticks of the system."""
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().split()[13])


def children_of(pid):
    return pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


class Values(unittest.TestCase):
    def test_a_setting_takes_the_unit_of_its_name(self):
        for path, value, meant in (("lease.ttl_s", 15, ("lease.ttl", "15s")), ("lease.ttl_s", 0.25, ("lease.ttl", "0.25s")),
                                   ("matchers.policy.radius_m", 3000, ("matchers.policy.radius", "3000m")),
                                   ("demand.1.rate_per_h", 90, ("demand.1.rate", "90/h")),
                                   ("world.travel.speed_m_per_s", 5, ("world.travel.speed", "5m/s")),
                                   ("clocks.a.drift_ppm", -50.5, ("clocks.a.drift", "-50.5ppm")),
                                   ("drivers.count", 400, ("drivers.count", "400")),
                                   ("lease.ttl", "15s", ("lease.ttl", "15s"))):
            self.assertEqual(program.setting(path, value), meant)

    def test_every_value_of_a_table_can_be_set_again(self):
        """Columns of fields are those of FORMATS.md, and there is a field of each unit."""
        page = pathlib.Path("scenarios/FORMATS.md").read_text()
        rows = [row.split("|") for row in page.split("## Fields")[1].split("## Metrics")[0].splitlines() if row.startswith("| ")]
        named = [(row[2].strip(" `"), row[3].strip(" `"), row[4].strip(" `")) for row in rows[1:]]
        self.assertGreater(len(named), 6)
        for example, column, value in named:
            path = example.split("=")[0]
            taken = program.setting(column, value if column == "lease.protocol" else float(value))
            self.assertEqual(taken[0], path)

    def test_nothing_is_taken_for_something_else(self):
        text = "point,lease.protocol,metric,unit,value,low_95,high_95,runs\n1,none,NA,s,1.5,,,3\n"
        row = frames.table("summary.csv", text).iloc[0]
        self.assertEqual((row["lease.protocol"], row["metric"]), ("none", "NA"))
        self.assertTrue(pd.isna(row["low_95"]))
        text = "replication,seed,history\n1,18446744073709551615,1234567890123456\n"
        row = frames.table("points.csv", text).iloc[0]
        self.assertEqual((row["seed"], row["history"]), (2**64 - 1, "1234567890123456"))

    def test_all_columns_of_all_tables_are_known(self):
        self.assertEqual({m["column"] for m in dibs.formats()["metrics"]} - set(columns_of_points()), set())
        self.assertEqual(dibs.metrics().loc["ttm.p95", "column"], "ttm.p95_s")
        self.assertIn("first-run", set(dibs.scenarios()["name"]))


def columns_of_points():
    with tempfile.TemporaryDirectory() as folder:
        swept = dibs.sweep(SMALL, {"lease.ttl_s": [5]}, seeds=1, out=f"{folder}/s")
        return next(csv.reader(io.StringIO((swept.directory / "points.csv").read_text())))


if __name__ == "__main__":
    unittest.main()
