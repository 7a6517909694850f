"""A profile of the demonstration program, recorded once, and the commands' output about it, for the tests in this folder.

The tests' arguments: INSTALLED_OMPPROF DEMO_PROGRAM DEMO_SOURCE
"""

import json
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

OMPPROF, PROGRAM, SOURCE = (os.path.abspath(path) for path in sys.argv[1:4])
FOLDER = os.environ["TEST_TMPDIR"]
PROFILE = os.path.join(FOLDER, "demo.ompprof")
PLAIN = launch.environment(FOLDER)
UNITS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1}


def record(*options):
    """Writes PROFILE, with waits for the program's critical in it. An argument of the program would clear the screen;
    the program reads a number's digits only."""
    for _ in range(5):
        launch.succeed([OMPPROF, "record", "-F", "997", *options, "-o", PROFILE, "--", PROGRAM, "1\x1b[2J"], folder=FOLDER,
                       env={**PLAIN, "OMP_NUM_THREADS": "2"})
        if report_json()["locks"]:
            return
        # Two threads that share one processor may never meet at the critical.
        print("recorded again: no thread waited for the critical", file=sys.stderr)
        os.remove(PROFILE)
    raise AssertionError("no thread waited for the critical in any of five runs")


def run(*arguments, status=0, folder=FOLDER, **variables):
    """The output of `ompprof ARGUMENTS` into a pipe, as bytes; from standard error if the command should fail."""
    done = launch.succeed([OMPPROF, *arguments], status, folder=folder, env={**PLAIN, **variables})
    return done.raw_out if status == 0 else done.raw_err


def ompprof(*arguments, **named):
    """The output of `ompprof ARGUMENTS PROFILE` into a pipe."""
    return run(*arguments, PROFILE, **named).decode()


def report(*arguments, **named):
    return ompprof("report", *arguments, **named)


def report_json(*arguments):
    return json.loads(report("--format=json", *arguments))


def nanoseconds(text):
    """The nanoseconds of "1.55 s"."""
    number, unit = text.split()
    return float(number) * UNITS[unit]


def count(text):
    """The number of "1,234"."""
    return int(text.replace(",", ""))


def short(name):
    """A C++ name as in the text reports, for the demonstration program's names."""
    return re.sub(r"\(.*\)(?= \[|$)", "", name.replace("(anonymous namespace)::", ""))


def run_tests(*cases):
    """Runs all tests, prints the line that scripts/count_tests.py reads, and ends the process."""
    load = unittest.defaultTestLoader.loadTestsFromTestCase
    result = unittest.TextTestRunner(verbosity=1).run(unittest.TestSuite(load(case) for case in cases))
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
