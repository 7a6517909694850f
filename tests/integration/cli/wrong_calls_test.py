#!/usr/bin/python3
"""Each wrong call of wrong_calls.txt gives the sentence and the exit status of that table, starts no program and writes
no file.

usage: wrong_calls_test.py OMPPROF FLAT LOCKS        FLAT, LOCKS: programs of tests/programs
"""

import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import counted

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "launch"))
import launch

OMPPROF, FLAT, LOCKS = (os.path.abspath(path) for path in sys.argv[1:4])
TABLE = pathlib.Path(__file__).with_name("wrong_calls.txt")
FOLDER = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
FEWEST_ROWS = 40
# Root may read and write everywhere, until it gives these rights up.
WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"]
EVENTS = ("cycles", "instructions", "cache-misses", "branch-misses", "stalled-cycles-frontend", "stalled-cycles-backend")

NAMES = {
    "profile": FOLDER / "flat.ompprof",
    "locks": FOLDER / "locks.ompprof",
    "cut": FOLDER / "cut.ompprof",
    "secret": FOLDER / "secret.ompprof",
    "text": FOLDER / "notes.txt",
    "empty": FOLDER / "empty.ompprof",
    "script": FOLDER / "run.sh",
    "homepage": FOLDER / "index.html",
    "archive": FOLDER / "backup.tgz",
    "title": FOLDER / "README.md",
    "scores": FOLDER / "scores.txt",
    "callgrind": FOLDER / "callgrind.out.1",
    "speedscope": FOLDER / "peer.json",
    "folder": FOLDER / "folder",
    "locked": FOLDER / "locked",
    "closed": FOLDER / "closed",
    "ranks": FOLDER / "ranks",
    "job": FOLDER / "job.ompprof",
    "flat": FLAT,
}


def rows():
    """(status, command line, lines of standard error) for each row of the table."""
    found = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("     "):
            found[-1][2].append(line[5:])
        elif line and not line.startswith("#"):
            status, _, command = line.partition("  ")
            found.append((int(status), command, []))
    return found


def run(words):
    folder = pathlib.Path(tempfile.mkdtemp(dir=FOLDER))
    rights = WITHOUT_RIGHTS if os.getuid() == 0 else []
    outcome = launch.run([*rights, *words], folder=folder, env=launch.environment(OMP_NUM_THREADS="2"), limit=60)
    assert not outcome.timed_out, outcome.describe()
    return outcome, sorted(os.listdir(folder))


def ompprof(*words):
    return run([OMPPROF, *map(str, words)])


def comparable(text):
    """The lines, with the test's names in braces; the lines of a list in the order of the alphabet."""
    for name, path in NAMES.items():
        text = re.sub(re.escape(str(path)) + r"(?![\w.])", "{" + name + "}", text)
    lines = re.sub(r"at byte \d+", "at byte N", text).splitlines()
    return [line for line in lines if not line.startswith("  ")] + sorted(line for line in lines if line.startswith("  "))


def prepare():
    for name, program in (("profile", [FLAT, "200"]), ("locks", [LOCKS])):
        outcome, _ = ompprof("record", "-q", "-o", NAMES[name], "--", *program)
        assert outcome.status == 0 and outcome.err == "", outcome.describe()
    for rank in "0", "1":
        outcome, _ = run(["env", f"PMI_RANK={rank}", OMPPROF, "record", "-o", f"{FOLDER}/{rank}.ompprof", "--", FLAT, "50"])
        assert outcome.status == 0, outcome.describe()
    outcome, _ = ompprof("merge", "--unify", "--keep=none", "-o", NAMES["job"], FOLDER / "0.ompprof", FOLDER / "1.ompprof")
    assert outcome.status == 0 and outcome.err == "", outcome.describe()
    whole = NAMES["profile"].read_bytes()
    NAMES["cut"].write_bytes(whole[:-7])
    NAMES["secret"].write_bytes(whole)
    NAMES["secret"].chmod(0)
    NAMES["text"].write_text("text\n", encoding="utf-8")
    NAMES["empty"].touch()
    NAMES["script"].write_text("#!/bin/sh\n", encoding="utf-8")
    NAMES["homepage"].write_text("<!DOCTYPE html>\n<html><body>somebody's</body></html>\n", encoding="utf-8")
    NAMES["archive"].write_bytes(gzip.compress(b"somebody's"))
    NAMES["title"].write_text("Solver 12\n\nSolves.\n", encoding="utf-8")
    NAMES["scores"].write_text("Alice 30\nBob 20\n", encoding="utf-8")
    NAMES["callgrind"].write_text("# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\n", encoding="utf-8")
    NAMES["speedscope"].write_text('{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"peer"}', encoding="utf-8")
    NAMES["folder"].mkdir()
    NAMES["locked"].mkdir(mode=0o555)
    NAMES["closed"].mkdir(mode=0)
    NAMES["ranks"].mkdir()
    (NAMES["ranks"] / "0.ompprof").write_bytes(whole)


