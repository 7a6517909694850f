#!/usr/bin/env python3
"""A report on a terminal: colours, width, pager. The tests look through a pseudo-terminal at reports of a real profile of
the demonstration program.

usage: terminal_test.py INSTALLED_OMPPROF DEMO_PROGRAM DEMO_SOURCE
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unittest

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from demo_profile import FOLDER, OMPPROF, PLAIN, PROFILE, launch, record, report, run_tests

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(*arguments, columns=100, rows=1000, **variables):
    """The output of `ompprof ARGUMENTS PROFILE` on a terminal of that size."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    with subprocess.Popen([OMPPROF, *arguments, PROFILE], stdin=theirs, stdout=theirs, stderr=theirs, cwd=FOLDER,
                          start_new_session=True, env={**PLAIN, "TERM": "xterm", **variables}) as running:
        os.close(theirs)
        text = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # EIO: the other end has closed
                break
            if not piece:
                break
            text += piece
    os.close(ours)
    assert running.returncode == 0, (arguments, running.returncode, text)
    return text.decode().replace("\r\n", "\n")


class Terminal(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        record()

    def test_a_pipe_gets_plain_text(self):
        text = report()
        self.assertNotIn("\x1b", text)
        self.assertGreater(max(map(len, text.splitlines())), 110)
        self.assertIn("\x1b[1m", report("--color=always"))
        self.assertNotIn("\x1b", report("--format=csv"))
        self.assertLessEqual(max(map(len, report("--width=70").splitlines())), 70)

    def test_a_terminal_gets_colours(self):
        self.assertIn("\x1b[1m", on_terminal("report"))
        self.assertIn("\x1b[1;31m", on_terminal("report"))
        self.assertNotIn("\x1b", on_terminal("report", NO_COLOR="1"))
        self.assertNotIn("\x1b", on_terminal("report", TERM="dumb"))
        self.assertNotIn("\x1b", on_terminal("report", "--color=never"))
        self.assertIn("\x1b", on_terminal("report", "--color=always", NO_COLOR="1"))

    def test_a_terminal_gets_its_width(self):
        for arguments in ["report"], ["report", "--tree", "--waits", "--threads", "--states"], \
                ["report", "--regions", "--paths", "--locks", "--blame", "--peek=."], ["annotate", "influence"]:
            for width in 80, 132:
                text = ESCAPES.sub("", on_terminal(*arguments, COLUMNS=str(width)))
                self.assertLessEqual(max(map(len, text.splitlines())), width, (arguments, text))
        text = ESCAPES.sub("", on_terminal("report", columns=80))
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertIn("[omp parallel demo_heat.cc:164]", text)

    def test_pager(self):
        self.assertIn("PAGED:", on_terminal("report", rows=24, PAGER="sed s/^/PAGED:/"))
        paged = dict(LINES="24", OMPPROF_PAGER="sed s/^/PAGED:/", PAGER="false")
        self.assertTrue(all(line.startswith("PAGED:") for line in on_terminal("report", **paged).splitlines()))
        self.assertNotIn("PAGED:", on_terminal("report", "--no-pager", **paged))
        self.assertNotIn("PAGED:", on_terminal("report", **{**paged, "LINES": "900"}))
        self.assertNotIn("PAGED:", report(**paged))
        self.assertIn("Hottest functions", on_terminal("report", LINES="24", PAGER="cat"))
        self.assertIn("Hottest functions", on_terminal("report", LINES="24", OMPPROF_PAGER="no-such-pager 2>&-"))
        self.assertIn("PAGED:", on_terminal("report", LINES="24", PAGER="sed s/^/PAGED:/"))
        # The user leaves the pager early.
        on_terminal("report", "--tree", "--min-percent=0", LINES="24", PAGER="head -1")

    def test_a_reader_that_leaves_is_no_error(self):
        for tables in "", "--format=json", "--format=csv":
            pipeline = f"set -o pipefail; {OMPPROF} report {tables} {PROFILE} | head -1"
            done = launch.run(["bash", "-c", pipeline], env=PLAIN)
            self.assertEqual((done.how(), done.err), ("exit 0", ""))


run_tests(Terminal)
