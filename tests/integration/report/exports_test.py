#!/usr/bin/env python3
"""The exports for other tools are right about a program that prints what it did and when. speedscope's own importers read
the exports of one run, and the tests compare them with the program's account.

usage: exports_test.py OMPPROF STAGES MADE_UP_PROFILE LIBRARY RECURSION
"""

import collections
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

OMPPROF, STAGES, MADE_UP_PROFILE, LIBRARY, RECURSION = (os.path.abspath(path) for path in sys.argv[1:6])
HERE = os.path.dirname(os.path.realpath(__file__))
SPEEDSCOPE = os.path.join(HERE, "../../../.deps/npm/node_modules/speedscope")
LATE_US = 20000  # a signal may come a tick late, and a loaded machine keeps threads waiting


def run(*command, **options):
    return launch.succeed(command, **options).out


def lines_of(kind, out):
    """`KIND NAME BEGIN END` lines, as (begin, end) in microseconds by name."""
    return {
        name: (int(begin) / 1000, int(end) / 1000)
        for name, begin, end in re.findall(rf"^{kind} (\S+) (\d+) (\d+)$", out, re.MULTILINE)
    }


def likeness(a, b):
    common = max(0, min(a[1], b[1]) - max(a[0], b[0]))
    return common / (a[1] - a[0] + b[1] - b[0] - common)


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.profile = os.path.join(cls.folder, "stages.ompprof")
        environment = launch.environment(OMP_WAIT_POLICY="passive", KMP_BLOCKTIME="0")
        cls.out = run(OMPPROF, "record", "--timeline", "-F", "8000", "-o", cls.profile, "--", STAGES, env=environment)
        cls.made_up = os.path.join(cls.folder, "made_up.ompprof")
        run(MADE_UP_PROFILE, cls.made_up, "2000", "2", LIBRARY)
        cls.truth = {
            name: int(ns) for name, ns in re.findall(r"^truth function (\S+) cpu_ns (\d+)$", cls.out, re.MULTILINE)
        }

    def export(self, profile, *options):
        return run(OMPPROF, "export", *options, profile)

    def report(self, profile):
        return json.loads(run(OMPPROF, "report", "--format=json", profile))

    def read_by_speedscope(self, text):
        if not os.path.exists(SPEEDSCOPE):
            self.skipTest("speedscope is not under .deps/npm: run scripts/setup")
        if shutil.which("node") is None:
            self.skipTest("node is not installed (package nodejs): run scripts/setup")
        path = os.path.join(self.folder, "export.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return json.loads(run("node", os.path.join(HERE, "read_speedscope.cjs"), SPEEDSCOPE, path))

    def slices(self):
        """Slices by (category, name), and names of threads by tid."""
        trace = json.loads(self.export(self.profile, "--format=perfetto"))
        slices = collections.defaultdict(list)
        names = {}
        for event in trace["traceEvents"]:
            if event["ph"] == "X":
                slices[event["cat"], event["name"]].append(event)
            elif event["name"] == "thread_name":
                names[event["tid"]] = event["args"]["name"]
        return slices, names

    def test_each_format_replaces_files_of_its_own_kind(self):
        formats = ["pprof", "folded", "callgrind", "speedscope", "perfetto", "firefox", "hatchet", "csv-functions", "csv-regions"]
        for name, other in zip(formats, formats[1:] + formats[:1]):
            with self.subTest(format=name):
                file = os.path.join(self.folder, "replaced." + name)
                for _ in range(2):
                    self.export(self.profile, f"--format={name}", "-o", file)
                with open(file, "rb") as before:
                    bytes_before = before.read()
                outcome = launch.run([OMPPROF, "export", f"--format={other}", "-o", file, self.profile])
                self.assertEqual(outcome.status, 2, outcome.describe())
                with open(file, "rb") as after:
                    self.assertEqual(after.read(), bytes_before)
                self.export(self.profile, f"--format={other}", "--force", "-o", file)

    def test_perfetto_slices_lie_within_each_other(self):
        slices, names = self.slices()
        self.assertEqual(len(names), 2)
        tracks = collections.defaultdict(list)
        for events in slices.values():
            for event in events:
                tracks[event["tid"]].append(event)
        self.assertEqual(set(tracks), set(names))
        for events in tracks.values():
            ends = []
            for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
                while ends and ends[-1] <= event["ts"]:
                    ends.pop()
                end = event["ts"] + event["dur"]
                self.assertTrue(not ends or end <= ends[-1], event)
                ends.append(end)
            # speedscope pairs ends and begins of equal times wrongly.
            begins = {event["ts"] for event in events}
            self.assertFalse([event for event in events if event["ts"] + event["dur"] in begins])

    def test_perfetto_is_what_the_program_did(self):
        slices, names = self.slices()
        stages = lines_of("stage", self.out)
        self.assertEqual(len(stages), 6)
        # The program's clock began with the machine, the trace's clock with the profile.
        start = stages["prepare"][0] - slices["function", "prepare"][0]["ts"]
        for function, (begin, end) in stages.items():
            events = slices["function", function]
            self.assertGreater(sum(event["dur"] for event in events), 0.85 * self.truth[function] / 1000, function)
            for event in events:
                self.assertGreater(event["ts"], begin - start - LATE_US, function)
                self.assertLess(event["ts"] + event["dur"], end - start + LATE_US, function)
        for wait, state in (("barrier", "wait_barrier_implicit_parallel"), ("critical", "wait_critical"), ("idle", "idle")):
            truth = [time - start for time in lines_of("wait", self.out)[wait]]
            events = [event for event in slices["state", state]]
            best = max(events, key=lambda event: likeness(truth, (event["ts"], event["ts"] + event["dur"])))
            self.assertGreater(likeness(truth, (best["ts"], best["ts"] + best["dur"])), 0.8, wait)
            self.assertIn("worker", names[best["tid"]])
        worker = {event["tid"] for event in slices["function", "share_short"]}
        self.assertEqual({event["tid"] for event in slices["phase", "solve/uneven/mine"]}, worker)
        self.assertTrue(any(kind == "region" and "main [omp parallel stages.cc:" in name for kind, name in slices))

    def test_perfetto_by_another_reader(self):
        profiles = self.read_by_speedscope(self.export(self.profile, "--format=perfetto"))
        self.assertEqual(len(profiles), 2)
        total = sum(profile["frames"].get("share_long", {"total": 0})["total"] for profile in profiles)
        self.assertGreater(total, 0.85 * self.truth["share_long"] / 1000)

    def test_perfetto_has_stacks(self):
        """Of each function, the time on the stack is as in the export for speedscope, up to the rounding of a slice."""
        perfetto, speedscope = (
            self.read_by_speedscope(self.export(self.profile, "--format=" + format)) for format in ("perfetto", "speedscope")
        )
        names = {"main", "prepare", "share_long", "share_short"}
        for ours, theirs in zip(perfetto, speedscope):
            names_of_thread = names & set(theirs["frames"])
            self.assertIn("main", names_of_thread)
            for name in names_of_thread:
                total = theirs["frames"][name]["total"] / 1000
                self.assertAlmostEqual(ours["frames"][name]["total"], total, delta=20 + total / 500, msg=name)

    def test_perfetto_counts_threads(self):
        """The counters' areas are the lengths of the states' slices, to the microsecond."""
        trace = json.loads(self.export(self.profile, "--format=perfetto"))["traceEvents"]
        areas = collections.Counter()
        counters = [event for event in trace if event["ph"] == "C"]
        for event, following in zip(counters, counters[1:]):
            self.assertLess(event["ts"], following["ts"])
            for name, number in event["args"].items():
                areas[name] += number * (following["ts"] - event["ts"])
        self.assertEqual(counters[-1]["args"], {"busy": 0, "waiting": 0})
        self.assertEqual({event["name"] for event in counters}, {"threads"})
        lengths = collections.Counter()
        for event in trace:
            if event["ph"] == "X" and event["cat"] == "state":
                waits = event["name"] == "idle" or event["name"].startswith(("wait", "library_wait"))
                lengths["waiting" if waits else "busy"] += round(event["dur"])
        self.assertEqual(areas, lengths)
        self.assertGreater(areas["busy"], 0)
        self.assertGreater(areas["waiting"], 0)

    def test_perfetto_flows_from_regions_to_workers(self):
        slices, names = self.slices()
        regions = [event for (kind, _), events in slices.items() if kind == "region" for event in events]
        flows = collections.defaultdict(dict)
        for event in json.loads(self.export(self.profile, "--format=perfetto"))["traceEvents"]:
            if event["ph"] in "sf":
                flows[event["id"]][event["ph"]] = event
        self.assertGreater(len(flows), 0)

        def around(event):
            found = [at for at in regions if at["tid"] == event["tid"] and at["ts"] <= event["ts"] < at["ts"] + at["dur"]]
            self.assertEqual(len(found), 1, event)
            return found[0]

        for flow in flows.values():
            begin, end = flow["s"], flow["f"]
            self.assertEqual(begin["ts"], end["ts"])
            self.assertIn("initial", names[begin["tid"]])
            self.assertIn("worker", names[end["tid"]])
            self.assertEqual(around(begin)["name"], around(end)["name"])
        workers = [event for event in regions if "worker" in names[event["tid"]]]
        self.assertEqual(len({id(around(flow["f"])) for flow in flows.values()}), len(flows))
        # A flow needs a time at which both threads are in the region. On a busy machine, the initial thread may be off the
        # processor for as long as a worker is in the region.
        initial = [event for event in regions if "initial" in names[event["tid"]]]
        together = [
            worker
            for worker in workers
            if any(
                at["name"] == worker["name"] and at["ts"] < worker["ts"] + worker["dur"] and worker["ts"] < at["ts"] + at["dur"]
                for at in initial
            )
        ]
        self.assertEqual(len(flows), len(together))

    def test_perfetto_wants_a_timeline(self):
        result = launch.succeed([OMPPROF, "export", "--format=perfetto", self.made_up], status=1)
        self.assertEqual(result.out, "")
        self.assertIn("has no timeline; record the program with `ompprof record --timeline`", result.err)

    def test_speedscope_without_a_timeline(self):
        profiles = self.read_by_speedscope(self.export(self.made_up, "--format=speedscope"))
        report = self.report(self.made_up)
        self.assertEqual(
            {profile["name"]: profile["total"] for profile in profiles},
            {f"thread {thread['id']} ({thread['kind']})": thread["sampled_cpu_ns"] for thread in report["threads"]},
        )
        self.assertEqual({profile["unit"] for profile in profiles}, {"nanoseconds"})
        for field, member in (("self", "self_cpu_ns"), ("total", "total_cpu_ns")):
            theirs = collections.Counter()
            ours = collections.Counter()
            for profile in profiles:
                for name, frame in profile["frames"].items():
                    theirs[name] += frame[field]
            for function in report["functions"]:
                ours[function["name"]] += function[member]
            self.assertEqual(theirs, ours)

    def test_speedscope_with_a_timeline(self):
        profiles = self.read_by_speedscope(self.export(self.profile, "--format=speedscope"))
        self.assertEqual(len(profiles), 2)
        primary, worker = profiles
        for profile, function in ((primary, "share_long"), (worker, "share_short")):
            weight = profile["frames"][function]["self"]
            begin, end = lines_of("stage", self.out)[function]
            self.assertGreater(weight, 0.85 * self.truth[function])
            self.assertLess(weight, (end - begin + LATE_US) * 1000)
        # Wall time: both threads' profiles end with the run, and waiting is in them.
        duration = self.report(self.profile)["duration_ns"]
        self.assertGreater(primary["total"], 0.8 * duration)
        self.assertGreater(worker["frames"]["<omp idle>"]["self"], 0)

    def test_folded_by_phase(self):
        plain = self.export(self.profile, "--format=folded").splitlines()
        phases = self.export(self.profile, "--format=folded", "--by-phase").splitlines()

        def total(lines):
            return sum(int(line.rsplit(" ", 1)[1]) for line in lines)

        self.assertEqual(total(phases), total(plain))
        expected = r"\[solve/uneven/mine\];main;main \[omp parallel stages.cc:\d+\].*;share_short \d+"
        self.assertTrue(any(re.fullmatch(expected, line) for line in phases), phases)
        self.assertTrue(any(re.match(r"\[no phase\];main;.*between \d", line) for line in phases), phases)

    def test_recursion_folds_on_request(self):
        """The program's recursions are 40 and 5,000 calls deep; frames of the second are cut."""
        profile = os.path.join(self.folder, "recursion.ompprof")
        run(OMPPROF, "record", "-F", "1000", "-o", profile, "--", RECURSION, "500")

        def stacks(*options):
            lines = self.export(profile, "--format=folded", *options).splitlines()
            return {stack: int(samples) for stack, samples in (line.rsplit(" ", 1) for line in lines)}

        def own(stacks_of_run):
            sums = collections.Counter()
            for stack, samples in stacks_of_run.items():
                sums[stack.rsplit(";", 1)[-1]] += samples
            return sums

        whole, folded = stacks(), stacks("--fold")
        self.assertEqual(own(whole), own(folded))
        self.assertTrue(any(stack.count(";descend_shallow") == 40 for stack in whole), whole)
        expected = r"main;recursion_region;recursion_region \[omp parallel recursion.cc:\d+\];"
        for name in ("shallow", "deep"):
            of_name = [stack for stack in folded if stack.endswith(f";work_{name}")]
            self.assertEqual(len(of_name), 1, folded)
            self.assertRegex(of_name[0], f"^{expected}descend_{name};work_{name}$")
        self.assertNotIn("<frames cut>", "\n".join(folded))

        ours = {function["name"]: function for function in self.report(profile)["functions"]}
        theirs = collections.Counter()
        for thread in self.read_by_speedscope(self.export(profile, "--format=speedscope", "--fold")):
            for name, frame in thread["frames"].items():
                theirs[name] += frame["total"]
        for name in ("descend_shallow", "descend_deep"):
            [known] = [function for full, function in ours.items() if full.startswith(name)]
            [total] = [total for full, total in theirs.items() if full.startswith(name)]
            self.assertEqual(total, known["total_cpu_ns"])

        result = launch.succeed([OMPPROF, "export", "--format=perfetto", "--fold", profile], status=2)
        self.assertRegex(result.err, "--fold goes with --format=pprof, folded, .*; --format=perfetto has no call paths")


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1], exit=False, verbosity=2).result
    failed = len(result.failures) + len(result.errors)
    skipped = len(result.skipped)
    print(f"{result.testsRun - failed - skipped} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    sys.exit(1 if failed else 0)