def contents():
    return {path: path.read_bytes() for path in FOLDER.rglob("*") if path.is_file()}


def check_each_row():
    wrong = []
    before = contents()
    for status, command, lines in rows():
        words = [word.format(**NAMES) for word in command.split()]
        outcome, written = run([OMPPROF, *words[1:]])
        found = (outcome.status, comparable(outcome.err))
        if found != (status, comparable("\n".join(lines))) or written or "truth process" in outcome.out:
            wrong.append(f"{command}\n  expected {status} {lines}\n  found    {found}, {written}, {outcome.out[:200]!r}")
    assert not wrong, "\n".join(wrong)
    assert contents() == before, "a wrong call has written into a file"


def check_the_table_is_a_table():
    assert len(rows()) >= FEWEST_ROWS, len(rows())
    assert len({command for _, command, _ in rows()}) == len(rows()), "a call stands twice"
    for status, command, lines in rows():
        assert status in (1, 2, 126, 127) and lines, command
        assert all(line.startswith(("ompprof: ", "  ")) for line in lines), command


def check_an_event_that_the_machine_lacks():
    refused = [event for event in EVENTS if ompprof("record", "-e", event, "--", "true")[0].status != 0]
    for event in refused:  # none on a machine that counts them all
        outcome, written = ompprof("record", "-e", event, "--", FLAT, "20")
        assert outcome.status == 2 and written == [] and outcome.out == "", outcome.describe()
        assert outcome.err.startswith(f"ompprof: event {event}: "), outcome.err
        assert "--run-anyway" in outcome.err, outcome.err
        anyway, written = ompprof("record", "--run-anyway", "-e", event, "--", FLAT, "20")
        assert anyway.status == 0 and written == [] and "truth" in anyway.out, anyway.describe()
        assert anyway.err.endswith("the program runs unprofiled\n") and anyway.err.count("\n") == 1, anyway.err


def check_run_anyway_runs_without_a_profile():
    outcome, written = ompprof("record", "--run-anyway", "-o", "/nonexistent/x.ompprof", "--", FLAT, "20")
    assert outcome.status == 0 and written == [] and "truth" in outcome.out, outcome.describe()
    assert outcome.err == ("ompprof: cannot create the profile /nonexistent/x.ompprof: No such file or directory; "
                           "the program runs unprofiled\n"), outcome.err


def check_a_program_may_begin_with_a_dash():
    program = FOLDER / "-x"
    program.write_text("#!/bin/sh\necho it ran\n", encoding="utf-8")
    program.chmod(0o755)
    path = f"PATH={FOLDER}:{launch.PATH}"
    outcome, _ = run(["env", path, OMPPROF, "record", "-o", str(FOLDER / "dash.ompprof"), "--", "-x"])
    assert outcome.status == 0 and outcome.out == "it ran\n", outcome.describe()


prepare()
counted.run([check_the_table_is_a_table, check_each_row, check_an_event_that_the_machine_lacks,
             check_run_anyway_runs_without_a_profile, check_a_program_may_begin_with_a_dash])
