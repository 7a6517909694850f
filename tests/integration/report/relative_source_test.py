#!/usr/bin/env python3
"""ompprof finds sources with relative paths in the debug information from another folder than the compilation's.

usage: relative_source_test.py INSTALLED_OMPPROF
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

OMPPROF = os.path.abspath(sys.argv[1])
WORK = """#include "spin.h"
int main(void) {
  spin(300000000);  /* called in main */
  return 0;
}
"""
HEADER = """static volatile long sink;
static __attribute__((noinline)) void spin(long count) {
  for (long i = 0; i < count; i++) sink = i;  /* %s */
}
"""


def run(*words, folder):
    return launch.succeed(words, folder=folder).out


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def page_sources(page):
    """The page's source files, by path."""
    encoding, data = re.search('id="data" data-encoding="([a-z]+)">(.*?)</script>', page).groups()
    data = json.loads(gzip.decompress(base64.b64decode(data)) if encoding == "gzip" else data)
    return {file["path"]: file for file in data["sources"]}


class RelativeSources(unittest.TestCase):
    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
        self.built = os.path.join(self.folder, "built")
        self.elsewhere = os.path.join(self.folder, "elsewhere")
        os.mkdir(self.elsewhere)
        write(os.path.join(self.built, "src/work.c"), WORK)
        write(os.path.join(self.built, "include/spin.h"), HEADER % "as built")

    def record(self, *compiler):
        """The profile of a run of the program that `compiler` makes in the folder `built`."""
        run(*compiler, "-O1", "-g", "-Iinclude", "-o", "work", folder=self.built)
        profile = os.path.join(self.folder, "work.ompprof")
        run(OMPPROF, "record", "-F", "997", "-o", profile, "--", os.path.join(self.built, "work"), folder=self.folder)
        return profile

    def annotated(self, profile, *options):
        answer = json.loads(run(OMPPROF, "annotate", "--format=json", "spin", *options, profile, folder=self.elsewhere))
        file, = answer["files"]
        return file

    def check(self, *compiler):
        profile = self.record(*compiler)
        file = self.annotated(profile)
        self.assertFalse(file["file"].startswith("/"), "the debug information has an absolute path")
        self.assertEqual((file["read_from"], file["note"]), (os.path.join(self.built, file["file"]), ""))
        hottest = max(file["lines"], key=lambda line: line["self_cpu_ns"])
        self.assertIn("as built", hottest["text"])
        text = run(OMPPROF, "annotate", "spin", profile, folder=self.elsewhere)
        self.assertIn("/* as built */", text)
        shown = page_sources(run(OMPPROF, "report", "--html=-", profile, folder=self.elsewhere))[file["file"]]
        self.assertEqual((shown["read_from"], shown["unreadable"]), (file["read_from"], ""))
        self.assertIn(hottest["text"], shown["text"])
        return profile, file["file"]

    def test_gcc(self):
        self.check("gcc", "src/work.c")

    def test_clang(self):
        self.check("clang", "src/work.c")

    def test_prefix_map(self):
        """The compiler makes absolute paths relative, and leaves the folder unchanged."""
        self.check("gcc", f"-fdebug-prefix-map={self.built}/=", os.path.join(self.built, "src/work.c"))

    def test_other_places(self):
        profile, name = self.check("gcc", "src/work.c")
        # The user's folders come before the folder of the compilation.
        write(os.path.join(self.folder, "given", "include/spin.h"), HEADER % "as given")
        given = self.annotated(profile, "--source-path", os.path.join(self.folder, "given"))
        self.assertIn("as given", "".join(line["text"] for line in given["lines"]))
        # The folder of the compilation comes before the working directory, which is left when that folder is gone.
        write(os.path.join(self.elsewhere, name), HEADER % "beside")
        self.assertIn("as built", "".join(line["text"] for line in self.annotated(profile)["lines"]))
        os.remove(os.path.join(self.built, "include/spin.h"))
        self.assertIn("beside", "".join(line["text"] for line in self.annotated(profile)["lines"]))
        os.remove(os.path.join(self.elsewhere, name))
        file = self.annotated(profile)
        self.assertIn("--source-path=DIR says where it is", file["note"])
        self.assertEqual(file["read_from"], "")


def main():
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(RelativeSources))
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
