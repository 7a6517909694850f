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
        text = report("--full")
        self.assertNotIn("\x1b", text)
        self.assertGreater(max(map(len, text.splitlines())), 110)
        self.assertIn("\x1b[1m", report("--color=always"))
        self.assertNotIn("\x1b", report("--format=csv"))
        for table in [], ["--full"], ["--tree", "--min-percent=20"], ["--devices"], ["--ranks"]:
            text = report("--width=70", *table)
            self.assertLessEqual(max(map(len, text.splitlines())), 70, (table, text))

    def test_a_terminal_gets_colours(self):
        self.assertIn("\x1b[1m", on_terminal("report"))
        self.assertIn("\x1b[1;31m", on_terminal("report"))
        self.assertNotIn("\x1b", on_terminal("report", NO_COLOR="1"))
        self.assertNotIn("\x1b", on_terminal("report", TERM="dumb"))
        self.assertNotIn("\x1b", on_terminal("report", "--color=never"))
        self.assertIn("\x1b", on_terminal("report", "--color=always", NO_COLOR="1"))

    def test_a_terminal_gets_its_width(self):
        for arguments in ["report"], ["report", "--full"], ["report", "--tree", "--waits", "--threads", "--states"], \
                ["report", "--regions", "--paths", "--locks", "--blame", "--peek=."], ["annotate", "influence"], \
                ["diff", PROFILE], ["whatif", "--threads=2"], ["whatif", "--balance=influence"]:
            for width in 80, 132:
                text = ESCAPES.sub("", on_terminal(*arguments, COLUMNS=str(width)))
                self.assertLessEqual(max(map(len, text.splitlines())), width, (arguments, text))
        text = ESCAPES.sub("", on_terminal("report", "--full", columns=80))
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertIn("[omp parallel demo_heat.cc:164]", text)

    def test_the_first_screen_fits(self):
        paged = dict(LINES="24", OMPPROF_PAGER="sed s/^/PAGED:/")
        lines = ESCAPES.sub("", on_terminal("report", columns=80, **paged)).splitlines()
        self.assertLess(len(lines), 24, lines)  # the shell's prompt needs a line
        self.assertLessEqual(max(map(len, lines)), 80, lines)
        self.assertFalse([line for line in lines if line.startswith("PAGED:")], lines)
        for title in "Largest losses", "Best changes":
            self.assertTrue([line for line in lines if line.startswith(title)], lines)

    def test_pager(self):
        self.assertIn("PAGED:", on_terminal("report", "--full", rows=24, PAGER="sed s/^/PAGED:/"))
        paged = dict(LINES="24", OMPPROF_PAGER="sed s/^/PAGED:/", PAGER="false")
        self.assertTrue(all(line.startswith("PAGED:") for line in on_terminal("report", "--full", **paged).splitlines()))
        self.assertNotIn("PAGED:", on_terminal("report", "--full", "--no-pager", **paged))
        self.assertNotIn("PAGED:", on_terminal("report", "--full", **{**paged, "LINES": "900"}))
        self.assertNotIn("PAGED:", report("--full", **paged))
        self.assertIn("Hottest functions", on_terminal("report", "--full", LINES="24", PAGER="cat"))
        self.assertIn("Hottest functions", on_terminal("report", "--full", LINES="24", OMPPROF_PAGER="no-such-pager 2>&-"))
        self.assertIn("PAGED:", on_terminal("report", "--full", LINES="24", PAGER="sed s/^/PAGED:/"))
        # The user leaves the pager early.
        on_terminal("report", "--tree", "--min-percent=0", LINES="24", PAGER="head -1")

    def test_a_reader_that_leaves_is_no_error(self):
        for tables in "", "--format=json", "--format=csv":
            pipeline = f"set -o pipefail; {OMPPROF} report {tables} {PROFILE} | head -1"
            done = launch.run(["bash", "-c", pipeline], env=PLAIN)
            self.assertEqual((done.how(), done.err), ("exit 0", ""))


run_tests(Terminal)
