#!/usr/bin/env python3
"""checks.py counts, says each check, skips, and fails for a failed check and for none at all."""

import contextlib
import io
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from checks import Checks  # pylint: disable=wrong-import-position


def printed(*checks):
    """(what the checks print, the exit status)"""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        made = Checks()
        for right, sentence in checks:
            made.check(right, sentence)
        status = made.end()
    return text.getvalue(), status


class ChecksTest(unittest.TestCase):
    def test_all_right(self):
        self.assertEqual(printed((True, "a"), ([1], "b")), ("ok: a\nok: b\n2 passed, 0 failed\n", 0))

    def test_one_wrong(self):
        self.assertEqual(printed((True, "a"), ("", "b")), ("ok: a\nFAILED: b\n1 passed, 1 failed\n", 1))

    def test_one_that_cannot_run(self):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            made = Checks()
            made.skip("no x is here")
            status = made.end()
        self.assertEqual((text.getvalue(), status), ("skipped: no x is here\n0 passed, 0 failed, 1 skipped\n", 0))

    def test_none(self):
        self.assertEqual(printed(), ("0 passed, 0 failed\n", 1))


if __name__ == "__main__":
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(ChecksTest))
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - bad} passed, {bad} failed")
    sys.exit(1 if bad else 0)
