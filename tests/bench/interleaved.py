"""Runs variants of a program in turn, over and over, and compares each run with its neighbours.

A machine's speed drifts by more than a profiler costs, so a variant is never compared with another's average. Each
round runs all variants, in an order that rotates, and the ratios are taken within the round. The median of the rounds'
ratios is the result. Their quartiles say how far to trust it.
"""

import dataclasses
import math
import os
import pathlib
import shutil
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
import launch


@dataclasses.dataclass
class Variant:
    """A way to run a program: `prefix` before its command line, `environment` added; {folder} stands for the run's own
    directory in both. `outputs` are the names in it (ending so) whose bytes count as written."""

    name: str
    prefix: list = dataclasses.field(default_factory=list)
    environment: dict = dataclasses.field(default_factory=dict)
    outputs: str = ""


@dataclasses.dataclass
class Run:
    cpu: float  # seconds, user and system, with all the variant's own processes
    wall: float
    written: int  # bytes
    out: str
    err: str


def run_once(variant, command, environment, limit=120):
    """A run that takes more than `limit` seconds is ended and has failed."""
    folder = tempfile.mkdtemp(prefix="ompprof-bench-")
    try:
        settings = launch.environment(**environment)
        settings.update({name: value.format(folder=folder) for name, value in variant.environment.items()})
        line = [word.format(folder=folder) for word in variant.prefix] + command
        done = launch.run(line, folder, settings, limit=limit)
        if done.timed_out or done.status != 0:
            raise RuntimeError(f"{variant.name}: {done.describe()}")
        if "cannot be preloaded" in done.err:  # the loader goes on without it, and the benchmark would measure something else
            raise RuntimeError(f"{variant.name}: a library to preload is not there; build it with scripts/bench\n{done.describe()}")
        written = sum(
            os.path.getsize(os.path.join(folder, name))
            for name in os.listdir(folder)
            if variant.outputs and name.endswith(variant.outputs)
        )
        return Run(done.cpu, done.wall, written, done.out, done.err)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_rounds(variants, command, rounds, environment, limit=120):
    """{variant name: its runs, one a round}. A variant that fails is left out from then on, with a sentence on stderr."""
    runs = {variant.name: [] for variant in variants}

    def run(variant):
        try:
            return run_once(variant, command, environment, limit)
        except (RuntimeError, OSError) as failure:
            print(f"left out: {failure}", file=sys.stderr)
            del runs[variant.name]
            return None

    for variant in variants:
        run(variant)  # brings files and programs into memory
    for turn in range(rounds):
        for i in range(len(variants)):
            variant = variants[(turn + i) % len(variants)]
            if variant.name in runs and (done := run(variant)):
                runs[variant.name].append(done)
    return runs


def ratios(numbers, base):
    """(median, lower quartile, upper quartile) of the rounds' ratios."""
    of_rounds = [number / of_base for number, of_base in zip(numbers, base)]
    if len(of_rounds) < 2:
        return of_rounds[0], of_rounds[0], of_rounds[0]
    lower, middle, upper = statistics.quantiles(of_rounds, n=4, method="inclusive")
    return middle, lower, upper


def median_interval(numbers, base):
    """The interval of the median of the rounds' ratios, with 95 % confidence and for any distribution: between two of
    the ratios, by the binomial distribution of how many lie below the median. (0, infinity) for fewer than six rounds."""
    of_rounds = sorted(number / of_base for number, of_base in zip(numbers, base))
    count = len(of_rounds)
    below, rank = 0.5**count, 0
    while below <= 0.025:
        rank += 1
        below += math.comb(count, rank) * 0.5**count
    return (of_rounds[rank - 1], of_rounds[count - rank]) if rank > 0 else (0, math.inf)


def percent(summary):
    """A ratio's summary in percent: how far the ratio is above 1, and its quartiles."""
    return "{:+.1f} % [{:+.1f}, {:+.1f}]".format(*(100 * (ratio - 1) for ratio in summary))


def print_table(rows):
    """The first row is the head; the first column is text, the others are right-aligned."""
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    for number, row in enumerate(rows):
        cells = [str(cell).ljust(width) if i == 0 else str(cell).rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))
