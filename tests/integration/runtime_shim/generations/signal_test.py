#!/usr/bin/env python3
"""A tool with integer ids asks the shim in signal handlers, and the answers are right at each moment (signal_tool.c).

usage: signal_test.py --shim LIBRARY
"""

import argparse
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "launch"))
import launch  # pylint: disable=wrong-import-position

HERE = pathlib.Path(__file__).resolve().parent
LIMIT_S = 60
TRIES = 10  # samples fall where they like
# The states that the program's threads stay in for milliseconds (spec 003, A.1; 0x6f is LLVM's).
STATES = {0x00, 0x01, 0x10, 0x41, 0x42, 0x50, 0x51, 0x60, 0x61, 0x62, 0x64, 0x6F}
LEAST_SAMPLES = 300
# How the program is compiled, and the tool.
PROGRAMS = [
    (["-O0"], []),
    (["-O2", "-fomit-frame-pointer"], []),
    (["-O1", "-fno-asynchronous-unwind-tables"], ["-DNO_CFI"]),
]
USERS_FRAMES = 12  # calls of check_enter_frame


class Signals(unittest.TestCase):
    shim = None

    def build(self, *arguments):
        done = launch.run(["gcc", "-g", "-Wall", "-Werror", *arguments], folder=self.work)
        if done.status != 0 or done.timed_out:
            raise launch.Failure(done.describe())

    def check(self, *defines):
        for compiled, tool in PROGRAMS:
            with tempfile.TemporaryDirectory() as folder:
                self.work = pathlib.Path(folder)
                self.build("-O2", "-shared", "-fPIC", *defines, *tool, str(HERE / "signal_tool.c"), "-o", "tool.so", "-lpthread")
                self.build(*compiled, "-fopenmp", str(HERE / "signal_program.c"), "-o", "program")
                self.check_program()

    def check_program(self):
        unseen = set(STATES)
        for _ in range(TRIES):
            environment = {"LD_PRELOAD": f"{self.shim} {self.work / 'tool.so'}"}
            done = launch.run(["./program"], folder=self.work, env=environment, limit=LIMIT_S)
            self.assertEqual((done.status, done.timed_out, done.err), (0, False, ""), done.describe())
            lines = [line.split() for line in done.out.splitlines()]
            self.assertNotIn("wrong", [line[0] for line in lines], done.describe())
            counts = {word: int(value, 0) for word, value in lines if word != "state"}
            for word in ("samples", "idle_frames", "frames"):
                self.assertGreater(counts[word], LEAST_SAMPLES, done.describe())
            self.assertGreater(counts["wait_ids"], 0, done.describe())
            self.assertEqual(counts["users_frames"], USERS_FRAMES, done.describe())
            unseen -= {int(value, 0) for word, value in lines if word == "state"}
            if not unseen:
                return
        self.fail(f"states never seen: {[hex(state) for state in unseen]}")

    def test_tr2(self):
        self.check()

    def test_draft(self):
        self.check("-DDRAFT")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--shim", required=True)
    Signals.shim = pathlib.Path(parser.parse_args().shim).resolve()
    unittest.main(argv=sys.argv[:1])
