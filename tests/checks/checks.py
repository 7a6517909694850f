"""The checks of a test in Python: a line for each, and a last line that scripts/count_tests.py reads.

    checks = Checks()
    checks.check(1 + 1 == 2, "sums are right")
    sys.exit(checks.end())
"""


class Checks:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def check(self, right, sentence):
        """Counts a check. `sentence` says what is right if `right` is true, or what is wrong if it is not."""
        if right:
            self.passed += 1
        else:
            self.failed += 1
        print(("ok: " if right else "FAILED: ") + sentence)

    def skip(self, sentence):
        """Counts a check that cannot run here. `sentence` says why."""
        self.skipped += 1
        print("skipped: " + sentence)

    def end(self):
        """Prints the last line and returns the exit status. A test without any check fails."""
        print(f"{self.passed} passed, {self.failed} failed" + (f", {self.skipped} skipped" if self.skipped else ""))
        return 1 if self.failed or not self.passed + self.skipped else 0
