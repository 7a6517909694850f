"""Runs a script's checks one by one and prints the line that scripts/count_tests.py reads."""

import shutil
import sys
import traceback


class Skip(Exception):
    """Why a check cannot run here, in a sentence."""


def want(program, package):
    """Skips the check that calls this, if `program` is not installed."""
    if shutil.which(program) is None:
        raise Skip(f"{program} is not installed (package {package}): run scripts/setup")


def run(checks):
    passed = failed = skipped = 0
    for check in checks:
        try:
            check()
            passed += 1
            print(f"ok      {check.__name__}")
        except Skip as why:
            skipped += 1
            print(f"skipped: {check.__name__}: {why}")
        except Exception:
            failed += 1
            print(f"FAILED  {check.__name__}")
            traceback.print_exc(file=sys.stdout)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    sys.exit(1 if failed or not passed + skipped else 0)
