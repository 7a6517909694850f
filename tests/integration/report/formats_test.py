#!/usr/bin/env python3
"""Each export is read back by a program that the format was made for. The figures of that program equal the report's.

usage: formats_test.py OMPPROF STAGES MADE_UP_PROFILE LIBRARY RECURSION
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

HERE = os.path.dirname(os.path.realpath(__file__))
OMPPROF, STAGES, MADE_UP_PROFILE, LIBRARY, RECURSION = (os.path.abspath(path) for path in sys.argv[1:6])


def run(*command, **options):
    return launch.succeed(command, **options).out


class Formats(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.made_up = os.path.join(cls.folder, "made_up.ompprof")
        run(MADE_UP_PROFILE, cls.made_up, "6000", "3", LIBRARY)
        cls.recursion = os.path.join(cls.folder, "recursion.ompprof")
        run(OMPPROF, "record", "-F", "1000", "-o", cls.recursion, "--", RECURSION, "300")
        cls.stages = os.path.join(cls.folder, "stages.ompprof")
        environment = launch.environment(OMP_WAIT_POLICY="passive", KMP_BLOCKTIME="0")
        run(OMPPROF, "record", "--timeline", "-F", "1000", "-o", cls.stages, "--", STAGES, env=environment)
        cls.reports = {}

    def export(self, format, profile, *options):
        path = os.path.join(self.folder, "export." + format)
        run(OMPPROF, "export", "--format=" + format, "-o", path, *options, profile)
        return path

    def report(self, profile):
        if profile not in self.reports:
            self.reports[profile] = json.loads(run(OMPPROF, "report", "--format=json", profile))
        return self.reports[profile]

    def functions(self, profile, member, key=lambda function: function["name"]):
        """A member of the report's functions, added up by `key`, without zeros."""
        sums = collections.Counter()
        for function in self.report(profile)["functions"]:
            sums[key(function)] += function[member]
        return +sums

    def want(self, program, package):
        if shutil.which(program) is None:
            self.skipTest(f"{program} is not installed (package {package}): run scripts/setup")


class Callgrind(Formats):
    EVENTS = {"cpu_ns": "self_cpu_ns", "samples": "self_samples", "wait_ns": "wait_ns", "blame_ns": "blame_ns"}

    def annotate(self, path, *options):
        """The totals and the functions of callgrind_annotate: {event: number}, {file:function: {event: number}}."""
        self.want("callgrind_annotate", "valgrind")
        result = launch.succeed(["callgrind_annotate", "--threshold=100", "--auto=no", "--show-percs=no", *options, path])
        self.assertNotIn("malformed", result.err)
        events = re.search(r"^Events shown: +(.*)$", result.out, re.MULTILINE).group(1).split()
        totals, functions = None, collections.defaultdict(collections.Counter)
        for line in result.out.splitlines():
            found = re.match(r"((?:[\d,]+|\.) +)" + r"((?:[\d,]+|\.) +)" * (len(events) - 1) + r"(\S.*)$", line.strip())
            if found is None:
                continue
            values = [0 if value.strip() == "." else int(value.replace(",", "")) for value in found.groups()[:-1]]
            name = found.groups()[-1]
            if name == "PROGRAM TOTALS":
                totals = dict(zip(events, values))
            else:
                functions[re.sub(r" \[(\[vdso\]|[^\[\]]*)\]$", "", name)].update(dict(zip(events, values)))
        return totals, functions

    def check(self, profile):
        path = self.export("callgrind", profile)
        report = self.report(profile)
        totals, functions = self.annotate(path)
        self.assertEqual(totals["cpu_ns"], report["sampled_cpu_ns"])
        self.assertEqual(totals["samples"], report["samples"])

        def place(function):
            return (function["file"] or "???") + ":" + function["name"]

        for event, member in self.EVENTS.items():
            self.assertEqual(totals[event], sum(self.functions(profile, member).values()), event)
            theirs = collections.Counter()
            for name, values in functions.items():
                theirs[name[:-2] if name.endswith("'2") else name] += values[event]
            self.assertEqual(+theirs, self.functions(profile, member, place), event)
        _, inclusive = self.annotate(path, "--inclusive=yes")

        def called(sums):
            """Without frames that stand for no function. Such a frame may also be a whole stack; callgrind_annotate then
            counts only the calls of it."""
            return +collections.Counter({name: value for name, value in sums.items() if ":<" not in name})

        for event, member in (("cpu_ns", "total_cpu_ns"), ("samples", "total_samples")):
            theirs = {name: values[event] for name, values in inclusive.items() if not name.endswith("'2")}
            self.assertEqual(called(theirs), called(self.functions(profile, member, place)), event)
        # Callees of a recursion have no more than the whole.
        self.assertLessEqual(max(values["cpu_ns"] for values in inclusive.values()), report["sampled_cpu_ns"])

    def test_every_function_of_a_made_up_profile(self):
        self.check(self.made_up)

    def test_every_function_of_a_recursive_program(self):
        self.check(self.recursion)


