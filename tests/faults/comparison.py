"""Runs a row's host without the profiler and with it. Reports the differences and the missing CPU time."""

import dataclasses
import difflib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import contents
from row import HIGH_RATE

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "launch"))
import launch

SAME, DIFFERENT, LOST, SKIPPED = "same", "different", "lost", "skipped"

# How much longer than without the profiler a host may take, as a factor and in seconds. 10 kHz and a busy machine are
# slow, not hung.
# A signal takes from 2 us to 100 us and more, by the machine: 1,000 threads at once took 50 s where signals are slow.
LONGER, AND_SECONDS = 8, 120
# A share of CPU time that a profile of a tenth of a second may lack by chance: at the default rate it has 30 samples, of
# which 18 % are one standard deviation. The test fails only if two of three further runs lack as much.
MAY_LACK = 0.4
LEAST_CPU_S = 0.05  # less time says nothing about shares
# How long a host works, in milliseconds: 30 samples at the default rate, 700 at 10 kHz.
WORK_MS, WORK_MS_AT_HIGH_RATE = 150, 70

HIDDEN = ((r"cpu_ns \d+", "cpu_ns N"),)  # the truth lines of tests/programs/truth.h
# The line about the profile at the end, and warnings. The program's own last line may lack its end.
LAST_LINE = re.compile(rb"ompprof: wrote .*\n?")
OWN_LINE = re.compile(rb"^(?:ompprof|libgomp_ompt): .*\n?", re.MULTILINE)


@dataclasses.dataclass
class Verdict:
    kind: str
    how: str = ""  # the difference, or why the row was skipped
    lost: float = None  # share of CPU time, where there was enough time
    warned: bool = False  # a line of the profiler's on stderr

    def __str__(self):
        text = self.kind
        if self.kind == LOST:
            text += f" {self.lost:.0%}"
        return text + (f": {self.how}" if self.how else "")


@dataclasses.dataclass
class Ran:
    """A host's run, and the contents of its folder afterwards."""

    outcome: launch.Outcome
    files: dict
    profiles: list


@dataclasses.dataclass
class Recorder:
    """How the host is run with the profiler: words before its command line, and variables."""

    prefix: tuple
    environment: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Places:
    """Absolute paths: the installed tree, the built hosts, this folder."""

    ompprof: str
    built: str
    source: str

    def recorder(self, row, rate):
        # The default rate needs no option.
        frequency = ("-F", str(rate)) if rate != 199 else ()
        return Recorder((f"{self.ompprof}/bin/ompprof", "record", *frequency, *row.options, "--"))


def _first_difference(before, after):
    before, after = (text.decode("utf-8", "replace").splitlines() for text in (before, after))
    for line in difflib.unified_diff(before, after, lineterm="", n=0):
        if line.startswith(("---", "+++", "@@")):
            continue
        other = [more for more in after if more not in before][:1]
        if line.startswith("-") and other:
            return f"{line[1:61]!r} became {other[0][:60]!r}"
        return f"{'lacks' if line.startswith('-') else 'has'} {line[1:81]!r}"
    return "white space"


def _texts(outcome, row):
    texts = []
    for text in (outcome.raw_out, OWN_LINE.sub(b"", LAST_LINE.sub(b"", outcome.raw_err))):
        for pattern, replacement in (*HIDDEN, *row.hides):
            text = re.sub(pattern.encode(), replacement.encode(), text)
        texts.append(text)
    return texts


def _file_differences(before, after, ignores):
    found = []
    for path in sorted(set(before) | set(after)):
        if ignores and re.search(ignores, path):
            continue
        if before.get(path) != after.get(path):
            found.append(f"{path} {'is new' if path not in before else 'is missing' if path not in after else 'is another'}")
    return found


def _read_profiles(places, paths):
    """(seconds sampled or counted as lost, the files' errors)"""
    seconds, wrong = 0.0, []
    for begin in range(0, len(paths), 200):
        some = paths[begin : begin + 200]
        done = launch.run([f"{places.ompprof}/bin/ompprof", "info", "--format=json", *some])
        try:
            processes = json.loads(done.out)["processes"]
        except (ValueError, KeyError):
            processes = []
        if len(processes) < len(some):
            wrong.append((done.err.strip() or "no answer")[:200])
        for process in processes:
            if process["damage"] and process["complete"]:
                wrong.append(process["damage"])
            if process["weight_unit"] == "nanoseconds":
                seconds += process["weight"] / 1e9
    return seconds, wrong


