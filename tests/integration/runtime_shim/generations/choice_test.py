#!/usr/bin/env python3
"""The shim starts a tool in the generation of OMPT whose symbol the tool has.

usage: choice_test.py --shim LIBRARY
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
DEFINES = {"5": "-DSTART", "draft": "-DTOOL", "tr2": "-DINITIALIZE"}
ALL = tuple(DEFINES)
LIMIT_S = 20


def told(generation, regions=2):
    """What a tool says that is started in this generation, and hears of all regions."""
    return f"asked {generation}\n{generation} heard {regions}\n"


class Choice(unittest.TestCase):
    shim = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.folder.name)
        cls.build("-fopenmp", str(HERE / "choice_program.c"), "-o", "program")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def build(cls, *arguments):
        done = launch.run(["gcc", "-O1", "-g", "-Wall", "-Werror", *arguments], folder=cls.work)
        if done.status != 0 or done.timed_out:
            raise launch.Failure(done.describe())

    @classmethod
    def tool(cls, *symbols):
        """A library with the symbols of these generations."""
        path = cls.work / f"{'_'.join(symbols)}.so"
        if not path.exists():
            cls.build("-shared", "-fPIC", *(DEFINES[symbol] for symbol in symbols), str(HERE / "choice_tool.c"), "-o", str(path))
        return str(path)

    def run_program(self, *tools, asked=None, command=("./program",), **settings):
        if asked is not None:
            settings["GOMP_OMPT_GENERATION"] = asked
        environment = {"LD_PRELOAD": " ".join([str(self.shim), *tools]), **settings}
        done = launch.run(list(command), folder=self.work, env=environment, limit=LIMIT_S)
        self.assertFalse(done.timed_out, done.describe())
        return done

    def expect(self, out, *tools, **settings):
        done = self.run_program(*tools, **settings)
        self.assertEqual((done.status, done.out, done.err), (0, out, ""), done.describe())

    def test_newest_symbol_first(self):
        self.expect(told("5"), self.tool(*ALL))
        self.expect(told("5"), self.tool(*ALL), asked="")
        self.expect(told("5"), self.tool("5", "tr2"))
        self.expect(told("draft"), self.tool("draft", "tr2"))
        for generation in ALL:
            self.expect(told(generation), self.tool(generation))

    def test_asked_generation(self):
        for generation in ALL:
            self.expect(told(generation), self.tool(*ALL), asked=generation)
            for other in ALL:
                if other != generation:
                    self.expect("", self.tool(other), asked=generation)

    def test_several_tools(self):
        self.expect(told("5"), self.tool("tr2"), self.tool("draft"), self.tool("5"))
        self.expect(told("draft"), self.tool("5"), self.tool("tr2"), self.tool("draft"), asked="draft")

    def test_program_with_tool(self):
        for symbols in (("5",), ("draft",), ("tr2",), ALL):
            self.build("-fopenmp", *(DEFINES[symbol] for symbol in symbols), str(HERE / "choice_program.c"), str(HERE / "choice_tool.c"), "-o", "with_tool")
            self.expect(told(symbols[0]), command=["./with_tool"])
            self.expect(told(symbols[-1]), command=["./with_tool"], asked=symbols[-1])

    def test_libraries(self):
        for generation in ALL:
            self.expect(told(generation), OMP_TOOL_LIBRARIES=f"/none.so:{self.tool(generation)}")
        self.expect(told("draft"), OMP_TOOL_LIBRARIES=self.tool(*ALL), asked="draft")
        # A declining tool leaves the place to the next library.
        libraries = f"{self.tool('draft')}:{self.tool('5')}"
        self.expect("asked draft\n" + told("5"), OMP_TOOL_LIBRARIES=libraries, DECLINES="draft")

    def test_log(self):
        tool = self.tool("draft")
        done = self.run_program(OMP_TOOL_LIBRARIES=tool, OMP_TOOL_VERBOSE_INIT="stdout")
        self.assertIn(f"Searching for ompt_tool in {tool}... asked draft\nSuccess.\n", done.out)
        done = self.run_program(OMP_TOOL_LIBRARIES=tool, OMP_TOOL_VERBOSE_INIT="stdout", asked="tr2")
        self.assertIn(f"Searching for ompt_initialize in {tool}... Failed: ", done.out)

    def test_declining(self):
        # The older symbols of a tool that has declined may be other functions of the tool.
        self.expect("asked 5\n", self.tool(*ALL), DECLINES="5 draft")
        self.expect("asked draft\n", self.tool("draft", "tr2"), DECLINES="draft")
        self.expect("asked 5\n" + told("draft"), self.tool("5"), self.tool("draft", "tr2"), DECLINES="5")

    def test_result_of_initialize(self):
        for result in ("0", "2", "-1"):
            self.expect("asked tr2\n", self.tool("tr2"), TR2_RESULT=result)

    def test_omp_tool(self):
        for generation in ALL:
            self.expect("", self.tool(generation), OMP_TOOL="disabled")
            self.expect(told(generation), self.tool(generation), OMP_TOOL=" Enabled ")
            done = self.run_program(self.tool(generation), OMP_TOOL="nonsense")
            self.assertEqual((done.status, done.out), (0, ""), done.describe())
            self.assertIn('libgomp_ompt: OMP_TOOL is "nonsense", so no tool is started', done.err)
        done = self.run_program(self.tool("draft"), asked="draft", OMP_TOOL="nonsense")
        self.assertEqual((done.status, done.out), (1, ""), done.describe())
        self.assertIn('libgomp_ompt: fatal error: OMP_TOOL is "nonsense"', done.err)

    def test_unknown_generation(self):
        done = self.run_program(self.tool("draft", "tr2"), asked="tr3")
        self.assertEqual((done.status, done.out), (0, told("draft")), done.describe())
        self.assertEqual(done.err, 'libgomp_ompt: GOMP_OMPT_GENERATION is "tr3"; set it to tr2, draft, tr6 or 5\n')

    def test_child_of_fork(self):
        for generation in ALL:
            done = self.run_program(self.tool(generation), command=["./program", "fork"])
            child, parent = told(generation), f"{generation} heard 4\n"
            self.assertEqual(sorted(done.out.splitlines()), sorted((f"asked {generation}\n" + child + parent).splitlines()), done.describe())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--shim", required=True)
    Choice.shim = pathlib.Path(parser.parse_args().shim).resolve()
    unittest.main(argv=sys.argv[:1])
