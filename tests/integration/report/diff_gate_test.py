#!/usr/bin/env python3
"""`ompprof diff` in a continuous integration: JUnit XML, GitHub's annotations, and named baselines.

usage: diff_gate_test.py OMPPROF TWO_FUNCTIONS
"""

import json
import os
import pathlib
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

OMPPROF, TWO_FUNCTIONS = (os.path.abspath(path) for path in sys.argv[1:3])
REGRESSION = 3


def unescaped(text, is_property):
    """As the runner of GitHub Actions reads a workflow command."""
    codes = {"%0D": "\r", "%0A": "\n", "%25": "%"}
    if is_property:
        codes |= {"%3A": ":", "%2C": ","}
    return re.sub("%[0-9A-F]{2}", lambda code: codes[code[0]], text)


def annotations(out):
    """(command, properties, message) of each line."""
    found = []
    for line in out.splitlines():
        command, listed, message = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", line).groups()
        properties = dict(one.split("=", 1) for one in listed.split(","))
        found.append((command, {name: unescaped(value, True) for name, value in properties.items()}, unescaped(message, False)))
    return found


class Gate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
        cls.record("before.ompprof", TWO_FUNCTIONS, "100", "70")
        cls.record("slower.ompprof", TWO_FUNCTIONS, "100", "210")

    # Few samples: differences that the machine's load makes are then within noise.
    @classmethod
    def record(cls, name, *program):
        environment = launch.environment(OMP_WAIT_POLICY="passive", OMP_NUM_THREADS="2")
        command = [OMPPROF, "record", "-q", "-F", "250", "-o", name, "--", *program]
        launch.succeed(command, folder=cls.folder, env=environment)

    def diff(self, *words, status=0, folder=None):
        return launch.succeed([OMPPROF, "diff", *words], status=status, folder=folder or self.folder)

    def cases(self, *words, status=0):
        """The counts and the test cases of a JUnit file, by class and name."""
        root = xml.etree.ElementTree.fromstring(self.diff("--format=junit", *words, status=status).out.encode())
        self.assertEqual(root.tag, "testsuites")
        [suite] = root
        self.assertEqual(suite.tag, "testsuite")
        cases = {(case.get("classname"), case.get("name")): case for case in suite.iter("testcase")}
        self.assertEqual(len(cases), len(list(suite.iter("testcase"))))
        for of in root, suite:
            self.assertEqual(int(of.get("tests")), len(cases))
            self.assertEqual(int(of.get("failures")), len(list(suite.iter("failure"))))
            self.assertEqual(of.get("errors"), "0")
        self.assertEqual(int(suite.get("skipped")), len(list(suite.iter("skipped"))))
        for case in cases.values():
            self.assertGreaterEqual(float(case.get("time")), 0)
            self.assertLessEqual({child.tag for child in case}, {"failure", "skipped"})
        return cases

    def test_junit_has_a_failure_for_each_regression(self):
        words = ("--fail-on-regression=40", "before.ompprof", "slower.ompprof")
        cases = self.cases(*words, status=REGRESSION)
        failures = {case: one.find("failure") for case, one in cases.items() if one.find("failure") is not None}
        regressions = json.loads(self.diff("--format=json", *words, status=REGRESSION).out)["regressions"]
        self.assertEqual(len(failures), len(regressions))
        changed = failures["ompprof.functions", "changed_work (two_functions.cc)"]
        self.assertIn("slower beyond noise and by more than 40 %: CPU time of function changed_work", changed.get("message"))
        self.assertRegex(changed.text, r"two_functions\.cc:\d+$")
        self.assertIn(("ompprof.run", "CPU time"), failures)
        self.assertNotIn(("ompprof.functions", "steady_work (two_functions.cc)"), failures)
        self.assertIn(("ompprof.functions", "steady_work (two_functions.cc)"), cases)
        self.assertIsNotNone(cases["ompprof.run", "wall time"].find("skipped"))

    def test_junit_without_failures(self):
        for words in (["--fail-on-regression=900"], []):
            cases = self.cases(*words, "before.ompprof", "slower.ompprof")
            self.assertFalse([name for name, case in cases.items() if case.find("failure") is not None])

    def test_github_annotates_the_function(self):
        words = ("before.ompprof", "slower.ompprof")
        found = annotations(self.diff("--format=github", "--fail-on-regression=40", *words, status=REGRESSION).out)
        [changed] = [one for one in found if "changed_work" in one[1]["title"]]
        self.assertEqual(changed[0], "error")
        self.assertTrue(changed[1]["file"].endswith("two_functions.cc"), changed)
        self.assertGreater(int(changed[1]["line"]), 0)
        self.assertRegex(changed[2], r"CPU time of function changed_work \(two_functions.cc\): .* after, \+\d+\.\d %$")
        self.assertFalse([one for one in found if "steady_work" in one[1]["title"]])

        found = annotations(self.diff("--format=github", *words).out)
        self.assertEqual({command for command, _, _ in found}, {"warning"})
        self.assertTrue([one for one in found if "changed_work" in one[1]["title"]])
        self.assertEqual(self.diff("--format=github", "before.ompprof", "before.ompprof").out, "")

    def test_a_baseline_has_all_profiles_of_the_run(self):
        script = self.folder / "script"
        script.write_text(f"#!/bin/sh\n{TWO_FUNCTIONS} 20 20\n{TWO_FUNCTIONS} 20 20\n", encoding="utf-8")
        script.chmod(0o755)
        self.record("run.ompprof", script)
        family = sorted(path.name for path in self.folder.glob("run*.ompprof"))
        self.assertGreater(len(family), 1)
        said = self.diff("--save-baseline", "family", "run.ompprof").out
        saved = self.folder / ".ompprof" / "baselines" / "family"
        self.assertEqual(said, f"baseline family: {len(family)} profiles in .ompprof/baselines/family\n")
        self.assertEqual(sorted(path.name for path in saved.iterdir()), family)
        for name in family:
            self.assertEqual((saved / name).read_bytes(), (self.folder / name).read_bytes())
        same = json.loads(self.diff("--format=json", "--baseline", "family", "run.ompprof").out)
        self.assertEqual(same["cpu"]["change"], 0)
        self.assertEqual((same["runs_before"], same["runs_after"]), (1, 1))

    def test_a_baseline_is_compared_and_not_replaced(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        before, slower = self.folder / "before.ompprof", self.folder / "slower.ompprof"
        self.diff("--save-baseline", "main", before, folder=folder)
        self.diff("--baseline", "main", "--fail-on-regression=40", slower, folder=folder, status=REGRESSION)
        self.diff("--baseline", "main", "--fail-on-regression=40", before, folder=folder)

        refused = self.diff("--save-baseline", "main", slower, folder=folder, status=2)
        self.assertEqual(
            refused.err, "ompprof: .ompprof/baselines/main: this baseline exists, so nothing is saved; --force replaces it\n"
        )
        self.diff("--baseline", "main", "--fail-on-regression=40", slower, folder=folder, status=REGRESSION)
        self.diff("--save-baseline", "main", "--force", slower, folder=folder)
        self.diff("--baseline", "main", "--fail-on-regression=40", slower, folder=folder)
        self.assertEqual(os.listdir(folder / ".ompprof" / "baselines"), ["main"])

        # The baselines in a folder are none of its profiles.
        none = launch.succeed([OMPPROF, "info", "."], folder=folder, status=1)
        self.assertIn("the folder has no profiles", none.err)

        # Two runs with one name, elsewhere.
        (folder / "1").mkdir()
        (folder / "2").mkdir()
        for number in "1", "2":
            self.record(folder / number / "run.ompprof", TWO_FUNCTIONS, "20", "20")
        self.diff("--baseline-folder", "kept", "--save-baseline", "two", "1", "2", folder=folder)
        self.assertEqual(sorted(os.listdir(folder / "kept" / "two")), ["2.run.ompprof", "run.ompprof"])
        two = json.loads(
            self.diff("--baseline-folder=kept", "--baseline=two", "--format=json", "1", folder=folder).out
        )
        self.assertEqual(two["runs_before"], 2)

        missing = self.diff("--baseline", "minimal", slower, folder=folder, status=2)
        self.assertEqual(missing.err, "ompprof: --baseline=minimal: no such baseline in .ompprof/baselines; the folder has main\n")

    def test_other_files_are_never_replaced(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (folder / "results").mkdir()
        (folder / "results" / "notes.txt").write_text("mine", encoding="utf-8")
        words = ("--save-baseline", "results", "--baseline-folder", ".", "--force", self.folder / "before.ompprof")
        refused = self.diff(*words, folder=folder, status=2)
        self.assertIn("./results/notes.txt is no profile", refused.err)
        self.assertEqual(os.listdir(folder), ["results"])
        self.assertEqual(os.listdir(folder / "results"), ["notes.txt"])


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1], exit=False, verbosity=2).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
