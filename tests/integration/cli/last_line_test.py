#!/usr/bin/env python3
"""Where standard error is no terminal, `ompprof record` says in one line where the profile is, and leaves the program's
streams, exit status and files as they are. live_test.py has the terminal.

usage: last_line_test.py OMPPROF LIBRARY FLAT           FLAT: a program of tests/programs
"""

import fcntl
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

OMPPROF, LIBRARY, FLAT = (os.path.abspath(path) for path in sys.argv[1:4])
LIMIT_S = 60


def line(name):
    return f"ompprof: wrote {name}; read it with: ompprof report {name}\n"


class LastLine(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))

    def record(self, *words, options=("-o", "run.ompprof"), status=0, **variables):
        command = [OMPPROF, "record", *options, "--", *words]
        return launch.succeed(command, status=status, folder=self.folder, env=launch.environment(OMP_NUM_THREADS="2", **variables))

    def into(self, stream, *words, **how):
        """Runs with `stream` as standard error, and returns the exit status."""
        command = [OMPPROF, "record", "-o", "run.ompprof", "--", *words]
        return subprocess.run(command, cwd=self.folder, stderr=stream, env=launch.environment(), timeout=LIMIT_S, check=False, **how).returncode

    def test_one_line_at_the_end(self):
        plain = launch.succeed([FLAT, "20"], env=launch.environment(OMP_NUM_THREADS="2"))
        recorded = self.record(FLAT, "20")
        self.assertEqual(recorded.err, plain.err + line("run.ompprof"))
        self.assertEqual(re.sub(r"\d+", "N", recorded.out), re.sub(r"\d+", "N", plain.out))
        self.assertEqual(self.record("sh", "-c", "echo own >&2; exit 7", status=7).err, "own\n" + line("run.ompprof"))
        self.assertEqual(self.record("sh", "-c", "printf half >&2").err, "half" + line("run.ompprof"))

    def test_the_usual_name(self):
        said = self.record(FLAT, "20", options=()).err
        [profile] = self.folder.glob("*.ompprof")
        self.assertEqual(said, line(profile.name))

    def test_nothing_where_nobody_asked(self):
        self.assertEqual(self.record(FLAT, "20", options=("-q",)).err, "")
        preloaded = launch.succeed([FLAT, "20"], folder=self.folder, env=launch.environment(LD_PRELOAD=LIBRARY, OMP_NUM_THREADS="2"))
        self.assertEqual(preloaded.err, "")
        self.assertEqual(len(list(self.folder.glob("*.ompprof"))), 2)

    def test_a_program_that_a_signal_ends(self):
        for number in (signal.SIGKILL, signal.SIGSEGV):
            said = self.record("sh", "-c", f"kill -{int(number)} $$", status=-number).err
            self.assertEqual(said, line("run.ompprof"), number)
        # The process became another program, which has the samples.
        said = self.record("env", "sh", "-c", "kill -KILL $$", status=-signal.SIGKILL).err
        self.assertEqual(said, "ompprof: wrote 2 profiles, run*.ompprof; read them with: ompprof report run*.ompprof\n")
        self.assertEqual(self.record("env", "true").err.count("ompprof: "), 1)

    def test_several_processes_have_one_line(self):
        script = f"{FLAT} 200; {FLAT} 200; true"  # a process without samples may have no profile
        told = "ompprof: wrote 3 profiles, {0}; read them with: ompprof report {0}\n"
        for options, names in ((("-o", "run.ompprof"), "run*.ompprof"), ((), "ompprof.*.ompprof"), (("-o", "a b.ompprof"), "'a b'*.ompprof")):
            for _ in range(2):  # the profiles of the first run are no part of the second
                said = self.record("sh", "-c", script, options=("-F", "1000", *options)).err
                self.assertEqual(said, told.format(names))
            command = re.search("read them with: ompprof (.*)\n", said)[1]
            report = launch.succeed(["sh", "-c", f"{OMPPROF} {command} --format=csv --threads"], folder=self.folder)
            self.assertEqual(len({row.split(",")[0] for row in report.out.splitlines()[1:]}), 3, report.describe())

    def test_rank_0_tells_for_all_ranks(self):
        said = {}
        for rank in "0", "1":
            said[rank] = self.record(FLAT, "20", options=("-o", "%r.ompprof"), PMI_RANK=rank, PMI_SIZE="2").err
        self.assertEqual(said["0"], "ompprof: wrote 0.ompprof, and a profile of each other rank; read it with: ompprof report 0.ompprof\n")
        self.assertEqual(said["1"], "")

    def test_a_file_that_the_program_opens_in_the_place_of_standard_error(self):
        said = self.record("sh", "-c", "exec 2> own; printf data >&2").err
        self.assertEqual(said, "")
        self.assertEqual((self.folder / "own").read_text(encoding="utf-8"), "data")
        self.record("sh", "-c", "exec 2>&-; exec 5> own2; true")
        self.assertEqual((self.folder / "own2").read_text(encoding="utf-8"), "")

    def test_a_pipe_without_a_reader(self):
        reader, writer = os.pipe()
        os.close(reader)
        restore = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        try:
            self.assertEqual(self.into(writer, FLAT, "20", restore_signals=True), 0)
        finally:
            signal.signal(signal.SIGPIPE, restore)
            os.close(writer)

    def test_a_full_pipe(self):
        reader, writer = os.pipe()
        flags = fcntl.fcntl(writer, fcntl.F_GETFL)
        fcntl.fcntl(writer, fcntl.F_SETFL, flags | os.O_NONBLOCK)
        with self.assertRaises(BlockingIOError):
            while True:
                os.write(writer, b"x" * 4096)
        fcntl.fcntl(writer, fcntl.F_SETFL, flags)
        self.assertEqual(self.into(writer, FLAT, "20"), 0)
        os.close(writer)
        os.close(reader)

    def test_a_file_at_its_limit(self):
        most = 8 << 20  # more than the profile has
        with open(self.folder / "err", "wb") as stream:
            stream.truncate(most)
            stream.seek(most)
            status = self.into(stream, FLAT, "20", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
        self.assertEqual(status, 0)
        self.assertEqual(os.path.getsize(self.folder / "err"), most)

    def test_a_pipe_has_the_line_when_the_program_has_ended(self):
        for words, name in ((["true"], "run.ompprof"), (["sh", "-c", "kill -KILL $$"], "run.ompprof")):
            done = subprocess.run([OMPPROF, "record", "-o", "run.ompprof", "--", *words], cwd=self.folder, stderr=subprocess.PIPE,
                                  env=launch.environment(), timeout=LIMIT_S, check=False)
            self.assertEqual(done.stderr.decode(), line(name))


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1], exit=False, verbosity=2).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
