#!/usr/bin/env python3
"""launch.py reports how commands end: that they end, fail, hang, leave processes behind, or daemonize."""

import os
import pathlib
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import launch


def shell(script, **options):
    return launch.run(["bash", "-c", script], **options)


class Launch(unittest.TestCase):
    def test_streams_and_status(self):
        outcome = shell("cat; echo to err >&2; exit 7", text="given\n")
        self.assertEqual((outcome.status, outcome.out, outcome.err), (7, "given\n", "to err\n"))
        self.assertEqual((outcome.timed_out, outcome.left, outcome.how()), (False, [], "exit 7"))

    def test_too_long_a_text_is_not_cut_in_silence(self):
        longest = launch.LONGEST_TEXT
        launch.LONGEST_TEXT = 100
        try:
            self.assertEqual(len(shell("printf %100d 1").raw_out), 100)
            self.assertRaises(launch.Failure, shell, "printf %101d 1")
        finally:
            launch.LONGEST_TEXT = longest

    def test_a_signal(self):
        self.assertEqual(shell("kill -USR1 $$").how(), "SIGUSR1")

    def test_the_callers_variables_are_not_the_programs(self):
        os.environ["OMP_NUM_THREADS"] = "77"
        said = shell("env", env=launch.environment(MORE="1")).out.split()
        self.assertIn("MORE=1", said)
        self.assertFalse([word for word in said if word.startswith(("OMP_", "TEST_"))], said)

    def test_a_time_limit(self):
        begin = time.monotonic()
        outcome = shell("echo begun; sleep 100 & sleep 100", limit=0.5)
        self.assertLess(time.monotonic() - begin, 20)
        self.assertTrue(outcome.timed_out)
        self.assertEqual((outcome.out, outcome.how()), ("begun\n", "hangs (0 s)"))
        # The shell, which still has its children.
        self.assertEqual(outcome.left, ["bash"])
        self.assertRegex(outcome.describe(), r"bash \d+, thread \d+: S ")

    def test_what_is_left_behind(self):
        outcome = shell("setsid sleep 98.76 & exit 3")
        self.assertEqual((outcome.status, outcome.left), (3, ["sleep"]))
        self.assertEqual(subprocess.run(["pgrep", "-f", "sleep 98.76"], check=False, capture_output=True).stdout, b"")

    def test_a_daemon_is_waited_for(self):
        outcome = shell("(setsid bash -c 'sleep 0.5; echo late') & exit 0")
        self.assertEqual((outcome.out, outcome.left), ("late\n", []))
        self.assertGreater(outcome.wall, 0.5)

    def test_cpu_time_is_of_all_processes(self):
        spin = f"{sys.executable} -c 'import time\nwhile time.process_time() < 0.3: pass'"
        outcome = shell(f"{spin} & {spin}; wait")
        self.assertGreater(outcome.cpu, 0.6)
        self.assertLess(outcome.cpu, 3)

    def test_other_children_stay(self):
        with subprocess.Popen(["sleep", "60"]) as other:
            self.assertEqual(shell("true").status, 0)
            self.assertIsNone(other.poll())
            other.kill()

    def test_a_command_that_has_to_succeed(self):
        self.assertEqual(launch.succeed(["false"], status=1).out, "")
        with self.assertRaisesRegex(launch.Failure, "^bash -c echo why >&2; exit 4: exit 4\n-- stderr\nwhy$"):
            launch.succeed(["bash", "-c", "echo why >&2; exit 4"])

    def test_the_working_directory(self):
        self.assertEqual(shell("pwd", folder="/usr").out, "/usr\n")
        self.assertFalse(os.path.exists(shell("pwd").out.strip()))


if __name__ == "__main__":
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(Launch))
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - bad} passed, {bad} failed")
    sys.exit(1 if bad else 0)
