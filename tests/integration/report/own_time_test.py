#!/usr/bin/env python3
"""The profiler's own time in real profiles: reports show it, and no name of its code is among the program's.

usage: own_time_test.py INSTALLED_OMPPROF FLAT DENSE_TASKS... -- OTHER_PROGRAM...
"""

import csv
import gzip
import io
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

OMPPROF, FLAT = (os.path.abspath(path) for path in sys.argv[1:3])
SPLIT = sys.argv.index("--")
DENSE = [os.path.abspath(path) for path in sys.argv[3:SPLIT]]
OTHERS = [os.path.abspath(path) for path in sys.argv[SPLIT + 1 :]]
FOLDER = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
TASKS = "1000000"

# Marks of the collector and its shim: namespaces, and source files that no program of these tests has.
OURS = re.compile(
    rb"ompprof::|gomp_ompt::|explicit_task\.|enter\.(cc|h):|real\.cc|callbacks\.cc|sync_waits\.cc|"
    rb"lock_waits\.cc|task_view\.cc|(take_sample|record_stack)\.cc|interpose\.cc|"
    rb"(preload|lifecycle|thread_attach)\.cc|session\.(cc|h):|thread_state\.(cc|h):|"
    rb"tool_search\.cc|jump_stub\.h|parallel\.cc:|region\.cc:|records\.h:"
)
# Functions that are inlined there, but not in the dense programs' own code.
INLINED = re.compile(rb"__atomic_base|std::atomic")


def run(*command, binary=False, **options):
    done = launch.succeed(command, **options)
    return done.raw_out if binary else done.out


def record(name, program, *arguments, options=(), frequency=1000, **variables):
    profile = os.path.join(FOLDER, name + ".ompprof")
    options = ["-q", "-F", str(frequency), *options, "-o", profile]
    out = run(OMPPROF, "record", *options, "--", program, *arguments, env=launch.environment(OMP_NUM_THREADS="2", **variables))
    return profile, out


def report(profile, *arguments):
    return run(OMPPROF, "report", "--no-pager", *arguments, profile)


def report_json(profile, *arguments):
    return json.loads(report(profile, "--format=json", *arguments))


def own_line(profile):
    return re.search(r"ompprof itself: ([\d.]+) % of the CPU time", report(profile, "--full"))


class Dense(unittest.TestCase):
    """Tasks so small that the profiler's share is large: all events are measured, whatever that costs."""

    def check(self, program):
        name = os.path.basename(program)
        profile, out = record(name, program, TASKS, options=["--max-overhead=0"])
        self.assertIn(f"truth tasks {TASKS}\n", out)
        whole = report_json(profile)
        percent = whole["overhead"]["collector_percent"]
        own = whole["states"]["ompprof"]["cpu_ns"]
        self.assertGreater(percent, 5)
        self.assertEqual(whole["overhead"]["budget_percent"], 0)
        unsampled = whole["overhead"]["unsampled_ns"]
        self.assertGreater(unsampled, 0)
        # Of the CPU time with that of ompprof's own thread, a part of `unsampled`.
        told = 100 * (own + unsampled + whole["overhead"]["runtime_ns"])
        self.assertLessEqual(percent, told / max(whole["sampled_cpu_ns"], whole["cpu_ns"]) + 1e-6)
        self.assertGreaterEqual(percent, told / max(whole["sampled_cpu_ns"], whole["cpu_ns"] + unsampled) - 1e-6)
        self.assertGreaterEqual(whole["overhead"]["runtime_ns"], 20 * int(TASKS))

        # The time is one leaf, and in no other function's own time.
        functions = {function["name"]: function for function in whole["functions"]}
        self.assertEqual(functions["<ompprof>"]["self_cpu_ns"], own)
        self.assertEqual(functions["<ompprof>"]["total_cpu_ns"], own)
        self.assertEqual(sum(function["self_cpu_ns"] for function in whole["functions"]), whole["sampled_cpu_ns"])

        # The same time by the recorded stacks: in the profiler's modules, and some of it in libc.
        machine = csv.DictReader(io.StringIO(report(profile, "--view=machine", "--top", "--format=csv"), newline=""))
        by_module = {}
        for row in machine:
            module = os.path.basename(row["module"])
            by_module[module] = by_module.get(module, 0) + int(row["self_cpu_ns"])
        least = by_module.get("libompprof.so", 0) + by_module.get("libgomp_ompt.so", 0)
        libc = sum(ns for module, ns in by_module.items() if re.match(r"libc\.so|ld-linux|\[vdso\]", module))
        self.assertGreater(least, own / 2)
        self.assertLessEqual(least, own)
        self.assertLessEqual(own, least + libc)
        self.assertEqual(report_json(profile, "--view=machine")["overhead"], whole["overhead"])

        # The profiler's time is neither overhead nor useful time of the region, and not all of its time.
        region = next(region for region in whole["regions"] if "many_tasks" in region["function"])
        self.assertGreater(region["ompprof_cpu_ns"], 0.9 * own)
        shown = sum(region["overhead_cpu_ns"].values()) + region["ompprof_cpu_ns"]
        self.assertLessEqual(shown, region["cpu_ns"])

        # Each report and each export says so in words, with advice.
        line = own_line(profile)
        self.assertAlmostEqual(float(line.group(1)), percent, delta=0.051)
        note = [text for text in whole["notes"] if "ompprof itself" in text]
        self.assertEqual(len(note), 1, whole["notes"])
        self.assertIn("record without --max-overhead=0 measures fewer", note[0])
        folded = run(OMPPROF, "export", "--format=folded", profile).splitlines()
        stacks = {stack: int(samples) for stack, samples in (line.rsplit(" ", 1) for line in folded)}
        ours = sum(samples for stack, samples in stacks.items() if stack.split(";")[-1] == "<ompprof>")
        self.assertEqual(ours, functions["<ompprof>"]["self_samples"])
        self.assertFalse([stack for stack in stacks if "<ompprof>;" in stack])
        pprof = os.path.join(FOLDER, name + ".pb.gz")
        run(OMPPROF, "export", "--format=pprof", "-o", pprof, profile)
        with gzip.open(pprof) as file:
            self.assertIn(b"<ompprof>", file.read())
        speedscope = json.loads(run(OMPPROF, "export", "--format=speedscope", profile))
        self.assertIn("<ompprof>", {frame["name"] for frame in speedscope["shared"]["frames"]})
        return percent

    def test_on_libomp(self):
        self.check(DENSE[0])

    def test_on_libgomp_with_the_shim(self):
        self.check(DENSE[1])

    def test_what_the_note_says_to_do_takes_less(self):
        measured, _ = record("measured", DENSE[0], TASKS, options=["--max-overhead=0"])
        sampled, _ = record("sampled", DENSE[0], TASKS, options=["--waits=off"])
        share = [report_json(profile)["overhead"]["collector_percent"] for profile in (measured, sampled)]
        self.assertLess(share[1], share[0])


