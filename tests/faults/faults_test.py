#!/usr/bin/env python3
"""Each row of the fault matrix once, with one compiler and at one rate. Before that, libmeddler.so does what a profiler
must not do, and the matrix must see it.

A busy machine, or another kernel, may change a host as well as the profiler. So a surprise is run three times again,
alone. The test fails if two of these runs are surprises, too. A row that is marked as different and was the same is
named, not failed: that depends on the kernel. scripts/faults is stricter, and fails at the first of either.
"""

import os
import sys

import comparison
import faults
import rows
from row import Combination, Row, why_skipped

PLACES = comparison.Places(
    os.path.abspath("tests/integration/installed"), os.path.abspath("tests/faults"), os.path.abspath("tests/faults")
)
GCC = Combination("gcc", 199)
# Rows at a time. Many hosts sleep for a part of their time, so two would leave a processor idle.
JOBS = 3
# A host that ends by itself at once, in a folder with a file.
QUIET = {"shell": "echo present > present", "command": ("bash", "-c", "echo worked; exit 5"), "profiles": 0}

# What libmeddler.so does, and the matrix's verdict on it.
MEDDLING = {
    "nothing": "same",
    "warning": "same",
    "out": "different: stdout: has 'something'",
    "err": "different: stderr: has 'something'",
    "status": "different: exit 5 became exit 77",
    "signal": "different: exit 5 became SIGUSR1",
    "hang": "different: exit 5 became hangs",
    "process": "different: left behind: [] became ['bash']",
    "new file": "different: litter is new",
    "changed file": "different: present is another",
    "missing file": "different: present is missing",
    "mode": "different: present is another",
    "profile": "different: unreadable profile",
}


def meddled(way, row):
    environment = {"LD_PRELOAD": os.path.abspath("tests/faults/libmeddler.so"), "MEDDLE": way}
    return comparison.run_row(row, GCC, PLACES, comparison.Recorder((), environment))


def sees_meddling():
    """Yields (name, what is wrong)."""
    for way, expected in MEDDLING.items():
        said = str(meddled(way, Row("meddled with", **QUIET)))
        yield f"meddling: {way}", "" if said.startswith(expected) and (expected != "same" or said == "same") else said


def sees_loss():
    """A host that works, without a profile and with an empty profile: the matrix must see the loss."""
    working = Row("works", "machine", ("just_work", "300"))
    said = str(meddled("nothing", working))
    yield "no profile", "" if said.startswith("different: 0 of 1 profiles") else said
    empty = comparison.run_row(Row("works", "machine", ("just_work", "300"), options=("--delay=1000",)), GCC, PLACES)
    yield "a profile that never begins", "" if empty.kind == comparison.LOST and empty.lost == 1 else str(empty)
    whole = comparison.run_row(working, GCC, PLACES)
    yield "a whole profile", "" if whole.kind == comparison.SAME and whole.lost < 0.3 else str(whole)


def sees_marks():
    """The matrix accepts a row only if its mark is right."""
    same, different = comparison.Verdict(comparison.SAME), comparison.Verdict(comparison.DIFFERENT, "how")
    lost = comparison.Verdict(comparison.LOST, "", 0.9)
    unmarked, marked = Row("x", "machine"), Row("x", "machine", known="because", known_at=("gcc", 199))
    elsewhere = Combination("clang", 199)
    for name, row, combination, verdict, accepted in (
        ("same", unmarked, GCC, same, True),
        ("different", unmarked, GCC, different, False),
        ("lost", unmarked, GCC, lost, False),
        ("known and different", marked, GCC, different, True),
        ("known and lost", marked, GCC, lost, True),
        ("known and the same", marked, GCC, same, False),
        ("known elsewhere and the same", marked, elsewhere, same, True),
        ("known elsewhere and different", marked, elsewhere, different, False),
    ):
        said = faults.unexpected(row, combination, verdict)
        yield f"mark: {name}", "" if (said == "") == accepted else f"said {said!r}"
    absent = Row("x", "machine", needs=("no-such-command",))
    yield "mark: skipped", "" if why_skipped(absent) == "no-such-command is not installed." else why_skipped(absent)
    named = {row.name.split()[0] for row in rows.ALL}
    yield "each test elsewhere has rows", "" if rows.ELSEWHERE.keys() <= named else str(rows.ELSEWHERE.keys() - named)
    chosen = {row.chosen() for row in rows.ALL}
    yield "all compilers and rates are chosen", "" if len(chosen) >= 6 else str(chosen)
    yield "there are 120 rows", "" if len(rows.ALL) >= 120 else str(len(rows.ALL))


def main():
    passed = failed = skipped = 0

    def count(name, wrong):
        nonlocal passed, failed
        passed, failed = (passed, failed + 1) if wrong else (passed + 1, failed)
        print(f"FAILED  {name}: {wrong}" if wrong else f"ok      {name}", flush=True)

    for each in (sees_meddling, sees_loss, sees_marks):
        for name, wrong in each():
            count(name, wrong)
    elsewhere = sys.argv[1:] == ["--elsewhere"]
    cells = [(row, row.chosen()) for row in rows.ALL if rows.is_elsewhere(row) == elsewhere]
    surprises, stale = [], []
    for row, combination, verdict in faults.run_all(cells, PLACES, jobs=JOBS):
        if verdict.kind == comparison.SKIPPED:
            skipped += 1
            print(f"skipped: {row.name}: {verdict.how}", flush=True)
            continue
        wrong = faults.unexpected(row, combination, verdict)
        if wrong and row.known:
            stale.append(f"{row.name} ({combination}): {wrong}")
        elif wrong:
            surprises.append((row, combination, wrong))
        else:
            count(f"{row.name} ({combination})" + (f", known to be {verdict}" if row.known else ""), "")
    for row, combination, wrong in surprises:
        print(f"once: {row.name} ({combination}): {wrong}", flush=True)
        again = [faults.unexpected(row, combination, faults.judge(row, combination, PLACES)[2]) for _ in range(3)]
        wrong_again = [text for text in again if text]
        for text in wrong_again:
            print(f"again: {row.name} ({combination}): {text}", flush=True)
        what = f"{row.name} ({combination}), a surprise {1 + len(wrong_again)} times of 4"
        count(what, wrong_again[0] if len(wrong_again) > 1 else "")
    for sentence in stale:
        print(f"not as marked: {sentence}")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
