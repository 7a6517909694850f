#!/usr/bin/env python3
"""The checker can say no: each of these logs and comments has one error, or none. Prints `N passed, N failed`."""

import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))
from expectations import Expectations, FormatError, read_differences  # pylint: disable=wrong-import-position
from matching import match  # pylint: disable=wrong-import-position

LOG = {
    1: ["start id=1 state=a", "stop id=1 state=b sp=0x10"],
    2: ["start id=2", "mark name=x", "mark name=x", "stop id=2"],
    3: ["start id=3", "mark name=x", "stop id=3"],
}
GOOD_OTHERS = "EXPECT(w*): start id=$I|EXPECT(w*): * mark name=x|EXPECT(w*): stop id=$I"
# (comments, whether they hold)
CASES = [
    ("EXPECT(initial): start id=1|EXPECT(initial): stop id=1|" + GOOD_OTHERS, True),
    ("EXPECT(initial): start id=$A|EXPECT(initial): stop id=$A|" + GOOD_OTHERS, True),
    ("EXPECT(initial): start id=2|EXPECT(initial): stop|" + GOOD_OTHERS, False),  # a literal differs
    ("EXPECT(initial): start id=$A state=$A|EXPECT(initial): stop|" + GOOD_OTHERS, False),  # a variable differs
    ("EXPECT(initial): start|" + GOOD_OTHERS, False),  # an event too many
    ("EXPECT(initial): start|EXPECT(initial): stop|EXPECT(initial): stop|" + GOOD_OTHERS, False),  # one too few
    ("EXPECT(initial): stop|EXPECT(initial): start|" + GOOD_OTHERS, False),  # the wrong order
    ("EXPECT(initial): ~ stop|EXPECT(initial): ~ start|" + GOOD_OTHERS, True),  # any order
    ("EXPECT(initial): ~ stop|EXPECT(initial): ~ stop|" + GOOD_OTHERS, False),  # any order, not any event
    ("EXPECT(initial): ? start|EXPECT(initial): ? start|EXPECT(initial): ? stop|" + GOOD_OTHERS, True),
    ("EXPECT(initial): + start|EXPECT(initial): + stop|" + GOOD_OTHERS, True),
    ("EXPECT(initial): start|EXPECT(initial): + start|EXPECT(initial): stop|" + GOOD_OTHERS, False),  # + needs one
    ("EXPECT(initial): start|EXPECT(initial): stop {sp > 15}|" + GOOD_OTHERS, True),
    ("EXPECT(initial): start|EXPECT(initial): stop {sp > 16}|" + GOOD_OTHERS, False),  # a condition is false
    ("EXPECT(initial): start|EXPECT(initial): stop {nobody > 16}|" + GOOD_OTHERS, False),  # or cannot be computed
    ("EXPECT(initial): start sp=*|EXPECT(initial): stop|" + GOOD_OTHERS, False),  # a field is missing
    ("EXPECT(initial): start state!=a|EXPECT(initial): stop|" + GOOD_OTHERS, False),
    ("EXPECT(initial): start|EXPECT(initial): stop", False),  # threads without a role
    ("EXPECT(initial): start|EXPECT(initial): stop|OTHERS: ignored", True),
    ("EXPECT(initial): start|EXPECT(initial): stop|OTHERS: ignored|EXPECT(a): start id=7|EXPECT(a): stop", False),
    ("EXPECT(initial): start|EXPECT(initial): stop|EXPECT(w*): start|EXPECT(w*): stop|OBSERVE: mark", False),  # strict
    (
        "EXPECT(initial): start|EXPECT(initial): stop|EXPECT(a): start id=3|EXPECT(a): + mark|EXPECT(a): stop|"
        "EXPECT(b): start|EXPECT(b): repeat 2|EXPECT(b): mark name=$N|EXPECT(b): end|EXPECT(b): stop id=2",
        True,  # the threads are assigned to the roles that fit
    ),
    (
        "EXPECT(initial): start|EXPECT(initial): stop|EXPECT(a): start id=2|EXPECT(a): + mark|EXPECT(a): stop|"
        "EXPECT(b): start|EXPECT(b): repeat 2|EXPECT(b): mark name=$N|EXPECT(b): end|EXPECT(b): stop",
        False,  # two roles cannot be one thread
    ),
    ("EXPECT(initial)[libomp why]: begin id=9|EXPECT(initial): start|EXPECT(initial): stop|" + GOOD_OTHERS, True),
]
# Comments that cannot be read.
MALFORMED = [
    "EXPECT(a)[libomp]: begin",  # no reason
    "EXPECT(a)[libomp unheard-of]: begin",
    "EXPECT(a)[icc why]: begin",
    "EXPECT(a) begin",
    "EXPECT(a): begin id",
    "EXPECT(a): begin {1 +}",
    "EXPECT(a): repeat 2",
    "COUNT: begin",
    "RUNTIMES: gomp",
]


def read(comments, folder):
    path = pathlib.Path(folder) / "program.c"
    path.write_text("".join(f"// {comment}\n" for comment in comments.split("|")), encoding="utf-8")
    return Expectations(path, "gomp", {"why"})


def main():
    threads = {}
    for name, lines in LOG.items():
        events = [line.split() for line in lines]
        threads[name] = [dict([("event", words[0])] + [word.split("=") for word in words[1:]]) for words in events]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for comments, holds in CASES:
            problem = match(read(comments, folder), threads, lambda value, label: False)
            if (problem is None) == holds:
                passed += 1
            else:
                failed += 1
                print(f"FAILED {comments}: {problem or 'matched'}")
        for comments in MALFORMED:
            try:
                read(comments, folder)
                failed += 1
                print(f"FAILED {comments}: was read")
            except FormatError:
                passed += 1
    # Every listed difference is met by a program.
    programs = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("programs/*/*"))
    for name in sorted(read_differences(FOLDER / "differences.md")):
        if f" {name}]" in programs or f" {name} " in programs:
            passed += 1
        else:
            failed += 1
            print(f"FAILED differences.md: no program refers to {name}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
