#!/usr/bin/env python3
"""Public tools run on gcc's programs under the shim: Archer of LLVM 14 and 19, and tools that LLVM's ompt-multiplex.h
passes events on to. They were written for LLVM's runtime, and follow what it does.

usage: other_tools_test.py --shim LIBRARY
"""

import argparse
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch  # pylint: disable=wrong-import-position

HERE = pathlib.Path(__file__).resolve().parent
LLVM19 = HERE.parents[2] / ".deps/libomp-19-dev"
ARCHERS = {"14": pathlib.Path("/usr/lib/llvm-14/lib/libarcher.so"), "19": LLVM19 / "usr/lib/llvm-19/lib/libarcher.so"}
PROGRAM = """
#include <stdio.h>
int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
    sum += 1;
#pragma omp single
#pragma omp task
    sum += 0;
  }
  printf("sum %d\\n", sum);
  return 0;
}
"""


class OtherTools(unittest.TestCase):
    shim = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.folder.name)
        (cls.work / "program.c").write_text(PROGRAM)
        cls.build("-fopenmp", "program.c", "-o", "program")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def build(cls, *arguments):
        done = launch.run(["gcc", "-O1", "-g", *arguments], folder=cls.work)
        if done.status != 0 or done.timed_out:
            raise launch.Failure(done.describe())

    def run_program(self, program, **settings):
        done = launch.run([program], folder=self.work, env={"LD_PRELOAD": str(self.shim), **settings}, limit=60)
        self.assertEqual((done.status, done.timed_out), (0, False), done.describe())
        return done

    def test_archer(self):
        self.build("-fopenmp", "-fsanitize=thread", "program.c", "-o", "sanitized")
        for version, library in ARCHERS.items():
            with self.subTest(version):
                if not library.exists():
                    self.skipTest(f"Archer {version} is not installed: {library}")
                done = self.run_program("./sanitized", OMP_TOOL_LIBRARIES=str(library), ARCHER_OPTIONS="verbose=1",
                                        TSAN_OPTIONS="ignore_noninstrumented_modules=1")
                self.assertRegex(done.out, r"^Archer detected OpenMP application with TSan.*\n(Warning: .*\n)?sum 2\n$")

    def test_multiplexer(self):
        header = LLVM19 / "include/ompt-multiplex.h"
        if not header.exists():
            self.skipTest(f"LLVM 19's header is not there: {header}")
        tool = ("-shared", "-fPIC", "-w", f"-I{header.parent}", str(HERE / "multiplexer_tool.c"))
        self.build(*tool, "-DCLIENT", "-o", "client.so")
        for storage in "-DHEADERS_STORAGE", "-DOWN_STORAGE":
            with self.subTest(storage):
                self.build(*tool, storage, "-o", "multiplexer.so")
                done = self.run_program("./program", OMP_TOOL_LIBRARIES=f"{self.work}/multiplexer.so",
                                        MULTIPLEXER_TOOL_LIBRARIES=f"{self.work}/client.so")
                # Threads, the region, three implicit tasks with the initial one, the task and both of its switches.
                events = " 2 2 1 1 3 3 1 2\n"
                self.assertEqual(sorted(done.out.splitlines(True)),
                                 sorted(["sum 2\n", "client" + events, "multiplexer" + events]), done.describe())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--shim", required=True)
    OtherTools.shim = pathlib.Path(parser.parse_args().shim).resolve()
    unittest.main(argv=sys.argv[:1])
