"""A profile of the demonstration program, recorded once, and what the commands say of it: for the tests in this folder.

Their arguments: INSTALLED_OMPPROF DEMO_PROGRAM DEMO_SOURCE
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
    """Writes PROFILE, with waits for the program's critical in it. The program has an argument that would clear the
    screen; it reads a number's digits only."""
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
    """What `ompprof ARGUMENTS` prints into a pipe, as bytes; on standard error if it is to fail."""
    done = launch.succeed([OMPPROF, *arguments], status, folder=folder, env={**PLAIN, **variables})
    return done.raw_out if status == 0 else done.raw_err


def ompprof(*arguments, **named):
    """What `ompprof ARGUMENTS PROFILE` prints into a pipe."""
    return run(*arguments, PROFILE, **named).decode()


def report(*arguments, **named):
    return ompprof("report", *arguments, **named)


def report_json(*arguments):
    return json.loads(report("--format=json", *arguments))


def nanoseconds(text):
    """Of "1.55 s"."""
    number, unit = text.split()
    return float(number) * UNITS[unit]


def count(text):
    """Of "1,234"."""
    return int(text.replace(",", ""))


def short(name):
    """A C++ name as the text reports have it, as far as the demonstration program's need it."""
    return re.sub(r"\(.*\)(?= \[|$)", "", name.replace("(anonymous namespace)::", ""))


def run_tests(*cases):
    """Runs them, prints the line that scripts/count_tests.py reads, and ends the process."""
    load = unittest.defaultTestLoader.loadTestsFromTestCase
    result = unittest.TextTestRunner(verbosity=1).run(unittest.TestSuite(load(case) for case in cases))
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
