"""Runs a script's checks one by one and prints the line that scripts/count_tests.py reads."""

import sys
import traceback


def run(checks):
    passed = failed = 0
    for check in checks:
        try:
            check()
            passed += 1
            print(f"ok      {check.__name__}")
        except Exception:
            failed += 1
            print(f"FAILED  {check.__name__}")
            traceback.print_exc(file=sys.stdout)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)