class Quiet(unittest.TestCase):
    def test_little_is_said_and_not_warned_of(self):
        # At 1 kHz, signals take 10 % of the time where one takes 100 us.
        profile, _ = record("flat", FLAT, "1000", frequency=199)
        whole = report_json(profile)
        self.assertLess(whole["overhead"]["collector_percent"], 5)
        self.assertAlmostEqual(float(own_line(profile).group(1)), whole["overhead"]["collector_percent"], delta=0.051)
        self.assertFalse([note for note in whole["notes"] if "ompprof itself" in note])


class Modules(unittest.TestCase):
    def test_the_collector_marks_its_own(self):
        """An address of its own code marks the collector's module: its file's name, which tells in older profiles, differs here."""
        renamed = os.path.join(FOLDER, "renamed.so")
        shutil.copy(os.path.join(os.path.dirname(OMPPROF), "../lib/libompprof.so"), renamed)
        profile, _ = record("marked", DENSE[1], "1000", OMPPROF_LIBRARY=renamed)
        info = json.loads(run(OMPPROF, "info", "--format=json", profile))
        info = info[0] if isinstance(info, list) else info
        info = info.get("processes", [info])[0]
        own = {os.path.basename(module["path"]) for module in info["modules"] if module["profilers_own"]}
        self.assertEqual(own, {"renamed.so", "libgomp_ompt.so"})


class Names(unittest.TestCase):
    """Views of the program as written have no name of the profiler's code."""

    def outputs(self, profile):
        for options in (["--tree", "--lines", "--min-percent=0"], ["--top", "--lines", "--limit=100000"], ["--states"],
                        ["--regions", "--paths"], ["--waits"], ["--blame"], ["--locks"], ["--advice"], ["--by=region"]):
            names = [] if options[0] in ("--states", "--advice") else ["--full-names"]  # these tables name no functions
            yield " ".join(options), report(profile, *names, *options).encode()
        whole = report_json(profile)
        for member in ("modules", "notes"):  # files are named there
            whole.pop(member)
        yield "json", json.dumps(whole).encode()
        for form in ("folded", "speedscope"):
            yield form, run(OMPPROF, "export", f"--format={form}", profile, binary=True)
        pprof = os.path.join(FOLDER, "names.pb.gz")
        run(OMPPROF, "export", "--format=pprof", "-o", pprof, profile)
        with gzip.open(pprof) as file:
            yield "pprof", file.read()

    def check(self, profile, *patterns):
        for (name, text), pattern in ((output, pattern) for output in self.outputs(profile) for pattern in patterns):
            found = pattern.search(text)
            self.assertIsNone(found, f"{name}: {found and text[max(0, found.start() - 200) : found.end() + 100]}")

    def test_of_dense_tasks(self):
        for program in DENSE:
            with self.subTest(program):
                for context in ("site", "full"):
                    profile, _ = record(f"names_{context}", program, "300000", options=["--task-context=" + context])
                    self.check(profile, OURS, INLINED)

    def test_of_known_answers(self):
        for program in OTHERS:
            with self.subTest(program):
                arguments = ["taskwait", "2", "500"] if "blame" in program else []
                self.check(record("names_" + os.path.basename(program), program, *arguments, frequency=4000)[0], OURS)

    def test_the_machine_view_has_them(self):
        profile, _ = record("machine", DENSE[0], TASKS, options=["--max-overhead=0"])
        self.assertRegex(report(profile, "--view=machine", "--top", "--full-names", "--limit=1000"), "ompprof::")


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1], verbosity=2, exit=False).result
    ran = result.testsRun - len(result.skipped)
    failed = len(result.failures) + len(result.errors)
    print(f"{ran - failed} passed, {failed} failed")
    sys.exit(0 if result.wasSuccessful() and ran > 0 else 1)