class Firefox(Formats):
    """The Firefox Profiler's own loader and its sums, in its command-line program."""

    CLI = os.path.join(HERE, "../../../.deps/npm-readers/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js")

    def setUp(self):
        self.want("node", "nodejs")
        version = run("node", "--version")
        if int(version[1:].split(".")[0]) < 20:
            self.skipTest(f"profiler-cli needs a newer node than {version.strip()}")
        if not os.path.exists(self.CLI):
            self.skipTest("profiler-cli is not under .deps/npm-readers: run scripts/setup")

    def read(self, profile):
        reader = os.path.join(HERE, "read_firefox.py")
        return json.loads(run("python3", reader, self.CLI, self.export("firefox", profile)))

    def check(self, profile):
        threads = self.read(profile)
        report = self.report(profile)
        self.assertEqual(
            {thread["name"] for thread in threads},
            {f"thread {thread['id']} ({thread['kind']})" for thread in report["threads"] if thread["sampled_cpu_ns"]},
        )
        for theirs, member in (("selfSamples", "self_cpu_ns"), ("totalSamples", "total_cpu_ns")):
            sums = collections.Counter()
            for thread in threads:
                for function in thread["functions"]:
                    sums[function["name"]] += function[theirs] * 1e6
            sums = collections.Counter({name: round(value) for name, value in sums.items()})
            self.assertEqual(+sums, self.functions(profile, member))
        return threads

    def test_every_function_of_a_made_up_profile(self):
        self.check(self.made_up)

    def test_every_function_of_a_recursive_program(self):
        self.check(self.recursion)

    def test_samples_and_waits_in_time(self):
        waits = collections.Counter()
        for thread in self.check(self.stages):
            for marker in thread["markers"]:
                waits[marker["name"]] += marker["duration"] * 1e6
        # The markers are the waits of a sampling period or more.
        for state in ("idle", "wait_barrier_implicit_parallel", "wait_critical"):
            known = sum(row["wait_ns"] for row in self.report(self.stages)["waits"] if row["state"] == "ompt_state_" + state)
            self.assertLessEqual(waits[state], known + 1000)
            self.assertGreater(waits[state], 0.9 * known, state)


