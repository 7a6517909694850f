#!/usr/bin/env python3
"""Memory follows the distinct call paths and not the log: a log ten times as long takes as much.

usage: large_logs_test.py INSTALLED_OMPPROF LARGE_LOG LIBRARY TEST...
"""

import base64
import gzip
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

OMPPROF, LARGE_LOG, LIBRARY = (os.path.abspath(path) for path in sys.argv[1:4])
FOLDER = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
COMMANDS = {
    "info": ["info"],
    "report": ["report", "--full", "--no-pager", "--no-cache"],
    "diff": ["diff", "--no-cache"],
    "pprof": ["export", "--no-cache", "--format=pprof", "-o", str(FOLDER / "out")],
    "merge": ["merge", "--force", "-o", str(FOLDER / "merged")],
}
PAGE = ["report", "--no-cache", "--html", str(FOLDER / "page.html")]


def make(kind, number):
    path = str(FOLDER / f"{kind}.{number}")
    launch.succeed([LARGE_LOG, path, kind, str(number), LIBRARY])
    return path


def run(name, path):
    files = [path] * (2 if name == "diff" else 1)
    return launch.succeed([OMPPROF, *COMMANDS[name], *files], env=launch.environment())


def page_timeline():
    data = re.search(r'data-encoding="gzip">([^<]*)<', (FOLDER / "page.html").read_text()).group(1)
    return json.loads(gzip.decompress(base64.b64decode(data)))["timeline"]


class LargeLogsTest(unittest.TestCase):
    def test_memory_follows_the_paths(self):
        for kind in ("long", "timeline"):
            small, large = make(kind, 2), make(kind, 20)
            self.assertGreater(os.path.getsize(large), 9 * os.path.getsize(small))
            for name in COMMANDS:
                with self.subTest(kind=kind, command=name):
                    before, after = (run(name, path).peak_kib for path in (small, large))
                    self.assertLess(after, 1.25 * before + 8192)

    def test_memory_of_a_page_has_a_limit(self):
        """A long timeline is put together as it is read."""
        peaks = []
        for number in (60, 120):
            path = make("timeline", number)
            peaks.append(launch.succeed([OMPPROF, *PAGE, path], env=launch.environment()).peak_kib)
            os.remove(path)
        self.assertLess(peaks[1], 1.25 * peaks[0] + 8192)
        timeline = page_timeline()
        self.assertGreater(timeline["resolution_ns"], 0)
        self.assertGreater(len(timeline["stretches"]["row"]), 1000)

    def test_time_follows_the_log(self):
        """Each thread has a tree with the thread's own number, and the same nodes in it."""
        few, many = make("threads", 16), make("threads", 128)
        times = [min(run("info", path).cpu for _ in range(3)) for path in (few, many)]
        self.assertLess(times[1] / times[0], 3 * os.path.getsize(many) / os.path.getsize(few))

    def test_what_a_timeline_shows_is_still_there(self):
        path = make("timeline", 1)
        out = FOLDER / "out.json"
        launch.succeed([OMPPROF, "export", "--no-cache", "--format=perfetto", "-o", str(out), path])
        slices = [event for event in json.loads(out.read_text())["traceEvents"] if event.get("ph") == "X"]
        self.assertGreater(len(slices), 1000)

    def test_processes_one_by_one(self):
        """The figures of a merged file are those of its processes, and do not depend on what was read before."""
        merged = make("processes", 5)
        info = json.loads(launch.succeed([OMPPROF, "info", "--format=json", merged]).out)["processes"]
        self.assertEqual(len(info), 5)
        report = json.loads(launch.succeed([OMPPROF, "report", "--no-cache", "--format=json", merged]).out)
        self.assertEqual(sum(f["self_samples"] for f in report["functions"]), sum(p["samples"] for p in info))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + [f"LargeLogsTest.{name}" for name in sys.argv[4:]])
