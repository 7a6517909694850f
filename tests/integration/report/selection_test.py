#!/usr/bin/env python3
"""Reports on a phase, a region or a thread cover what the program says that it did there, and nothing else.

usage: selection_test.py OMPPROF STAGES
STAGES (tests/programs/stages.cc) says which function ran in which phase, region and thread.
"""

import csv
import io
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

OMPPROF, STAGES = (os.path.abspath(path) for path in sys.argv[1:3])
WORK = {"prepare", "share_long", "share_short", "between", "holding", "after_holding"}
# Of the whole run only.
OF_THE_RUN = {"efficiency", "unblamed_ns", "advice", "disturbance", "advice_refused", "ranks", "rank_regions",
              "rank_imbalance", "jobs", "launchers"}


class Selection(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        environment = launch.environment(OMP_WAIT_POLICY="passive", KMP_BLOCKTIME="0")
        cls.said = launch.succeed(
            [OMPPROF, "record", "-q", "--timeline", "-F", "997", "-o", "run.ompprof", "--", STAGES],
            folder=cls.folder, env=environment,
        ).out
        cls.whole = cls.json()
        # Regions by the functions that work in them.
        cls.regions = {}
        for region, functions in cls.whole_by("region").items():
            for function in WORK & functions:
                cls.regions[function] = region

    @classmethod
    def run_command(cls, *words, status=0):
        return launch.succeed([OMPPROF, *words, "run.ompprof"], folder=cls.folder, status=status)

    @classmethod
    def json(cls, *options):
        return json.loads(cls.run_command("report", "--format=json", *options).out)

    @classmethod
    def whole_by(cls, dimension):
        """The functions with own CPU time, by value of the dimension."""
        slices = cls.json("--by=" + dimension)["by"]
        return {one["value"]: {name(function) for function in one["functions"] if function["self_cpu_ns"]} for one in slices}

    def working(self, report):
        """The functions that worked."""
        return WORK & {name(function) for function in report["functions"] if function["self_cpu_ns"] > 0}

    def cpu(self, report, function):
        return sum(one["self_cpu_ns"] for one in report["functions"] if name(one) == function)

    def test_a_phase_has_its_functions_with_all_their_time(self):
        phases = {
            "setup": {"prepare"},
            "solve": {"share_long", "share_short"},
            "solve/uneven": {"share_long", "share_short"},
            "solve/uneven/mine": {"share_short"},
            "held": {"holding", "after_holding"},
        }
        self.assertEqual(self.whole["phases"].keys() - {""}, phases.keys())
        for phase, functions in phases.items():
            report = self.json("--phase=" + phase)
            self.assertEqual(self.working(report), functions, phase)
            for function in functions:
                self.assertEqual(self.cpu(report, function), self.cpu(self.whole, function))
            self.assertEqual(report["sampled_cpu_ns"], self.whole["phases"][phase]["total_cpu_ns"])
            self.assertEqual(report["sampled_cpu_ns"], sum(state["cpu_ns"] for state in report["states"].values()))
            self.assertEqual(report["selection"], {"phase": phase, "run_sampled_cpu_ns": self.whole["sampled_cpu_ns"]})
            left_out = OF_THE_RUN | {"threads", "regions", "locks", "waits"}
            self.assertFalse(left_out & report.keys())
            self.assertFalse([state for state in report["states"].values() if "wait_ns" in state])

    def test_a_region_has_its_functions_and_waits(self):
        report = self.json("--region=" + self.regions["holding"])
        self.assertEqual(self.working(report), {"holding", "after_holding"})
        [region] = report["regions"]
        self.assertEqual(region["name"], self.regions["holding"])
        [same] = [one for one in self.whole["regions"] if one["name"] == region["name"]]
        for figure in region.keys() - {"cpu_error_ns", "paths"}:
            self.assertEqual(region[figure], same[figure], figure)
        self.assertEqual({wait["region"] for wait in report["waits"]}, {region["name"]})
        expected = [wait for wait in self.whole["waits"] if wait["region"] == region["name"]]
        self.assertEqual(report["waits"], expected)
        self.assertTrue(report["locks"])
        self.assertFalse((OF_THE_RUN | {"threads"}) & report.keys())
        # By the function's name: all its regions.
        everything = self.json("--region=main")
        self.assertEqual(self.working(everything), {"share_long", "share_short", "holding", "after_holding"})
        none = self.json("--region=" + self.regions["share_long"])
        self.assertFalse(none["locks"])

    def test_a_thread_has_its_functions_waits_and_clocks(self):
        threads = {thread["id"]: thread for thread in self.whole["threads"]}
        self.assertEqual(len(threads), 2)
        for number in threads:
            report = self.json(f"--thread={number}")
            self.assertEqual([thread["id"] for thread in report["threads"]], [number])
            self.assertEqual(report["threads"], [threads[number]])
            self.assertEqual(report["sampled_cpu_ns"], threads[number]["sampled_cpu_ns"])
            self.assertEqual(report["waits"], [wait for wait in self.whole["waits"] if wait["thread"] == number])
            self.assertFalse((OF_THE_RUN | {"regions"}) & report.keys())
        [initial, worker] = sorted(threads)
        self.assertEqual(self.working(self.json(f"--thread={worker}")), {"share_short", "after_holding"})
        self.assertEqual(self.working(self.json(f"--thread={initial}")), WORK - {"share_short", "after_holding"})

    def test_filters_join(self):
        worker = max(thread["id"] for thread in self.whole["threads"])
        report = self.json("--phase=solve", f"--thread={worker}", "--region=main", "--view=machine")
        self.assertEqual(self.working(report), {"share_short"})
        report = self.json("--phase=solve", "--focus=share_long")
        self.assertEqual(self.working(report), {"share_long"})

    def test_text_says_the_part_and_what_is_missing(self):
        first = self.run_command("report", "--phase=setup").out
        self.assertRegex(first, r"\n  only +phase setup: [\d.]+ m?s of [\d.]+ m?s of CPU sampled; shares are of this part")
        self.assertIn("left out", first)
        self.assertIn("prepare", first)
        for word in ("efficiency  ", "Largest losses", "Best changes", "share_long", "busy on average"):
            self.assertNotIn(word, first)
        full = self.run_command("report", "--full", "--phase=solve").out
        self.assertRegex(full, r"\n  left out +efficiency, advice, ranks, devices, regions, threads, locks, waits by place")
        self.assertIn("share_long", full)
        for word in ("prepare", "holding", "\nEfficiency", "\nParallel regions", "\nWhere threads waited"):
            self.assertNotIn(word, full)
        regions = self.run_command("report", "--regions", "--region=" + self.regions["holding"]).out
        self.assertIn("Parallel regions: what they lose", regions)
        self.assertNotIn("\nEfficiency", regions)
        self.assertNotIn("could save: of 0 s", regions)
        for table in ("--top", "--tree", "--states", "--blame", "--peek=share", "--by=thread", "--by=state"):
            text = self.run_command("report", table, "--phase=solve").out
            self.assertFalse(re.search("prepare|holding|between", text), text)
        self.assertIn("share_long", self.run_command("report", "--tree", "--phase=solve").out)

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(self.run_command("report", "--format=csv", "--phase=setup").out)))
        self.assertEqual(WORK & {name(row) for row in rows}, {"prepare"})
        waits = list(csv.DictReader(io.StringIO(self.run_command("report", "--format=csv", "--waits", "--thread=2").out)))
        self.assertEqual({row["thread"] for row in waits}, {"2"})

    def test_exports(self):
        folded = self.run_command("export", "--format=folded", "--phase=setup").out
        self.assertEqual(set(re.findall("|".join(sorted(WORK)), folded)), {"prepare"})
        trace = json.loads(self.run_command("export", "--format=perfetto", "--phase=solve/uneven/mine").out)
        text = json.dumps(trace)
        self.assertIn("share_short", text)
        for function in WORK - {"share_short"}:
            self.assertNotIn(f'"{function}', text)
        table = self.run_command("export", "--format=csv-regions", "--region=" + self.regions["holding"]).out
        self.assertEqual(len(table.splitlines()), 2)

    def test_annotate(self):
        def own(*options):
            return json.loads(self.run_command("annotate", "--format=json", *options, "share_long").out)

        self.assertEqual(own("--phase=solve")["self_cpu_ns"], own()["self_cpu_ns"])
        self.assertEqual(own("--phase=setup")["self_cpu_ns"], 0)
        text = self.run_command("annotate", "--phase=setup", "prepare").out
        self.assertIn("only phase setup: ", text)

    def test_refusals(self):
        unknown = {
            "--phase=sovle": r"--phase=sovle: no such phase in this profile; the profile has .*held, .*solve/uneven",
            "--region=sovle": r"--region=sovle: no such region in this profile; the profile has main \[omp parallel stages.cc:\d+\]",
            "--thread=9": r"--thread=9: no such thread in this profile; the profile has 1, 2",
        }
        for option, sentence in unknown.items():
            for command in (["report"], ["report", "--full"], ["export", "--format=folded"], ["annotate", "main"]):
                self.assertRegex(self.run_command(*command, option, status=2).err, "^ompprof: " + sentence)
        for words in (["--advice", "--thread=1"], ["--ranks", "--phase=setup"], ["--devices", "--region=main"],
                      ["--regions", "--thread=1"], ["--regions", "--phase=setup"], ["--threads", "--phase=setup"],
                      ["--threads", "--region=main"], ["--waits", "--phase=setup"], ["--locks", "--phase=setup"],
                      ["--html=page.html", "--phase=setup"]):
            refused = self.run_command("report", *words, status=2)
            self.assertIn(f"{words[0].split('=')[0]} has no effect with --", refused.err)
            self.assertEqual(refused.out, "")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "page.html")))


def name(function):
    """Without parameters."""
    return function["name"].split("(")[0]


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1], exit=False, verbosity=2).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