class Hatchet(Formats):
    """Hatchet is neither in Debian nor in npm: its documented shape is checked, and the sums of what it holds."""

    METRICS = {"time": "self_cpu_ns", "samples": "self_samples", "wait": "wait_ns", "blame": "blame_ns"}

    def check(self, profile, *options):
        with open(self.export("hatchet", profile, *options), encoding="utf-8") as file:
            roots = json.load(file)
        own = {metric: collections.Counter() for metric in self.METRICS}
        total = collections.Counter()
        # Each node, and the functions above it.
        work = [(root, frozenset()) for root in roots]
        while work:
            node, above = work.pop()
            self.assertEqual(set(node), {"frame", "metrics", "children"})
            self.assertEqual(node["frame"]["type"], "function")
            self.assertEqual(set(node["metrics"]), {name + end for name in self.METRICS for end in ("", " (inc)")})
            place = (node["frame"]["name"], node["frame"].get("file", ""))
            nanoseconds = {name: round(value * (1 if "samples" in name else 1e9)) for name, value in node["metrics"].items()}
            for metric in self.METRICS:
                own[metric][place] += nanoseconds[metric]
                below = sum(child["metrics"][metric + " (inc)"] for child in node["children"])
                self.assertAlmostEqual(node["metrics"][metric + " (inc)"], node["metrics"][metric] + below, places=8)
            if place not in above:
                total[place] += nanoseconds["time (inc)"]
            work.extend((child, above | {place}) for child in node["children"])

        def place_of(function):
            return (function["name"], function["file"])

        for metric, member in self.METRICS.items():
            self.assertEqual(+own[metric], self.functions(profile, member, place_of), metric)
        if not options:
            self.assertEqual(+total, self.functions(profile, "total_cpu_ns", place_of))

    def test_every_function_of_a_made_up_profile(self):
        self.check(self.made_up)

    def test_folded(self):
        self.check(self.recursion, "--fold")


class Otf2(Formats):
    """otf2-print reads the trace. Times in functions equal those of the export for speedscope, to the nanosecond."""

    def test_times_in_functions(self):
        self.want("otf2-print", "otf2-tools")
        folder = os.path.join(self.folder, "stages.otf2")
        run(OMPPROF, "export", "--format=otf2", "-o", folder, self.stages)
        result = launch.succeed(["otf2-print", os.path.join(folder, "traces.otf2")])
        self.assertEqual(result.err, "")
        own, total = collections.Counter(), collections.Counter()
        stacks = collections.defaultdict(list)
        events = re.findall(r'^(ENTER|LEAVE) +(\d+) +(\d+) +Region: "(.*)" <\d+>', result.out, re.MULTILINE)
        last = {}
        for kind, thread, time, name in events:
            stack = stacks[thread]
            if stack:
                own[stack[-1]] += int(time) - last[thread]
                for function in set(stack):
                    total[function] += int(time) - last[thread]
            last[thread] = int(time)
            if kind == "ENTER":
                stack.append(name)
            else:
                self.assertEqual(stack.pop(), name)
        self.assertEqual([stack for stack in stacks.values() if stack], [])
        with open(self.export("speedscope", self.stages), encoding="utf-8") as file:
            theirs = json.load(file)
        names = [frame["name"] for frame in theirs["shared"]["frames"]]
        own_there, total_there = collections.Counter(), collections.Counter()
        for profile in theirs["profiles"]:
            for sample, weight in zip(profile["samples"], profile["weights"]):
                if sample:
                    own_there[names[sample[-1]]] += weight
                    total_there.update({names[frame]: weight for frame in set(sample)})
        self.assertEqual(own, own_there)
        self.assertEqual(total, total_there)
        self.assertEqual(len(stacks), len([thread for thread in self.report(self.stages)["threads"] if thread["sampled_cpu_ns"]]))
        idle = sum(row["wait_ns"] for row in self.report(self.stages)["waits"] if row["state"] == "ompt_state_idle")
        self.assertLessEqual(own["<omp idle>"], idle + 1000)
        self.assertGreater(own["<omp idle>"], 0.9 * idle)

    def test_wrong_outputs(self):
        result = launch.succeed([OMPPROF, "export", "--format=otf2", self.stages], status=2)
        self.assertIn("--format=otf2 writes a folder: name a new one with -o", result.err)
        result = launch.succeed([OMPPROF, "export", "--format=otf2", "-o", self.folder, self.stages], status=1)
        self.assertRegex(result.err, "exists already; an OTF2 trace is a new folder|is not installed")
        self.assertTrue(os.path.exists(self.stages))


def run_tests(*cases):
    load = unittest.defaultTestLoader.loadTestsFromTestCase
    result = unittest.TextTestRunner(verbosity=2).run(unittest.TestSuite(load(case) for case in cases))
    failed = len(result.failures) + len(result.errors)
    skipped = len(result.skipped)
    print(f"{result.testsRun - failed - skipped} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    run_tests(Callgrind, Firefox, Hatchet, Otf2)