def compare(row, without, with_us, places):
    """The Verdict on two runs."""
    differences = []
    plain, recorded = without.outcome, with_us.outcome
    before, after = plain.how(), recorded.how()
    if before != after:
        differences.append(f"{before} became {after}")
    for stream, of_plain, of_recorded in zip(("stdout", "stderr"), _texts(plain, row), _texts(recorded, row)):
        if of_plain != of_recorded:
            differences.append(f"{stream}: {_first_difference(of_plain, of_recorded)}")
    if not recorded.timed_out and plain.left != recorded.left:
        differences.append(f"left behind: {plain.left} became {recorded.left}")
    differences += _file_differences(without.files, with_us.files, row.ignores)[:3]
    warned = OWN_LINE.search(LAST_LINE.sub(b"", recorded.raw_err)) is not None
    sampled, wrong = _read_profiles(places, with_us.profiles)
    if not recorded.timed_out:
        if wrong:
            differences.append(f"unreadable profile: {wrong[0]}")
        elif len(with_us.profiles) < row.profiles:
            differences.append(f"{len(with_us.profiles)} of {row.profiles} profiles")
    # Threads that spin for each other take the time that they get. The profiler's own time is not the host's.
    due = min(plain.cpu, recorded.cpu)
    lost = max(0.0, 1 - sampled / due) if due >= LEAST_CPU_S and row.profiles else None
    if differences:
        return Verdict(DIFFERENT, "; ".join(differences), lost, warned)
    if lost is not None and lost > MAY_LACK and not row.loses:
        return Verdict(LOST, "", lost, warned)
    return Verdict(SAME, "", lost, warned)


def run_row(row, combination, places, recorder=None):
    """The Verdict on a row at one compiler and rate. `recorder` stands in for ompprof, in the tests of this file."""
    top = tempfile.mkdtemp(prefix="faults-", dir="/tmp")
    os.chmod(top, 0o755)  # some hosts become another user
    if row.anybody:
        shutil.copytree(places.ompprof, os.path.join(top, "ompprof"))
        places = dataclasses.replace(places, ompprof=os.path.join(top, "ompprof"))
    recorder = recorder or places.recorder(row, combination.rate)
    # Both runs have one path, so that neither its name nor its length is a difference.
    folder = os.path.join(top, "run")
    suffix = "" if row.one_build else f"_{combination.compiler}"
    host = os.path.join(places.built, row.host + suffix) if row.host else ""
    names = {
        "host": host,
        "built": places.built,
        "source": places.source,
        "ompprof": places.ompprof,
        "folder": folder,
        "compiler": combination.compiler,
        "ms": str(WORK_MS_AT_HIGH_RATE if combination.rate == HIGH_RATE else WORK_MS),
    }

    def fill(text):
        for name, value in names.items():
            text = text.replace("{" + name + "}", value)
        return text

    command = [fill(word) for word in row.command or (host, *row.arguments)]

    def one(with_us, limit):
        os.mkdir(folder)
        os.chmod(folder, 0o777)
        environment = launch.environment(folder, OMP_NUM_THREADS="2")
        environment.update({name: fill(value) for name, value in row.environment.items()})
        line = command
        if row.shell:
            subprocess.run(["bash", "-ec", fill(row.shell)], cwd=folder, env=environment, check=True, capture_output=True)
        if with_us:
            environment.update(recorder.environment)
            line = [*(fill(word) for word in recorder.prefix), *command]
        line = [*(fill(word) for word in row.around), *line]
        return Ran(launch.run(line, folder, environment, row.input, limit), *contents.of(folder))

    def clear():
        if row.cleanup:
            subprocess.run(["bash", "-c", fill(row.cleanup)], cwd=top, check=False, capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)

    try:
        plain = one(False, row.limit)
        if plain.outcome.timed_out:
            return Verdict(DIFFERENT, f"takes more than {row.limit} s without us")
        clear()
        recorded = one(True, LONGER * plain.outcome.wall + AND_SECONDS)
        return compare(row, plain, recorded, places)
    except subprocess.CalledProcessError as failure:
        return Verdict(DIFFERENT, f"cannot be prepared: {failure.stderr.decode('utf-8', 'replace')[-300:]}")
    finally:
        clear()
        subprocess.run(["chmod", "-R", "u+rwx", top], check=False, capture_output=True)
        shutil.rmtree(top, ignore_errors=True)
