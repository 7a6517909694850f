#!/usr/bin/env python3
"""The reports for a terminal and for data frames, on a real profile of the demonstration program.

usage: terminal_test.py INSTALLED_OMPPROF DEMO_PROGRAM DEMO_SOURCE

One short run is recorded; every table is compared with the JSON report's totals, and what a terminal gets (colours, width, pager) is
looked at through a pseudo-terminal.
"""

import csv
import fcntl
import io
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unittest

OMPPROF, PROGRAM, SOURCE = (os.path.abspath(path) for path in sys.argv[1:4])
FOLDER = os.environ["TEST_TMPDIR"]
PROFILE = os.path.join(FOLDER, "demo.ompprof")
PLAIN = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": FOLDER}
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
UNITS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1}


def ompprof(*arguments, status=0, folder=FOLDER, **variables):
    """What `ompprof ARGUMENTS PROFILE` prints into a pipe."""
    done = subprocess.run([OMPPROF, *arguments, PROFILE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
                          env={**PLAIN, **variables}, check=False)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout.decode() if status == 0 else done.stderr.decode()


def report(*arguments, **named):
    return ompprof("report", *arguments, **named)


def table(*arguments):
    """The rows of a CSV report, as a reader of CSV has them."""
    return list(csv.DictReader(io.StringIO(report("--format=csv", *arguments), newline="")))


def on_terminal(*arguments, columns=100, rows=1000, **variables):
    """What `ompprof ARGUMENTS PROFILE` prints on a terminal of that size."""
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


def nanoseconds(text):
    number, unit = text.split()
    return float(number) * UNITS[unit]


def short(name):
    """A C++ name as the text reports have it, as far as the demonstration program's need it."""
    return re.sub(r"\(.*\)(?= \[|$)", "", name.replace("(anonymous namespace)::", ""))


def whole(rows, column):
    return sum(int(row[column]) for row in rows)


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # An argument that would clear the screen; the program reads a number's digits only.
        subprocess.run([OMPPROF, "record", "-F", "997", "-o", PROFILE, "--", PROGRAM, "2\x1b[2J"], check=True,
                       stdout=subprocess.DEVNULL, env={**PLAIN, "OMP_NUM_THREADS": "2"})
        cls.json = json.loads(report("--format=json"))
        cls.functions = {short(function["name"]): function for function in cls.json["functions"]}
        cls.whole = cls.json["sampled_cpu_ns"]

    def test_functions_as_csv_are_those_of_json(self):
        rows = table("--top")
        self.assertEqual(len(rows), len(self.json["functions"]))
        for row, function in zip(rows, self.json["functions"]):
            for column, cell in row.items():
                expected = function[column]
                self.assertEqual(cell if isinstance(expected, str) else int(cell), expected, row)
        self.assertEqual(whole(rows, "self_cpu_ns"), self.whole)
        self.assertEqual(report("--format=csv"), ompprof("export", "--format=csv-functions"))

    def test_other_tables_as_csv(self):
        regions = table("--regions")
        self.assertEqual(whole(regions, "elapsed_ns"), sum(region["elapsed_ns"] for region in self.json["regions"]))
        self.assertEqual(whole(regions, "cpu_ns"), sum(region["cpu_ns"] for region in self.json["regions"]))
        self.assertEqual([float(region["imbalance"]) for region in regions],
                         [region["imbalance"] for region in self.json["regions"]])
        self.assertEqual(report("--format=csv", "--regions"), ompprof("export", "--format=csv-regions"))
        self.assertEqual(whole(table("--threads"), "sampled_cpu_ns"), self.whole)
        states = table("--states")
        self.assertEqual(whole(states, "cpu_ns"), self.whole)
        self.assertEqual(whole(states, "wait_ns"), sum(state["wait_ns"] for state in self.json["states"].values()))
        self.assertEqual(whole(table("--waits"), "wait_ns"), sum(wait["wait_ns"] for wait in self.json["waits"]))
        self.assertEqual([lock["name"] for lock in table("--locks")], [lock["name"] for lock in self.json["locks"]])
        self.assertIn("one table", report("--format=csv", "--locks", "--waits", status=2))

    def test_csv_columns_are_numbers_or_text(self):
        texts = {"name", "file", "module", "function", "state", "kind", "at", "region", "blamed_function",
                 "waiting_function"}
        for kind in "--top", "--regions", "--threads", "--states", "--waits", "--locks":
            for row in table(kind):
                for column, cell in row.items():
                    if column not in texts:
                        self.assertRegex(cell, r"^-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?$", (kind, column))

    def test_by_thread(self):
        rows = table("--by=thread")
        for name in "Run", "<omp critical>":
            self.assertEqual(sum(int(row["self_cpu_ns"]) for row in rows if short(row["name"]) == name),
                             self.functions[name]["self_cpu_ns"])
        values = json.loads(report("--format=json", "--by=state"))["by"]
        self.assertEqual({value["value"]: value["cpu_ns"] for value in values if value["cpu_ns"]},
                         {name: state["cpu_ns"] for name, state in self.json["states"].items() if state["cpu_ns"]})
        text = report("--by=thread")
        self.assertRegex(text, r"thread 1 +thread 2 +function\n")
        self.assertIn("influence [omp parallel demo_heat.cc:176]: ", report("--by=region"))
        self.assertIn("no ranks", report("--by=rank", status=2))
        self.assertIn("no phases", report("--by=phase", status=2))

    def test_metric(self):
        for metric, member in ("wait", "wait_ns"), ("blame", "blame_ns"):
            most = max(self.json["functions"], key=lambda function: function[member])
            first = report("--top", "--metric=" + metric).split("Functions ")[1].split("\n")[2]
            self.assertIn(short(most["name"]), first)
            amount = nanoseconds(re.match(r" +([0-9.]+ [mun]?s)", first).group(1))
            self.assertAlmostEqual(amount / most[member], 1, delta=0.01)
        self.assertIn("samples", report("--top", "--metric=samples"))
        self.assertEqual(report("--tree", "--metric=cpu"), report("--tree"))
        self.assertIn("it has cpu, wait, blame and samples", report("--metric=cache-misses", status=2))

    def test_peek(self):
        text = report("--peek=::influence\\([^[]*$").split("Callers and callees")[1]
        rows = text.splitlines()[2:]
        at = next(i for i, row in enumerate(rows) if "> influence" in row)
        amount = lambda row: nanoseconds(re.findall(r"[0-9.]+ [mun]?s", row)[-1])
        total = nanoseconds(re.findall(r"[0-9.]+ [mun]?s", rows[at])[-1])
        self.assertAlmostEqual(total / self.functions["influence"]["total_cpu_ns"], 1, delta=0.01)
        self.assertIn("Run", rows[at - 1])
        self.assertAlmostEqual(sum(amount(row) for row in rows[:at]) / total, 1, delta=0.01)
        self.assertIn("influence [omp parallel demo_heat.cc:176]", rows[at + 1])
        self.assertIn("no function in the profile matches", report("--peek=^nothing$"))

    def test_hide_and_show_from(self):
        hidden = json.loads(report("--format=json", "--hide=::Run\\("))
        functions = {short(function["name"]): function for function in hidden["functions"]}
        self.assertNotIn("Run", functions)
        self.assertEqual(functions["main"]["total_cpu_ns"], self.functions["main"]["total_cpu_ns"])
        self.assertEqual(functions["main"]["self_cpu_ns"],
                         self.functions["main"]["self_cpu_ns"] + self.functions["Run"]["self_cpu_ns"])
        shown = json.loads(report("--format=json", "--show-from=::influence\\([^[]*$"))["functions"]
        self.assertEqual(sum(function["self_cpu_ns"] for function in shown),
                         self.functions["influence"]["total_cpu_ns"])
        self.assertNotIn("main", [function["name"] for function in shown])

    def test_states(self):
        for name, state in self.json["states"].items():
            for member in "cpu_ns", "samples", "wait_ns":
                self.assertEqual(sum(thread["states"].get(name, {member: 0})[member] for thread in self.json["threads"]),
                                 state[member], name)
        text = report("--states")
        self.assertIn("CPU by thread and state", text)
        self.assertRegex(text, r"waited +share +waits +state")

    def test_paths_of_regions(self):
        for region in self.json["regions"]:
            paths = region["paths"]
            cpu = sum(path["cpu_ns"] for path in paths)
            self.assertLessEqual(cpu, region["cpu_ns"], region["name"])
            # A sample at the fork may have no body of the region on its stack yet.
            self.assertGreaterEqual(cpu, 0.97 * region["cpu_ns"] - 1.1e7, region["name"])
            for path in paths:
                self.assertEqual(path["callers"][0], "main")
            self.assertLessEqual(sum(path["runs"] for path in paths), region["invocations"], region["name"])
            self.assertLessEqual(sum(path["elapsed_ns"] for path in paths), region["elapsed_ns"], region["name"])
            # No run of this one is shorter than a sampling period.
            if region["name"].startswith("influence"):
                self.assertEqual(sum(path["runs"] for path in paths), region["invocations"])
                self.assertEqual(sum(path["elapsed_ns"] for path in paths), region["elapsed_ns"])
        text = report("--regions", "--paths")
        self.assertIn(" main > Run > influence\n", text)
        self.assertRegex(text, r" elapsed +runs +imbalance +CPU +share")
        self.assertIn("main > Run > explicit_solve", text)

    def test_errors(self):
        share = self.functions["<omp critical>"]["self_cpu_ns"] / self.whole
        error = self.functions["<omp critical>"]["self_cpu_error_ns"] / self.whole
        samples = self.json["effective_samples"]
        self.assertLessEqual(samples, self.json["samples"] * 1.001)
        self.assertAlmostEqual(error / (1.96 * (share * (1 - share) / samples) ** 0.5), 1, delta=0.05)
        self.assertIn("±%.1f %%" % (100 * error), report("--top"))

    def test_annotate_source(self):
        text = ompprof("annotate", "count_tracers", "--source-path", os.path.dirname(SOURCE))
        of_it = [function for name, function in self.functions.items() if name.startswith("count_tracers")]
        samples = sum(function["self_samples"] for function in of_it)
        # Waiting is the line's that waits.
        locked = re.search(r"^ +([0-9.]+) % .*#pragma omp critical", text, re.MULTILINE)
        self.assertGreaterEqual(float(locked.group(1)) + 0.1,
                                100 * self.functions["<omp critical>"]["self_cpu_ns"] / self.whole)
        shown = int(re.search(r"in ([0-9,]+) samples", text).group(1).replace(",", ""))
        self.assertGreater(shown, samples)  # with the runtime's, at the lines that called it
        self.assertIn("lock", text.splitlines()[4])
        self.assertIn("is called 'nothing'", ompprof("annotate", "nothing", status=2))

    def test_annotate_instructions(self):
        text = ompprof("annotate", "explicit_step", "--asm", "--min-percent=0", "--context=0")
        samples = sum(int(found.replace(",", "")) for found in re.findall(r"in ([0-9,]+) samples, what is inlined", text))
        self.assertGreater(samples, 0)
        column = [line for line in text.splitlines() if re.search(r" [0-9a-f]{4,}    ?[a-z]", line)]
        counts = [re.match(r" +[0-9.]+ % +([0-9,]+) ", line) for line in column]
        self.assertEqual(sum(int(count.group(1).replace(",", "")) for count in counts if count), samples, text)
        self.assertRegex(text, r"demo_heat.cc:5[0-9]")

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
        # A pager that is left early.
        on_terminal("report", "--tree", "--min-percent=0", LINES="24", PAGER="head -1")

    def test_a_reader_that_leaves_is_no_error(self):
        for tables in "", "--format=json", "--format=csv":
            done = subprocess.run(["bash", "-c", "set -o pipefail; %s report %s %s | head -1" % (OMPPROF, tables, PROFILE)],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=PLAIN, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, b""))


def main():
    result = unittest.TextTestRunner(verbosity=1).run(unittest.defaultTestLoader.loadTestsFromTestCase(Report))
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
