#!/usr/bin/env python3
"""A program in Python before 3.12: the report says once that its functions cannot have names, and what can be done.

usage: python_names_test.py INSTALLED_OMPPROF
"""

import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

OMPPROF = os.path.abspath(sys.argv[1])
FOLDER = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
PYTHON = "/usr/bin/python3.11"
WORK = "import time\nwhile time.process_time() < 0.7: sum(i * i for i in range(1000))\n"
SENTENCE = re.compile(r"([\d.]+) % of the time is below Python functions without a name\. Python 3\.11 cannot name them")


def report(name, *program):
    profile = os.path.join(FOLDER, name + ".ompprof")
    launch.succeed([OMPPROF, "record", "-q", "-F", "1000", "-o", profile, "--", *program], env=launch.environment())
    return launch.succeed([OMPPROF, "report", "--full", "--no-pager", "--width=1000", profile]).out


@unittest.skipUnless(os.path.exists(PYTHON), f"there is no {PYTHON}")
class Python(unittest.TestCase):
    def test_sentence_once(self):
        text = report("work", PYTHON, "-c", WORK)
        shares = SENTENCE.findall(text)
        self.assertEqual(len(shares), 1, text)
        self.assertGreater(float(shares[0]), 90, text)
        self.assertIn("Python 3.12 and later can: run it with -X perf.", text)

    def test_no_sentence_for_little_time(self):
        # Most of the CPU time is in a program that Python starts; the family is read as a whole.
        busy = "import os\nos.execv('/bin/sh', ['sh', '-c', 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'])\n"
        self.assertEqual(SENTENCE.findall(report("little", PYTHON, "-S", "-E", "-c", busy)), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
