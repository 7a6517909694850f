#!/usr/bin/env python3
"""The cache of names: reports are the same with it and without, and nothing about it is an error.

usage: name_cache_test.py INSTALLED_OMPPROF TWO_FUNCTIONS
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

OMPPROF, PROGRAM = (os.path.abspath(path) for path in sys.argv[1:3])
FOLDER = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
WORK = ("steady_work", "changed_work")


def ompprof(*arguments, status=0, **variables):
    """Standard output, after a check that standard error is empty. HOME is no folder, unless it is given."""
    environment = {key: value for key, value in os.environ.items() if key not in ("HOME", "XDG_CACHE_HOME")}
    done = launch.succeed([OMPPROF, *arguments], status=status, env={**environment, **variables})
    return done.out, done.err


class NameCacheTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = FOLDER / "program"
        shutil.copy(PROGRAM, cls.program)
        os.chmod(cls.program, 0o755)
        cls.profile = str(FOLDER / "p.ompprof")
        command = [OMPPROF, "record", "-q", "-F", "1000", "-o", cls.profile, "--", str(cls.program), "300", "300"]
        launch.succeed(command, env=launch.environment(OMP_NUM_THREADS="2"))
        cls.plain = {name: ompprof(*cls.command(cls, name)) for name in cls.COMMANDS}
        for out, err in cls.plain.values():
            assert err == "", err

    # Every command that names functions and prints the names.
    COMMANDS = {
        "text": ["report", "--no-pager", "--full"],
        "json": ["report", "--format=json"],
        "machine": ["report", "--no-pager", "--tree", "--view=machine"],
        "page": ["report", "--html", "-"],
        "export": ["export", "--format=folded"],
        "annotate": ["annotate", "--no-pager", "--objdump=none", "steady_work"],
        "top": ["top", "--once"],
        "diff": ["diff"],
    }

    def command(self, name, *more):
        profiles = [self.profile] * (2 if name == "diff" else 1)
        return [*self.COMMANDS[name], *more, *profiles]

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(dir=FOLDER))
        self.cache = self.home / ".cache" / "ompprof"

    def files(self):
        return sorted(self.cache.iterdir()) if self.cache.exists() else []

    def test_the_same_with_the_cache(self):
        for name in WORK:
            self.assertIn(name, self.plain["text"][0])
        for _ in range(2):
            for name, plain in self.plain.items():
                self.assertEqual(ompprof(*self.command(name), HOME=str(self.home)), plain, name)
            self.assertTrue(self.files())
        # A report now reads neither the program's symbols nor its lines: the file is not opened a second time for them.
        trace = ["strace", "-f", "-e", "trace=openat", OMPPROF, *self.command("text")]
        if shutil.which("strace"):
            traced = launch.succeed(trace, env={**os.environ, "HOME": str(self.home)}).err
            self.assertEqual(traced.count(f'"{self.program}"'), 1, traced)

    def test_without_the_option(self):
        for name, plain in self.plain.items():
            self.assertEqual(ompprof(*self.command(name, "--no-cache"), HOME=str(self.home)), plain, name)
            self.assertEqual(ompprof(*self.command(name), HOME=str(self.home), OMPPROF_CACHE_SIZE="0"), plain, name)
        self.assertEqual(self.files(), [])

    def test_another_folder(self):
        ompprof(*self.command("text"), HOME=str(self.home), XDG_CACHE_HOME=str(self.home / "other"))
        self.assertEqual(self.files(), [])
        self.assertTrue(list((self.home / "other" / "ompprof").iterdir()))

    def test_a_size_that_is_none(self):
        out, err = ompprof(*self.command("text"), HOME=str(self.home), OMPPROF_CACHE_SIZE="much")
        self.assertEqual(out, self.plain["text"][0])
        self.assertEqual(
            err, "ompprof: OMPPROF_CACHE_SIZE=much: is no number of bytes such as 256M; the cache has its usual size\n")

    def test_no_folder_is_no_error(self):
        for home in ("/proc/none", "/dev/null", "relative", ""):
            self.assertEqual(ompprof(*self.command("text"), HOME=home), self.plain["text"], home)

    def test_several_at_once(self):
        environment = {**os.environ, "HOME": str(self.home)}
        for _ in range(3):
            running = [subprocess.Popen([OMPPROF, *self.command("text")], env=environment, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
            for process in running:
                self.assertEqual(process.communicate(), self.plain["text"])
            for file in self.files():
                file.write_bytes(file.read_bytes()[:-10])

    def test_a_stripped_program_keeps_no_old_names(self):
        self.assertEqual(ompprof(*self.command("text"), HOME=str(self.home)), self.plain["text"])
        whole = self.program.read_bytes()
        try:
            subprocess.run(["strip", "-s", self.program], check=True)
            stripped = ompprof(*self.command("text"), HOME=str(self.home))[0]
        finally:
            self.program.write_bytes(whole)
        for name in WORK:
            self.assertNotIn(name, stripped)
        self.assertEqual(ompprof(*self.command("text"), HOME=str(self.home)), self.plain["text"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
