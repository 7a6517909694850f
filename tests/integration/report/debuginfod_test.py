#!/usr/bin/env python3
"""Debug symbols from a debuginfod server: a stripped program gets its names if DEBUGINFOD_URLS is set, and else a hint.

usage: debuginfod_test.py INSTALLED_OMPPROF TWO_FUNCTIONS
"""

import ctypes.util
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

OMPPROF, PROGRAM = (os.path.abspath(path) for path in sys.argv[1:3])
FOLDER = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
WORK = ("steady_work", "changed_work")


class Server(http.server.ThreadingHTTPServer):
    """Serves one file, as debuginfod does: /buildid/ID/debuginfo."""

    def __init__(self, build_id, content):
        self.asked = []
        super().__init__(("127.0.0.1", 0), self.handler(f"/buildid/{build_id}/debuginfo", content))
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handler(self, path, content):
        asked = self.asked

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_response(200 if self.path == path else 404)
                body = content if self.path == path else b""
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler


def report(*arguments, **variables):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("DEBUGINFOD_")}
    environment.update(variables, DEBUGINFOD_CACHE_PATH=tempfile.mkdtemp(dir=FOLDER))
    return launch.succeed([OMPPROF, "report", "--no-pager", *arguments, str(FOLDER / "p.ompprof")], env=environment).out


def names(**variables):
    return {function["name"] for function in json.loads(report("--format=json", **variables))["functions"]}


class DebuginfodTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = FOLDER / "stripped"
        shutil.copy(PROGRAM, cls.program)
        os.chmod(cls.program, 0o755)
        debug = FOLDER / "debug"
        subprocess.run(["objcopy", "--only-keep-debug", cls.program, debug], check=True)
        subprocess.run(["strip", "-s", cls.program], check=True)
        notes = subprocess.run(["readelf", "-n", cls.program], check=True, capture_output=True, text=True).stdout
        cls.server = Server(re.search(r"Build ID: ([0-9a-f]+)", notes).group(1), debug.read_bytes())
        command = [OMPPROF, "record", "-q", "-F", "1000", "-o", str(FOLDER / "p.ompprof"), "--"]
        launch.succeed([*command, str(cls.program), "300", "300"], env=launch.environment(OMP_NUM_THREADS="2"))

    def test_hint(self):
        self.assertTrue(names().isdisjoint(WORK))
        text = report("--full")
        self.assertRegex(text, r"Functions without a name \(\d+\.\d % of ")
        self.assertRegex(text, r"stripped +of no package: build it with -g")
        self.assertIn("DEBUGINFOD_URLS", text)
        unnamed = json.loads(report("--format=json"))["unnamed"]
        self.assertEqual(unnamed["objects"][0]["path"], str(self.program))
        self.assertEqual(self.server.asked, [])

    def test_package(self):
        # A stripped program of the distribution.
        program = "/usr/bin/python3.11"
        found = shutil.which("dpkg-query") and subprocess.run(["dpkg-query", "--search", program], capture_output=True, text=True).stdout
        if not found:
            self.skipTest(f"dpkg-query knows no {program}")
        profile = str(FOLDER / "python.ompprof")
        loop = "for i in range(10**6): str(i) * 3"
        launch.succeed([OMPPROF, "record", "-q", "-F", "1000", "-o", profile, "--", program, "-c", loop], env=launch.environment())
        whole = json.loads(launch.succeed([OMPPROF, "report", "--format=json", profile]).out)["unnamed"]
        package = found.split(":")[0]
        objects = {entry["path"]: entry for entry in whole["objects"]}
        self.assertEqual(objects[program]["package"], package)
        # Python's symbols are a package of their own, in Debian's main part.
        self.assertEqual(objects[program]["command"], "apt install python3.11-dbg")
        self.assertIn("Python 3.11 cannot name them", whole["python_note"])

    def test_names_from_the_server(self):
        if ctypes.util.find_library("debuginfod") is None and not list(pathlib.Path("/usr/lib").glob("*/libdebuginfod.so.1")):
            self.skipTest("libdebuginfod is not installed")
        url = f"http://127.0.0.1:{self.server.server_port}"
        self.assertLessEqual(set(WORK), names(DEBUGINFOD_URLS=url))
        self.assertNotIn("Functions without a name", report("--full", DEBUGINFOD_URLS=url))

    def test_no_server(self):
        self.assertTrue(names(DEBUGINFOD_URLS="http://127.0.0.1:9").isdisjoint(WORK))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
